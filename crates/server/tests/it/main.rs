//! The server from outside: its process, its table, its sockets and its page.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod browser;
#[path = "../../build/page.rs"]
mod build;
mod cluster_model;
mod configuration;
mod copying;
mod network;
mod page;
mod process;
mod random_walks;
mod reliability;
mod restart;
mod table;

/// Whether to compare everything instead of a sample.
fn is_exhaustive() -> bool {
    std::env::var_os("CHECKERS_EXHAUSTIVE").is_some()
}

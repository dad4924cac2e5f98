//! The store, used the way the server uses it.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod commits;
mod conformance;
mod damage;
mod full_disk;
mod kill;
mod migration;
mod opening;
mod postgres;
mod support;

/// Whether to compare everything instead of a sample.
fn is_exhaustive() -> bool {
    std::env::var_os("CHECKERS_EXHAUSTIVE").is_some()
}

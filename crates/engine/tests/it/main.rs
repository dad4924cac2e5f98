//! The crate from outside, as its users see it.

mod bots;
mod spec;
mod tablebase;
mod trees;

/// Whether to compare everything and not only a sample, as `scripts/test.sh --all` does.
fn is_exhaustive() -> bool {
    std::env::var_os("CHECKERS_EXHAUSTIVE").is_some()
}

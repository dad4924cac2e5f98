//! Tournaments and their statistics from outside, as programs and users see them.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]
#![expect(
    clippy::print_stdout,
    reason = "a faulty bot writes to the program that started it"
)]

mod formats;
mod journal;
mod ledger;
mod reproduce;
mod statistics;
mod support;
mod tournaments;
mod tune;

/// Whether to compare everything instead of a sample, as every night.
fn is_exhaustive() -> bool {
    std::env::var_os("CHECKERS_EXHAUSTIVE").is_some()
}

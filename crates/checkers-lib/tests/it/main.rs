//! The library from outside: its rules against the rule book, its texts, and its messages.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod agreement;
mod client_state;
mod draw_counts;
mod draws;
mod game;
mod movegen;
mod openings;
mod pdn_dialects;
mod pdn_round_trip;
mod perft;
mod protocol;
mod protocol_tables;
mod random;
mod rule_book;
mod rules;
#[cfg(feature = "schema")]
mod schema;
mod script;
mod text;

/// Whether to compare everything and not only a sample, as `scripts/test.sh --all` does.
fn is_exhaustive() -> bool {
    std::env::var_os("CHECKERS_EXHAUSTIVE").is_some()
}

//! Tournament formats, played by results that are made up: who meets whom, whatever the order in
//! which pairings finish and however often the tournament is broken off.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod broken_off;
mod knockouts;
mod results;
mod sprts;
mod support;
mod swiss;
mod tables;

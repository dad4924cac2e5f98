//! `checkers-lab` as its user sees it, a module for each command.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod analyse;
mod bench;
mod book;
mod compare;
mod ledger;
mod moves;
mod openings;
mod perft;
mod regret;
mod support;
mod tablebase;
mod trace;
mod training;

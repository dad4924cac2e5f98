//! The numbers against published ones, against each other, and against simulated matches; and the
//! command that tells them.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod command;
mod known;
mod pools;
mod properties;
mod simulation;

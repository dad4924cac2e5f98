//! The statistics against published numbers, against each other and against simulated matches.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod known;
mod pools;
mod properties;
mod simulation;

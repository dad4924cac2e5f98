//! The numbers against published ones, against each other, and against simulated matches.

mod known;
mod pools;
mod properties;
mod simulation;

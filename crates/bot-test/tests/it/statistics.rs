//! The statistics against published numbers, against each other and against simulated matches, and
//! the `stats` command.

mod command;
mod known;
mod pools;
mod properties;
mod simulation;

//! Matches between bots for Russian draughts, and what their results say.

pub mod commands;
pub mod statistics;

//! The subcommands of `checkers-bot-test`.

mod planner;
pub mod stats;

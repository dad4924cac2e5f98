//! The subcommands of `checkers-bot-test`.

pub mod stats;

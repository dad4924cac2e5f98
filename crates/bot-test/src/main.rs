//! `checkers-bot-test`: see [`checkers_bot_test`].

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    checkers_bot_test::main_with(checkers_bot_test::Cli::parse())
}

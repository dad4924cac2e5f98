//! `checkers-bot-test`: see [`checkers_bot_test`].

use std::process::ExitCode;

use checkers_bot_test::Cli;
use clap::CommandFactory;

fn main() -> ExitCode {
    if let Some(code) = cli_kit::generate_pages(Cli::command) {
        return code;
    }
    checkers_bot_test::main_with(cli_kit::parse::<Cli>())
}

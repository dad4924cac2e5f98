//! `checkers-bot-test`: see [`checkers_bot_test`].

use std::process::ExitCode;

fn main() -> ExitCode {
    checkers_bot_test::main_with(cli_kit::parse())
}

//! `checkers-bot`: plays on a server for an engine bot.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    checkers_bot::main_with(checkers_bot::Args::parse())
}

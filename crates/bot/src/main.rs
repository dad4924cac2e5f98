//! `checkers-bot`: plays on a server for an engine bot, or is an engine for other programs.

use std::process::ExitCode;

use checkers_bot::{Args, HubArgs};
use clap::{Command, CommandFactory};

fn main() -> ExitCode {
    if let Some(code) = cli_kit::generate_pages(whole_command) {
        return code;
    }
    let mut words = std::env::args_os();
    let program = words.next();
    let mut words = words.peekable();
    // Not a subcommand to the parser, which would want the options of both.
    if words.next_if(|word| word == "hub").is_some() {
        let words = program.into_iter().chain(words).collect();
        return checkers_bot::hub_with(cli_kit::parse_from::<HubArgs>(words));
    }
    checkers_bot::main_with(cli_kit::parse::<Args>())
}

/// The program with `hub` as a subcommand.
fn whole_command() -> Command {
    Args::command().subcommand(HubArgs::command().name("hub"))
}

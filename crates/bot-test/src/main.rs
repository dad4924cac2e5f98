//! `checkers-bot-test`: see [`checkers_bot_test`].

use std::io::{self, Write};
use std::process::ExitCode;

use checkers_bot_test::commands::stats::StatsArgs;
use clap::{Parser, Subcommand};

/// Compares bots for Russian draughts by letting them play each other.
#[derive(Parser)]
#[command(name = "checkers-bot-test", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Stats(StatsArgs),
}

fn main() -> ExitCode {
    let Command::Stats(args) = Cli::parse().command;
    let answer = args.answer().unwrap_or_else(|error| error.exit());
    match io::stdout().lock().write_all(answer.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

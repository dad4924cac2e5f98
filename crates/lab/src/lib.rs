//! `checkers-lab`: experiments with Russian draughts at the command line.
//!
//! One module per command, each with its `Args` and a `run`. Results go to standard output, talk
//! goes to standard error, and `failure` says what the exit codes mean.

mod analyse;
mod bench;
mod book;
mod compare;
mod dataset;
mod draft;
mod failure;
mod ledger;
mod moves;
mod numbers;
mod openings;
mod perft;
mod player;
mod playing;
mod positions;
mod regret;
mod selfplay;
mod signals;
mod tablebase;
mod threads;
mod trace;
mod train;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::failure::LabFailure;

const EXAMPLES: &str = "\
Examples:
  checkers-lab perft 11
  checkers-lab moves --fen W:Wc3:Bd4
  checkers-lab openings --plies 5 --count 100 --seed 1
  checkers-lab compare --depth 8 --svg algorithms.svg
  checkers-lab tablebase generate --pieces 5
  checkers-lab bench
  checkers-lab analyse --fen W:Wc3,e3:Bd6,f6 --movetime 1s
  checkers-lab book build --out opening.book
  checkers-lab trace alpha-beta --depth 8 --out alpha-beta.trace
  checkers-lab regret champion level:level=8

Exit codes:
  0    done, or the reader of the results went away
  1    failed: see the message on standard error
  2    an option is missing, unknown or wrong, such as a --fen that is not a position
  130  interrupted by Ctrl-C or SIGHUP
  143  terminated by SIGTERM

Squares are algebraic, positions are FENs such as W:Wa1,Kc3:Bb8; docs/rules.md describes both.";

/// Experiments with Russian draughts: results on standard output, talk on standard error.
#[derive(Parser)]
#[command(name = "checkers-lab", version = cli_kit::VERSION, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Subcommand)]
enum LabCommand {
    Perft(perft::Args),
    Moves(moves::Args),
    Openings(openings::Args),
    Compare(compare::Args),
    Selfplay(selfplay::Args),
    Train(train::Args),
    /// Moved to `checkers-bot-test match`
    #[command(hide = true, disable_help_flag = true)]
    Match {
        /// All arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        _arguments: Vec<OsString>,
    },
    Tablebase(tablebase::Args),
    Bench(bench::Args),
    Analyse(analyse::Args),
    Book(book::Args),
    Trace(trace::Args),
    Regret(regret::Args),
    /// See `checkers-bot-test tune`
    #[command(hide = true, disable_help_flag = true)]
    Tune {
        /// All arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        _arguments: Vec<OsString>,
    },
}

impl LabCommand {
    /// Whether bots search in it that may use tables of a directory.
    fn searches(&self) -> bool {
        matches!(
            self,
            LabCommand::Compare(_)
                | LabCommand::Bench(_)
                | LabCommand::Analyse(_)
                | LabCommand::Book(_)
                | LabCommand::Trace(_)
                | LabCommand::Regret(_)
        )
    }
}

/// Runs the command of the command line.
pub fn main() -> ExitCode {
    if let Some(code) = cli_kit::generate_pages(Cli::command) {
        return code;
    }
    let command = cli_kit::parse::<Cli>().command;
    if command.searches() {
        tablebase::share();
    } else {
        tablebase::share_built_in();
    }
    let done = match command {
        LabCommand::Perft(args) => perft::run(&args),
        LabCommand::Moves(args) => moves::run(&args),
        LabCommand::Openings(args) => openings::run(&args),
        LabCommand::Compare(args) => compare::run(&args),
        LabCommand::Selfplay(args) => selfplay::run(&args),
        LabCommand::Train(args) => train::run(&args),
        LabCommand::Match { .. } => Err(LabFailure::Moved),
        LabCommand::Tablebase(args) => tablebase::run(&args),
        LabCommand::Bench(args) => bench::run(&args),
        LabCommand::Analyse(args) => analyse::run(&args),
        LabCommand::Book(args) => book::run(&args),
        LabCommand::Trace(args) => trace::run(&args),
        LabCommand::Regret(args) => regret::run(&args),
        LabCommand::Tune { .. } => Err(LabFailure::TunesElsewhere),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

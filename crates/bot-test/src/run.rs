//! The program: from the command line to the exit code.

mod ledger;
mod outputs;
mod session;
mod so_far;

use std::io::{self, Write};

use checkers_bot::EngineSpec;
use checkers_engine::tablebase::{Tablebases, Warn};

use crate::cli::{BotTestCommand, Cli, PlanError, Play};
use crate::commands::stats::StatsArgs;
use crate::files::FileError;
use crate::journal::JournalError;
use crate::ledger::{LedgerFailure, WorkError};
use crate::report::ReportError;
use crate::statistics::Decision;
use crate::stderr::print_stderr;
use crate::tournament::TournamentError;
use crate::{ExitCode, TournamentRecord, guard, text};

use self::outputs::Outputs;
use self::session::TournamentSession;

/// Does what the command line asks for. The hidden subcommands take this process over: they kill
/// it when its stdin ends.
pub fn main_with(cli: Cli) -> std::process::ExitCode {
    match cli.command {
        BotTestCommand::Match(args) => play(args.play()).into(),
        BotTestCommand::RoundRobin(args) => play(args.play()).into(),
        BotTestCommand::Gauntlet(args) => play(args.play()).into(),
        BotTestCommand::Knockout(args) => play(args.play()).into(),
        BotTestCommand::Swiss(args) => play(args.play()).into(),
        BotTestCommand::Sprt(args) => play(args.play()).into(),
        BotTestCommand::Report(args) => so_far::report(&args)
            .unwrap_or_else(|error| error.tell())
            .into(),
        BotTestCommand::Worker(args) => ledger::work(&args)
            .unwrap_or_else(|error| error.tell())
            .into(),
        BotTestCommand::ExportJournal(args) => ledger::export(&args)
            .unwrap_or_else(|error| error.tell())
            .into(),
        BotTestCommand::Reproduce(args) => args.run().into(),
        BotTestCommand::Stats(args) => tell_stats(&args).into(),
        BotTestCommand::Tune(args) => args.run().into(),
        BotTestCommand::Server(args) => {
            guard::die_with_parent();
            checkers_server::main_with(*args)
        }
        BotTestCommand::Bot(args) => match args.bot {
            EngineSpec::Engine(_) => {
                guard::die_with_parent();
                checkers_bot::main_with(args)
            }
            EngineSpec::Hub(_) => guard::run_with_programs(|| checkers_bot::main_with(args)),
        },
        BotTestCommand::Foreign { command } => guard::run_foreign(&command).into(),
    }
}

/// Why a tournament could not be played or its results not be shown.
#[derive(Debug, thiserror::Error)]
enum ProgramError {
    #[error(transparent)]
    Usage(#[from] clap::Error),
    #[error("{0}")]
    Openings(String),
    #[error("this system does not let the program run")]
    System(#[source] io::Error),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    #[error(transparent)]
    Ledger(#[from] LedgerFailure),
    #[error(transparent)]
    Work(#[from] WorkError),
    #[error("the journal cannot be understood: {0}")]
    Settings(String),
    #[error("cannot write the result to stdout")]
    Stdout(#[source] io::Error),
}

impl From<PlanError> for ProgramError {
    fn from(error: PlanError) -> ProgramError {
        match error {
            PlanError::Usage(error) => ProgramError::Usage(error),
            PlanError::Openings(message) => ProgramError::Openings(message),
        }
    }
}

impl ProgramError {
    fn exit_code(&self) -> ExitCode {
        match self {
            ProgramError::Usage(_) => ExitCode::Usage,
            ProgramError::Work(WorkError::Failed(failure)) => failure.into(),
            ProgramError::Openings(_)
            | ProgramError::System(_)
            | ProgramError::File(_)
            | ProgramError::Report(_)
            | ProgramError::Journal(_)
            | ProgramError::Tournament(_)
            | ProgramError::Ledger(_)
            | ProgramError::Work(_)
            | ProgramError::Settings(_)
            | ProgramError::Stdout(_) => ExitCode::Failed,
        }
    }

    /// Reports the error to the user, and returns the exit code. Wrong usage ends the process, as
    /// it does when clap finds it.
    fn tell(&self) -> ExitCode {
        if let ProgramError::Usage(error) = self {
            error.exit();
        }
        print_stderr(&format!("error: {}\n", cli_kit::explain(self)));
        self.exit_code()
    }
}

/// Makes the tablebases of this machine known to all bots.
fn load_tablebases() {
    let warn: Warn = |fault| print_stderr(&format!("warning: {fault}\n"));
    Tablebases::load(Tablebases::directory().as_deref(), warn).share();
}

fn play(play: Play) -> ExitCode {
    load_tablebases();
    match run(play) {
        Ok(record) => exit_code(&record),
        Err(error) => error.tell(),
    }
}

fn run(play: Play) -> Result<TournamentRecord, ProgramError> {
    let outputs = Outputs::prepare(&play)?;
    let (record, signals) = TournamentSession::open(play)?.play()?;
    // A stdout that is closed must not cost the files.
    let printed = tell(&record);
    outputs.write(&record)?;
    drop(signals);
    printed.map(|()| record)
}

fn exit_code(record: &TournamentRecord) -> ExitCode {
    let is_ended = |game: &crate::GameRecord| game.forfeit().is_some() || game.is_void();
    match &record.failure {
        Some(failure) => failure.into(),
        None if record.games.iter().any(is_ended) => ExitCode::BotFailed,
        None if record
            .sprt
            .is_some_and(|sprt| sprt.decision == Decision::Continue) =>
        {
            ExitCode::Undecided
        }
        None => ExitCode::Done,
    }
}

/// Prints the result to stdout, and a failure also to stderr with the last lines of the failed
/// process.
fn tell(record: &TournamentRecord) -> Result<(), ProgramError> {
    if let Some(failure) = &record.failure {
        print_stderr(&format!("error: {}", text::complaint(failure)));
    }
    print(&text::summary(record))
}

/// Wrong usage ends the process, as it does while the command line is read.
fn tell_stats(args: &StatsArgs) -> ExitCode {
    let answer = args.answer().unwrap_or_else(|error| error.exit());
    print(&answer).map_or_else(|error| error.tell(), |()| ExitCode::Done)
}

fn print(text: &str) -> Result<(), ProgramError> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    written
        .and_then(|()| stdout.flush())
        .map_err(ProgramError::Stdout)
}

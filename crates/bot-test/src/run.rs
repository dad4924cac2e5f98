//! The program: from the command line to the exit code.

use std::io::{self, Write};
use std::time::{Instant, SystemTime};

use checkers_engine::BotSpec;

use crate::cli::{Cli, Command, MatchArgs};
use crate::commands::stats::StatsArgs;
use crate::failure::explain;
use crate::files::{FileError, OutputFile};
use crate::progress::{Progress, talk};
use crate::signals::Signals;
use crate::{
    Contestant, ExitCode, MatchRecord, Observer, Plan, Played, Transport, guard, in_process,
    network, pdn, text,
};

/// Does what the command line asks for. The hidden subcommands take this process over: they kill
/// it when its stdin ends.
pub fn main_with(cli: Cli) -> std::process::ExitCode {
    match cli.command {
        Command::Match(args) => play_match(&args).into(),
        Command::Reproduce(args) => args.run().into(),
        Command::Stats(args) => tell_stats(&args).into(),
        Command::Server(args) => {
            guard::die_with_parent();
            checkers_server::main_with(args)
        }
        Command::Bot(args) => {
            guard::die_with_parent();
            checkers_bot::main_with(args)
        }
        Command::Foreign { command } => {
            guard::die_with_parent();
            guard::run_foreign(&command).into()
        }
    }
}

/// Why a match could not be played or told.
#[derive(Debug, thiserror::Error)]
enum ProgramError {
    #[error("this system does not let the program run")]
    System(#[source] io::Error),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("cannot write the result to stdout")]
    Stdout(#[source] io::Error),
}

impl ProgramError {
    fn exit_code(&self) -> ExitCode {
        match self {
            ProgramError::System(_) => ExitCode::System,
            ProgramError::File(_) | ProgramError::Stdout(_) => ExitCode::Files,
        }
    }

    /// Tells the user, and returns the exit code.
    fn tell(&self) -> ExitCode {
        talk(&format!("checkers-bot-test: {}\n", explain(self)));
        self.exit_code()
    }
}

fn play_match(args: &MatchArgs) -> ExitCode {
    match run_match(args) {
        Ok(record) => (record.failure.as_ref()).map_or(ExitCode::Done, ExitCode::from),
        Err(error) => error.tell(),
    }
}

/// Wrong usage ends the process, as it does while the command line is read.
fn tell_stats(args: &StatsArgs) -> ExitCode {
    let answer = args.answer().unwrap_or_else(|error| error.exit());
    print(&answer).map_or_else(|error| error.tell(), |()| ExitCode::Done)
}

/// Wrong usage ends the process, as it does while the command line is read.
fn run_match(args: &MatchArgs) -> Result<MatchRecord, ProgramError> {
    let program = std::env::current_exe().map_err(ProgramError::System)?;
    let plan = args.plan(program).unwrap_or_else(|error| error.exit());
    let outputs = Outputs::prepare(args)?;
    let record = play_and_record(&plan)?;
    // A stdout that is closed must not cost the files.
    let told = tell(&record);
    outputs.write(&record)?;
    told.map(|()| record)
}

fn play_and_record(plan: &Plan) -> Result<MatchRecord, ProgramError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    let runtime = runtime.map_err(ProgramError::System)?;
    let (began, clock) = (SystemTime::now(), Instant::now());
    let mut progress = Progress::new(plan.games);
    let played = runtime
        .block_on(play(plan, &mut progress))
        .map_err(ProgramError::System)?;
    Ok(MatchRecord::new(plan, played, began, clock.elapsed()))
}

/// Plays a match. Ctrl-C and SIGTERM end it: what was played by then is what came of it.
///
/// # Errors
/// When the system does not give a thread or a signal handler. Whatever a bot or the server does
/// wrong is a [`crate::Failure`] of the match.
pub async fn play(plan: &Plan, observer: &mut dyn Observer) -> io::Result<Played> {
    let mut signals = Signals::new()?;
    match (&plan.transport, &plan.bots) {
        (Transport::WebSocket { program }, _) => {
            Ok(network::play(plan, program, &mut signals, observer).await)
        }
        (Transport::InProcess, [Contestant::Engine(first), Contestant::Engine(second)]) => {
            let engines: [BotSpec; 2] = [first.clone(), second.clone()];
            in_process::play(plan, engines, &mut signals, observer).await
        }
        (Transport::InProcess, _) => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// The result goes to stdout, a failure also to stderr with the last words of who failed.
fn tell(record: &MatchRecord) -> Result<(), ProgramError> {
    if let Some(failure) = &record.failure {
        talk(&format!("checkers-bot-test: {}", text::complaint(failure)));
    }
    print(&text::summary(record))
}

fn print(text: &str) -> Result<(), ProgramError> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    written
        .and_then(|()| stdout.flush())
        .map_err(ProgramError::Stdout)
}

/// The files that were asked for.
struct Outputs {
    json: Option<OutputFile>,
    pdn: Option<OutputFile>,
}

impl Outputs {
    fn prepare(args: &MatchArgs) -> Result<Outputs, FileError> {
        Ok(Outputs {
            json: args.json.as_deref().map(OutputFile::prepare).transpose()?,
            pdn: args.pdn.as_deref().map(OutputFile::prepare).transpose()?,
        })
    }

    fn write(&self, record: &MatchRecord) -> Result<(), FileError> {
        if let Some(file) = &self.json {
            file.write(record.to_json().as_bytes())?;
        }
        if let Some(file) = &self.pdn {
            file.write(pdn::games(record).as_bytes())?;
        }
        Ok(())
    }
}

//! What a journal has so far, without its tournament.

use std::fs::Metadata;
use std::sync::Arc;
use std::time::SystemTime;

use clap::Parser;

use super::outputs::Outputs;
use super::{ProgramError, print};
use crate::cli::{Cli, ReportArgs};
use crate::journal::{Header, Journal};
use crate::tournament::TournamentError;
use crate::{
    ExitCode, Machine, PlayedTournament, RunConfig, Timeouts, TournamentRecord, TournamentResults,
    text,
};

/// Reads a journal, shows what it has, and writes the files that are asked for.
pub(super) fn report(args: &ReportArgs) -> Result<ExitCode, ProgramError> {
    let outputs = Outputs::of(&args.outputs)?;
    let (header, played) = Journal::read(&args.journal)?;
    let plan = header.settings.plan().map_err(ProgramError::Settings)?;
    let (plan, config) = (Arc::new(plan), Arc::new(config(&header)));
    let played = PlayedTournament::so_far(Arc::clone(&plan), Arc::clone(&config), played)?;
    let metadata = args.journal.metadata().ok();
    let ended = metadata.as_ref().and_then(|file| file.modified().ok());
    let began = metadata.as_ref().and_then(|file| created(file).or(ended));
    let began = began.unwrap_or_else(SystemTime::now);
    let outcome = TournamentResults {
        played,
        began,
        took: ended
            .and_then(|ended| ended.duration_since(began).ok())
            .unwrap_or_default(),
    };
    let record = TournamentRecord::new(&plan, &config, Machine::this(), outcome)
        .map_err(TournamentError::from)?;
    let printed = print(&text::summary(&record));
    outputs.write(&record)?;
    printed.map(|()| ExitCode::Done)
}

/// Not every file system knows.
fn created(file: &Metadata) -> Option<SystemTime> {
    file.created().ok()
}

/// How it was conducted, as far as the command line that began it says.
fn config(header: &Header) -> RunConfig {
    let words = ["checkers-bot-test".to_owned()].into_iter();
    let cli = Cli::try_parse_from(words.chain(header.arguments.iter().cloned()));
    let play = cli.ok().and_then(|cli| cli.command.play());
    play.map_or_else(
        || RunConfig {
            timeouts: Timeouts::default(),
            concurrency: 1,
            patience: 3,
            program: "checkers-bot-test".into(),
            transcripts: None,
            reproducible: false,
        },
        |play| play.args.config("checkers-bot-test".into()),
    )
}

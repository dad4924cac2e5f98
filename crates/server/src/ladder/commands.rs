//! `checkers-server ladder`: seasons of the ladder, from the command line.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::file::{self, Checked, LadderFileError};

/// What to do with seasons of the ladder.
#[derive(Clone, Debug, Args)]
pub(crate) struct LadderArgs {
    #[command(subcommand)]
    command: LadderCommand,
}

#[derive(Clone, Debug, Subcommand)]
enum LadderCommand {
    /// Check the file of a season: that all moves are legal, that the results follow from them as far as the rules
    /// decide, and that the standings follow from the games. Needs no server
    Verify {
        /// The file, as the page of the ladder offers it
        file: PathBuf,
    },
}

/// Why a command fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LadderCommandError {
    #[error("cannot open {}", .0.display())]
    Open(PathBuf, #[source] io::Error),
    #[error(transparent)]
    File(#[from] LadderFileError),
    #[error("cannot print")]
    Output(#[from] io::Error),
}

/// Executes a command.
pub(crate) async fn run(LadderArgs { command }: LadderArgs) -> Result<(), LadderCommandError> {
    let LadderCommand::Verify { file } = command;
    let opened = File::open(&file).map_err(|error| LadderCommandError::Open(file, error))?;
    let Checked { season, games } = file::check(BufReader::new(opened))?;
    writeln!(
        io::stdout(),
        "season {season}: {games} games follow the rules, and the standings follow from them"
    )?;
    Ok(())
}

//! What ends a command early, and the exit code it ends with.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use checkers_engine::evaluation::WeightsError;
use checkers_engine::tree::RecordError;
use cli_kit::exit;
use ledger_kit::LedgerError;

use crate::dataset::DatasetError;
use crate::signals;
use crate::tablebase::TableFailure;

/// Why a command did not do what it was asked. Most wrong arguments are not among the reasons: the
/// argument parser refuses them itself, with the same exit code as those that only the game can judge.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LabFailure {
    /// The input ended in an error.
    #[error("cannot read standard input")]
    Read(#[source] io::Error),
    /// The results could not be written.
    #[error("cannot write the results")]
    Write(#[source] io::Error),
    /// A file could not be written; what was there before is still there.
    #[error("cannot write {}", path.display())]
    WriteFile {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The command was stopped, for instance with Ctrl-C.
    #[error("interrupted: nothing was written")]
    Interrupted,
    /// The command was stopped after it had written part of its results.
    #[error("interrupted: there would have been more")]
    CutShort,
    /// The command was stopped and can be resumed.
    #[error("interrupted: the same command goes on from here")]
    Paused,
    /// The plot could not be drawn.
    #[error("cannot draw the plot: {reason}")]
    DrawPlot {
        /// What went wrong.
        reason: String,
    },
    /// An error of the tablebases.
    #[error(transparent)]
    Tables(#[from] TableFailure),
    /// The bench searched other nodes than the file says.
    #[error("{found} nodes, and {} says {expected}", path.display())]
    OtherNodes {
        /// The file.
        path: PathBuf,
        /// What it says.
        expected: u64,
        /// What was searched.
        found: u64,
    },
    /// A file could not be read.
    #[error("cannot read {}", path.display())]
    ReadFile {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file has something else than it should.
    #[error("{}: {reason}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong, and where.
        reason: String,
    },
    /// The games have no position to measure.
    #[error("the games have no position with a choice of moves")]
    NoPositions,
    /// Something about files of games.
    #[error(transparent)]
    Games(#[from] DatasetError),
    /// The ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// What another process, or this one, found and reported to the ledger.
    #[error("{0}")]
    Reported(String),
    /// The system refuses what the program needs to run.
    #[error("this system does not let the program run")]
    System(#[source] io::Error),
    /// Weights that cannot be used.
    #[error("cannot use the weights of {}", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: WeightsError,
    },
    /// The moves asked about are none.
    #[error("--moves are no moves from the start: {reason}")]
    Moves {
        /// What is wrong with them.
        reason: String,
    },
    /// The moves to choose among cannot be played.
    #[error("--searchmoves {reason}")]
    Searchmoves {
        /// Which, and what is wrong with it.
        reason: String,
    },
    /// The command is another program's now.
    #[error(
        "matches are played by checkers-bot-test match --in-process, which also takes weights: \
         champion:weights=FILE"
    )]
    Moved,
    /// The command is one of the program that plays matches.
    #[error("keys of bots are tuned by matches: see checkers-bot-test tune --help")]
    TunesElsewhere,
    /// The bot has no tree to record.
    #[error(transparent)]
    Trace(#[from] RecordError),
    /// The only position in the command line is invalid.
    #[error("--fen is not a position: {reason}")]
    Position {
        /// What is wrong with it.
        reason: String,
    },
}

impl LabFailure {
    /// Writes the message and returns the exit code: of `cli_kit::exit`, or 0 without a word if the reader of the results went away, as `head` does.
    pub(crate) fn report(&self) -> ExitCode {
        if matches!(self, LabFailure::Write(source) if source.kind() == io::ErrorKind::BrokenPipe) {
            return ExitCode::SUCCESS;
        }
        talk(&format!("error: {}", cli_kit::explain(self)));
        match self {
            LabFailure::Interrupted | LabFailure::CutShort | LabFailure::Paused => {
                signals::exit_code()
            }
            LabFailure::Moves { .. }
            | LabFailure::Trace(_)
            | LabFailure::Searchmoves { .. }
            | LabFailure::Position { .. }
            | LabFailure::Moved
            | LabFailure::TunesElsewhere => exit::USAGE,
            LabFailure::Read(_)
            | LabFailure::Write(_)
            | LabFailure::WriteFile { .. }
            | LabFailure::DrawPlot { .. }
            | LabFailure::Tables(_)
            | LabFailure::OtherNodes { .. }
            | LabFailure::NoPositions
            | LabFailure::ReadFile { .. }
            | LabFailure::Content { .. }
            | LabFailure::Games(_)
            | LabFailure::Ledger(_)
            | LabFailure::Reported(_)
            | LabFailure::System(_)
            | LabFailure::Weights { .. } => exit::FAILED,
        }
        .into()
    }
}

/// Writes a line to standard error. Errors are ignored: it may be closed.
pub(crate) fn talk(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

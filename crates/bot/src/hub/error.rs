//! What an engine does wrong.

use std::io;
use std::time::Duration;

use super::board::MoveError;

/// Why an engine cannot be played with any more. Each reads on from "the engine …".
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// Its process could not be started.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// Its process ended.
    #[error("ended: {how}")]
    Ended {
        /// Exit code or signal.
        how: String,
    },
    /// It said nothing of what it was to say.
    #[error("did not say {expected} within {after:?}")]
    Silent {
        /// What was waited for.
        expected: &'static str,
        /// For how long.
        after: Duration,
    },
    /// It does not read what it is told.
    #[error("does not read what it is told")]
    Deaf,
    /// It wrote a line that is longer than any.
    #[error("wrote a line of more than {limit} bytes")]
    TooLong {
        /// The longest line that is read.
        limit: usize,
    },
    /// It reported an error.
    #[error("reports an error: {message}")]
    Reported {
        /// Its words.
        message: String,
    },
    /// It does not play the variant.
    #[error("does not play {variant}, but {known}")]
    Variant {
        /// What it was to play.
        variant: String,
        /// What it plays.
        known: String,
    },
    /// It has no such parameter.
    #[error("has no parameter {name}: it has {known}")]
    NoParameter {
        /// The parameter it was to have.
        name: String,
        /// What it has.
        known: String,
    },
    /// It ended its search and told no move.
    #[error("told no move: {line}")]
    NoMove {
        /// What it said instead.
        line: String,
    },
    /// It told what is no legal move.
    #[error("wants to play what it cannot in {position}: {error}")]
    BadMove {
        /// The position, in the protocol's words.
        position: String,
        /// What is wrong with it.
        error: BadMove,
    },
}

/// What is wrong with a move that an engine told.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(transparent)]
pub struct BadMove(#[from] MoveError);

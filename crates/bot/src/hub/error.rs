//! What an engine does wrong.

use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use super::board::MoveError;

/// Why an engine cannot be played with any more. Each reads on from "the engine …".
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// Its process could not be started.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// There can be no transcript.
    #[error("cannot have a transcript: {0}")]
    Transcript(io::Error),
    /// Its process ended.
    #[error("{how}")]
    Ended {
        /// Exit code or signal.
        how: EngineEnd,
    },
    /// It said nothing of what it was to say.
    #[error("did not say {expected} within {after:?}")]
    Silent {
        /// What was waited for.
        expected: &'static str,
        /// For how long.
        after: Duration,
    },
    /// It does not read its input.
    #[error("does not read its input")]
    Deaf,
    /// It wrote a line that is longer than any.
    #[error("wrote a line of more than {limit} bytes")]
    TooLong {
        /// The longest line that is read.
        limit: usize,
    },
    /// It wrote too many meaningless lines instead of a move.
    #[error("wrote {lines} lines that mean nothing during a search, the last one {last:?}")]
    Flood {
        /// How many.
        lines: u32,
        /// How the last one begins.
        last: String,
    },
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
    /// It ended its search without a move.
    #[error("sent no move: {line}")]
    NoMove {
        /// What it said instead.
        line: String,
    },
    /// It chose an illegal move.
    #[error("wants to play what it cannot in {position}: {error}")]
    BadMove {
        /// The position, in the protocol's words.
        position: String,
        /// What is wrong with it.
        error: BadMove,
    },
}

/// How the process of an engine ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineEnd {
    /// With this exit code.
    Code(i32),
    Signal(i32),
    /// Its output is closed, and it runs or its state is unknown.
    Output,
}

/// A shell reports the signal that ended its command as an exit code above this one.
const SHELL_SIGNALS: i32 = 128;
/// There are no greater signals.
const MOST_SIGNAL: i32 = 64;

impl EngineEnd {
    /// Reads what it writes; what stands after it may be anything.
    pub fn parse(text: &str) -> Option<EngineEnd> {
        let number = |rest: &str| rest.split_whitespace().next()?.parse().ok();
        if let Some(rest) = text.strip_prefix("ended with exit code ") {
            return number(rest).map(EngineEnd::Code);
        }
        let rest = text.strip_prefix("ended with signal ")?;
        number(rest).map(EngineEnd::Signal)
    }
}

impl From<ExitStatus> for EngineEnd {
    fn from(status: ExitStatus) -> EngineEnd {
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        #[cfg(not(unix))]
        let signal = None;
        let from_shell = |code: i32| {
            let signal = code - SHELL_SIGNALS;
            (1..=MOST_SIGNAL).contains(&signal).then_some(signal)
        };
        match (status.code(), signal) {
            (_, Some(signal)) => EngineEnd::Signal(signal),
            (Some(code), None) => from_shell(code).map_or(EngineEnd::Code(code), EngineEnd::Signal),
            (None, None) => EngineEnd::Output,
        }
    }
}

impl fmt::Display for EngineEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineEnd::Code(code) => write!(f, "ended with exit code {code}"),
            EngineEnd::Signal(signal) => write!(f, "ended with signal {signal}"),
            EngineEnd::Output => f.write_str("closed its output"),
        }
    }
}

/// What is wrong with a move of an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(transparent)]
pub struct BadMove(#[from] MoveError);

impl BadMove {
    /// Whether it is not a move in any position.
    pub(crate) fn is_garbage(&self) -> bool {
        matches!(self.0, MoveError::Syntax(_))
    }
}

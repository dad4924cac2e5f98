//! What can go wrong in a tournament, and what the program's exit code says about it.

mod exit;
mod exit_code;
mod fault;

use std::fmt;
use std::time::Duration;

use cli_kit::Signal;
use serde::{Deserialize, Serialize};

pub use exit::Exit;
pub use exit_code::ExitCode;
pub use fault::{Fault, FaultKind, ServerFault};

use crate::BotId;

/// Why a tournament ended before its last game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Failure {
    /// A bot forfeited one game after the other.
    #[error("{bot} forfeited {} in a row; the last time it {fault}", games_text(*games))]
    Bot {
        /// Which one.
        bot: BotId,
        /// How many games.
        games: u32,
        /// What it did last.
        fault: Fault,
        /// The last lines it wrote to stderr.
        stderr: Vec<String>,
    },
    /// A server failed.
    #[error("the server {fault}")]
    Server {
        /// What it did.
        fault: ServerFault,
        /// The last lines it wrote to stderr.
        stderr: Vec<String>,
    },
    /// The tournament took too long.
    #[error("not everything was played within {}", Seconds(*limit_ms))]
    RunTooLong {
        /// What it was given, in milliseconds.
        limit_ms: u64,
    },
    /// The journal could not be written. What it contains is intact, and the tournament can be
    /// resumed.
    #[error("the journal cannot be written any more: {message}; --resume goes on where it ends")]
    Journal {
        /// What the system said.
        message: String,
    },
    /// The ledger cannot be used any more. What it contains is intact, and the tournament can go on.
    #[error(
        "the ledger cannot be used any more: {message}; the same command goes on where it ends"
    )]
    Ledger {
        /// What went wrong.
        message: String,
    },
    /// The system gives no process, as when there are too many open files.
    #[error("this system starts no more processes: {message}")]
    System {
        /// What it said.
        message: String,
    },
    /// Ctrl-C or the end of the terminal.
    #[error("interrupted")]
    Interrupted,
    /// SIGTERM.
    #[error("terminated")]
    Terminated,
}

impl Failure {
    /// The last lines that the failed process wrote to stderr.
    pub fn stderr(&self) -> &[String] {
        match self {
            Failure::Bot { stderr, .. } | Failure::Server { stderr, .. } => stderr,
            Failure::RunTooLong { .. }
            | Failure::Journal { .. }
            | Failure::Ledger { .. }
            | Failure::System { .. }
            | Failure::Interrupted
            | Failure::Terminated => &[],
        }
    }
}

impl From<Signal> for Failure {
    fn from(signal: Signal) -> Failure {
        match signal {
            Signal::Interrupt => Failure::Interrupted,
            Signal::Terminate => Failure::Terminated,
        }
    }
}

fn games_text(games: u32) -> String {
    match games {
        1 => "1 game".to_owned(),
        _ => format!("{games} games"),
    }
}

/// A duration in whole milliseconds, as failures carry it.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Milliseconds shown as seconds: `10 s`, `0.25 s`.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.0 as f64 / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_read_as_sentences() {
        let crash = Failure::Bot {
            bot: BotId::SECOND,
            games: 3,
            fault: Fault::Crashed {
                exit: Exit::Signal(11),
                message: None,
            },
            stderr: Vec::new(),
        };
        assert_eq!(
            crash.to_string(),
            "bot 2 forfeited 3 games in a row; the last time it ended with signal 11 (SIGSEGV)"
        );
        let died = Failure::Server {
            fault: ServerFault::Died {
                exit: Exit::Code(1),
            },
            stderr: Vec::new(),
        };
        assert_eq!(died.to_string(), "the server ended with exit code 1");
        let long = Failure::RunTooLong { limit_ms: 1500 };
        assert_eq!(long.to_string(), "not everything was played within 1.5 s");
    }
}

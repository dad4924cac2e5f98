//! What can go wrong in a match, and what the program's exit code says about it.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::BotId;

/// Why a match ended before its last game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Failure {
    /// A bot failed.
    #[error("{bot} {fault}")]
    Bot {
        /// Which one.
        bot: BotId,
        /// The game that ran, if one did.
        game: Option<u64>,
        /// What it did.
        fault: Fault,
        /// The last lines it wrote to stderr.
        stderr: Vec<String>,
    },
    /// The server failed.
    #[error("the server {fault}")]
    Server {
        /// What it did.
        fault: ServerFault,
        /// The last lines it wrote to stderr.
        stderr: Vec<String>,
    },
    /// A game went on for too long, though each of its moves came in time.
    #[error("game {game} was not over after {}", Seconds(*limit_ms))]
    GameTooLong {
        /// Its number.
        game: u64,
        /// What it was given, in milliseconds.
        limit_ms: u64,
    },
    /// A bot gave its seat up during a game, and both are still there.
    #[error("game {game} was broken off: a bot gave up its seat")]
    Abandoned {
        /// Its number.
        game: u64,
    },
    /// Ctrl-C or SIGTERM.
    #[error("interrupted")]
    Interrupted,
}

/// What a bot did wrong. Each reads on from "bot 1 …".
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Fault {
    /// Its process could not be started.
    #[error("could not be started: {message}")]
    NotStarted {
        /// What the system said.
        message: String,
    },
    /// It never joined under the name it was given.
    #[error("did not connect within {}", Seconds(*waited_ms))]
    NeverConnected {
        /// How long was waited, in milliseconds.
        waited_ms: u64,
    },
    /// It joined, but did not take its seat for the next game.
    #[error("did not take a seat within {}", Seconds(*waited_ms))]
    NeverSeated {
        /// How long was waited, in milliseconds.
        waited_ms: u64,
    },
    /// It was on the server and went away while its process lived on: it closed the connection,
    /// or the server did because it said too much.
    #[error("lost its connection and did not come back within {}", Seconds(*waited_ms))]
    Disconnected {
        /// How long was waited, in milliseconds.
        waited_ms: u64,
    },
    /// Its process ended before the match did.
    #[error("ended too early with {exit}{}", detail(message.as_ref()))]
    Crashed {
        /// How it ended.
        exit: Exit,
        /// What it had to say about it.
        message: Option<String>,
    },
    /// Its code panicked, in a match within this process.
    #[error("panicked")]
    Panicked,
    /// It did not move in time.
    #[error("made no move for {} in {fen}", Seconds(*waited_ms))]
    Hung {
        /// How long was waited, in milliseconds.
        waited_ms: u64,
        /// The position it was to move in.
        fen: String,
    },
    /// It gave up because the server refused its move.
    #[error("played an illegal move in {fen}: {message}")]
    IllegalMove {
        /// The position.
        fen: String,
        /// What it had to say about it, with the move.
        message: String,
    },
    /// It and the server did not understand each other.
    #[error("broke the protocol: {message}")]
    Protocol {
        /// What it had to say about it.
        message: String,
    },
}

/// What the server did wrong. Each reads on from "the server …".
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerFault {
    /// Its process could not be started.
    #[error("could not be started: {message}")]
    NotStarted {
        /// What the system said.
        message: String,
    },
    /// It did not say where it listens.
    #[error("did not say where it listens within {}", Seconds(*waited_ms))]
    NotListening {
        /// How long was waited, in milliseconds.
        waited_ms: u64,
    },
    /// The referee could not connect or lost its connection.
    #[error("cannot be reached: {message}")]
    Unreachable {
        /// What went wrong.
        message: String,
    },
    /// Both bots are seated and no game begins.
    #[error("did not begin the game within {}", Seconds(*waited_ms))]
    NoGame {
        /// How long was waited, in milliseconds.
        waited_ms: u64,
    },
    /// Its process ended.
    #[error("ended with {exit}")]
    Died {
        /// How it ended.
        exit: Exit,
    },
    /// It said something that cannot be.
    #[error("told nonsense: {message}")]
    Nonsense {
        /// What.
        message: String,
    },
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Exit {
        use std::os::unix::process::ExitStatusExt;
        match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, Some(signal)) => Exit::Signal(signal),
            // Only a status of a process that goes on has neither.
            (None, None) => Exit::Code(status.into_raw()),
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "signal {signal} ({name})"),
                None => write!(f, "signal {signal}"),
            },
        }
    }
}

/// The name of a signal that processes commonly end by.
fn signal_name(signal: i32) -> Option<&'static str> {
    use rustix::process::Signal;
    let named = Signal::from_named_raw(signal)?;
    let names = [
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::TERM, "SIGTERM"),
        (Signal::XCPU, "SIGXCPU"),
    ];
    (names.iter().find(|(known, _)| *known == named)).map(|&(_, name)| name)
}

/// The exit codes of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ExitCode {
    /// Every game was played.
    Done = 0,
    /// A bot failed or a game took too long; what was played is told.
    BotFailed = 1,
    /// The command line is wrong; nothing was played.
    Usage = 2,
    /// The server failed; what was played is told.
    ServerFailed = 3,
    /// A file or stdout cannot be written.
    Files = 4,
    /// The system gave no thread, signal handler or the like; nothing was played.
    System = 5,
    /// Ctrl-C or SIGTERM; what was played is told.
    Interrupted = 130,
}

impl ExitCode {
    /// The codes as `--help` lists them.
    pub const HELP: &str = "Exit codes:
  0    every game was played
  1    a bot failed or a game took too long; what was played is told
  2    the command line is wrong; nothing was played
  3    the server failed; what was played is told
  4    a file or stdout cannot be written
  5    this system does not let the program run; nothing was played
  130  interrupted by Ctrl-C or SIGTERM; what was played is told";
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> std::process::ExitCode {
        std::process::ExitCode::from(code as u8)
    }
}

impl From<&Failure> for ExitCode {
    fn from(failure: &Failure) -> ExitCode {
        match failure {
            Failure::Bot { .. } | Failure::GameTooLong { .. } | Failure::Abandoned { .. } => {
                ExitCode::BotFailed
            }
            Failure::Server { .. } => ExitCode::ServerFailed,
            Failure::Interrupted => ExitCode::Interrupted,
        }
    }
}

impl Failure {
    /// The last lines that the failed process wrote to stderr.
    pub fn stderr(&self) -> &[String] {
        match self {
            Failure::Bot { stderr, .. } | Failure::Server { stderr, .. } => stderr,
            Failure::GameTooLong { .. } | Failure::Abandoned { .. } | Failure::Interrupted => &[],
        }
    }
}

/// An error with all its causes, on one line.
pub(crate) fn explain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
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

fn detail(message: Option<&String>) -> String {
    message.map_or_else(String::new, |message| format!(": {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_read_as_sentences() {
        let crash = Failure::Bot {
            bot: BotId::SECOND,
            game: Some(1),
            fault: Fault::Crashed {
                exit: Exit::Signal(11),
                message: None,
            },
            stderr: Vec::new(),
        };
        assert_eq!(
            crash.to_string(),
            "bot 2 ended too early with signal 11 (SIGSEGV)"
        );
        let died = Failure::Server {
            fault: ServerFault::Died {
                exit: Exit::Code(1),
            },
            stderr: Vec::new(),
        };
        assert_eq!(died.to_string(), "the server ended with exit code 1");
        let long = Failure::GameTooLong {
            game: 2,
            limit_ms: 1500,
        };
        assert_eq!(long.to_string(), "game 2 was not over after 1.5 s");
    }

    #[test]
    fn help_lists_every_exit_code() {
        let codes = [
            ExitCode::Done,
            ExitCode::BotFailed,
            ExitCode::Usage,
            ExitCode::ServerFailed,
            ExitCode::Files,
            ExitCode::System,
            ExitCode::Interrupted,
        ];
        let listed: Vec<u8> = (ExitCode::HELP.lines().skip(1))
            .map(|line| line.split_whitespace().next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(listed, codes.map(|code| code as u8));
    }
}

//! What can go wrong in a tournament, and what the program's exit code says about it.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};

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
    /// The journal could not be written. What it has is whole, and can be gone on with.
    #[error("the journal cannot be written any more: {message}; --resume goes on where it ends")]
    Journal {
        /// What the system said.
        message: String,
    },
    /// The system gives no process, as when there are too many open files.
    #[error("this system starts no more processes: {message}")]
    System {
        /// What it said.
        message: String,
    },
    /// Ctrl-C, SIGTERM or the end of the terminal.
    #[error("interrupted")]
    Interrupted,
}

/// What a bot did wrong. Each reads on from "bot 1 …".
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Fault {
    /// It never joined under the name it was given.
    #[error("did not connect within {}", Seconds(*waited_ms))]
    NeverConnected {
        /// How long was waited, in milliseconds.
        waited_ms: u64,
    },
    /// It was on the server and went away while its process lived on: it closed the connection,
    /// or the server did because it said too much.
    #[error("lost its connection")]
    Disconnected,
    /// Its process ended.
    #[error("ended with {exit}{}", detail(message.as_ref()))]
    Crashed {
        /// How it ended.
        exit: Exit,
        /// What it had to say about it.
        message: Option<String>,
    },
    /// Its code panicked, in a tournament within this process.
    #[error("panicked: {message}")]
    Panicked {
        /// What it had to say about it.
        message: String,
    },
    /// It did not move in time; its own clock, if it has one, is not meant.
    #[error("made no move for {} in {fen}", Seconds(*waited_ms))]
    TimeOut {
        /// How long was waited, in milliseconds.
        waited_ms: u64,
        /// The position it was to move in.
        fen: String,
    },
    /// It played a move that is none.
    #[error("played an illegal move in {fen}: {message}")]
    IllegalMove {
        /// The position.
        fen: String,
        /// What there is to say about it, with the move.
        message: String,
    },
    /// It and the server did not understand each other.
    #[error("broke the protocol: {message}")]
    Protocol {
        /// What it had to say about it.
        message: String,
    },
    /// It gave up its seat during the game.
    #[error("gave up its seat")]
    GaveUp,
}

/// The kinds of [`Fault`]s, to be counted apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each variant is the fault of its name")]
pub enum FaultKind {
    NeverConnected,
    Disconnected,
    Crashed,
    Panicked,
    TimeOut,
    IllegalMove,
    Protocol,
    GaveUp,
}

impl Fault {
    /// What kind of fault it is.
    pub fn kind(&self) -> FaultKind {
        match self {
            Fault::NeverConnected { .. } => FaultKind::NeverConnected,
            Fault::Disconnected => FaultKind::Disconnected,
            Fault::Crashed { .. } => FaultKind::Crashed,
            Fault::Panicked { .. } => FaultKind::Panicked,
            Fault::TimeOut { .. } => FaultKind::TimeOut,
            Fault::IllegalMove { .. } => FaultKind::IllegalMove,
            Fault::Protocol { .. } => FaultKind::Protocol,
            Fault::GaveUp => FaultKind::GaveUp,
        }
    }
}

impl fmt::Display for FaultKind {
    /// Writes it as a thing that can be counted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::NeverConnected => "never connected",
            FaultKind::Disconnected => "disconnected",
            FaultKind::Crashed => "crashed",
            FaultKind::Panicked => "panicked",
            FaultKind::TimeOut => "timed out",
            FaultKind::IllegalMove => "illegal move",
            FaultKind::Protocol => "broke the protocol",
            FaultKind::GaveUp => "gave up",
        })
    }
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
    /// A game was arranged and does not begin.
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
    /// Every game was played to its end.
    Done = 0,
    /// A bot forfeited games or a game took too long; what was played is told.
    BotFailed = 1,
    /// The command line is wrong; nothing was played.
    Usage = 2,
    /// A server failed; what was played is told.
    ServerFailed = 3,
    /// A file or stdout cannot be written, or a journal cannot be read.
    Files = 4,
    /// The system gave no thread, process or the like; what was played is told.
    System = 5,
    /// Not everything was played in the time there was; what was played is told.
    RunTooLong = 6,
    /// A sequential test ended without a decision; what was played is told.
    Undecided = 7,
    /// Ctrl-C, SIGTERM or SIGHUP; what was played is told.
    Interrupted = 130,
}

impl ExitCode {
    /// The codes as `--help` lists them.
    pub const HELP: &str = "Exit codes:
  0    every game was played to its end
  1    a bot forfeited games or a game took too long; what was played is told
  2    the command line is wrong; nothing was played
  3    a server failed; what was played is told
  4    a file or stdout cannot be written, or a journal cannot be read
  5    this system does not let the program run; what was played is told
  6    not everything was played in the time there was; what was played is told
  7    a sequential test ended without a decision; what was played is told
  130  interrupted by Ctrl-C, SIGTERM or SIGHUP; what was played is told";
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> std::process::ExitCode {
        std::process::ExitCode::from(code as u8)
    }
}

impl From<&Failure> for ExitCode {
    fn from(failure: &Failure) -> ExitCode {
        match failure {
            Failure::Bot { .. } => ExitCode::BotFailed,
            Failure::Server { .. } => ExitCode::ServerFailed,
            Failure::RunTooLong { .. } => ExitCode::RunTooLong,
            Failure::Journal { .. } => ExitCode::Files,
            Failure::System { .. } => ExitCode::System,
            Failure::Interrupted => ExitCode::Interrupted,
        }
    }
}

impl Failure {
    /// The last lines that the failed process wrote to stderr.
    pub fn stderr(&self) -> &[String] {
        match self {
            Failure::Bot { stderr, .. } | Failure::Server { stderr, .. } => stderr,
            Failure::RunTooLong { .. }
            | Failure::Journal { .. }
            | Failure::System { .. }
            | Failure::Interrupted => &[],
        }
    }
}

fn games_text(games: u32) -> String {
    match games {
        1 => "1 game".to_owned(),
        _ => format!("{games} games"),
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

    #[test]
    fn help_lists_every_exit_code() {
        let codes = [
            ExitCode::Done,
            ExitCode::BotFailed,
            ExitCode::Usage,
            ExitCode::ServerFailed,
            ExitCode::Files,
            ExitCode::System,
            ExitCode::RunTooLong,
            ExitCode::Undecided,
            ExitCode::Interrupted,
        ];
        let listed: Vec<u8> = (ExitCode::HELP.lines().skip(1))
            .map(|line| line.split_whitespace().next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(listed, codes.map(|code| code as u8));
    }
}

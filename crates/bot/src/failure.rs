//! Why a run fails, and the code the process exits with.

use std::time::Duration;
use std::{fmt, io};

use checkers_lib::protocol::{ErrorCode, PROTOCOL_VERSION, close_code};
use checkers_lib::{Color, UnknownDrawRules};
use cli_kit::Signal;
use tokio_rustls::rustls;
use tokio_tungstenite::tungstenite::{self, http::StatusCode};

use crate::client::CONNECT_LIMIT;
use crate::hub::HubError;
use crate::report::Report;
use crate::tls::{self, TlsError};

/// How the process exits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ExitCode {
    /// Every game is played, interrupted ones included; or the server has closed in order when no
    /// arranged game was running.
    Done = 0,
    /// Something failed on this side: the bot, the output, the start.
    Failed = 1,
    /// The options or the bot's spec are wrong; clap exits with it.
    Usage = 2,
    /// No connection to the server came about.
    NoConnection = 3,
    /// The server does not take such a name.
    BadName = 4,
    /// Another client has the name.
    NameTaken = 5,
    /// Another client has the seat.
    SeatTaken = 6,
    /// The server refused another message, such as an illegal move; or the engine chose an illegal
    /// move, which was not sent.
    Refused = 7,
    /// The server or the engine said what the rules or the protocol forbid.
    Protocol = 8,
    /// The server closed the connection, or the connection broke.
    Closed = 9,
    /// Ctrl-C.
    Interrupted = cli_kit::exit::INTERRUPTED,
    /// SIGTERM.
    Terminated = cli_kit::exit::TERMINATED,
}

impl ExitCode {
    /// Every code, in rising order.
    pub const ALL: [ExitCode; 12] = [
        ExitCode::Done,
        ExitCode::Failed,
        ExitCode::Usage,
        ExitCode::NoConnection,
        ExitCode::BadName,
        ExitCode::NameTaken,
        ExitCode::SeatTaken,
        ExitCode::Refused,
        ExitCode::Protocol,
        ExitCode::Closed,
        ExitCode::Interrupted,
        ExitCode::Terminated,
    ];

    /// The number that the parent process sees.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// What it means, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            ExitCode::Done => "every game is played, or no more will be arranged",
            ExitCode::Failed => "the bot, the output or the start failed on this side",
            ExitCode::Usage => "wrong options or a wrong SPEC",
            ExitCode::NoConnection => "no connection: refused, timed out, not a game server",
            ExitCode::BadName => "the server does not take such a name",
            ExitCode::NameTaken => "the name is taken",
            ExitCode::SeatTaken => "the seat is taken",
            ExitCode::Refused => "a message was refused, such as an illegal move",
            ExitCode::Protocol => "the server or the engine broke the rules or the protocol",
            ExitCode::Closed => "the server closed the connection, or it broke",
            ExitCode::Interrupted => "stopped by Ctrl-C, the seat given up",
            ExitCode::Terminated => "stopped by SIGTERM, the seat given up",
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> std::process::ExitCode {
        code.code().into()
    }
}

/// Why a run ended before its last game. The message names the cause too, so that none of them is
/// a `source`: libraries differ in whether they repeat theirs.
#[derive(Debug, thiserror::Error)]
pub enum BotFailure {
    /// The runtime, the search's thread or the signal handlers could not be set up.
    #[error("cannot start: {0}")]
    Start(io::Error),
    /// TLS cannot be used as asked for.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// No WebSocket came about.
    #[error("cannot connect to {server}: {}", reason(error))]
    Connect {
        /// The address as given.
        server: String,
        /// Why.
        error: Box<tungstenite::Error>,
    },
    /// The server did not answer in time.
    #[error("cannot connect to {server}: no answer for {} s", CONNECT_LIMIT.as_secs())]
    ConnectTimeout {
        /// The address as given.
        server: String,
    },
    /// The server does not take the name.
    #[error("the server does not take the name {name:?}: {message}")]
    BadName {
        /// The name as given.
        name: String,
        /// What the server says about it.
        message: String,
    },
    /// Another client has the name.
    #[error("the name {name:?} is taken: {message}")]
    NameTaken {
        /// The name as given.
        name: String,
        /// Why, and for how long, in the server's words.
        message: String,
    },
    /// Another client has the seat.
    #[error("the {color} seat is taken")]
    SeatTaken {
        /// The side asked for.
        color: Color,
    },
    /// The server refused something else.
    #[error("the server refused a message: {message}")]
    Refused {
        /// What is wrong, for programs.
        code: ErrorCode,
        /// What is wrong, in the server's words.
        message: String,
    },
    /// The server said something that cannot be.
    #[error("the server cannot be followed: {0}")]
    Protocol(ProtocolError),
    /// The server closed the connection.
    #[error("the server closed the connection with {}", close(*code, reason))]
    Closed {
        /// The close code; `None` if it gave none.
        code: Option<u16>,
        /// The reason; empty if it gave none.
        reason: String,
    },
    /// The connection broke without a close frame.
    #[error("the connection to the server broke: {}", reason(.0))]
    Broken(Box<tungstenite::Error>),
    /// Nothing came from the server, not even a ping.
    #[error("nothing was heard from the server for {} s", after.as_secs())]
    Silent {
        /// For how long.
        after: Duration,
    },
    /// The bot chose no move, or one that is not legal.
    #[error("the bot chose no legal move in {fen}")]
    NoLegalMove {
        /// The position it was to move in.
        fen: String,
    },
    /// The program that chooses the moves cannot go on.
    #[error("the engine {0}")]
    Engine(HubError),
    /// The search thread has ended.
    #[error("the bot's search broke off")]
    SearchDied,
    /// A report could not be written.
    #[error("cannot write the report: {0}")]
    Output(io::Error),
    /// A signal asked for the end.
    #[error("stopped by {0}")]
    Stopped(Signal),
}

impl BotFailure {
    /// The code the process exits with.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            BotFailure::Tls(TlsError::NotNeeded) => ExitCode::Usage,
            BotFailure::Tls(TlsError::CaFile { .. } | TlsError::NoRoots)
            | BotFailure::Start(_)
            | BotFailure::NoLegalMove { .. }
            | BotFailure::SearchDied
            | BotFailure::Output(_) => ExitCode::Failed,
            BotFailure::Engine(error) => match error {
                HubError::BadMove { error, .. } if !error.is_garbage() => ExitCode::Refused,
                HubError::BadMove { .. }
                | HubError::Deaf
                | HubError::Flood { .. }
                | HubError::TooLong { .. }
                | HubError::Reported { .. }
                | HubError::NoMove { .. } => ExitCode::Protocol,
                HubError::Start(_)
                | HubError::Ended { .. }
                | HubError::Silent { .. }
                | HubError::Variant { .. }
                | HubError::NoParameter { .. }
                | HubError::Transcript(_) => ExitCode::Failed,
            },
            BotFailure::Connect { .. } | BotFailure::ConnectTimeout { .. } => {
                ExitCode::NoConnection
            }
            BotFailure::BadName { .. } => ExitCode::BadName,
            BotFailure::NameTaken { .. } => ExitCode::NameTaken,
            BotFailure::SeatTaken { .. } => ExitCode::SeatTaken,
            BotFailure::Refused { .. } => ExitCode::Refused,
            BotFailure::Protocol(_) => ExitCode::Protocol,
            BotFailure::Closed { .. } | BotFailure::Broken(_) | BotFailure::Silent { .. } => {
                ExitCode::Closed
            }
            BotFailure::Stopped(Signal::Interrupt) => ExitCode::Interrupted,
            BotFailure::Stopped(Signal::Terminate) => ExitCode::Terminated,
        }
    }

    /// Whether the server has closed the connection, and not because something went wrong.
    pub(crate) fn is_orderly_close(&self) -> bool {
        let orderly = [close_code::NORMAL, close_code::GOING_AWAY];
        matches!(self, BotFailure::Closed { code: Some(code), .. } if orderly.contains(code))
    }

    /// Whether the connection is lost, or did not come about, in a way that says nothing against
    /// trying again: the server has neither closed for good nor for what the client did.
    pub(crate) fn is_loss(&self) -> bool {
        let passing = [
            close_code::RESTART,
            close_code::TRY_AGAIN_LATER,
            close_code::TOO_SLOW,
            close_code::SILENT,
        ];
        match self {
            BotFailure::Connect { .. } | BotFailure::ConnectTimeout { .. } => true,
            BotFailure::Broken(_) | BotFailure::Silent { .. } => true,
            BotFailure::Closed { code, .. } => code.is_none_or(|code| passing.contains(&code)),
            _ => false,
        }
    }

    /// Whether the server may not be up yet: any other error is final.
    pub(crate) fn is_absence(&self) -> bool {
        match self {
            BotFailure::ConnectTimeout { .. } => true,
            BotFailure::Connect { error, .. } => match &**error {
                tungstenite::Error::Io(error) => tls_error(error).is_none(),
                tungstenite::Error::Http(answer) => {
                    answer.status() == StatusCode::SERVICE_UNAVAILABLE
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The last line of a `--json` run that failed.
    pub fn report(&self) -> Report {
        Report::Failed {
            code: self.exit_code().code().into(),
            message: self.to_string(),
        }
    }
}

impl From<ProtocolError> for BotFailure {
    fn from(error: ProtocolError) -> BotFailure {
        BotFailure::Protocol(error)
    }
}

/// What the server said that cannot be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProtocolError {
    /// A text frame that is no message.
    #[error("a message cannot be read: {0}")]
    Unreadable(String),
    /// A binary frame; the protocol is text.
    #[error("a binary frame came")]
    Binary,
    /// Another protocol than ours.
    #[error("it speaks version {0} of the protocol, this bot version {PROTOCOL_VERSION}")]
    Version(u32),
    /// Draw rules that the library does not have.
    #[error(transparent)]
    DrawRules(#[from] UnknownDrawRules),
    /// A message that has no place here.
    #[error("`{0}` came out of turn")]
    Unexpected(&'static str),
    /// A field that cannot be understood.
    #[error("`{message}` has the {field} {received:?}, which means nothing here: {reason}")]
    Meaningless {
        /// The type of the message.
        message: &'static str,
        /// The name of the field.
        field: &'static str,
        /// Its value.
        received: String,
        /// Why it cannot be understood.
        reason: String,
    },
    /// A field that contradicts the game as it is known here.
    #[error("`{message}` has the {field} {received}, but here it is {known}")]
    Mismatch {
        /// The type of the message.
        message: &'static str,
        /// The name of the field.
        field: &'static str,
        /// Its value.
        received: String,
        /// The value it has by the rules.
        known: String,
    },
}

/// Why there is no connection any more, or none came about.
fn reason(error: &tungstenite::Error) -> String {
    match error {
        tungstenite::Error::Io(error) => match tls_error(error) {
            Some(error) => tls::reason(error),
            None => cli_kit::io_reason(error),
        },
        tungstenite::Error::Http(answer) => {
            format!(
                "the server answers with HTTP status {}",
                answer.status().as_u16()
            )
        }
        tungstenite::Error::HttpFormat(_) | tungstenite::Error::Protocol(_) => {
            "the server does not speak WebSocket as expected".to_owned()
        }
        error => error.to_string(),
    }
}

fn tls_error(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

/// A close code with its reason, as far as they were given.
fn close(code: Option<u16>, reason: &str) -> impl fmt::Display {
    let code = code.map_or_else(|| "no code".to_owned(), |code| format!("code {code}"));
    match reason {
        "" => code,
        reason => format!("{code}: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_rise_and_none_is_given_twice() {
        assert!(ExitCode::ALL.map(ExitCode::code).is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_close_frame_is_reported_with_what_it_has() {
        let closed = |code, reason: &str| BotFailure::Closed {
            code,
            reason: reason.to_owned(),
        };
        for (failure, end) in [
            (
                closed(Some(1001), "going down"),
                "with code 1001: going down",
            ),
            (closed(Some(1000), ""), "with code 1000"),
            (closed(None, ""), "with no code"),
        ] {
            assert!(failure.to_string().ends_with(end), "{failure}");
        }
    }
}

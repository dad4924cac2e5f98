//! What bots and servers do wrong.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Exit, Seconds};

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
    /// It played an illegal move.
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
    #[error("broke the protocol: {message}")]
    Nonsense {
        /// What.
        message: String,
    },
}

fn detail(message: Option<&String>) -> String {
    message.map_or_else(String::new, |message| format!(": {message}"))
}

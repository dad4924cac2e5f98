//! What a client is told whose message is refused.

use serde::{Deserialize, Serialize};

use super::ServerMessage;
use crate::MoveTextError;

/// Why a message was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// What is wrong, for programs.
    pub code: ErrorCode,
    /// What is wrong, for people.
    pub message: String,
    /// For an ambiguous move: the moves it could mean.
    pub candidates: Vec<String>,
}

impl Refusal {
    /// A refusal without candidates.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Refusal {
        Refusal {
            code,
            message: message.into(),
            candidates: Vec::new(),
        }
    }

    /// The refusal of a message about the table with this id.
    pub fn about(self, table: impl Into<String>) -> ServerMessage {
        ServerMessage::Error {
            code: self.code,
            message: self.message,
            candidates: self.candidates,
            table: Some(table.into()),
        }
    }
}

impl From<Refusal> for ServerMessage {
    fn from(
        Refusal {
            code,
            message,
            candidates,
        }: Refusal,
    ) -> ServerMessage {
        ServerMessage::Error {
            code,
            message,
            candidates,
            table: None,
        }
    }
}

/// What was wrong with a message; stable, for programs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// Not JSON, or not an object with a `type`.
    BadJson,
    /// A `type` that no client message has.
    UnknownType,
    /// A known `type` with a field missing or of the wrong kind.
    BadMessage,
    /// Something other than `join` came first.
    NotJoined,
    /// A second `join`.
    AlreadyJoined,
    /// A name of the wrong length or with characters that cannot be seen.
    BadName,
    /// Somebody here has this name.
    NameTaken,
    /// Somebody sits there.
    SeatTaken,
    /// The client has a seat already.
    AlreadySeated,
    /// The client has no seat to leave or to move from.
    NotSeated,
    /// No game is running, or another than the one that is meant.
    NoGame,
    /// It is the opponent's turn.
    NotYourTurn,
    /// The move was meant for another ply than the present one.
    WrongPly,
    /// The text is not a move.
    BadMove,
    /// The move is not legal.
    IllegalMove,
    /// The text fits several legal moves.
    AmbiguousMove,
    /// The client may not offer this again yet.
    TooSoon,
    /// The client has offered this, and the offer is open.
    AlreadyOffered,
    /// Nobody offers the client this.
    NoOffer,
    /// The client has made no move that could be taken back.
    NothingToTakeBack,
    /// Both sides have moved, and the game cannot be called off any more.
    TooLate,
    /// Not in a game that a director has arranged.
    NotCasual,
    /// There is no game to be played again, or not by the same players.
    NoRematch,
    /// Only the director may do this, who knows the token, or the token of the bot lacks a scope.
    Forbidden,
    /// Nobody here has the name of a player of the game to be arranged.
    NoSuchPlayer,
    /// The game to be arranged, or the end told for it, cannot be.
    BadGame,
    /// A game is running.
    GameRunning,
    /// There is no such table, or the client is not at it.
    NoSuchTable,
    /// There are as many tables as the client, or the server, may have.
    TooManyTables,
    /// The table cannot be as it is wanted.
    BadTable,
    /// What the client wants cannot be kept at the moment, and so it has not happened.
    NotStored,
    /// The server plays as many bots as it can.
    BotsBusy,
    /// There is no such bot.
    BadBot,
    /// The token is malformed, or its session has ended.
    BadToken,
    /// The server accepts no new accounts, or only with an invitation.
    RegistrationClosed,
    /// The game would be rated, and the client has no account, or one player is a bot and the other is not.
    NotRated,
    /// The client has given up rated games early too often, and plays none for some time.
    RatedPaused,
    /// The tournament or the private ladder is over.
    EventOver,
    /// The account is suspended, and begins no games.
    Suspended,
    /// The account is muted, and says nothing.
    Muted,
    /// One of the two players has blocked the other.
    Blocked,
    /// The other player is here, or has not been away for long enough.
    NotAbsent,
    /// Messages come too fast; going on closes the connection.
    TooManyMessages,
}

impl ErrorCode {
    /// Whether it says that a move is none, or not this one: what was sent in time and in turn,
    /// and cannot be played.
    pub fn is_about_the_move(self) -> bool {
        matches!(
            self,
            ErrorCode::BadMove | ErrorCode::IllegalMove | ErrorCode::AmbiguousMove
        )
    }
}

impl From<MoveTextError> for Refusal {
    fn from(error: MoveTextError) -> Refusal {
        let message = error.to_string();
        let (code, candidates) = match error {
            MoveTextError::Syntax { .. } => (ErrorCode::BadMove, Vec::new()),
            MoveTextError::Illegal { .. } => (ErrorCode::IllegalMove, Vec::new()),
            MoveTextError::Ambiguous { candidates, .. } => (ErrorCode::AmbiguousMove, candidates),
        };
        Refusal {
            code,
            message,
            candidates,
        }
    }
}

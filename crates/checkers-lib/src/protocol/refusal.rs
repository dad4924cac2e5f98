//! The reasons why the server refuses messages.

use serde::{Deserialize, Serialize};

use super::ServerMessage;
use crate::MoveTextError;

/// Why the server refused a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// What was wrong, for programs.
    pub code: ErrorCode,
    /// What was wrong, for people.
    pub message: String,
    /// The moves that an ambiguous text matches; empty for other errors.
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

    /// The `error` message for the refusal of a message about the table with this id.
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

/// What was wrong with a message, for programs. The codes are stable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The message is not JSON, or not an object with a text in `type`.
    BadJson,
    /// No client message has this `type`.
    UnknownType,
    /// A field is missing, has the wrong type, or has an invalid value.
    BadMessage,
    /// The client has not joined: send `join` first.
    NotJoined,
    /// The client has already joined.
    AlreadyJoined,
    /// The name is not valid: see `name` of `join`.
    BadName,
    /// The name or a look-alike is in use, or it is reserved.
    NameTaken,
    /// The seat is taken, or reserved for the challenged client.
    SeatTaken,
    /// The client already has a seat at this table.
    AlreadySeated,
    /// The client has no seat at this table. After a game both seats are free.
    NotSeated,
    /// No game is running, or another game than the one that the message is for.
    NoGame,
    /// It is the opponent's turn.
    NotYourTurn,
    /// The move is for another ply than the current one.
    WrongPly,
    /// The text cannot be parsed as a move.
    BadMove,
    /// The move is not legal in the current position.
    IllegalMove,
    /// The text matches several legal moves, which `candidates` lists.
    AmbiguousMove,
    /// It is too early to repeat this offer, or to claim the game.
    TooSoon,
    /// The client has already made this offer, and it is still open.
    AlreadyOffered,
    /// There is no such offer that the client could answer.
    NoOffer,
    /// The client has not made a move that could be taken back.
    NothingToTakeBack,
    /// Both sides have moved, so the game can no longer be aborted.
    TooLate,
    /// The director arranges the games of this table, or the table does not allow takebacks.
    NotCasual,
    /// A rematch is not possible: the client did not play the last game, a player has left, a seat
    /// was taken, or the rematch was declined.
    NoRematch,
    /// The client may not do this: for example, only the director may, the server has chosen the
    /// players of the game, or the bot's token lacks a scope.
    Forbidden,
    /// No other client has the name of the challenged opponent, or no client at the table has the
    /// name of a player of the arranged game.
    NoSuchPlayer,
    /// The game cannot be arranged as requested, or the director cannot end a game for this reason.
    BadGame,
    /// A game is already running.
    GameRunning,
    /// There is no such table, or the client is not at it.
    NoSuchTable,
    /// The client is at, or has created, as many tables as allowed, or the server is full.
    TooManyTables,
    /// The settings of the table are not valid, or there is no such tournament or private ladder.
    BadTable,
    /// The server cannot store the event at the moment, so it has not happened. Try again.
    NotStored,
    /// The server is already playing as many bots as it can.
    BotsBusy,
    /// There is no such bot, or it cannot play at this table.
    BadBot,
    /// The text cannot be a token, its session has ended, or without a `name` no account has it; or
    /// an invitation is not valid.
    BadToken,
    /// The server accepts no new accounts, or only with an invitation.
    RegistrationClosed,
    /// The game would be rated, but the client has no account, or one player is a bot and the other
    /// is not.
    NotRated,
    /// The client has given up too many rated games early, and cannot play rated games for some
    /// time.
    RatedPaused,
    /// The tournament or the private ladder is over.
    EventOver,
    /// The account is suspended and cannot start games.
    Suspended,
    /// The account is muted and cannot say phrases.
    Muted,
    /// One of the two players has blocked the other.
    Blocked,
    /// The game cannot be claimed: the opponent is connected, or it is a game by correspondence.
    NotAbsent,
    /// The client sends too many messages, and the server ignores some of them. If the client
    /// continues, the server closes the connection.
    TooManyMessages,
}

impl ErrorCode {
    /// Whether the move itself was wrong: it was sent for the current ply and by the side to move,
    /// but cannot be played.
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

//! Finished games as they are kept.

use serde::{Deserialize, Serialize};

use super::{EndReason, GameResult, PlayedMove, WireColor};

/// A finished game: what the archive has of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// Its id, which no other game has.
    pub id: String,
    /// The table it was played at.
    pub table: String,
    /// Its number there.
    pub number: u64,
    /// Who had White.
    pub white: RecordedPlayer,
    /// Who had Black.
    pub black: RecordedPlayer,
    /// The first position.
    pub start_fen: String,
    /// How many of the first moves are the opening's, which nobody has thought about.
    pub opening_plies: u32,
    /// Every move, with the time it took.
    pub moves: Vec<PlayedMove>,
    /// The last position.
    pub fen: String,
    /// White's clock in the form of [`TimeControl`](crate::TimeControl); without it, none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_clock: Option<String>,
    /// Black's clock, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_clock: Option<String>,
    /// When it was to be drawn: `fmjd64` or `study`.
    pub draw_rules: String,
    /// Whether it was played to be rated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The event that it belongs to, such as the season `ladder-2026-11` of the ladder; without it, none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Who won, if anybody.
    pub result: GameResult,
    /// Why.
    pub reason: EndReason,
    /// The article of the federation's rules, for a draw that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<String>,
    /// The side that left or aborted the game, if that is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<WireColor>,
    /// When it began, in milliseconds since 1970, UTC.
    pub started_ms: i64,
    /// When it ended, likewise.
    pub ended_ms: i64,
    /// When other servers of a cluster took the game over, the earliest first. Each time the side to move got the
    /// time back that it had used on its move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_over: Vec<Takeover>,
}

/// A change of the server in the course of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Takeover {
    /// The number of moves played before.
    pub ply: u32,
    /// When, in milliseconds since 1970, UTC.
    pub at_ms: i64,
}

/// A player of a finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedPlayer {
    /// The name.
    pub name: String,
    /// The bot that the server played there, if it did: a specification or `level N`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
}

//! Finished games in the archive.

use serde::{Deserialize, Serialize};

use super::{EndReason, GameResult, PlayedMove, WireColor};

/// A finished game in the archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// The id of the game, unique on the server.
    pub id: String,
    /// The id of the table where it was played.
    pub table: String,
    /// The number of the game at that table.
    pub number: u64,
    /// White's player.
    pub white: RecordedPlayer,
    /// Black's player.
    pub black: RecordedPlayer,
    /// The start position as FEN, before the moves of the opening.
    pub start_fen: String,
    /// The number of moves at the beginning that belong to the opening. The server played them, and
    /// they took no time.
    pub opening_plies: u32,
    /// All moves, those of the opening included, with the time for each.
    pub moves: Vec<PlayedMove>,
    /// The final position as FEN.
    pub fen: String,
    /// White's clock, such as `10s+100ms`. Absent if White has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_clock: Option<String>,
    /// Black's clock, such as `10s+100ms`. Absent if Black has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_clock: Option<String>,
    /// The draw rules: `fmjd64` or `study`.
    pub draw_rules: String,
    /// Whether the game was played as a rated game. Absent means `false`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The event that the game belongs to, such as the season `ladder-2026-11` of the ladder.
    /// Absent if it belongs to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The result of the game.
    pub result: GameResult,
    /// Why the game ended.
    pub reason: EndReason,
    /// The article of the FMJD's rules that makes the game a draw, such as `7.2.3`. Absent for all
    /// other endings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<String>,
    /// The side that left or aborted the game. Absent for reasons other than `player_left` and
    /// `aborted`, and if both sides left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<WireColor>,
    /// When the game started, in milliseconds since 1970, UTC.
    pub started_ms: i64,
    /// When the game ended, in milliseconds since 1970, UTC.
    pub ended_ms: i64,
    /// When other servers of a cluster took over the game, earliest first. Each time, the side to
    /// move got back the time that it had used for its move. Absent if this has not happened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_over: Vec<Takeover>,
}

/// A change of the server during a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Takeover {
    /// The number of moves played before the change.
    pub ply: u32,
    /// The time of the change, in milliseconds since 1970, UTC.
    pub at_ms: i64,
}

/// A player of a finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedPlayer {
    /// The name.
    pub name: String,
    /// For a bot of the server, what it was: `level N` or its specification. Absent for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
}

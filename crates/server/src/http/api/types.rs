//! The types of the answers.

use std::collections::BTreeMap;

use checkers_lib::protocol::{EndReason, GameRecord, GameResult, PlayedMove, RecordedPlayer};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::problem::Problem;
use super::ratings::PlayerRating;

/// Some finished games, the latest first.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct GameList {
    /// The games.
    pub(super) games: Vec<GameSummary>,
    /// What to give as `cursor` for the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<String>,
    /// How many games match the query, counted up to 10,000; only on the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<u32>,
}

/// A finished game without its moves.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct GameSummary {
    /// Its unique id.
    id: String,
    /// The table it was played at.
    table: String,
    /// Who had White.
    white: RecordedPlayer,
    /// Who had Black.
    black: RecordedPlayer,
    /// White's clock; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    white_clock: Option<String>,
    /// Black's clock; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    black_clock: Option<String>,
    /// Whether it was played to be rated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, schemars(default))]
    rated: bool,
    /// The event that it belongs to; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    /// The number of moves, both sides counted.
    plies: u32,
    /// The last position.
    fen: String,
    /// The result.
    result: GameResult,
    /// Why the game ended.
    reason: EndReason,
    /// When it began, in milliseconds since 1970, UTC.
    started_ms: i64,
    /// When it ended, likewise.
    ended_ms: i64,
}

impl GameSummary {
    /// The summary of a record; `plies` is the number of moves, which the record may not contain.
    pub(super) fn new(record: GameRecord, plies: u32) -> GameSummary {
        GameSummary {
            id: record.id,
            table: record.table,
            white: record.white,
            black: record.black,
            white_clock: record.white_clock,
            black_clock: record.black_clock,
            rated: record.rated,
            event: record.event,
            plies,
            fen: record.fen,
            result: record.result,
            reason: record.reason,
            started_ms: record.started_ms,
            ended_ms: record.ended_ms,
        }
    }
}

/// The connected players.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct PlayersHere {
    /// The names of the first 100 in alphabetical order.
    pub(super) players: Vec<String>,
    /// How many players are connected.
    pub(super) count: usize,
}

/// A player with finished games on this server, of which the latest 20,000 count.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct PlayerPage {
    /// The name.
    pub(super) name: String,
    /// The games with White.
    pub(super) white: Tally,
    /// The games with Black.
    pub(super) black: Tally,
    /// When the first of them ended, in milliseconds since 1970, UTC.
    pub(super) first_ms: i64,
    /// When the last of them ended, likewise.
    pub(super) last_ms: i64,
    /// The games against each of the 50 most frequent opponents, without the bots of the server; the most
    /// frequent first.
    pub(super) opponents: Vec<Part>,
    /// The games against each bot of the server, by its specification or level, likewise.
    pub(super) bots: Vec<Part>,
    /// The games with each clock, as `clock` of `/api/games` asks for it, likewise.
    pub(super) clocks: Vec<Part>,
    /// The games that ended on each day such as `2026-01-31` or, if they lie further apart than three
    /// months, in each of the last 120 months such as `2026-01`; the earliest first.
    pub(super) periods: Vec<Part>,
    /// The openings that both players chose, by the first move of each, in the latest 20,000 games; the most frequent
    /// first.
    pub(super) openings: Openings,
    /// The reasons for which the latest 20,000 games ended; the most frequent first.
    pub(super) reasons: Vec<Part>,
    /// The endings of the latest 20,000 games.
    pub(super) endings: Endings,
    /// The ratings of an account that has played rated games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub(super) ratings: Vec<PlayerRating>,
}

/// A player's openings with either colour. A game is counted seconds after its end.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Openings {
    /// With White, by moves such as `c3-d4 d6-c5`.
    pub(super) white: Vec<Part>,
    /// With Black, likewise.
    pub(super) black: Vec<Part>,
}

/// How a player's games with an ending of up to five pieces ended, by the exact value for the player when it began. A game
/// is counted seconds after its end.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Endings {
    /// Games that were won.
    pub(super) won: Tally,
    /// Games that were drawn.
    pub(super) drawn: Tally,
    /// Games that were lost.
    pub(super) lost: Tally,
    /// The player's moves in endings to which there was an alternative.
    pub(super) moves: i64,
    /// The points that 100 of these moves lost, compared with the exact values; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lost_per_100: Option<f64>,
}

/// Some of a player's games.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Part {
    /// What they have in common.
    pub(super) name: String,
    /// How they ended.
    pub(super) games: Tally,
}

/// How games ended for a player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Tally {
    /// Games won.
    pub(super) won: u64,
    /// Games drawn.
    pub(super) drawn: u64,
    /// Games lost.
    pub(super) lost: u64,
    /// Games broken off.
    pub(super) interrupted: u64,
}

impl Tally {
    /// How many games there are.
    pub(super) fn games(self) -> u64 {
        self.won + self.drawn + self.lost + self.interrupted
    }

    /// Adds games that ended in the same way.
    pub(super) fn add(&mut self, result: Option<GameResult>, is_white: bool, games: u64) {
        *self.of(result, is_white) += games;
    }

    fn of(&mut self, result: Option<GameResult>, is_white: bool) -> &mut u64 {
        match result {
            Some(GameResult::Draw) => &mut self.drawn,
            Some(GameResult::Interrupted) | None => &mut self.interrupted,
            Some(GameResult::WhiteWon) if is_white => &mut self.won,
            Some(GameResult::BlackWon) if !is_white => &mut self.won,
            Some(GameResult::WhiteWon | GameResult::BlackWon) => &mut self.lost,
        }
    }

    /// Adds all games of another tally.
    pub(super) fn add_all(&mut self, other: Tally) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.interrupted += other.interrupted;
    }
}

/// A game that was read from a text, and the list of all games of the text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ImportedGame {
    /// Who had White, if the text says so.
    pub(super) white: Option<String>,
    /// Who had Black, if the text says so.
    pub(super) black: Option<String>,
    /// How it ended, as PDN writes it; `*` if it did not.
    pub(super) result: String,
    /// The position it began from.
    pub(super) start_fen: String,
    /// Its moves.
    pub(super) moves: Vec<PlayedMove>,
    /// How many games the text has, including those that cannot be read.
    pub(super) games: usize,
    /// Which of them this is, counted from 1.
    pub(super) game: usize,
    /// All games in the order of the text; empty for a position.
    pub(super) list: Vec<ListedGame>,
    /// Whether the text has more than the 20 000 games that are listed.
    pub(super) is_cut_short: bool,
    /// The tags of the game, without those whose value is unknown.
    pub(super) tags: BTreeMap<String, String>,
    /// The comment before the first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) comment: Option<String>,
    /// The moves and their variations.
    pub(super) tree: Vec<ImportedMove>,
}

/// A move of a game or of a variation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ImportedMove {
    /// The preceding move: 0 is the first position, 1 the first move of the tree, and so on. Of several
    /// moves with the same parent the first was played; the others are variations.
    pub(super) parent: usize,
    /// The move.
    #[serde(rename = "move")]
    pub(super) played: PlayedMove,
    /// Its assessment: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, others are PDN's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub(super) nags: Vec<u8>,
    /// The comment before it, if it is the first move of a variation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) before: Option<String>,
    /// The comment after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) comment: Option<String>,
    /// The remaining time on the clock, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock_ms: Option<u64>,
}

/// A game of a text without its moves.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ListedGame {
    /// The byte of the text at which it begins, counted from 0.
    pub(super) from: usize,
    /// The byte before which it ends: the bytes between them are a PDN text of this game alone.
    pub(super) to: usize,
    /// Who had White, if the text says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) white: Option<String>,
    /// Who had Black, if the text says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) black: Option<String>,
    /// The event, if the text says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) event: Option<String>,
    /// The date, if the text says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) date: Option<String>,
    /// How it ended, as PDN writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<String>,
    /// The number of moves, both sides counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plies: Option<usize>,
    /// Why it cannot be read, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<Problem>,
}

/// The answer to a successful call of the admin.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Done {
    /// Always true; a failure is a problem.
    pub(super) done: bool,
}

//! The stored events of a table. The state of a game is the fold of its events.
//!
//! An event has a kind and a JSON object, and never changes once it is written. New fields must be
//! optional for readers; any other change needs a new kind.

use std::time::Duration;

use checkers_lib::openings::{self, Opening};
use checkers_lib::protocol::{
    ClosedReason, EndReason, GameResult, Offer, SearchInfo, TableKind, Visibility, WireColor,
};
use checkers_lib::{ByColor, Clocks, Color, TimeControl};
use event_store::TokenHash;
use serde::{Deserialize, Serialize};

use super::TableSettings;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableEvent {
    /// The table was opened for its next game.
    Opened(Opened),
    /// A player took a seat.
    Seated(Seated),
    /// A player left a seat.
    Unseated(Unseated),
    /// The game started, after the moves of its opening.
    Started(Started),
    /// A move was played.
    Moved(Moved),
    /// A player made an offer.
    Offered(Offered),
    /// A player declined an offer.
    Declined(Declined),
    /// Moves were taken back.
    TookBack(TookBack),
    /// Another server plays the game on.
    TakenOver(TakenOver),
    /// The game ended.
    Ended(Ended),
    /// The table was closed before a game started.
    Closed(Closed),
}

/// The table was opened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opened {
    pub table: String,
    pub kind: TableKind,
    pub visibility: Visibility,
    pub draw_rules: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_clock: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_clock: Option<String>,
    /// The opening, if all games start from the same one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    pub casual: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_key: Option<TokenHash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_key: Option<TokenHash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent_key: Option<TokenHash>,
}

/// A player took a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seated {
    pub color: WireColor,
    pub name: String,
    /// The hash of the player's secret, which identifies the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<TokenHash>,
    /// For a bot of the server, its specification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
}

/// A player left a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unseated {
    /// The seat.
    pub color: WireColor,
}

/// The game started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Started {
    /// The initial position and the moves of the opening, as a line of an opening file.
    pub opening: String,
    pub draw_rules: String,
    /// White's time control; `None` for no clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_clock: Option<String>,
    /// Black's time control; `None` for no clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_clock: Option<String>,
    /// Whether a director arranged it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub arranged: bool,
}

/// A move was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Moved {
    /// The squares of the move, including those visited during a capture.
    pub path: String,
    /// The time used, by the server's clock, in milliseconds.
    pub elapsed_ms: u64,
    /// The part of the time compensated as network lag, in nanoseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lag_ns: u64,
    /// The remaining time after the move.
    #[serde(default, skip_serializing_if = "Remaining::is_empty")]
    pub clocks: Remaining,
    /// The player's report of its search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchInfo>,
    /// The player's id for the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// The remaining time of both sides, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Remaining {
    /// White's; `None` without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<u64>,
    /// Black's; `None` without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<u64>,
}

impl Remaining {
    /// The remaining time of `clocks`.
    pub(super) fn of(clocks: &Clocks) -> Remaining {
        let side = |side| clocks.side(side).map(|clock| nanos(clock.remaining));
        Remaining {
            white: side(Color::White),
            black: side(Color::Black),
        }
    }

    /// Sets the remaining time of `clocks`.
    pub(super) fn apply_to(self, clocks: &mut Clocks) {
        for (side, remaining) in [(Color::White, self.white), (Color::Black, self.black)] {
            if let Some(remaining) = remaining {
                clocks.set_remaining(side, Duration::from_nanos(remaining));
            }
        }
    }

    fn is_empty(&self) -> bool {
        *self == Remaining::default()
    }
}

/// A player made an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Offered {
    pub offer: Offer,
    /// The side that offers.
    pub by: WireColor,
}

/// A player declined an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Declined {
    pub offer: Offer,
    /// The side that declined.
    pub by: WireColor,
}

/// Moves were taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TookBack {
    /// The number of moves that remain.
    pub ply: u32,
    /// The remaining time.
    #[serde(default, skip_serializing_if = "Remaining::is_empty")]
    pub clocks: Remaining,
}

/// A node of a cluster has taken the table over, with the time back that the side to move had used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TakenOver {
    /// The name of the node.
    pub node: String,
    /// How many owners the table's shard has had.
    pub epoch: i64,
    /// When, by the node's clock, in milliseconds since 1970, UTC.
    pub at_ms: i64,
}

/// The game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ended {
    pub result: GameResult,
    /// Why.
    pub reason: EndReason,
    /// The article of the federation's rules, for a draw that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<String>,
    /// The side that left or aborted the game, if that is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<WireColor>,
}

/// The table was closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Closed {
    /// Why.
    pub reason: ClosedReason,
}

/// Why a stored event cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BadEvent {
    /// The kind is unknown; a later version may have written it.
    #[error("has the unknown kind {0:?}")]
    Kind(String),
    /// The payload does not match the kind.
    #[error("cannot be read")]
    Payload(#[from] serde_json::Error),
}

impl TableEvent {
    /// Whether the turn of the side to move begins with it.
    pub(crate) fn begins_turn(&self) -> bool {
        matches!(
            self,
            TableEvent::Started(_) | TableEvent::Moved(_) | TableEvent::TookBack(_)
        )
    }

    /// The kind of the event, as stored.
    pub fn kind(&self) -> &'static str {
        match self {
            TableEvent::Opened(_) => "opened",
            TableEvent::Seated(_) => "seated",
            TableEvent::Unseated(_) => "unseated",
            TableEvent::Started(_) => "started",
            TableEvent::Moved(_) => "moved",
            TableEvent::Offered(_) => "offered",
            TableEvent::Declined(_) => "declined",
            TableEvent::TookBack(_) => "took_back",
            TableEvent::TakenOver(_) => "taken_over",
            TableEvent::Ended(_) => "ended",
            TableEvent::Closed(_) => "closed",
        }
    }

    /// The payload: a JSON object.
    pub fn payload(&self) -> Vec<u8> {
        let payload = match self {
            TableEvent::Opened(opened) => serde_json::to_vec(opened),
            TableEvent::Seated(seated) => serde_json::to_vec(seated),
            TableEvent::Unseated(unseated) => serde_json::to_vec(unseated),
            TableEvent::Started(started) => serde_json::to_vec(started),
            TableEvent::Moved(moved) => serde_json::to_vec(moved),
            TableEvent::Offered(offered) => serde_json::to_vec(offered),
            TableEvent::Declined(declined) => serde_json::to_vec(declined),
            TableEvent::TookBack(took_back) => serde_json::to_vec(took_back),
            TableEvent::TakenOver(taken_over) => serde_json::to_vec(taken_over),
            TableEvent::Ended(ended) => serde_json::to_vec(ended),
            TableEvent::Closed(closed) => serde_json::to_vec(closed),
        };
        payload.expect("an event has only string keys")
    }

    /// Reads an event from its kind and payload.
    ///
    /// # Errors
    /// The kind is unknown, or the payload does not match it.
    pub fn read(kind: &str, payload: &[u8]) -> Result<TableEvent, BadEvent> {
        Ok(match kind {
            "opened" => TableEvent::Opened(serde_json::from_slice(payload)?),
            "seated" => TableEvent::Seated(serde_json::from_slice(payload)?),
            "unseated" => TableEvent::Unseated(serde_json::from_slice(payload)?),
            "started" => TableEvent::Started(serde_json::from_slice(payload)?),
            "moved" => TableEvent::Moved(serde_json::from_slice(payload)?),
            "offered" => TableEvent::Offered(serde_json::from_slice(payload)?),
            "declined" => TableEvent::Declined(serde_json::from_slice(payload)?),
            "took_back" => TableEvent::TookBack(serde_json::from_slice(payload)?),
            "taken_over" => TableEvent::TakenOver(serde_json::from_slice(payload)?),
            "ended" => TableEvent::Ended(serde_json::from_slice(payload)?),
            "closed" => TableEvent::Closed(serde_json::from_slice(payload)?),
            _ => return Err(BadEvent::Kind(kind.to_owned())),
        })
    }
}

impl From<&TableSettings> for Opened {
    fn from(settings: &TableSettings) -> Opened {
        let clock = |side| settings.clocks[side].map(|control| control.to_string());
        Opened {
            table: settings.id.clone(),
            kind: settings.kind,
            visibility: settings.visibility,
            draw_rules: settings.rules.to_string(),
            white_clock: clock(Color::White),
            black_clock: clock(Color::Black),
            opening: match &settings.openings[..] {
                [opening] => Some(opening.to_string()),
                _ => None,
            },
            casual: settings.casual,
            rated: settings.rated,
            event: settings.event.clone(),
            white_key: settings.players.white,
            black_key: settings.players.black,
            opponent: settings.opponent.clone(),
            opponent_key: settings.opponent_key,
        }
    }
}

impl Opened {
    /// The settings of the table; `None` if they cannot be read.
    pub fn settings(&self) -> Option<TableSettings> {
        let clocks = read_clocks(self.white_clock.as_deref(), self.black_clock.as_deref())?;
        let openings = match &self.opening {
            Some(line) => vec![read_opening(line)?],
            None => Vec::new(),
        };
        Some(TableSettings {
            id: self.table.clone(),
            kind: self.kind,
            visibility: self.visibility,
            rules: self.draw_rules.parse().ok()?,
            clocks,
            openings,
            casual: self.casual,
            rated: self.rated,
            event: self.event.clone(),
            players: ByColor {
                white: self.white_key,
                black: self.black_key,
            },
            opponent: self.opponent.clone(),
            opponent_key: self.opponent_key,
            director: None,
        })
    }
}

/// Parses one line of an opening file.
pub(super) fn read_opening(line: &str) -> Option<Opening> {
    openings::parse(line).ok()?.into_iter().next()
}

/// Parses the time controls; `None` if one is malformed.
pub(super) fn read_clocks(
    white: Option<&str>,
    black: Option<&str>,
) -> Option<ByColor<Option<TimeControl>>> {
    Some(ByColor {
        white: white.map(str::parse).transpose().ok()?,
        black: black.map(str::parse).transpose().ok()?,
    })
}

/// The time in whole nanoseconds.
pub(super) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

//! What happens at a table and is to be remembered: a game is the fold of its events.
//!
//! An event has a kind and a JSON object, and is never changed once it is written. Fields may be
//! added to it if a reader can do without them; anything else gets a new kind.

use std::time::Duration;

use checkers_lib::openings::{self, Opening};
use checkers_lib::protocol::{
    ClosedReason, EndReason, GameResult, Offer, SearchInfo, TableKind, Visibility, WireColor,
};
use checkers_lib::{ByColor, Clocks, Color, TimeControl};
use serde::{Deserialize, Serialize};

use super::TableSettings;
use crate::store::TokenHash;

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableEvent {
    /// The table stands ready for its next game.
    Opened(Opened),
    /// Somebody sat down.
    Seated(Seated),
    /// Somebody got up.
    Unseated(Unseated),
    /// The game began, after the moves of its opening.
    Started(Started),
    /// A move was played.
    Moved(Moved),
    /// A player offered the other something.
    Offered(Offered),
    /// A player turned an offer down.
    Declined(Declined),
    /// Moves were taken back.
    TookBack(TookBack),
    /// The game was over.
    Ended(Ended),
    /// The table was no more, and no game had begun.
    Closed(Closed),
}

/// The table stands ready.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields of TableSettings as text")]
pub struct Opened {
    pub table: String,
    pub kind: TableKind,
    pub visibility: Visibility,
    pub draw_rules: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_clock: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_clock: Option<String>,
    /// The opening, if every game begins from the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    pub casual: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent_key: Option<TokenHash>,
}

/// Somebody sat down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seated {
    /// The seat.
    pub color: WireColor,
    /// The name.
    pub name: String,
    /// The hash of the token by which the player is known again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<TokenHash>,
    /// The bot that the server plays there, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
}

/// Somebody got up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unseated {
    /// The seat.
    pub color: WireColor,
}

/// The game began.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Started {
    /// The first position and the moves of the opening, as a line of a file of openings.
    pub opening: String,
    /// When it is drawn.
    pub draw_rules: String,
    /// White's clock; without it, none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_clock: Option<String>,
    /// Black's, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_clock: Option<String>,
    /// Whether a director arranged it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub arranged: bool,
}

/// A move was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Moved {
    /// Every square the piece stood on.
    pub path: String,
    /// What it took, by the server's clock, in milliseconds.
    pub elapsed_ms: u64,
    /// What of the time was the network's and was given back, in nanoseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lag_ns: u64,
    /// What remained on the clocks after it.
    #[serde(default, skip_serializing_if = "Remaining::is_empty")]
    pub clocks: Remaining,
    /// What the mover told of the search for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchInfo>,
    /// What the mover called it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// What remains on the clocks, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Remaining {
    /// On White's, if White has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<u64>,
    /// On Black's, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<u64>,
}

impl Remaining {
    /// What remains on these clocks.
    pub(super) fn on(clocks: &Clocks) -> Remaining {
        let side = |side| clocks.side(side).map(|clock| nanos(clock.remaining));
        Remaining {
            white: side(Color::White),
            black: side(Color::Black),
        }
    }

    /// Sets clocks to what remained.
    pub(super) fn put_on(self, clocks: &mut Clocks) {
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

/// A player offered the other something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Offered {
    /// What.
    pub offer: Offer,
    /// Who.
    pub by: WireColor,
}

/// A player turned an offer down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Declined {
    /// What was offered.
    pub offer: Offer,
    /// Who turned it down.
    pub by: WireColor,
}

/// Moves were taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TookBack {
    /// How many moves were left.
    pub ply: u32,
    /// What remained on the clocks.
    #[serde(default, skip_serializing_if = "Remaining::is_empty")]
    pub clocks: Remaining,
}

/// The game was over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ended {
    /// Who won, if anybody.
    pub result: GameResult,
    /// Why.
    pub reason: EndReason,
    /// The article of the federation's rules, for a draw that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<String>,
    /// The side that left, if the reason is that a player left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<WireColor>,
}

/// The table was no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Closed {
    /// Why.
    pub reason: ClosedReason,
}

/// Why a stored event cannot be understood.
#[derive(Debug, thiserror::Error)]
pub enum BadEvent {
    /// Nobody knows what sort of event it is; a later version may.
    #[error("has the unknown kind {0:?}")]
    Kind(String),
    /// It says something else than its kind has to.
    #[error("cannot be read")]
    Payload(#[from] serde_json::Error),
}

impl TableEvent {
    /// What sort of event it is.
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
            TableEvent::Ended(_) => "ended",
            TableEvent::Closed(_) => "closed",
        }
    }

    /// What is remembered of it: a JSON object.
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
            TableEvent::Ended(ended) => serde_json::to_vec(ended),
            TableEvent::Closed(closed) => serde_json::to_vec(closed),
        };
        payload.expect("an event has no key but strings")
    }

    /// The event of this kind with this payload.
    ///
    /// # Errors
    /// An unknown kind, or a payload that is not of this kind.
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
            opponent: self.opponent.clone(),
            opponent_key: self.opponent_key,
            director: None,
        })
    }
}

/// The opening in a line.
pub(super) fn read_opening(line: &str) -> Option<Opening> {
    openings::parse(line).ok()?.into_iter().next()
}

/// The time controls in texts; `None` if one is none.
pub(super) fn read_clocks(
    white: Option<&str>,
    black: Option<&str>,
) -> Option<ByColor<Option<TimeControl>>> {
    Some(ByColor {
        white: white.map(str::parse).transpose().ok()?,
        black: black.map(str::parse).transpose().ok()?,
    })
}

/// Whole nanoseconds; the longest clocks have far fewer than fit.
pub(super) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

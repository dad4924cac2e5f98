//! Tables: what they are, how they are made, and lists of them.

use serde::{Deserialize, Serialize};

use super::WireColor;

/// Who finds a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody: it is in the lists.
    #[default]
    Public,
    /// Whoever is told its id.
    Link,
}

/// How a table came to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TableKind {
    /// It is where everybody arrives.
    Main,
    /// A client made it.
    #[default]
    Custom,
    /// A client made it to play somebody by name.
    Challenge,
    /// The server made it for two clients that asked for a quick game.
    Quick,
    /// The server made it for a game by correspondence: its two players have days for each move, and need not be there.
    Correspondence,
    /// The server made it, so that there is something to watch.
    #[serde(rename = "house")]
    Showcase,
}

/// What goes on at a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TablePhase {
    /// It waits for its first game.
    #[default]
    Waiting,
    /// A game runs.
    Running,
    /// The last game is over.
    Over,
}

/// A table in a few words.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableInfo {
    /// What it is called in messages.
    pub id: String,
    /// How it came to be.
    pub kind: TableKind,
    /// Who finds it.
    pub visibility: Visibility,
    /// White's clock in the form of [`TimeControl`](crate::TimeControl); without it, none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_clock: Option<String>,
    /// Black's clock, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_clock: Option<String>,
    /// When its games are drawn: `fmjd64` or `study`.
    pub draw_rules: String,
    /// The position its games begin from, if it is another than the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
    /// Whether moves may be taken back.
    pub casual: bool,
    /// Whether its games are rated.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rated: bool,
    /// The event that its games belong to, such as the season `ladder-2026-11` of the ladder; without it, none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The name of the player who is asked to play, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// What goes on.
    pub state: TablePhase,
    /// Who sits there.
    pub seats: Seats,
    /// How many look on.
    pub watchers: u32,
    /// How many moves the running or last game has.
    pub ply: u32,
}

/// The seats of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Seats {
    /// White's; absent if it is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<SeatInfo>,
    /// Black's, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<SeatInfo>,
}

/// Who sits in a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatInfo {
    /// Their name.
    pub name: String,
    /// Whether they are connected.
    pub connected: bool,
    /// The bot that the server plays there, if it does: a specification or `level N`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// How long they have been away, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent_ms: Option<u64>,
    /// In how many milliseconds the opponent may claim the game; 0 is at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_in_ms: Option<u64>,
}

/// A seat as it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", try_from = "String")]
#[cfg_attr(feature = "schema", schemars(!try_from))]
pub enum SeatWish {
    /// White's.
    White,
    /// Black's.
    Black,
    /// Either: one that is free.
    Random,
}

/// Only a text is read, not serde's other forms of an enum.
impl TryFrom<String> for SeatWish {
    type Error = UnknownSeat;

    fn try_from(name: String) -> Result<SeatWish, UnknownSeat> {
        match name.as_str() {
            "white" => Ok(SeatWish::White),
            "black" => Ok(SeatWish::Black),
            "random" => Ok(SeatWish::Random),
            _ => Err(UnknownSeat(name)),
        }
    }
}

/// A text that names no seat.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown color {0:?}: expected white, black or random")]
pub struct UnknownSeat(pub String);

impl SeatWish {
    /// The side, if it is to be that one.
    pub fn color(self) -> Option<crate::Color> {
        match self {
            SeatWish::White => Some(crate::Color::White),
            SeatWish::Black => Some(crate::Color::Black),
            SeatWish::Random => None,
        }
    }
}

impl From<WireColor> for SeatWish {
    fn from(color: WireColor) -> SeatWish {
        match color {
            WireColor::White => SeatWish::White,
            WireColor::Black => SeatWish::Black,
        }
    }
}

impl From<crate::Color> for SeatWish {
    fn from(color: crate::Color) -> SeatWish {
        WireColor::from(color).into()
    }
}

/// A request for a game with the next suitable opponent.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Quick {
    /// The clock of both sides in the form of [`TimeControl`](crate::TimeControl); without it, the
    /// server's own for quick games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// Whether the game is rated; only for accounts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rated: bool,
    /// The code of a private ladder, which has a clock of its own; only for bots' accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<String>,
    /// The id of an arena, which has a clock of its own; only for accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<String>,
    /// The invitation to the arena, if it needs one and the player has not entered it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
}

/// A table as a client wants it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CreateTable {
    /// Who is to find it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub visibility: Visibility,
    /// The client's own seat; without it, the client only watches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<SeatWish>,
    /// The name of the client that is asked to play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// The clock of both sides in the form of [`TimeControl`](crate::TimeControl).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// White's clock, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_clock: Option<String>,
    /// Black's clock, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_clock: Option<String>,
    /// When its games are drawn: `fmjd64` or `study`; without it, as on the main table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_rules: Option<String>,
    /// The position its games begin from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
    /// The opening its games begin from: one of the server's own by its number, from 1, or by its
    /// name, or any of them, as `random`, or moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// Whether moves may be taken back; without it, they may, unless its games are rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub casual: Option<bool>,
    /// Whether its games are rated: between two people with accounts, two bots with accounts, or one of these and a
    /// level, with the same clock for both and from the start of the game or a random opening.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rated: bool,
    /// The seats that the server is to play.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bots: BotRequests,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Bots for the seats of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BotRequests {
    /// For White's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<BotRequest>,
    /// For Black's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<BotRequest>,
}

/// A bot that the server is to play: `{"level":3}` or `{"spec":"alpha-beta:depth=7"}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "BotFields", into = "BotFields")]
pub enum BotRequest {
    /// How strong it is to play, 1–10.
    Level(u8),
    /// What it is to be.
    Spec(String),
}

/// [`BotRequest`] as it is written.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BotFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spec: Option<String>,
}

impl TryFrom<BotFields> for BotRequest {
    type Error = &'static str;

    fn try_from(fields: BotFields) -> Result<BotRequest, &'static str> {
        match fields {
            BotFields {
                level: Some(level),
                spec: None,
            } => Ok(BotRequest::Level(level)),
            BotFields {
                level: None,
                spec: Some(spec),
            } => Ok(BotRequest::Spec(spec)),
            _ => Err("a bot has either a level or a spec"),
        }
    }
}

impl From<BotRequest> for BotFields {
    fn from(request: BotRequest) -> BotFields {
        let (level, spec) = match request {
            BotRequest::Level(level) => (Some(level), None),
            BotRequest::Spec(spec) => (None, Some(spec)),
        };
        BotFields { level, spec }
    }
}

/// A bot for a seat of a table that is there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AddBot {
    /// The seat.
    pub color: SeatWish,
    /// The bot.
    #[serde(flatten)]
    pub bot: BotRequest,
}

/// Which tables to list.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListTables {
    /// What is to go on there.
    #[serde(default, skip_serializing_if = "is_default")]
    pub state: TableFilter,
    /// Where the last list ended, in its `next`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many at most; 50 without it, never more than 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// What goes on at the tables of a list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TableFilter {
    /// No game runs and a seat is free.
    Open,
    /// A game runs.
    Live,
    /// Anything.
    #[default]
    All,
}

/// A list of public tables.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableList {
    /// The tables, the most watched first.
    pub tables: Vec<TableInfo>,
    /// Where the list goes on, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// How many public tables there are with a free seat and no game.
    pub open: u32,
    /// How many public tables there are where a game runs.
    pub live: u32,
    /// How many clients there are.
    pub players: u32,
    /// The clocks for which somebody waits for a quick game, one player each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quick: Vec<String>,
    /// The same for rated quick games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quick_rated: Vec<String>,
}

/// Why a table is no more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClosedReason {
    /// Nobody was there for long.
    Idle,
    /// What it was for is over.
    Ended,
    /// Whoever runs the server closed it.
    Admin,
}

/// What a player makes of the other's absence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimedResult {
    /// A win.
    Win,
    /// A draw.
    Draw,
}

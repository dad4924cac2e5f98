//! Tables: their settings, their creation, and lists of them.

use serde::{Deserialize, Serialize};

use super::WireColor;

/// Who can find a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everyone: lists of tables include it.
    #[default]
    Public,
    /// Only clients that know its id.
    Link,
}

/// The kind of a table, by its origin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TableKind {
    /// The table `main`, which clients enter when they join.
    Main,
    /// A client created the table.
    #[default]
    Custom,
    /// A client created the table to challenge another client.
    Challenge,
    /// The server created the table for two clients that requested a quick game.
    Quick,
    /// The server created the table for a game by correspondence: the two players have days for
    /// each move and need not be connected.
    Correspondence,
    /// The server created the table for a game between its bots, for spectators.
    #[serde(rename = "house")]
    Showcase,
}

/// The state of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TablePhase {
    /// The first game has not started yet.
    #[default]
    Waiting,
    /// A game is running.
    Running,
    /// The last game is over, and no game is running.
    Over,
}

/// A table's entry in lists: its settings, players and state.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableInfo {
    /// The table's id.
    pub id: String,
    /// The kind of the table.
    pub kind: TableKind,
    /// Who can find the table.
    pub visibility: Visibility,
    /// White's clock, such as `10s+100ms`. Absent if White has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_clock: Option<String>,
    /// Black's clock, such as `10s+100ms`. Absent if Black has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_clock: Option<String>,
    /// The draw rules of its games: `fmjd64` or `study`.
    pub draw_rules: String,
    /// The start position of its games as FEN, before the moves of an opening. Absent for the
    /// initial position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
    /// Whether moves can be taken back.
    pub casual: bool,
    /// Whether its games are rated. Absent means `false`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rated: bool,
    /// The event that its games belong to, such as the season `ladder-2026-11` of the ladder.
    /// Absent if they belong to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The name of the challenged client. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// The state of the table.
    pub state: TablePhase,
    /// The players in the seats.
    pub seats: Seats,
    /// The number of spectators.
    pub watchers: u32,
    /// The number of moves of the running or last game.
    pub ply: u32,
}

/// The seats of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Seats {
    /// White's seat. Absent if it is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<SeatInfo>,
    /// Black's seat. Absent if it is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<SeatInfo>,
}

/// The player in a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatInfo {
    /// The player's name.
    pub name: String,
    /// Whether the player is connected.
    pub connected: bool,
    /// For a bot of the server, what it is: `level N` or its specification. Absent for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// How long the player has been disconnected, in milliseconds. Absent if the player is
    /// connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent_ms: Option<u64>,
    /// The time until the opponent may claim the game, in milliseconds; 0 means now. Absent if the
    /// player is connected, in lists of tables, and in a game by correspondence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_in_ms: Option<u64>,
}

/// The seat that a client requests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", try_from = "String")]
#[cfg_attr(feature = "schema", schemars(!try_from))]
pub enum SeatWish {
    /// White's seat.
    White,
    /// Black's seat.
    Black,
    /// A free seat, of either side.
    Random,
}

/// Accepts only text, not serde's other forms of an enum.
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

/// The text is not the name of a seat.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown color {0:?}: expected white, black or random")]
pub struct UnknownSeat(pub String);

impl SeatWish {
    /// The requested side; `None` for a random one.
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

/// Requests a game against the next suitable opponent. Bots are paired with bots, people with
/// people.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Quick {
    /// The clock of both sides, such as `3m+2s`. If absent, `quick_clock` of `joined`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// Whether the game is rated; only for accounts. If absent, `false`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rated: bool,
    /// The code of a private ladder, which determines the clock; only for accounts of bots. If
    /// absent, the game is not for a private ladder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<String>,
    /// The id of a tournament, which determines the clock; only for accounts. If absent, the game
    /// is not for a tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<String>,
    /// The invitation to the tournament, if it needs one and the client has not entered the
    /// tournament yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
}

/// The settings of a new table. All fields are optional.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CreateTable {
    /// Who can find the table. If absent, `public`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub visibility: Visibility,
    /// The client's own seat. If absent, the client is a spectator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<SeatWish>,
    /// The name of a connected client, which is challenged to play. If absent, the table is open to
    /// all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// The clock of both sides, such as `10s+100ms`. If absent, a side without its own clock has
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// White's clock. If absent, `clock`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_clock: Option<String>,
    /// Black's clock. If absent, `clock`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_clock: Option<String>,
    /// The draw rules of its games: `fmjd64` or `study`. If absent, those of the table `main`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw_rules: Option<String>,
    /// The start position of its games as FEN. If absent, the initial position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_fen: Option<String>,
    /// The opening of its games: the number of one of the server's openings, from 1, or its name;
    /// `random` for any of them; or moves, such as `c3-d4 d6-c5`. If absent, games have no opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// Whether moves can be taken back. If absent, they can, unless games are rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub casual: Option<bool>,
    /// Whether its games are rated. If absent, `false`. Rated games are between two people with
    /// accounts, two bots with accounts, or one of these and a level of the server. Both sides have
    /// the same clock, `casual` is not `true`, and there is no `start_fen` and no `opening` except
    /// `random`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rated: bool,
    /// The bots of the server for the seats. If absent, none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bots: BotRequests,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Bots of the server for the seats of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BotRequests {
    /// The bot for White's seat. If absent, none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<BotRequest>,
    /// The bot for Black's seat. If absent, none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<BotRequest>,
}

/// A bot of the server, by level or by specification: `{"level":3}` or
/// `{"spec":"alpha-beta:depth=7"}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "BotFields", into = "BotFields")]
pub enum BotRequest {
    /// The level: 1 is the weakest, 10 the strongest.
    Level(u8),
    /// The specification of the bot.
    Spec(String),
}

/// The wire form of [`BotRequest`]: exactly one field is present.
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

/// Seats a bot of the server at an existing table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AddBot {
    /// The seat: `white`, `black`, or `random` for one that is free.
    pub color: SeatWish,
    /// The bot: its `level` or its `spec`.
    #[serde(flatten)]
    pub bot: BotRequest,
}

/// Selects the tables to list.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListTables {
    /// The state of the tables to list. If absent, `all`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub state: TableFilter,
    /// The `next` of the previous list, to continue after it. If absent, the list starts with the
    /// first table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// The maximum number of tables, at most 100. If absent, 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// The state of the tables of a list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TableFilter {
    /// Tables with a free seat and no running game.
    Open,
    /// Tables with a running game.
    Live,
    /// All tables.
    #[default]
    All,
}

/// A list of public tables.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableList {
    /// The tables: those with running games first, and among these those with the most spectators.
    pub tables: Vec<TableInfo>,
    /// The cursor for the rest of the list. Absent if the list is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The number of public tables with a free seat and no running game.
    pub open: u32,
    /// The number of public tables with a running game.
    pub live: u32,
    /// The number of connected clients.
    pub players: u32,
    /// The clocks of the unrated quick games for which people wait, one entry for each person, at
    /// most 20. Absent if no one waits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quick: Vec<String>,
    /// The clocks of the rated quick games for which people wait, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quick_rated: Vec<String>,
}

/// Why a table was closed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClosedReason {
    /// All players were away for too long.
    Idle,
    /// The table was no longer needed.
    Ended,
    /// An administrator closed it.
    Admin,
}

/// The result that a player claims when the opponent is absent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimedResult {
    /// The client wins.
    Win,
    /// The game is drawn.
    Draw,
}

//! Games and moves on the wire.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{EndReason, GameResult, MAX_MOVE_ID, OpenOffer, WireClocks, WireColor, WireLine};
use crate::{Game, Move, Position, Route, Square};

/// The state of a game, with all moves so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameState {
    /// The table's id.
    #[serde(default)]
    pub table: String,
    /// The id of the game, unique on the server. The archive has the game under this id.
    #[serde(default)]
    pub id: String,
    /// The number of the game at this table, from 1.
    pub game: u64,
    /// The number of the game's last event. Later events continue from it without gaps.
    #[serde(default)]
    pub seq: u32,
    /// The name of White's player.
    pub white: String,
    /// The name of Black's player.
    pub black: String,
    /// The start position as FEN, before the moves of the opening.
    pub start_fen: String,
    /// All moves played so far, those of the opening included.
    pub moves: Vec<PlayedMove>,
    /// The number of moves at the beginning that belong to the opening. The server played them, and
    /// they took no time.
    #[serde(default)]
    pub opening_plies: u32,
    /// The current position as FEN.
    pub fen: String,
    /// The number of moves played.
    pub ply: u32,
    /// The side to move.
    pub turn: WireColor,
    /// The clocks at the moment when the turn of the side to move started. Absent if no side has a
    /// clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<WireClocks>,
    /// How long the turn of the side to move has lasted, in milliseconds. Absent if it starts now,
    /// and if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_ms: Option<u64>,
    /// The open offers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<OpenOffer>,
    /// The result. Absent while the game is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// Why the game ended. Absent while it is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<EndReason>,
    /// The article of the FMJD's rules that makes the game a draw, such as `7.2.3`. Absent for all
    /// other endings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<String>,
    /// The side that left or aborted the game. Absent for reasons other than `player_left` and
    /// `aborted`, and if both sides left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<WireColor>,
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayedMove {
    /// The number of moves of both sides played before this one.
    pub ply: u32,
    /// The side that played it.
    pub color: WireColor,
    /// The shortest text that identifies the move, such as `c3-d4`.
    #[serde(rename = "move")]
    pub text: String,
    /// The squares of the route in order, including the first and the last.
    pub squares: Vec<WireSquare>,
    /// The captured squares in the order of the route.
    pub captures: Vec<WireSquare>,
    /// Whether a man was promoted to a king.
    pub promotes: bool,
    /// The time charged for the move, in milliseconds: from the request until the server received
    /// the move, minus the network delay that the server returned. 0 for moves of the opening.
    pub elapsed_ms: u64,
    /// What the mover reported of its search. Absent if it reported nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchInfo>,
}

/// What a bot reports of its search for a move. The server passes it on unchanged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchInfo {
    /// The value of the move in the bot's own units; positive if the mover is better.
    pub score: i32,
    /// The depth of the search in plies.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
    /// The duration of the search in microseconds, measured by the bot.
    pub time_us: u64,
    /// The line that the bot expects, starting with this move: at most 64 moves. Absent if the bot
    /// reports none.
    #[serde(default, skip_serializing_if = "WireLine::is_empty")]
    pub pv: WireLine,
}

/// A legal move, with all routes that carry it out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LegalMove {
    /// The shortest text that identifies the move, such as `c3-d4`.
    #[serde(rename = "move")]
    pub text: String,
    /// The square that the piece leaves.
    pub from: WireSquare,
    /// The square where the piece ends.
    pub to: WireSquare,
    /// The captured squares in board order.
    pub captures: Vec<WireSquare>,
    /// Whether a man is promoted to a king.
    pub promotes: bool,
    /// All routes with this effect.
    pub routes: Vec<WireRoute>,
}

/// A route: one way to carry out a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireRoute {
    /// The squares of the route in order, including the first and the last.
    pub squares: Vec<WireSquare>,
    /// The captured squares in the order of the route.
    pub captures: Vec<WireSquare>,
}

/// The name of a square, such as `c3`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireSquare(
    #[cfg_attr(
        feature = "schema",
        schemars(with = "String", regex(pattern = r"^[a-h][1-8]$"))
    )]
    pub Square,
);

impl Serialize for WireSquare {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for WireSquare {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WireSquare, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map(WireSquare).map_err(de::Error::custom)
    }
}

impl From<&Route> for WireRoute {
    fn from(route: &Route) -> WireRoute {
        WireRoute {
            squares: wire(&route.squares),
            captures: wire(&route.captures),
        }
    }
}

fn wire(squares: &[Square]) -> Vec<WireSquare> {
    squares.iter().copied().map(WireSquare).collect()
}

impl LegalMove {
    /// The wire form of a legal move of `position`.
    pub fn new(position: &Position, m: Move) -> LegalMove {
        if !m.is_capture() {
            return LegalMove::quiet(m);
        }
        LegalMove {
            text: position.notation(m),
            from: WireSquare(m.from()),
            to: WireSquare(m.to()),
            captures: m.captured().into_iter().map(WireSquare).collect(),
            promotes: m.promotes(),
            routes: m.routes(position).iter().map(WireRoute::from).collect(),
        }
    }

    /// The wire form of a move that captures nothing, which has one route.
    fn quiet(m: Move) -> LegalMove {
        let (from, to) = (WireSquare(m.from()), WireSquare(m.to()));
        let route = WireRoute {
            squares: vec![from, to],
            captures: Vec::new(),
        };
        LegalMove {
            text: [m.from().name(), "-", m.to().name()].concat(),
            from,
            to,
            captures: Vec::new(),
            promotes: m.promotes(),
            routes: vec![route],
        }
    }

    /// The wire forms of all legal moves of `position`.
    pub fn all(position: &Position) -> Vec<LegalMove> {
        position
            .legal_moves()
            .iter()
            .map(|&m| LegalMove::new(position, m))
            .collect()
    }
}

impl PlayedMove {
    /// The wire form of the move `m`, which is about to be played in `game` along `route`. It has
    /// no search report.
    pub fn new(game: &Game, m: Move, route: &Route, elapsed_ms: u64) -> PlayedMove {
        PlayedMove::at(wire_ply(game), game.position(), m, route, elapsed_ms)
    }

    /// The wire form of the move `m`, which was played in `position` at `ply` along `route`. It has
    /// no search report.
    pub fn at(
        ply: u32,
        position: &Position,
        m: Move,
        route: &Route,
        elapsed_ms: u64,
    ) -> PlayedMove {
        PlayedMove {
            ply,
            color: position.turn().into(),
            text: position.notation(m),
            squares: wire(&route.squares),
            captures: wire(&route.captures),
            promotes: m.promotes(),
            elapsed_ms,
            search: None,
        }
    }
}

/// Whether `id` is valid for a move: 1–[`MAX_MOVE_ID`] characters, none of them a control
/// character.
pub fn is_valid_move_id(id: &str) -> bool {
    (1..=MAX_MOVE_ID).contains(&id.chars().count()) && !id.chars().any(char::is_control)
}

/// The number of moves played in `game`, as the wire counts them.
pub fn wire_ply(game: &Game) -> u32 {
    u32::try_from(game.ply()).unwrap_or(u32::MAX)
}

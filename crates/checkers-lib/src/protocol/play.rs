//! Games and moves on the wire.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{EndReason, GameResult, MAX_MOVE_ID, OpenOffer, WireClocks, WireColor, WireLine};
use crate::{Game, Move, Position, Route, Square};

/// A game from its beginning to now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameState {
    /// The id of the table it is played at.
    #[serde(default)]
    pub table: String,
    /// The id of the game, which no other has, in the archive too.
    #[serde(default)]
    pub id: String,
    /// The number of the game at this table, from 1.
    pub game: u64,
    /// The number of the last event; those to come follow it without a gap.
    #[serde(default)]
    pub seq: u32,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The first position.
    pub start_fen: String,
    /// Every move so far.
    pub moves: Vec<PlayedMove>,
    /// How many of the first moves are the opening's, which nobody has thought about.
    #[serde(default)]
    pub opening_plies: u32,
    /// The present position.
    pub fen: String,
    /// How many moves have been played.
    pub ply: u32,
    /// The side to move.
    pub turn: WireColor,
    /// The clocks before the move to come; absent if no side has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<WireClocks>,
    /// How long the side to move has been asked for, in milliseconds; absent if it has just been.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_ms: Option<u64>,
    /// What is on offer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<OpenOffer>,
    /// Who won, if anybody, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<EndReason>,
    /// The article of the federation's rules, for a draw that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<String>,
    /// The side that left or aborted the game, if that is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<WireColor>,
}

/// A move that has been played, as it was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayedMove {
    /// How many moves had been played before this one.
    pub ply: u32,
    /// Who played it.
    pub color: WireColor,
    /// The shortest text that names it.
    #[serde(rename = "move")]
    pub text: String,
    /// Every square the piece stood on, first and last included.
    pub squares: Vec<WireSquare>,
    /// The captured squares in order.
    pub captures: Vec<WireSquare>,
    /// Whether a man became a king.
    pub promotes: bool,
    /// From the request to the move, by the server's clock, in milliseconds.
    pub elapsed_ms: u64,
    /// What the mover tells of the search for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchInfo>,
}

/// What a bot tells of the search for a move. The server passes it on as it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchInfo {
    /// What the move is worth to the mover, in units of the bot's own.
    pub score: i32,
    /// How many plies deep the search went.
    pub depth: u32,
    /// How many positions it visited.
    pub nodes: u64,
    /// How long it took by the mover's clock, in microseconds.
    pub time_us: u64,
    /// What it expects to be played, this move first.
    #[serde(default, skip_serializing_if = "WireLine::is_empty")]
    pub pv: WireLine,
}

/// A move that may be played, with every way to carry it out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LegalMove {
    /// The shortest text that names it.
    #[serde(rename = "move")]
    pub text: String,
    /// The first square.
    pub from: WireSquare,
    /// The last square.
    pub to: WireSquare,
    /// The captured squares in board order.
    pub captures: Vec<WireSquare>,
    /// Whether a man becomes a king.
    pub promotes: bool,
    /// Every route with this effect.
    pub routes: Vec<WireRoute>,
}

/// One way to carry out a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireRoute {
    /// Every square the piece stands on, first and last included.
    pub squares: Vec<WireSquare>,
    /// The captured squares in order.
    pub captures: Vec<WireSquare>,
}

/// A square on the wire: its name.
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
    /// A legal move of `position` for the wire.
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

    /// A move that captures nothing: there is one way to carry it out.
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

    /// Every legal move of `position` for the wire.
    pub fn all(position: &Position) -> Vec<LegalMove> {
        position
            .legal_moves()
            .iter()
            .map(|&m| LegalMove::new(position, m))
            .collect()
    }
}

impl PlayedMove {
    /// The move `m` played in `game` along `route`, for the wire; before it is played. Nothing
    /// is told of the search for it.
    pub fn new(game: &Game, m: Move, route: &Route, elapsed_ms: u64) -> PlayedMove {
        PlayedMove::at(wire_ply(game), game.position(), m, route, elapsed_ms)
    }

    /// The same for a move of the past, which was played in `position` as move number `ply`, counted
    /// from 0.
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

/// Whether a move may be called like this: 1–[`MAX_MOVE_ID`] characters, none of them a control
/// character.
pub fn is_valid_move_id(id: &str) -> bool {
    (1..=MAX_MOVE_ID).contains(&id.chars().count()) && !id.chars().any(char::is_control)
}

/// How many moves have been played, as the wire counts them.
pub fn wire_ply(game: &Game) -> u32 {
    u32::try_from(game.ply()).unwrap_or(u32::MAX)
}

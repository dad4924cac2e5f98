//! Games and moves on the wire.

use serde::{Deserialize, Serialize};

use super::{OpenOffer, WireClocks, WireColor};
use crate::{Game, Move, Position, Route};

/// A game from its beginning to now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameState {
    /// The number of the game on this server, from 1.
    pub game: u64,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The first position.
    pub start_fen: String,
    /// Every move so far.
    pub moves: Vec<PlayedMove>,
    /// The present position.
    pub fen: String,
    /// How many moves have been played.
    pub ply: u32,
    /// The side to move.
    pub turn: WireColor,
    /// The clocks before the move to come; absent if no side has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<WireClocks>,
    /// What is on offer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<OpenOffer>,
}

/// A move that has been played, as it was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedMove {
    /// How many moves had been played before this one.
    pub ply: u32,
    /// Who played it.
    pub color: WireColor,
    /// The shortest text that names it.
    #[serde(rename = "move")]
    pub text: String,
    /// Every square the piece stood on, first and last included.
    pub squares: Vec<String>,
    /// The captured squares in order.
    pub captures: Vec<String>,
    /// Whether a man became a king.
    pub promotes: bool,
    /// From the request to the move, by the server's clock, in milliseconds.
    pub elapsed_ms: u64,
    /// What the mover tells of the search for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchInfo>,
}

/// What a bot tells of the search for a move. The server passes it on as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchInfo {
    /// What the move is worth to the mover, in units of the bot's own.
    pub score: i32,
    /// How many plies deep the search went.
    pub depth: u32,
    /// How many positions it visited.
    pub nodes: u64,
    /// How long it took by the mover's clock, in microseconds.
    pub time_us: u64,
}

/// A move that may be played, with every way to carry it out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LegalMove {
    /// The shortest text that names it.
    #[serde(rename = "move")]
    pub text: String,
    /// The first square.
    pub from: String,
    /// The last square.
    pub to: String,
    /// The captured squares in board order.
    pub captures: Vec<String>,
    /// Whether a man becomes a king.
    pub promotes: bool,
    /// Every route with this effect.
    pub routes: Vec<WireRoute>,
}

/// One way to carry out a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WireRoute {
    /// Every square the piece stands on, first and last included.
    pub squares: Vec<String>,
    /// The captured squares in order.
    pub captures: Vec<String>,
}

impl From<&Route> for WireRoute {
    fn from(route: &Route) -> WireRoute {
        WireRoute {
            squares: names(&route.squares),
            captures: names(&route.captures),
        }
    }
}

fn names<'a>(squares: impl IntoIterator<Item = &'a crate::Square>) -> Vec<String> {
    squares.into_iter().map(ToString::to_string).collect()
}

impl LegalMove {
    /// A legal move of `position` for the wire.
    pub fn new(position: &Position, m: Move) -> LegalMove {
        LegalMove {
            text: position.notation(m),
            from: m.from().to_string(),
            to: m.to().to_string(),
            captures: m
                .captured()
                .into_iter()
                .map(|square| square.to_string())
                .collect(),
            promotes: m.promotes(),
            routes: m.routes(position).iter().map(WireRoute::from).collect(),
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
        PlayedMove {
            ply: wire_ply(game),
            color: game.turn().into(),
            text: game.position().notation(m),
            squares: names(&route.squares),
            captures: names(&route.captures),
            promotes: m.promotes(),
            elapsed_ms,
            search: None,
        }
    }
}

/// How many moves have been played, as the wire counts them.
pub fn wire_ply(game: &Game) -> u32 {
    u32::try_from(game.ply()).unwrap_or(u32::MAX)
}

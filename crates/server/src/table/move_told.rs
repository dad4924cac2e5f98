//! The last move of a running game, as everybody is told of it, and the request for the next.

use checkers_lib::Color;
use checkers_lib::protocol::{LegalMove, PlayedMove, ServerMessage, WireClocks};

use super::running_game::RunningGame;

/// What is told of a move: the fields of [`ServerMessage::Moved`], which is more to make.
#[derive(Debug)]
pub(crate) struct MoveTold<'a> {
    pub(crate) table: &'a str,
    pub(crate) game: u64,
    pub(crate) seq: u32,
    pub(crate) played: PlayedMove,
    pub(crate) fen: String,
    pub(crate) turn: Color,
    pub(crate) clocks: Option<WireClocks>,
    pub(crate) id: Option<&'a str>,
}

impl MoveTold<'_> {
    /// The same as a message.
    pub(crate) fn message(self) -> ServerMessage {
        ServerMessage::Moved {
            table: self.table.to_owned(),
            game: self.game,
            seq: self.seq,
            played: self.played,
            fen: self.fen,
            turn: self.turn.into(),
            clocks: self.clocks,
            id: self.id.map(str::to_owned),
        }
    }
}

/// A request for a move: the fields of [`ServerMessage::YourTurn`], which is more to make.
#[derive(Debug)]
pub(crate) struct RequestTold<'a> {
    pub(crate) table: &'a str,
    pub(crate) game: u64,
    pub(crate) ply: u32,
    pub(crate) fen: &'a str,
    pub(crate) legal_moves: Vec<LegalMove>,
    pub(crate) clocks: Option<WireClocks>,
    pub(crate) thinking_ms: Option<u64>,
}

impl RequestTold<'_> {
    /// The same as a message.
    pub(crate) fn message(self) -> ServerMessage {
        ServerMessage::YourTurn {
            table: self.table.to_owned(),
            game: self.game,
            ply: self.ply,
            fen: self.fen.to_owned(),
            legal_moves: self.legal_moves,
            clocks: self.clocks,
            thinking_ms: self.thinking_ms,
        }
    }
}

impl RunningGame {
    /// The last move, if one has been played.
    pub(super) fn last_move(&self) -> Option<MoveTold<'_>> {
        let made = self.made.last()?;
        let ply = self.made.len() - 1;
        let (position, &m) = (self.game.positions().get(ply)?, self.game.moves().get(ply)?);
        let ply = u32::try_from(ply).unwrap_or(u32::MAX);
        Some(MoveTold {
            table: self.table(),
            game: self.number(),
            seq: made.seq,
            played: made.played(ply, position, m),
            fen: self.fen(),
            turn: self.turn(),
            clocks: self.clock.wire(),
            id: made.id.as_deref(),
        })
    }
}

//! The bot's own copy of the running game, against which everything the server says is held.

use std::collections::BTreeSet;
use std::fmt::Display;

use checkers_lib::protocol::{
    EndReason, GameResult, GameState, LegalMove, PlayedMove, WireColor, wire_ply,
};
use checkers_lib::{Color, DrawRules, Game, Move, Position};

use crate::failure::ProtocolError;

/// A running game of the server, played along with its rules.
pub(crate) struct GameReplica {
    number: u64,
    game: Game,
}

/// What the server says about a game in every message: its number, the ply and the position.
pub(crate) struct Received<'a> {
    /// The type of the message.
    pub(crate) message: &'static str,
    pub(crate) game: u64,
    pub(crate) ply: u32,
    pub(crate) fen: &'a str,
}

impl GameReplica {
    /// The game of `state`, with the moves that have been played in it.
    pub(crate) fn open(
        message: &'static str,
        state: &GameState,
        rules: DrawRules,
    ) -> Result<GameReplica, ProtocolError> {
        let start = parse_fen(message, "start_fen", &state.start_fen)?;
        let game = Game::from_position(start, rules);
        let mut replica = GameReplica {
            number: state.game,
            game,
        };
        for played in &state.moves {
            replica.advance(message, played)?;
        }
        replica.check(&Received {
            message,
            game: state.game,
            ply: state.ply,
            fen: &state.fen,
        })?;
        replica.check_turn(message, state.turn)?;
        Ok(replica)
    }

    /// The game's number on the server.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// How many moves have been played.
    pub(crate) fn ply(&self) -> u32 {
        wire_ply(&self.game)
    }

    /// Applies `moved` and returns the move.
    pub(crate) fn moved(
        &mut self,
        game: u64,
        played: &PlayedMove,
        fen: &str,
        turn: WireColor,
    ) -> Result<Move, ProtocolError> {
        const MESSAGE: &str = "moved";
        agree(MESSAGE, "game", game, self.number)?;
        let m = self.advance(MESSAGE, played)?;
        self.check_position(MESSAGE, fen)?;
        self.check_turn(MESSAGE, turn)?;
        Ok(m)
    }

    /// Applies the state of the same game, which may have moves that are not known here, and
    /// returns them with the sides that played them.
    pub(crate) fn catch_up(
        &mut self,
        message: &'static str,
        state: &GameState,
    ) -> Result<Vec<(Color, Move)>, ProtocolError> {
        let mut missed = Vec::new();
        for played in state.moves.iter().skip(self.ply() as usize) {
            let mover = self.game.turn();
            missed.push((mover, self.advance(message, played)?));
        }
        self.check(&Received {
            message,
            game: state.game,
            ply: state.ply,
            fen: &state.fen,
        })?;
        Ok(missed)
    }

    /// Checks `your_turn`, said to `color`.
    pub(crate) fn check_request(
        &self,
        received: &Received<'_>,
        legal_moves: &[LegalMove],
        color: Color,
    ) -> Result<(), ProtocolError> {
        self.check(received)?;
        self.check_turn(received.message, color.into())?;
        let position = self.game.position();
        let told_moves: BTreeSet<&str> = legal_moves.iter().map(|m| m.text.as_str()).collect();
        let moves: Vec<String> = (self.game.legal_moves().iter())
            .map(|&m| position.notation(m))
            .collect();
        let known_moves: BTreeSet<&str> = moves.iter().map(String::as_str).collect();
        let list = |moves: BTreeSet<&str>| Vec::from_iter(moves).join(", ");
        agree(
            received.message,
            "legal moves",
            list(told_moves),
            list(known_moves),
        )
    }

    /// Checks `game_over`: a game that ends on the board must have ended here too, and so.
    pub(crate) fn check_end(
        &self,
        received: &Received<'_>,
        result: GameResult,
        reason: EndReason,
    ) -> Result<(), ProtocolError> {
        self.check(received)?;
        let received_end = Some((result, reason)).filter(|_| reason.is_on_board());
        let known_end = (self.game.outcome()).map(|outcome| (outcome.into(), outcome.into()));
        let text = |end: Option<(GameResult, EndReason)>| match end {
            Some((result, reason)) => format!("{result:?} by {reason:?}"),
            None => "open on the board".to_owned(),
        };
        agree(received.message, "end", text(received_end), text(known_end))
    }

    fn advance(
        &mut self,
        message: &'static str,
        played: &PlayedMove,
    ) -> Result<Move, ProtocolError> {
        agree(message, "ply", played.ply, self.ply())?;
        self.check_turn(message, played.color)?;
        let meaningless = |reason: String| ProtocolError::Meaningless {
            message,
            field: "move",
            received: played.text.clone(),
            reason,
        };
        let m = (self.game.position().parse_move(&played.text))
            .map_err(|error| meaningless(error.to_string()))?;
        self.game
            .play(m)
            .map_err(|error| meaningless(error.to_string()))?;
        Ok(m)
    }

    fn check(&self, received: &Received<'_>) -> Result<(), ProtocolError> {
        agree(received.message, "game", received.game, self.number)?;
        agree(received.message, "ply", received.ply, self.ply())?;
        self.check_position(received.message, received.fen)
    }

    fn check_position(&self, message: &'static str, fen: &str) -> Result<(), ProtocolError> {
        let received = parse_fen(message, "fen", fen)?;
        agree(message, "fen", &received, self.game.position())
    }

    fn check_turn(&self, message: &'static str, turn: WireColor) -> Result<(), ProtocolError> {
        agree(message, "turn", Color::from(turn), self.game.turn())
    }
}

fn parse_fen(
    message: &'static str,
    field: &'static str,
    fen: &str,
) -> Result<Position, ProtocolError> {
    fen.parse()
        .map_err(|error: checkers_lib::FenError| ProtocolError::Meaningless {
            message,
            field,
            received: fen.to_owned(),
            reason: error.to_string(),
        })
}

/// Whether the server's value is the one known here.
pub(crate) fn agree<T: PartialEq + Display>(
    message: &'static str,
    field: &'static str,
    received: T,
    known: T,
) -> Result<(), ProtocolError> {
    if received == known {
        return Ok(());
    }
    Err(ProtocolError::Mismatch {
        message,
        field,
        received: received.to_string(),
        known: known.to_string(),
    })
}

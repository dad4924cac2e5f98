//! The legal moves of a position.

use std::collections::BTreeSet;

use checkers_lib::protocol::{EndReason, GameResult, LegalMove, PlayedMove, WireColor};
use checkers_lib::{Color, DrawRules, Game, Position, Square, UnknownDrawRules};
use serde::Serialize;

use crate::{Mistake, MistakeCode};

/// The legal moves of a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LegalMoves {
    /// The position after the moves that were given.
    pub fen: String,
    /// The side to move.
    pub turn: WireColor,
    /// Every legal move; none if the game is over.
    pub legal_moves: Vec<LegalMove>,
    /// Whether a game may start here: it is not over, and both sides have pieces.
    pub startable: bool,
    /// The given moves, with the squares that they visit.
    pub played: Vec<PlayedMove>,
    /// Who has won, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// Why, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<EndReason>,
}

/// The moves that the waiting side can prepare.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Premoves {
    /// The position.
    pub fen: String,
    /// The side to move, which is not the one that prepares.
    pub turn: WireColor,
    /// The origin and the destination of every move that is legal after some reply.
    pub premoves: Vec<[String; 2]>,
}

impl LegalMoves {
    /// Of the position after `moves`, which spaces separate, from `fen`; without it, from the start of
    /// the game. The game goes by `rules`.
    ///
    /// # Errors
    /// When the position or a move cannot be read, or the move is illegal.
    pub fn of(fen: Option<&str>, moves: &str, rules: DrawRules) -> Result<LegalMoves, Mistake> {
        let (game, played) = game(fen, moves, rules)?;
        let position = game.position();
        let outcome = game.outcome();
        let legal_moves = match outcome {
            Some(_) => Vec::new(),
            None => LegalMove::all(position),
        };
        Ok(LegalMoves {
            fen: position.to_string(),
            turn: position.turn().into(),
            legal_moves,
            startable: is_playable(&game),
            played,
            result: outcome.map(Into::into),
            reason: outcome.map(Into::into),
        })
    }
}

impl Premoves {
    /// Of a position; `None` is the start of the game. A few thousand moves are generated at most.
    ///
    /// # Errors
    /// When the position cannot be read.
    pub fn of(fen: Option<&str>) -> Result<Premoves, Mistake> {
        let position = position(fen)?;
        let mut found = BTreeSet::new();
        for &reply in &position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(reply);
            found.extend(after.legal_moves().iter().map(|m| (m.from(), m.to())));
        }
        let named = |(from, to): (Square, Square)| [from.to_string(), to.to_string()];
        Ok(Premoves {
            fen: position.to_string(),
            turn: position.turn().into(),
            premoves: found.into_iter().map(named).collect(),
        })
    }
}

/// Whether the game can be played: it is not over, and both sides have pieces.
pub fn is_playable(game: &Game) -> bool {
    let has_pieces = |side| !game.position().pieces(side).is_empty();
    game.outcome().is_none() && Color::ALL.into_iter().all(has_pieces)
}

/// Parses the name of draw rules; `None` is the federation's.
///
/// # Errors
/// When there are no such rules.
pub fn rules(name: Option<&str>) -> Result<DrawRules, Mistake> {
    match name {
        Some(name) => name.parse().map_err(|error: UnknownDrawRules| {
            Mistake::new(MistakeCode::BadQuery, error.to_string())
        }),
        None => Ok(DrawRules::Fmjd64),
    }
}

/// Parses a FEN; `None` is the start of the game.
///
/// # Errors
/// When it is not a position.
pub fn position(fen: Option<&str>) -> Result<Position, Mistake> {
    match fen {
        Some(fen) => Ok(fen.parse()?),
        None => Ok(Position::start()),
    }
}

/// The game after `moves`, which spaces separate, from `fen`; without it, from the start. With the
/// squares that each move visits. A game that is over and goes on begins anew.
///
/// # Errors
/// When the position or a move cannot be read, or the move is illegal.
pub fn game(
    fen: Option<&str>,
    moves: &str,
    rules: DrawRules,
) -> Result<(Game, Vec<PlayedMove>), Mistake> {
    let mut game = Game::from_position(position(fen)?, rules);
    let mut played = Vec::new();
    for (ply, text) in (0..).zip(moves.split_whitespace()) {
        if game.outcome().is_some() {
            // A line may continue after a draw.
            game = Game::from_position(game.position().clone(), rules);
        }
        let (m, route) = game.position().parse_route(text)?;
        played.push(PlayedMove {
            ply,
            ..PlayedMove::new(&game, m, &route, 0)
        });
        game.play(m)
            .map_err(|error| Mistake::new(MistakeCode::BadMove, error.to_string()))?;
    }
    Ok((game, played))
}

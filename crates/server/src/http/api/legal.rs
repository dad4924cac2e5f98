//! The legal moves of a position.

use std::collections::BTreeSet;

use axum::response::Response;
use checkers_lib::protocol::{LegalMove, PlayedMove};
use checkers_lib::{DrawRules, Game, Position, Square};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::json;
use super::problem::{Problem, ProblemCode};
use super::query::Parameters;
use super::types::{LegalMoves, Premoves};
use crate::table::is_playable;

/// The position, and the moves from it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LegalQuery {
    /// The position; without it, the start of the game.
    #[schemars(schema_with = "fen_schema")]
    fen: Option<String>,
    /// Moves from the position, separated by spaces.
    #[schemars(schema_with = "moves_schema")]
    moves: Option<String>,
    /// The draw rules: `fmjd64` (the default) or `study`.
    #[schemars(extend("enum" = ["fmjd64", "study"]))]
    rules: Option<String>,
}

/// `GET /api/legal`: the legal moves of a position, or the result if the game is over.
pub(super) async fn legal(Parameters(query): Parameters<LegalQuery>) -> Result<Response, Problem> {
    let (game, played) = query.game()?;
    let position = game.position();
    let outcome = game.outcome();
    let legal_moves = match outcome {
        Some(_) => Vec::new(),
        None => LegalMove::all(position),
    };
    Ok(json(&LegalMoves {
        fen: position.to_string(),
        turn: position.turn().into(),
        legal_moves,
        startable: is_playable(&game),
        played,
        result: outcome.map(Into::into),
        reason: outcome.map(Into::into),
    }))
}

/// The position in which a move is prepared.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PremovesQuery {
    /// The position; without it, the start of the game.
    #[schemars(schema_with = "fen_schema")]
    fen: Option<String>,
}

/// `GET /api/premoves`: the moves that are legal for the waiting side after some reply.
pub(super) async fn premoves(
    Parameters(query): Parameters<PremovesQuery>,
) -> Result<Response, Problem> {
    let position = position(query.fen.as_deref())?;
    let premoves = after_any_reply(&position);
    let named = |(from, to): (Square, Square)| [from.to_string(), to.to_string()];
    Ok(json(&Premoves {
        fen: position.to_string(),
        turn: position.turn().into(),
        premoves: premoves.into_iter().map(named).collect(),
    }))
}

/// Origin and destination of every move after a legal one. It generates a few thousand moves at most.
fn after_any_reply(position: &Position) -> BTreeSet<(Square, Square)> {
    let mut found = BTreeSet::new();
    for &reply in &position.legal_moves() {
        let mut after = position.clone();
        after.play_unchecked(reply);
        found.extend(after.legal_moves().iter().map(|m| (m.from(), m.to())));
    }
    found
}

impl LegalQuery {
    fn game(&self) -> Result<(Game, Vec<PlayedMove>), Problem> {
        let start = position(self.fen.as_deref())?;
        let rules = self.rules.as_deref().unwrap_or("fmjd64").parse();
        let rules: DrawRules = rules.map_err(|error| problem(ProblemCode::BadQuery, error))?;
        let mut game = Game::from_position(start, rules);
        let mut played = Vec::new();
        let moves = self.moves.as_deref().unwrap_or_default();
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
                .map_err(|error| problem(ProblemCode::BadMove, error))?;
        }
        Ok((game, played))
    }
}

/// The schema of a FEN; `format` requires it to be valid.
pub(super) fn fen_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "format": "draughts-fen", "pattern": "^[WBwb]:",
        "examples": ["W:Wc3,Kd4:Ba7"],
    })
}

/// The schema of moves, each legal after the ones before it.
pub(super) fn moves_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "format": "draughts-moves"})
}

/// Parses a FEN; the default is the start of the game.
pub(super) fn position(fen: Option<&str>) -> Result<Position, Problem> {
    match fen {
        Some(fen) => Ok(fen.parse()?),
        None => Ok(Position::start()),
    }
}

fn problem(code: ProblemCode, error: impl std::error::Error) -> Problem {
    Problem::new(code, error.to_string())
}

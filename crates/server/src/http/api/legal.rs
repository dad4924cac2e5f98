//! What may be played in a position.

use axum::response::Response;
use checkers_lib::protocol::LegalMove;
use checkers_lib::{DrawRules, Game, Position};
use schemars::JsonSchema;
use serde::Deserialize;

use super::json;
use super::problem::{Problem, ProblemCode};
use super::query::Parameters;
use super::types::LegalMoves;

/// The position that is meant.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LegalQuery {
    /// The position; without it, the start of the game.
    fen: Option<String>,
    /// Moves from there on, with spaces between them.
    moves: Option<String>,
    /// When a game is drawn: `fmjd64`, as without it, or `study`.
    rules: Option<String>,
}

/// `GET /api/legal`: the legal moves of a position, or how the game is over there.
pub(super) async fn legal(Parameters(query): Parameters<LegalQuery>) -> Result<Response, Problem> {
    let game = query.game()?;
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
        result: outcome.map(Into::into),
        reason: outcome.map(Into::into),
    }))
}

impl LegalQuery {
    fn game(&self) -> Result<Game, Problem> {
        let start = match &self.fen {
            Some(fen) => fen
                .parse()
                .map_err(|error| problem(ProblemCode::BadFen, error))?,
            None => Position::start(),
        };
        let rules = self.rules.as_deref().unwrap_or("fmjd64").parse();
        let rules: DrawRules = rules.map_err(|error| problem(ProblemCode::BadQuery, error))?;
        let mut game = Game::from_position(start, rules);
        for text in self.moves.iter().flat_map(|moves| moves.split_whitespace()) {
            let m = game.position().parse_move(text);
            let m = m.map_err(|error| problem(ProblemCode::BadMove, error))?;
            game.play(m)
                .map_err(|error| problem(ProblemCode::BadMove, error))?;
        }
        Ok(game)
    }
}

fn problem(code: ProblemCode, error: impl std::error::Error) -> Problem {
    Problem::new(code, error.to_string())
}

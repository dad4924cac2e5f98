//! The legal moves of a position.

use axum::response::Response;
use position_api::{LegalMoves, Premoves, rules};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

use super::json;
#[cfg(test)]
use super::openapi::texts;
use super::problem::Problem;
use super::query::Parameters;

/// The position, and the moves from it.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(super) struct LegalQuery {
    /// The position; without it, the start of the game.
    #[cfg_attr(test, schemars(schema_with = "texts::fen_schema"))]
    fen: Option<String>,
    /// Moves from the position, separated by spaces.
    #[cfg_attr(test, schemars(schema_with = "texts::moves_schema"))]
    moves: Option<String>,
    /// The draw rules: `fmjd64` (the default) or `study`.
    #[cfg_attr(test, schemars(extend("enum" = ["fmjd64", "study"])))]
    rules: Option<String>,
}

/// `GET /api/legal`: the legal moves of a position, or the result if the game is over.
pub(super) async fn legal(Parameters(query): Parameters<LegalQuery>) -> Result<Response, Problem> {
    let rules = rules(query.rules.as_deref())?;
    let moves = query.moves.as_deref().unwrap_or_default();
    Ok(json(&LegalMoves::of(query.fen.as_deref(), moves, rules)?))
}

/// The position in which a move is prepared.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(super) struct PremovesQuery {
    /// The position; without it, the start of the game.
    #[cfg_attr(test, schemars(schema_with = "texts::fen_schema"))]
    fen: Option<String>,
}

/// `GET /api/premoves`: the moves that are legal for the waiting side after some reply.
pub(super) async fn premoves(
    Parameters(query): Parameters<PremovesQuery>,
) -> Result<Response, Problem> {
    Ok(json(&Premoves::of(query.fen.as_deref())?))
}

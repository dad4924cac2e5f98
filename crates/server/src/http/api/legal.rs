//! The legal moves of a position.

use axum::response::Response;
use position_api::{LegalMoves, Premoves, rules};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::json;
use super::problem::Problem;
use super::query::Parameters;

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
    let rules = rules(query.rules.as_deref())?;
    let moves = query.moves.as_deref().unwrap_or_default();
    Ok(json(&LegalMoves::of(query.fen.as_deref(), moves, rules)?))
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
    Ok(json(&Premoves::of(query.fen.as_deref())?))
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

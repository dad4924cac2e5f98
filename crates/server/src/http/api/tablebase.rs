//! The exact value of positions with few pieces.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use checkers_engine::tablebase::ProbeError;
use position_api::position;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

use super::json;
#[cfg(test)]
use super::openapi::texts;
use super::problem::{Problem, ProblemCode};
use super::query::Parameters;
use crate::http::HttpState;
use crate::tablebases::ProbeFailure;

/// The position to look up.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct TablebaseQuery {
    /// The position.
    #[cfg_attr(test, schemars(schema_with = "texts::fen_schema"))]
    fen: String,
}

/// `GET /api/tablebase`: the result of a position with perfect play, and of each move.
pub(super) async fn report(
    State(shared): State<Arc<HttpState>>,
    Parameters(query): Parameters<TablebaseQuery>,
) -> Result<Response, Problem> {
    let position = position(Some(&query.fen))?;
    let report = shared.tablebases.report(position).await?;
    Ok(json(&report))
}

impl From<ProbeFailure> for Problem {
    fn from(error: ProbeFailure) -> Problem {
        let code = match &error {
            ProbeFailure::Busy | ProbeFailure::ShuttingDown => ProblemCode::Busy,
            ProbeFailure::TooManyPieces { .. } => ProblemCode::NoTable,
            ProbeFailure::Probe(ProbeError::Table(_)) => ProblemCode::Damaged,
            ProbeFailure::Probe(ProbeError::Missing { .. } | ProbeError::TooManyPieces { .. }) => {
                ProblemCode::NoTable
            }
        };
        Problem::new(code, error.to_string())
    }
}

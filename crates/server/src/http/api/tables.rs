//! Public tables.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use checkers_lib::protocol::{ListTables, TableFilter};
use schemars::JsonSchema;
use serde::Deserialize;

use super::json;
use super::problem::{Problem, ProblemCode};
use super::query::Parameters;
use crate::http::Shared;

/// Which tables to list.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct TablesQuery {
    /// What is to go on there: `open`, `live`, or `all`, as without it.
    state: TableFilter,
    /// Where the last page ended, in its `next`.
    cursor: Option<String>,
    /// How many tables a page has: 50 without it, never more than 100.
    limit: Option<u32>,
}

/// `GET /api/tables`: a page of the public tables, the most watched first.
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Parameters(query): Parameters<TablesQuery>,
) -> Result<Response, Problem> {
    let wanted = ListTables {
        state: query.state,
        cursor: query.cursor,
        limit: query.limit,
    };
    match shared.lobby.list(wanted).await {
        Ok(tables) => Ok(json(&tables)),
        Err(refusal) => Err(Problem::new(ProblemCode::BadQuery, refusal.message)),
    }
}

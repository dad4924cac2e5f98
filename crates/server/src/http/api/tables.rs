//! Public tables.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use checkers_lib::protocol::{ListTables, TableFilter};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

use super::json;
use super::problem::Problem;
use super::query::{Parameters, bad_cursor};
use crate::http::HttpState;

/// Which tables to list.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(super) struct TablesQuery {
    /// The state of the tables: `open`, `live`, or `all` (the default).
    state: TableFilter,
    /// Where the last page ended, in its `next`.
    #[cfg_attr(test, schemars(regex(pattern = r"^[01]\.[0-9a-f]{1,8}\.")))]
    cursor: Option<String>,
    /// How many tables a page has: 1–100, by default 50.
    #[cfg_attr(test, schemars(range(min = 1, max = 100)))]
    limit: Option<u32>,
}

/// `GET /api/tables`: a page of the public tables, the most watched first.
pub(super) async fn list(
    State(shared): State<Arc<HttpState>>,
    Parameters(query): Parameters<TablesQuery>,
) -> Result<Response, Problem> {
    let wanted = ListTables {
        state: query.state,
        cursor: query.cursor,
        limit: query.limit,
    };
    let listed = shared.lobby.list(wanted).await;
    // A bad cursor is the only error.
    listed.map(|tables| json(&tables)).map_err(|_| bad_cursor())
}

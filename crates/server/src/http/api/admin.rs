//! The calls for the admin. They exist only with `--admin-token`.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, State};
use axum::response::Response;
use axum::routing::post;
use checkers_lib::protocol::ClosedReason;
use hyper::header;
use hyper::http::request::Parts;
use tracing::{info, warn};

use super::json;
use super::problem::{Problem, ProblemCode};
use super::query::InPath;
use super::types::Done;
use crate::connection::MAIN_TABLE;
use crate::http::HttpState;
use crate::http::routes::only;
use crate::table::{ClientId, Command};

pub(super) fn router() -> Router<Arc<HttpState>> {
    Router::new()
        .route("/tables/{id}/end", only(post(end_table), "POST"))
        .route("/clients/{name}/drop", only(post(drop_client), "POST"))
        .route("/drain", only(post(drain), "POST"))
}

/// Proof that a request has the admin's token, as `Authorization: Bearer TOKEN`.
struct Admin;

impl FromRequestParts<Arc<HttpState>> for Admin {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<HttpState>,
    ) -> Result<Admin, Problem> {
        let Some(token) = &shared.config.admin_token else {
            let message = "this server has no admin: it runs without --admin-token";
            return Err(Problem::new(ProblemCode::NotFound, message));
        };
        let shown = parts.headers.get(header::AUTHORIZATION);
        let shown = shown.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        if shown.is_some_and(|shown| token.matches(shown)) {
            return Ok(Admin);
        }
        warn!(path = parts.uri.path(), "admin call without the token");
        let message = "expected the admin's token";
        Err(Problem::new(ProblemCode::Unauthorized, message))
    }
}

/// `POST /api/admin/tables/{id}/end`: closes the table; a running game there ends as interrupted.
async fn end_table(
    _: Admin,
    State(shared): State<Arc<HttpState>>,
    InPath(id): InPath,
) -> Result<Response, Problem> {
    if id == MAIN_TABLE {
        let message = "the main table cannot be closed";
        return Err(Problem::new(ProblemCode::MainTable, message));
    }
    let Some(table) = shared.tables.find(&id) else {
        let message = format!("there is no table {id:?}");
        return Err(Problem::new(ProblemCode::NotFound, message));
    };
    info!(table = id, "table closed by the admin");
    let command = Command::Close(ClosedReason::Admin);
    table.command(ClientId::SERVER, command).await;
    Ok(json(&Done { done: true }))
}

/// `POST /api/admin/clients/{name}/drop`: closes the connection of the client with this name.
async fn drop_client(
    _: Admin,
    State(shared): State<Arc<HttpState>>,
    InPath(name): InPath,
) -> Result<Response, Problem> {
    if !shared.lobby.kick(&name).await {
        let message = format!("no client is called {name:?}");
        return Err(Problem::new(ProblemCode::NotFound, message));
    }
    info!("client dropped by the admin");
    Ok(json(&Done { done: true }))
}

/// `POST /api/admin/drain`: the server accepts no new clients and is no longer ready; games continue.
async fn drain(_: Admin, State(shared): State<Arc<HttpState>>) -> Response {
    info!("draining, started by the admin");
    shared.lifecycle.drain();
    json(&Done { done: true })
}

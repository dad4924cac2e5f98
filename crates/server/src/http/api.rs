//! The JSON interface over HTTP, under `/api`.
//!
//! It reads from the archive and the tables; only the calls of [`admin`] and [`account`] change anything.
//! `docs/openapi.json` describes it, generated from the types.

mod account;
mod admin;
mod analysis;
mod correspondence;
mod games;
mod import;
mod ladder;
mod legal;
mod moderation;
mod notifications;
#[cfg(test)]
mod openapi;
mod parameters;
mod pdn;
mod players;
mod problem;
mod profiles;
mod programs;
mod query;
mod ratings;
mod tablebase;
mod tables;
mod tournaments;
mod types;

pub(super) use account::{MAX_BODY, SignedInAs, read_body};
pub(super) use problem::{Problem, ProblemCode};
pub(super) use query::InPath;

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use event_store::Store;
use hyper::StatusCode;
use hyper::header::{self, HeaderValue};
use serde::Serialize;
use tower_http::set_header::SetResponseHeaderLayer;

use super::routes::only;
use super::{HttpState, bot_api, json_text};

/// The routes under `/api`.
pub(super) fn router() -> Router<Arc<HttpState>> {
    Router::new()
        .route("/games", read(get(games::list)))
        .route("/games.pdn", read(get(games::export)))
        .route("/games/{id}", read(get(games::one)))
        .route("/players", read(get(players::here)))
        .route("/players/{name}", read(get(players::one)))
        .route("/ratings/{speed}", read(get(ratings::best)))
        .route("/ladder/{speed}", read(get(ladder::standings)))
        .route("/tournaments", read(get(tournaments::list)))
        .route("/tournaments/{id}", read(get(tournaments::one)))
        .route("/ladder/seasons/{season}", read(get(ladder::file)))
        .route("/players/{name}/rating", read(get(ratings::one)))
        .route("/tables", read(get(tables::list)))
        .route("/legal", read(get(legal::legal)))
        .route("/premoves", read(get(legal::premoves)))
        .route("/tablebase", read(get(tablebase::report)))
        .route("/analysis", read(get(analysis::one)))
        .route("/analysis/game", read(get(analysis::game)))
        .route("/pdn", only(post(import::read), "POST"))
        .route("/openapi.json", read(get(document)))
        .method_not_allowed_fallback(async || {
            Problem::new(
                ProblemCode::MethodNotAllowed,
                "this method is not allowed here",
            )
        })
        .fallback(async || Problem::new(ProblemCode::NotFound, "there is nothing here"))
        // Pages of other sites may read the answers, which depend on no user's identity.
        .layer(SetResponseHeaderLayer::overriding(
            header::ACCESS_CONTROL_ALLOW_ORIGIN,
            HeaderValue::from_static("*"),
        ))
        .merge(bot_api::router())
        .nest("/admin", admin::router())
        .nest("/account", account::router())
        .nest("/moderation", moderation::router())
        .layer(from_fn(with_problems_as_asked))
}

/// The page asks with the header `X-Problem-Status: 200` for problems with status 200, because browsers
/// log other statuses as errors of the page.
async fn with_problems_as_asked(request: Request, next: Next) -> Response {
    let wanted = request.headers().get("x-problem-status");
    let is_quiet = wanted.is_some_and(|status| status == "200");
    let mut answer = next.run(request).await;
    let status = answer.status();
    if is_quiet && (status.is_client_error() || status.is_server_error()) {
        *answer.status_mut() = StatusCode::OK;
    }
    answer
}

fn read(router: MethodRouter<Arc<HttpState>>) -> MethodRouter<Arc<HttpState>> {
    only(router, "GET, HEAD")
}

/// The description of the API in OpenAPI, which a test generates from the types.
const DESCRIPTION: &str = include_str!("../../../../docs/openapi.json");

/// `GET /openapi.json` and `GET /api/openapi.json`.
pub(super) async fn document() -> Response {
    json_text(StatusCode::OK, DESCRIPTION.trim_end())
}

/// The archive, or the problem of a server that keeps no games.
fn archive(shared: &HttpState) -> Result<Arc<dyn Store>, Problem> {
    let nothing = || Problem::new(ProblemCode::NoArchive, "this server keeps no games");
    shared.archive.clone().ok_or_else(nothing)
}

pub(super) fn json<T: Serialize>(body: &T) -> Response {
    let body = serde_json::to_string(body).expect("the answers have no key but strings");
    json_text(StatusCode::OK, &body)
}

//! Notifications of turns in games by correspondence, by the push service of a browser.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use event_store::UnixMillis;
use hyper::{HeaderMap, header};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::account::{JsonBody, Owner, private};
use super::json;
use super::problem::{Problem, ProblemCode};
use super::types::Done;
use crate::accounts::AccountSession;
use crate::http::HttpState;
use crate::http::routes::only;
use crate::push::{Push, PushError};

pub(super) fn router() -> Router<Arc<HttpState>> {
    Router::new()
        .route(
            "/",
            only(get(notifications).post(subscribe), "GET, HEAD, POST"),
        )
        .route("/end", only(post(unsubscribe), "POST"))
}

/// How a browser subscribes, and whether it has.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Notifications {
    /// The public key of the server for the browser's `pushManager.subscribe`: an uncompressed point of the curve P-256
    /// in Base64 for addresses.
    key: String,
    /// Whether the session is notified.
    subscribed: bool,
}

/// A browser that is notified of turns.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct NotifiedBrowser {
    /// The host of its push service.
    service: String,
    /// Since when, in milliseconds since 1970, UTC.
    since_ms: i64,
}

/// Where a browser is notified.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSubscription {
    /// The `endpoint` of the browser's subscription: an https address of a push service that the server sends to, at most
    /// 1000 bytes.
    endpoint: String,
}

impl From<PushError> for Problem {
    fn from(error: PushError) -> Problem {
        let code = match &error {
            PushError::Off => ProblemCode::NotFound,
            PushError::BadEndpoint => ProblemCode::BadQuery,
            PushError::Key | PushError::Store(_) => ProblemCode::Busy,
        };
        Problem::new(code, error.to_string())
    }
}

fn service(shared: &HttpState) -> Result<&Push, Problem> {
    let service = shared.push.as_deref().ok_or(PushError::Off);
    service.map_err(Problem::from)
}

/// The browsers of an account that are notified.
pub(super) async fn browsers(
    shared: &HttpState,
    session: &AccountSession,
) -> Result<Vec<NotifiedBrowser>, Problem> {
    let services = service(shared)?.services_of(session.account).await?;
    let browser = |(service, since): (String, UnixMillis)| NotifiedBrowser {
        service,
        since_ms: since.0,
    };
    Ok(services.into_iter().map(browser).collect())
}

/// `GET /api/account/notifications`: how a browser subscribes, and whether this session has.
async fn notifications(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
) -> Result<Response, Problem> {
    let service = service(&shared)?;
    Ok(private(&Notifications {
        key: service.public_key().await?,
        subscribed: service.is_subscribed(&session).await?,
    }))
}

/// `POST /api/account/notifications`: notifies the browser of this session from now on.
async fn subscribe(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    headers: HeaderMap,
    JsonBody(wanted): JsonBody<NewSubscription>,
) -> Result<Response, Problem> {
    let origin = headers.get(header::ORIGIN);
    let origin = origin.and_then(|origin| origin.to_str().ok());
    let service = service(&shared)?;
    service
        .subscribe(&session, &wanted.endpoint, origin)
        .await?;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/notifications/end`: no longer notifies it.
async fn unsubscribe(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
) -> Result<Response, Problem> {
    service(&shared)?.unsubscribe(&session).await?;
    Ok(json(&Done { done: true }))
}

//! What is found where.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::response::Response;
use axum::routing::{MethodRouter, any, get};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, StatusCode};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::Role;
use tracing::{Instrument, debug, field, info_span, warn};

use super::handshake::{Refused, accept_key, switching_protocols};
use super::{Connection, RETRY_AFTER, Shared, Stream, text, with_header};
use crate::metrics::HandshakeOutcome;
use crate::session::{Session, websocket_config};

/// The server's pages, by path and method.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", any(websocket))
        .route("/ws", any(websocket))
        .route("/healthz", page(get(healthz)))
        .route("/readyz", page(get(readyz)))
        .route("/metrics", page(get(metrics)))
        .fallback(async || text(StatusCode::NOT_FOUND, "the WebSocket is at /ws"))
        .with_state(shared)
}

fn page(router: MethodRouter<Arc<Shared>>) -> MethodRouter<Arc<Shared>> {
    router.fallback(async || {
        let answer = text(StatusCode::METHOD_NOT_ALLOWED, "this page is read by GET");
        with_header(answer, header::ALLOW, "GET, HEAD")
    })
}

/// Whether the process serves.
async fn healthz() -> Response {
    text(StatusCode::OK, "ok")
}

/// Whether the server takes new players.
async fn readyz(State(shared): State<Arc<Shared>>) -> Response {
    let reason = if shared.lifecycle.is_draining() {
        Some("shutting_down")
    } else if shared.doorkeeper.is_full() {
        Some("full")
    } else {
        None
    };
    match reason {
        None => json(StatusCode::OK, &serde_json::json!({"ready": true})),
        Some(reason) => {
            let body = serde_json::json!({"ready": false, "reason": reason});
            let answer = json(StatusCode::SERVICE_UNAVAILABLE, &body);
            with_header(answer, header::RETRY_AFTER, RETRY_AFTER)
        }
    }
}

fn json(status: StatusCode, body: &serde_json::Value) -> Response {
    with_header(
        text(status, &body.to_string()),
        header::CONTENT_TYPE,
        "application/json",
    )
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let open_metrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    match shared.metrics.encode() {
        Ok(body) => with_header(
            Response::new(Body::from(body)),
            header::CONTENT_TYPE,
            open_metrics,
        ),
        Err(error) => {
            warn!(%error, "cannot encode the metrics");
            text(
                StatusCode::INTERNAL_SERVER_ERROR,
                "the metrics cannot be encoded",
            )
        }
    }
}

/// Opens a WebSocket, or says why not.
async fn websocket(
    State(shared): State<Arc<Shared>>,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
) -> Response {
    match check(&request, &shared) {
        Ok(key) => {
            shared.metrics.handshake(HandshakeOutcome::Done);
            upgrade(request, key, connection, &shared)
        }
        Err(refused) => {
            shared.metrics.handshake(refused.outcome());
            refused.answer()
        }
    }
}

/// The answer to a good request's key.
fn check(request: &Request, shared: &Shared) -> Result<HeaderValue, Refused> {
    if request.method() != Method::GET {
        return Err(Refused::NotGet);
    }
    let key = accept_key(request)?;
    if !is_origin_allowed(request.headers(), shared) {
        return Err(Refused::ForeignOrigin);
    }
    if shared.lifecycle.is_draining() {
        return Err(Refused::ShuttingDown);
    }
    Ok(key)
}

/// Whether the request comes from a program, or from a page that may speak to the server.
fn is_origin_allowed(headers: &HeaderMap, shared: &Shared) -> bool {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let mut origins = headers.get_all(header::ORIGIN).iter();
    origins.all(|origin| {
        let origin = origin.to_str().unwrap_or_default();
        shared.config.allowed_origins.allow(origin, host)
    })
}

/// Accepts the upgrade and leaves the session to a task of its own.
fn upgrade(
    request: Request,
    key: HeaderValue,
    connection: Arc<Connection>,
    shared: &Arc<Shared>,
) -> Response {
    connection.pass.has_shaken_hands();
    let (id, peer) = (connection.id.0, connection.peer);
    let span = info_span!("connection", id, %peer, name = field::Empty);
    let session = run_session(request, connection, Arc::clone(shared));
    shared.sessions.spawn(session.instrument(span));
    switching_protocols(key)
}

async fn run_session(request: Request, connection: Arc<Connection>, shared: Arc<Shared>) {
    let upgraded = match hyper::upgrade::on(request).await {
        Ok(upgraded) => upgraded,
        Err(error) => return debug!(%error, "upgrade failed"),
    };
    let parts = upgraded.downcast::<TokioIo<Stream>>();
    let parts = parts.expect("the connection was served on such a stream");
    let socket = WebSocketStream::from_partially_read(
        parts.io.into_inner(),
        parts.read_buf.to_vec(),
        Role::Server,
        Some(websocket_config()),
    );
    Session::new(socket.await, connection, shared).run().await;
}

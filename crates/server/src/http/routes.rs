//! What is found where.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any, get};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::upgrade::OnUpgrade;
use hyper::{Method, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::json;
use tower_http::compression::CompressionLayer;
use tracing::{Instrument, debug, field, info_span, warn};

use super::api::{Problem, ProblemCode};
use super::handshake::{Refused, accept_key, switching_protocols};
use super::prompt::Prompt;
use super::{Connection, RETRY_AFTER, Shared, Stream, json_text, pages, text, with_header};
use crate::connection;
use crate::metrics::HandshakeOutcome;
use crate::store::EventLog;

/// The server's pages, by path and method.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let router = Router::new();
    #[cfg(feature = "conformance")]
    let router = router.route("/echo", any(echo));
    let pages = pages::router()
        .route("/", any(front))
        .fallback(pages::not_found)
        .layer(CompressionLayer::new());
    router
        .route("/ws", any(websocket))
        .route("/healthz", page(get(healthz)))
        .route("/readyz", page(get(readyz)))
        .route("/metrics", page(get(metrics)))
        .route("/openapi.json", page(get(super::api::document)))
        .nest("/api", super::api::router())
        .merge(pages)
        .with_state(shared)
}

fn page(router: MethodRouter<Arc<Shared>>) -> MethodRouter<Arc<Shared>> {
    only(router, "GET, HEAD")
}

/// Refuses other methods than these, which the answer names.
pub(super) fn only(
    router: MethodRouter<Arc<Shared>>,
    methods: &'static str,
) -> MethodRouter<Arc<Shared>> {
    router.fallback(async move || wrong_method(methods))
}

/// What is answered to a method that an address does not have.
pub(super) fn wrong_method(methods: &'static str) -> Response {
    let message = format!("this method is not allowed here: use {methods}");
    let answer = Problem::new(ProblemCode::MethodNotAllowed, message).into_response();
    with_header(answer, header::ALLOW, methods)
}

/// Whether the process serves.
async fn healthz() -> Response {
    text(StatusCode::OK, "ok")
}

/// Whether the server takes new players.
async fn readyz(State(shared): State<Arc<Shared>>) -> Response {
    let reason = if shared.lifecycle.is_draining() {
        Some("shutting_down")
    } else if shared.limiter.is_full() {
        Some("full")
    } else if !stores(&shared) {
        Some("not_storing")
    } else {
        None
    };
    match reason {
        None => json_text(StatusCode::OK, &json!({"ready": true}).to_string()),
        Some(reason) => {
            let body = json!({"ready": false, "reason": reason}).to_string();
            let answer = json_text(StatusCode::SERVICE_UNAVAILABLE, &body);
            with_header(answer, header::RETRY_AFTER, RETRY_AFTER)
        }
    }
}

/// Whether what is played can be kept, if it is to be.
fn stores(shared: &Shared) -> bool {
    let archive = shared.archive.as_ref();
    archive.is_none_or(|store| store.health().borrow().is_ready())
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

/// The page for a browser, the WebSocket for whoever asks for one.
async fn front(
    state: State<Arc<Shared>>,
    connection: Extension<Arc<Connection>>,
    request: Request,
) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if reads && !request.headers().contains_key(header::UPGRADE) {
        pages::front(&state.0, request.headers())
    } else {
        websocket(state, connection, request).await
    }
}

/// Opens a player's WebSocket, or says why not.
async fn websocket(
    State(shared): State<Arc<Shared>>,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
) -> Response {
    open(request, &shared, &connection, |upgraded| {
        run(upgraded, Arc::clone(&connection), Arc::clone(&shared))
    })
}

/// Opens a WebSocket that sends every message back, or says why not.
#[cfg(feature = "conformance")]
async fn echo(
    State(shared): State<Arc<Shared>>,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
) -> Response {
    open(request, &shared, &connection, |upgraded| {
        run_echo(upgraded, Arc::clone(&connection), Arc::clone(&shared))
    })
}

/// Lets a good request's connection go on as `serve` says.
fn open<F>(
    request: Request,
    shared: &Shared,
    connection: &Connection,
    serve: impl FnOnce(OnUpgrade) -> F,
) -> Response
where
    F: Future<Output = ()> + Send + 'static,
{
    match check(&request, shared) {
        Ok(key) => {
            shared.metrics.handshake(HandshakeOutcome::Done);
            connection.permit.finish_handshake();
            let (id, peer) = (connection.id.0, connection.peer);
            let span = info_span!("connection", id, %peer, name = field::Empty);
            let served = serve(hyper::upgrade::on(request));
            shared.sessions.spawn(served.instrument(span));
            switching_protocols(key)
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

async fn run(upgraded: OnUpgrade, accepted: Arc<Connection>, shared: Arc<Shared>) {
    if let Some(stream) = stream(upgraded).await {
        let connection = connection::Connection::new(stream, accepted, shared);
        connection.await.run().await;
    }
}

#[cfg(feature = "conformance")]
async fn run_echo(upgraded: OnUpgrade, accepted: Arc<Connection>, shared: Arc<Shared>) {
    if let Some(stream) = stream(upgraded).await {
        let connection = connection::Connection::for_echo(stream, accepted, shared);
        connection.await.echo().await;
    }
}

/// The bytes of a connection that HTTP has let go, and those of them that have been read already;
/// `None` if it broke meanwhile.
async fn stream(upgraded: OnUpgrade) -> Option<(Stream, Vec<u8>)> {
    let upgraded = upgraded
        .await
        .inspect_err(|error| debug!(%error, "upgrade failed"));
    let parts = upgraded.ok()?.downcast::<TokioIo<Prompt<Stream>>>();
    let parts = parts.expect("the connection was served on such a stream");
    let stream = parts.io.into_inner().into_inner();
    Some((stream, parts.read_buf.to_vec()))
}

//! The WebSocket handshake: from a request to a client's connection.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::response::{IntoResponse, Response};
use hyper::header::{self, HeaderMap};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tracing::{Instrument, debug, field, info_span};

use super::api::{Problem, ProblemCode};
use super::{AcceptedConnection, HttpState, HttpStream, request_id, with_header};
use crate::connection::{self, ByteStream};
use crate::metrics::HandshakeOutcome;

/// Opens a client's WebSocket, or answers with a problem.
pub(super) async fn websocket(
    State(shared): State<Arc<HttpState>>,
    Extension(connection): Extension<Arc<AcceptedConnection>>,
    request: Request,
) -> Response {
    open(request, &shared, &connection, |upgraded| {
        run(upgraded, Arc::clone(&connection), Arc::clone(&shared))
    })
}

/// Opens a WebSocket that echoes every message, or answers with a problem.
#[cfg(feature = "conformance")]
pub(super) async fn echo(
    State(shared): State<Arc<HttpState>>,
    Extension(connection): Extension<Arc<AcceptedConnection>>,
    request: Request,
) -> Response {
    open(request, &shared, &connection, |upgraded| {
        run_echo(upgraded, Arc::clone(&connection), Arc::clone(&shared))
    })
}

/// Answers the handshake. If it succeeds, `serve` gets the connection in a task of its own.
fn open<F>(
    request: Request,
    shared: &HttpState,
    connection: &AcceptedConnection,
    serve: impl FnOnce(OnUpgrade) -> F,
) -> Response
where
    F: Future<Output = ()> + Send + 'static,
{
    let (outcome, answer) = match accept(&request, shared) {
        Ok(answer) => {
            let (id, peer) = (connection.id.0, connection.peer);
            let request_id = request_id::of(&request);
            let span = info_span!(
                parent: None, "connection", id, %peer, request_id, name = field::Empty
            );
            let served = serve(hyper::upgrade::on(request));
            shared.connections.spawn(served.instrument(span));
            (HandshakeOutcome::Done, answer)
        }
        Err((outcome, code, message)) => (outcome, refusal(code, message)),
    };
    shared.metrics.handshake(outcome);
    answer
}

/// Why a handshake fails: for the metrics, for programs, for people.
type Refusal = (HandshakeOutcome, ProblemCode, &'static str);

/// Checks the handshake and returns the answer to it.
fn accept(request: &Request, shared: &HttpState) -> Result<Response, Refusal> {
    let accepted = create_response_with_body(request, Body::empty).map_err(|error| {
        let (code, message) = malformed(&error, request.headers());
        (HandshakeOutcome::Malformed, code, message)
    })?;
    if !is_origin_allowed(request.headers(), shared) {
        let message = "pages of this origin may not connect";
        return Err((
            HandshakeOutcome::ForeignOrigin,
            ProblemCode::ForeignOrigin,
            message,
        ));
    }
    if shared.lifecycle.is_draining() {
        let message = "the server is shutting down";
        return Err((
            HandshakeOutcome::Refused,
            ProblemCode::ShuttingDown,
            message,
        ));
    }
    Ok(accepted)
}

fn malformed(error: &Error, headers: &HeaderMap) -> (ProblemCode, &'static str) {
    match error {
        Error::Protocol(ProtocolError::WrongHttpMethod) => (
            ProblemCode::MethodNotAllowed,
            "the WebSocket is opened by GET",
        ),
        Error::Protocol(ProtocolError::WrongHttpVersion)
            if headers.contains_key(header::UPGRADE) =>
        {
            (ProblemCode::BadHandshake, "a WebSocket needs HTTP/1.1")
        }
        Error::Protocol(
            ProtocolError::WrongHttpVersion
            | ProtocolError::MissingConnectionUpgradeHeader
            | ProtocolError::MissingUpgradeWebSocketHeader,
        ) => (
            ProblemCode::UpgradeRequired,
            "this is a WebSocket server for Russian draughts; use a WebSocket client",
        ),
        Error::Protocol(ProtocolError::MissingSecWebSocketVersionHeader) => (
            ProblemCode::UpgradeRequired,
            "only version 13 of the WebSocket protocol",
        ),
        _ => (
            ProblemCode::BadHandshake,
            "Sec-WebSocket-Key must be 16 bytes in base64",
        ),
    }
}

fn refusal(code: ProblemCode, message: &str) -> Response {
    let answer = Problem::new(code, message).into_response();
    match code {
        ProblemCode::MethodNotAllowed => with_header(answer, header::ALLOW, "GET"),
        ProblemCode::UpgradeRequired => {
            let answer = with_header(answer, header::CONNECTION, "Upgrade");
            let answer = with_header(answer, header::UPGRADE, "websocket");
            with_header(answer, header::SEC_WEBSOCKET_VERSION, "13")
        }
        _ => answer,
    }
}

/// Whether the request comes from a program, or from a page whose origin is allowed.
fn is_origin_allowed(headers: &HeaderMap, shared: &HttpState) -> bool {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let mut origins = headers.get_all(header::ORIGIN).iter();
    origins.all(|origin| {
        let origin = origin.to_str().unwrap_or_default();
        shared.config.allowed_origins.allow(origin, host)
    })
}

async fn run(upgraded: OnUpgrade, accepted: Arc<AcceptedConnection>, shared: Arc<HttpState>) {
    if let Some(stream) = stream(upgraded).await {
        let connection = connection::Connection::new(stream, accepted, shared);
        connection.await.run().await;
    }
}

#[cfg(feature = "conformance")]
async fn run_echo(upgraded: OnUpgrade, accepted: Arc<AcceptedConnection>, shared: Arc<HttpState>) {
    if let Some(stream) = stream(upgraded).await {
        let connection = connection::Connection::for_echo(stream, accepted, shared);
        connection.await.echo().await;
    }
}

/// The stream of an upgraded connection and the bytes that were read from it already; `None` if the
/// connection broke meanwhile. The client's connection has a write timeout of its own.
async fn stream(upgraded: OnUpgrade) -> Option<(ByteStream, Vec<u8>)> {
    let upgraded = upgraded
        .await
        .inspect_err(|error| debug!(%error, "upgrade failed"));
    let parts = upgraded.ok()?.downcast::<TokioIo<HttpStream>>();
    let parts = parts.expect("the connection was served on such a stream");
    let mut stream = parts.io.into_inner();
    stream.as_mut().set_timeout_pinned(None);
    Some((stream, parts.read_buf.to_vec()))
}

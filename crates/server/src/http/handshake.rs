//! The WebSocket handshake.

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{StatusCode, Version};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::api::{Problem, ProblemCode};
use super::{listed, with_header};
use crate::metrics::HandshakeOutcome;

/// The answer that opens a WebSocket.
pub(super) fn switching_protocols(key: HeaderValue) -> Response {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = answer.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(header::SEC_WEBSOCKET_ACCEPT, key);
    answer
}

/// Why a request does not open a WebSocket.
#[derive(Clone, Copy, Debug)]
pub(super) enum Refused {
    NotGet,
    NotAnUpgrade,
    NotHttp11,
    WrongVersion,
    BadKey,
    ForeignOrigin,
    ShuttingDown,
}

impl Refused {
    /// What it is counted as.
    pub(super) fn outcome(self) -> HandshakeOutcome {
        match self {
            Refused::NotGet
            | Refused::NotAnUpgrade
            | Refused::NotHttp11
            | Refused::WrongVersion
            | Refused::BadKey => HandshakeOutcome::Malformed,
            Refused::ForeignOrigin => HandshakeOutcome::ForeignOrigin,
            Refused::ShuttingDown => HandshakeOutcome::Refused,
        }
    }

    pub(super) fn answer(self) -> Response {
        let (code, explanation) = self.explanation();
        let answer = Problem::new(code, explanation).into_response();
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

    fn explanation(self) -> (ProblemCode, &'static str) {
        match self {
            Refused::NotGet => (
                ProblemCode::MethodNotAllowed,
                "the WebSocket is opened by GET",
            ),
            Refused::NotAnUpgrade => (
                ProblemCode::UpgradeRequired,
                "this is a WebSocket server for Russian draughts; use a WebSocket client",
            ),
            Refused::NotHttp11 => (ProblemCode::BadHandshake, "a WebSocket needs HTTP/1.1"),
            Refused::WrongVersion => (
                ProblemCode::UpgradeRequired,
                "only version 13 of the WebSocket protocol",
            ),
            Refused::BadKey => (
                ProblemCode::BadHandshake,
                "Sec-WebSocket-Key must have 24 characters",
            ),
            Refused::ForeignOrigin => (
                ProblemCode::ForeignOrigin,
                "pages of this origin may not connect",
            ),
            Refused::ShuttingDown => (ProblemCode::ShuttingDown, "the server is shutting down"),
        }
    }
}

/// The answer to the client's key.
///
/// CITE: RFC 6455, section 4.2.1.
pub(super) fn accept_key(request: &Request) -> Result<HeaderValue, Refused> {
    let headers = request.headers();
    if !lists(headers, header::UPGRADE, "websocket")
        || !lists(headers, header::CONNECTION, "upgrade")
    {
        return Err(Refused::NotAnUpgrade);
    }
    if request.version() != Version::HTTP_11 {
        return Err(Refused::NotHttp11);
    }
    let version = headers
        .get(header::SEC_WEBSOCKET_VERSION)
        .map(HeaderValue::as_bytes);
    if version != Some(b"13") {
        return Err(Refused::WrongVersion);
    }
    let key = headers
        .get(header::SEC_WEBSOCKET_KEY)
        .map(HeaderValue::as_bytes);
    key.filter(|key| key.len() == 24)
        .and_then(|key| HeaderValue::from_str(&derive_accept_key(key)).ok())
        .ok_or(Refused::BadKey)
}

/// Whether a header's comma-separated values contain `wanted`, in any case.
fn lists(headers: &HeaderMap, name: HeaderName, wanted: &str) -> bool {
    listed(headers, name).any(|item| item.eq_ignore_ascii_case(wanted))
}

//! Admits the requests of a connection as far as the limits allow.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::body::{Body, HttpBody};
use axum::extract::{Extension, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use hyper::StatusCode;
use hyper::header::{self, HeaderValue};
use tracing::{Span, debug, field};

use super::api::{Problem, ProblemCode};
use super::{AcceptedConnection, HttpState, forwarded};
use crate::limits::{RateLimiter, RateVerdict, RejectReason, TokenBucket};

/// A connection while it speaks HTTP.
#[derive(Debug)]
pub(super) struct HttpConnection {
    connection: Arc<AcceptedConnection>,
    is_proxy: bool,
    has_requested: AtomicBool,
    /// Limits the requests after the first one.
    further: Mutex<RateLimiter>,
}

impl HttpConnection {
    pub(super) fn new(connection: AcceptedConnection, shared: &HttpState) -> HttpConnection {
        let (burst, rate) = (shared.config.message_burst, shared.config.message_rate);
        let own = TokenBucket::new(burst, rate, Instant::now());
        HttpConnection {
            is_proxy: shared.limiter.trusts(connection.peer.ip()),
            has_requested: AtomicBool::new(false),
            further: Mutex::new(RateLimiter::new(own, connection.permit.messages())),
            connection: Arc::new(connection),
        }
    }

    /// Whether the peer is a trusted proxy.
    pub(super) fn is_proxy(&self) -> bool {
        self.is_proxy
    }

    /// Whether the head of a request has arrived.
    pub(super) fn has_requested(&self) -> bool {
        self.has_requested.load(Ordering::Relaxed)
    }

    /// Gives back what a request has taken from the limits.
    fn credit(&self, connection: &AcceptedConnection, taken: Taken) {
        match taken {
            Taken::Nothing => {}
            Taken::Request => self.further().credit(1),
            Taken::Arrival => connection.permit.credit_arrival(),
        }
    }

    fn further(&self) -> MutexGuard<'_, RateLimiter> {
        self.further.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The client for which a trusted proxy sends the request.
    fn client(&self, request: &Request, shared: &HttpState) -> Option<IpAddr> {
        let trusts = |address| shared.limiter.trusts(address);
        self.is_proxy
            .then(|| forwarded::client(request.headers(), trusts))?
    }

    /// Admits a request, for the client behind a proxy as a new connection of its address, which counts
    /// until the returned value is dropped. No limit applies to a proxy's own requests.
    fn admit(&self, client: Option<IpAddr>) -> Result<(Arc<AcceptedConnection>, Taken), Rejection> {
        let now = Instant::now();
        let is_first = !self.has_requested.swap(true, Ordering::Relaxed);
        if let Some(client) = client {
            let (id, peer) = (self.connection.id, self.connection.peer);
            let permit = self.connection.permit.admit_client(client, now)?;
            let client = AcceptedConnection { id, peer, permit };
            return Ok((Arc::new(client), Taken::Arrival));
        }
        if self.is_proxy || is_first {
            Ok((Arc::clone(&self.connection), Taken::Nothing))
        } else if self.further().try_acquire(now) == RateVerdict::Accept {
            Ok((Arc::clone(&self.connection), Taken::Request))
        } else {
            Err(Rejection::TooFast)
        }
    }
}

/// Marks the answer to a request that the limits do not count, such as a move that was played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free;

/// What a request has taken from the limits.
#[derive(Clone, Copy, Debug)]
enum Taken {
    /// The first request of a connection, and a proxy's own ones, are not limited.
    Nothing,
    /// From the requests of the connection.
    Request,
    /// From the connections of the client's address.
    Arrival,
}

/// Why a request is not handled.
enum Rejection {
    Connection(RejectReason),
    TooFast,
}

impl From<RejectReason> for Rejection {
    fn from(reason: RejectReason) -> Rejection {
        Rejection::Connection(reason)
    }
}

/// Handles a request that the limits admit. A connection whose request is not answered with success is
/// closed, except a proxy's, on which other clients' requests follow.
pub(super) async fn admit(
    State(shared): State<Arc<HttpState>>,
    Extension(http): Extension<Arc<HttpConnection>>,
    mut request: Request,
    next: Next,
) -> Response {
    let client = http.client(&request, &shared);
    let address = client.unwrap_or(http.connection.peer.ip());
    Span::current().record("client", field::display(address));
    let mut answer = match http.admit(client) {
        Ok((connection, taken)) => {
            request.extensions_mut().insert(Arc::clone(&connection));
            let answer = next.run(request).await;
            connection.permit.finish_handshake();
            if answer.extensions().get::<Free>().is_some() {
                http.credit(&connection, taken);
            }
            hold_until_sent(answer, connection)
        }
        Err(rejection) => rejected(&rejection, &shared),
    };
    http.connection.permit.finish_handshake();
    let status = answer.status();
    let is_upgrade = status == StatusCode::SWITCHING_PROTOCOLS;
    let is_good = is_upgrade || status.is_success() || status == StatusCode::NOT_MODIFIED;
    if !is_good && !http.is_proxy || shared.lifecycle.is_draining() && !is_upgrade {
        let close = HeaderValue::from_static("close");
        answer.headers_mut().append(header::CONNECTION, close);
    }
    answer
}

fn rejected(rejection: &Rejection, shared: &HttpState) -> Response {
    match *rejection {
        Rejection::Connection(reason) => {
            debug!(reason = reason.name(), "rejected");
            shared.metrics.rejected(reason);
            Problem::from(reason).into_response()
        }
        Rejection::TooFast => {
            Problem::new(ProblemCode::TooManyRequests, "requests come too fast").into_response()
        }
    }
}

/// Keeps what counts for a client until a streamed answer has been sent; other answers are complete.
fn hold_until_sent(answer: Response, connection: Arc<AcceptedConnection>) -> Response {
    if answer.body().size_hint().exact().is_some() {
        return answer;
    }
    answer.map(|body| {
        let frames = body.into_data_stream();
        Body::from_stream(frames.inspect(move |_| {
            let _held = &connection;
        }))
    })
}

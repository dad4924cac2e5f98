//! The requests of one connection.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, Request, StatusCode};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use tracing::debug;

use super::api::{Problem, ProblemCode};
use super::{Connection, Shared, forwarded, rejected};
use crate::limits::{RateLimiter, RejectReason, TokenBucket, Verdict};

/// A connection while it makes requests.
pub(super) struct Visit {
    connection: Arc<Connection>,
    pub(super) shared: Arc<Shared>,
    router: Router,
    begun: CancellationToken,
    /// What the connection may ask for after its first request.
    requests: Mutex<Option<RateLimiter>>,
}

/// Why a request is not looked at.
enum Denied {
    Rejected(RejectReason),
    TooFast,
}

impl Visit {
    pub(super) fn new(connection: Connection, shared: Arc<Shared>, router: Router) -> Visit {
        Visit {
            connection: Arc::new(connection),
            shared,
            router,
            begun: CancellationToken::new(),
            requests: Mutex::new(None),
        }
    }

    /// Whether a whole request has come.
    pub(super) fn has_begun(&self) -> bool {
        self.begun.is_cancelled()
    }

    /// Waits until it has.
    pub(super) async fn begun(&self) {
        self.begun.cancelled().await;
    }

    pub(super) async fn answer(&self, request: Request<Incoming>) -> Result<Response, Infallible> {
        self.begun.cancel();
        let may_go_on = self.may_go_on_after(&request);
        let mut answer = match self.take_in(request.headers()) {
            Ok(()) => self.pass_on(request).await?,
            Err(Denied::Rejected(reason)) => rejected(reason),
            Err(Denied::TooFast) => too_many_requests(),
        };
        let status = answer.status();
        let is_good = status.is_success() || status == StatusCode::NOT_MODIFIED;
        if status == StatusCode::SWITCHING_PROTOCOLS {
            return Ok(answer);
        }
        if may_go_on && is_good {
            // It has shown that it speaks, and counts as a connection like others.
            self.connection.permit.finish_handshake();
        } else {
            let headers = answer.headers_mut();
            headers.append(header::CONNECTION, HeaderValue::from_static("close"));
        }
        Ok(answer)
    }

    /// Whether another request may follow this one. Behind a proxy the next one may be another
    /// client's, who would have to be counted.
    fn may_go_on_after(&self, request: &Request<Incoming>) -> bool {
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        let is_proxy = self.shared.limiter.trusts(self.connection.peer.ip());
        reads && !is_proxy && !self.shared.lifecycle.is_draining()
    }

    async fn pass_on(&self, mut request: Request<Incoming>) -> Result<Response, Infallible> {
        let connection = Arc::clone(&self.connection);
        request.extensions_mut().insert(connection);
        self.router.clone().oneshot(request.map(Body::new)).await
    }

    /// Counts the client with its first request, and charges it for each one more.
    fn take_in(&self, headers: &HeaderMap) -> Result<(), Denied> {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        match &mut *requests {
            None => {
                self.count_client(headers, now).map_err(Denied::Rejected)?;
                *requests = Some(self.rate_limiter(now));
                Ok(())
            }
            Some(limiter) => match limiter.try_acquire(now) {
                Verdict::Accept => Ok(()),
                Verdict::Warn | Verdict::Drop | Verdict::Close => Err(Denied::TooFast),
            },
        }
    }

    /// Counts a connection that comes through a proxy for the client behind it.
    fn count_client(&self, headers: &HeaderMap, now: Instant) -> Result<(), RejectReason> {
        let (connection, limiter) = (&self.connection, &self.shared.limiter);
        if !limiter.trusts(connection.peer.ip()) {
            return Ok(());
        }
        let Some(client) = forwarded::client(headers, |proxy| limiter.trusts(proxy)) else {
            return Ok(());
        };
        let counted = connection.permit.count_client(client, now);
        counted.inspect_err(|&reason| {
            debug!(%client, reason = reason.name(), "rejected");
            self.shared.metrics.rejected(reason);
        })
    }

    /// Requests take tokens from the same buckets as messages.
    fn rate_limiter(&self, now: Instant) -> RateLimiter {
        let config = &self.shared.config;
        let own = TokenBucket::new(config.message_burst, config.message_rate, now);
        RateLimiter::new(own, self.connection.permit.messages())
    }
}

fn too_many_requests() -> Response {
    Problem::new(ProblemCode::TooManyRequests, "requests come too fast").into_response()
}

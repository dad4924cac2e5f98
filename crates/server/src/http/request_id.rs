//! An id for every request, which proxies, answers and the log share (`x-request-id`).

use std::sync::Arc;

use axum::extract::Request;
use hyper::header::HeaderValue;
use tower_http::request_id::RequestId;
use tracing::{Span, field, info_span};

use super::admission::HttpConnection;

const HEADER: &str = "x-request-id";

/// The longest id that is accepted from a proxy, in bytes.
const MAX_LEN: usize = 128;

/// Removes an id that does not come from a trusted proxy, or that does not fit into the log.
pub(super) fn keep_trusted(mut request: Request) -> Request {
    let connection = request.extensions().get::<Arc<HttpConnection>>();
    let is_proxy = connection.is_some_and(|connection| connection.is_proxy());
    let fits = |id: &HeaderValue| (1..=MAX_LEN).contains(&id.len()) && id.to_str().is_ok();
    let headers = request.headers_mut();
    if !is_proxy || !headers.get(HEADER).is_some_and(fits) {
        headers.remove(HEADER);
    }
    request
}

/// The id of a request; empty if it has none.
pub(super) fn of<B>(request: &hyper::Request<B>) -> &str {
    let id = request.extensions().get::<RequestId>();
    id.and_then(|id| id.header_value().to_str().ok())
        .unwrap_or_default()
}

/// What the log has beside everything that is logged while the request is handled.
pub(super) fn span<B>(request: &hyper::Request<B>) -> Span {
    let (id, path) = (of(request), request.uri().path());
    info_span!("request", id, method = %request.method(), path, client = field::Empty)
}

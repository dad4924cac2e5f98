//! The routes of the server, and the middleware around them.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::error_handling::HandleErrorLayer;
use axum::extract::{Extension, Request, State};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any, get};
use axum::{BoxError, Router};
use hyper::header;
use hyper::{Method, StatusCode};
use serde_json::json;
use tower::ServiceBuilder;
use tower::timeout::TimeoutLayer;
use tower_http::compression::CompressionLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::trace::TraceLayer;
use tracing::warn;

use super::admission::admit;
use super::api::{Problem, ProblemCode};
use super::upgrade::websocket;
use super::{
    AcceptedConnection, HttpState, RETRY_AFTER, bot_api, json_text, pages, request_id, text,
    with_header,
};

/// How long a request may take until its answer begins: longer than the longest analysis and the
/// slowest upload.
const HANDLER_TIMEOUT: Duration = Duration::from_secs(120);

/// All routes of the server.
pub(crate) fn router(shared: Arc<HttpState>) -> Router {
    let router = Router::new();
    #[cfg(feature = "conformance")]
    let router = router.route("/echo", any(super::upgrade::echo));
    let pages = pages::router()
        .route("/", any(front))
        .fallback(pages::not_found)
        .layer(CompressionLayer::new());
    let router = router
        .route("/ws", any(websocket))
        .route("/healthz", page(get(healthz)))
        .route("/readyz", page(get(readyz)))
        .route("/metrics", page(get(metrics)))
        .route("/openapi.json", page(get(super::api::document)))
        .nest("/api", super::api::router())
        .merge(pages);
    limit_time(router)
        .layer(from_fn_with_state(Arc::clone(&shared), admit))
        .layer(from_fn(bot_api::with_errors))
        .layer(
            ServiceBuilder::new()
                .map_request(request_id::keep_trusted)
                .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
                .layer(PropagateRequestIdLayer::x_request_id())
                .layer(
                    TraceLayer::new_for_http()
                        .make_span_with(request_id::span)
                        .on_request(())
                        .on_eos(())
                        .on_failure(()),
                ),
        )
        .with_state(shared)
}

/// Answers with a problem when a handler takes too long.
fn limit_time<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    let too_long = async |_: BoxError| {
        Problem::new(ProblemCode::Busy, "the request takes too long; try again")
    };
    router.layer(
        ServiceBuilder::new()
            .layer(HandleErrorLayer::new(too_long))
            .layer(TimeoutLayer::new(HANDLER_TIMEOUT)),
    )
}

fn page(router: MethodRouter<Arc<HttpState>>) -> MethodRouter<Arc<HttpState>> {
    only(router, "GET, HEAD")
}

/// Refuses all methods but these; the answer lists them.
pub(super) fn only(
    router: MethodRouter<Arc<HttpState>>,
    methods: &'static str,
) -> MethodRouter<Arc<HttpState>> {
    router.fallback(async move || wrong_method(methods))
}

/// The answer to a method that a path does not have.
pub(super) fn wrong_method(methods: &'static str) -> Response {
    let message = format!("this method is not allowed here: use {methods}");
    let answer = Problem::new(ProblemCode::MethodNotAllowed, message).into_response();
    with_header(answer, header::ALLOW, methods)
}

/// Liveness: the process answers.
async fn healthz() -> Response {
    text(StatusCode::OK, "ok")
}

/// Readiness: the server accepts new players.
async fn readyz(State(shared): State<Arc<HttpState>>) -> Response {
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

/// Whether games can be stored, on a server that stores them.
fn stores(shared: &HttpState) -> bool {
    let archive = shared.archive.as_ref();
    archive.is_none_or(|store| store.health().borrow().is_ready())
}

async fn metrics(State(shared): State<Arc<HttpState>>) -> Response {
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

/// The page for a browser, the WebSocket for a client that asks for an upgrade.
async fn front(
    state: State<Arc<HttpState>>,
    connection: Extension<Arc<AcceptedConnection>>,
    request: Request,
) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if reads && !request.headers().contains_key(header::UPGRADE) {
        pages::front(&state.0, request.headers())
    } else {
        websocket(state, connection, request).await
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_handler_that_takes_too_long_is_given_up() {
        let router = Router::new().route("/", get(std::future::pending::<Response>));
        let answer = limit_time(router)
            .oneshot(Request::new(Body::empty()))
            .await;
        let answer = answer.unwrap();
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        let body = to_bytes(answer.into_body(), 1024).await.unwrap();
        assert!(body.starts_with(br#"{"code":"busy","#), "{body:?}");
    }
}

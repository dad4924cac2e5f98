//! From an accepted TCP connection to its answers: pages, or a WebSocket and nothing more.

mod api;
mod document;
mod forwarded;
mod game_page;
mod handshake;
mod pages;
mod prompt;
mod routes;
mod visit;

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use hyper::StatusCode;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tokio_util::task::TaskTracker;
use tracing::debug;

use crate::bots::Bots;
use crate::config::Config;
use crate::lifecycle::Lifecycle;
use crate::limits::{ConnectionLimiter, ConnectionPermit, RejectReason};
use crate::lobby_shard::LobbyHandle;
use crate::metrics::{HandshakeOutcome, Metrics};
use crate::store::SqliteStore;
use crate::table::ClientId;
use crate::tablebases::TablebaseService;
use crate::tls::Tls;
use api::{Problem, ProblemCode};
use prompt::Prompt;
use visit::Visit;

pub(crate) use routes::router;

/// The longest request head, in bytes; also the smallest buffer the HTTP library allows.
const MAX_HEAD: usize = 8 * 1024;

/// After how many seconds a rejected client may try again.
const RETRY_AFTER: &str = "30";

/// What every connection needs of the server.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) lobby: LobbyHandle,
    /// Where finished games are, if they are kept.
    pub(crate) archive: Option<Arc<SqliteStore>>,
    pub(crate) tablebases: TablebaseService,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) limiter: Arc<ConnectionLimiter>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) bots: Bots,
    pub(crate) tls: Option<Arc<Tls>>,
    pub(crate) sessions: TaskTracker,
}

/// One accepted connection. It counts until every clone of its `Arc` is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) id: ClientId,
    pub(crate) peer: SocketAddr,
    pub(crate) permit: ConnectionPermit,
}

/// The bytes of a connection, with TLS taken off.
pub(crate) type Stream = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// Answers the requests of a new connection, the first of which has to come within the
/// handshake's time; a WebSocket goes on in a task of its own.
pub(crate) async fn serve(
    stream: TcpStream,
    connection: Connection,
    shared: Arc<Shared>,
    router: Router,
) {
    let id = connection.id;
    let visit = Visit::new(connection, Arc::clone(&shared), router);
    let failed = tokio::select! {
        served = answer_all(stream, &visit) => served.err().map(|error| error.to_string()),
        () = silence(&visit) => Some("took too long".to_owned()),
        _ = shared.lifecycle.closed() => None,
    };
    let Some(error) = failed else {
        return;
    };
    debug!(client = id.0, error, "connection failed");
    if !visit.has_begun() {
        shared.metrics.handshake(HandshakeOutcome::Failed);
    }
}

/// Answers one request after the other. The next one has to come in time as well, and the peer has
/// to take the answers.
async fn answer_all(stream: TcpStream, visit: &Visit) -> Result<(), Box<dyn Error + Send + Sync>> {
    let Visit { shared, .. } = visit;
    let stream: Stream = match &shared.tls {
        Some(tls) => Either::Right(Box::new(tls.accept(stream).await?)),
        None => Either::Left(stream),
    };
    let stream = Prompt::new(stream, shared.config.write_timeout);
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(shared.config.handshake_timeout)
        .max_buf_size(MAX_HEAD)
        .serve_connection(
            TokioIo::new(stream),
            service_fn(|request| visit.answer(request)),
        )
        .with_upgrades()
        .await?;
    Ok(())
}

/// Done when no request has come within the handshake's time.
async fn silence(visit: &Visit) {
    let begun = timeout(visit.shared.config.handshake_timeout, visit.begun());
    if begun.await.is_ok() {
        std::future::pending::<()>().await;
    }
}

fn rejected(reason: RejectReason) -> Response {
    problem_of(reason).1.into_response()
}

/// The same answer for a connection that nobody reads a request from.
pub(crate) fn rejected_unread(reason: RejectReason) -> String {
    let (code, problem) = problem_of(reason);
    let (status, body) = (code.status(), problem.to_json());
    let length = body.len() + 1;
    format!(
        "HTTP/1.1 {status}\r\nRetry-After: {RETRY_AFTER}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}\n"
    )
}

fn problem_of(reason: RejectReason) -> (ProblemCode, Problem) {
    let code = if reason.is_of_address() {
        ProblemCode::TooManyConnections
    } else {
        ProblemCode::Full
    };
    (code, Problem::new(code, reason.explanation()))
}

fn text(status: StatusCode, text: &str) -> Response {
    let mut answer = Response::new(Body::from(format!("{text}\n")));
    *answer.status_mut() = status;
    with_header(answer, header::CONTENT_TYPE, "text/plain; charset=utf-8")
}

/// An answer whose text is JSON.
fn json_text(status: StatusCode, body: &str) -> Response {
    with_header(text(status, body), header::CONTENT_TYPE, "application/json")
}

/// The values of a header that is a list, separated by commas.
fn listed(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
}

fn with_header(mut answer: Response, name: header::HeaderName, value: &'static str) -> Response {
    let value = HeaderValue::from_static(value);
    answer.headers_mut().insert(name, value);
    answer
}

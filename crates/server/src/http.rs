//! Serves HTTP on an accepted TCP connection: the page, the API, and the upgrade to a WebSocket.

mod admission;
mod api;
mod bot_api;
mod document;
mod forwarded;
mod game_page;
mod pages;
mod request_id;
mod routes;
mod upgrade;

use std::error::Error;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use event_store::Store;
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::{Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutWriter;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;
use tracing::debug;

use crate::accounts::Accounts;
use crate::bots::Bots;
use crate::config::Config;
use crate::correspondence::Correspondence;
use crate::ladder::Ladder;
use crate::lifecycle::Lifecycle;
use crate::limits::{ConnectionLimiter, ConnectionPermit, RejectReason};
use crate::lobby_shard::LobbyHandle;
use crate::metrics::{HandshakeOutcome, Metrics};
use crate::moderation::Moderation;
use crate::profiles::Profiles;
use crate::push::Push;
use crate::ratings::Ratings;
use crate::shard::Shards;
use crate::table::{ClientId, ClientIds};
use crate::tablebases::TablebaseService;
use crate::tls::Tls;
use crate::tournaments::Tournaments;
use admission::HttpConnection;
use api::Problem;

pub(crate) use bot_api::BotSessions;
pub(crate) use document::escaped;
pub(crate) use routes::router;

/// The longest request head, in bytes; also the smallest buffer the HTTP library allows.
const MAX_HEAD: usize = 8 * 1024;

/// How long a trusted proxy may keep an idle connection. Common proxies close theirs after a minute or
/// two; if the server did so first, it could cross a request on its way.
const PROXY_KEEP_ALIVE: Duration = Duration::from_secs(150);

/// After how many seconds a rejected client may try again.
const RETRY_AFTER: &str = "30";

/// What all connections share.
#[derive(Debug)]
pub(crate) struct HttpState {
    pub(crate) config: Config,
    pub(crate) lobby: LobbyHandle,
    pub(crate) tables: Shards,
    /// The finished games; `None` if the server keeps no games.
    pub(crate) archive: Option<Arc<dyn Store>>,
    /// `None` if the server keeps nothing.
    pub(crate) accounts: Option<Arc<Accounts>>,
    pub(crate) moderation: Option<Arc<Moderation>>,
    pub(crate) ratings: Option<Arc<Ratings>>,
    pub(crate) profiles: Option<Arc<Profiles>>,
    pub(crate) ladder: Option<Arc<Ladder>>,
    pub(crate) tournaments: Option<Arc<Tournaments>>,
    pub(crate) correspondence: Option<Arc<Correspondence>>,
    pub(crate) push: Option<Arc<Push>>,
    pub(crate) tablebases: TablebaseService,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) limiter: Arc<ConnectionLimiter>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) bots: Bots,
    pub(crate) tls: Option<Arc<Tls>>,
    /// The numbers of all connections.
    pub(crate) clients: ClientIds,
    /// The tasks of all connections.
    pub(crate) connections: TaskTracker,
    pub(crate) bot_sessions: BotSessions,
}

/// An accepted connection, or the share that a client behind a proxy has in one. It counts against the
/// limits until every clone of its `Arc` is dropped.
#[derive(Debug)]
pub(crate) struct AcceptedConnection {
    pub(crate) id: ClientId,
    pub(crate) peer: SocketAddr,
    pub(crate) permit: ConnectionPermit,
}

/// The bytes of a connection, decrypted. While HTTP is spoken, writing fails when the peer has taken
/// nothing for the `write-timeout`.
type HttpStream = Pin<Box<TimeoutWriter<Either<TcpStream, Box<TlsStream<TcpStream>>>>>>;

/// Serves HTTP on a new connection. After an upgrade, the WebSocket has a task of its own.
pub(crate) async fn serve(
    stream: TcpStream,
    connection: AcceptedConnection,
    shared: Arc<HttpState>,
    router: Router,
) {
    let id = connection.id;
    let connection = Arc::new(HttpConnection::new(connection, &shared));
    if let Err(error) = answer_all(stream, &connection, &shared, router).await {
        debug!(client = id.0, error, "connection failed");
        if !connection.has_requested() {
            shared.metrics.handshake(HandshakeOutcome::Failed);
        }
    }
}

/// Answers requests one by one until the connection or the server closes.
///
/// The head of the first request must be complete within the `handshake-timeout`, which includes the TLS
/// handshake. The same time applies to every further one.
async fn answer_all(
    stream: TcpStream,
    connection: &Arc<HttpConnection>,
    shared: &HttpState,
    router: Router,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (started, time) = (Instant::now(), shared.config.handshake_timeout);
    let stream = match &shared.tls {
        Some(tls) => tokio::select! {
            accepted = timeout(time, tls.accept(stream)) => Either::Right(Box::new(accepted??)),
            _ = shared.lifecycle.closed() => return Ok(()),
        },
        None => Either::Left(stream),
    };
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(shared.config.write_timeout));
    let stream: HttpStream = Box::pin(stream);
    let head_timeout = if connection.is_proxy() {
        time.max(PROXY_KEEP_ALIVE)
    } else {
        time.saturating_sub(started.elapsed())
    };
    let connection = Arc::clone(connection);
    let service = router.map_request(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Arc::clone(&connection));
        request.map(Body::new)
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_timeout)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
        .with_upgrades();
    let mut served = pin!(served);
    tokio::select! {
        ended = served.as_mut() => ended?,
        _ = shared.lifecycle.closed() => {
            served.as_mut().graceful_shutdown();
            served.await?;
        }
    }
    Ok(())
}

/// The whole HTTP answer to a rejected connection, whose request is not read.
pub(crate) fn rejected_unread(reason: RejectReason) -> String {
    let problem = Problem::from(reason);
    let (status, body) = (problem.status(), problem.to_json());
    let length = body.len() + 1;
    format!(
        "HTTP/1.1 {status}\r\nRetry-After: {RETRY_AFTER}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}\n"
    )
}

fn text(status: StatusCode, text: &str) -> Response {
    let mut answer = Response::new(Body::from(format!("{text}\n")));
    *answer.status_mut() = status;
    with_header(answer, header::CONTENT_TYPE, "text/plain; charset=utf-8")
}

/// An answer with a JSON text as its body.
fn json_text(status: StatusCode, body: &str) -> Response {
    with_header(text(status, body), header::CONTENT_TYPE, "application/json")
}

/// The comma-separated values of a header.
fn listed(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
}

/// An answer that a browser saves as a file with this name.
fn as_file(mut answer: Response, name: &str) -> Response {
    if let Ok(attachment) = HeaderValue::try_from(format!("attachment; filename=\"{name}\"")) {
        answer
            .headers_mut()
            .insert(header::CONTENT_DISPOSITION, attachment);
    }
    answer
}

fn with_header(mut answer: Response, name: header::HeaderName, value: &'static str) -> Response {
    let value = HeaderValue::from_static(value);
    answer.headers_mut().insert(name, value);
    answer
}

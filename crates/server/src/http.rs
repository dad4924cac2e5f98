//! From an accepted TCP connection to an answer, which opens a WebSocket or ends the connection.

mod forwarded;
mod handshake;
mod routes;

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;
use tracing::debug;

use crate::bots::Bots;
use crate::config::Config;
use crate::doorkeeper::{Doorkeeper, Pass, Turned};
use crate::lifecycle::Lifecycle;
use crate::lobby_task::LobbyHandle;
use crate::metrics::{HandshakeOutcome, Metrics};
use crate::table::ClientId;
use crate::tls::Tls;

pub(crate) use routes::router;

/// The longest request head, in bytes; also the smallest buffer the HTTP library allows.
const MAX_HEAD: usize = 8 * 1024;

/// After how many seconds who was turned away may try again.
const RETRY_AFTER: &str = "30";

/// What every connection needs of the server.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) lobby: LobbyHandle,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) doorkeeper: Arc<Doorkeeper>,
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
    pub(crate) pass: Pass,
}

/// The bytes of a connection, with TLS taken off.
pub(crate) type Stream = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// Reads the request of a new connection within the handshake's time and answers it; a WebSocket
/// goes on in a task of its own.
pub(crate) async fn serve(
    stream: TcpStream,
    connection: Connection,
    shared: Arc<Shared>,
    router: Router,
) {
    let id = connection.id;
    let served = answer_one(stream, connection, Arc::clone(&shared), router);
    let failed = tokio::select! {
        served = timeout(shared.config.handshake_timeout, served) => match served {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("took too long".to_owned()),
        },
        _ = shared.lifecycle.closed() => None,
    };
    if let Some(error) = failed {
        debug!(client = id.0, error, "handshake failed");
        shared.metrics.handshake(HandshakeOutcome::Failed);
    }
}

/// A connection makes one request: every answer but the upgrade closes it.
async fn answer_one(
    stream: TcpStream,
    connection: Connection,
    shared: Arc<Shared>,
    router: Router,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let stream: Stream = match &shared.tls {
        Some(tls) => Either::Right(Box::new(tls.accept(stream).await?)),
        None => Either::Left(stream),
    };
    let connection = Arc::new(connection);
    let service = service_fn(|request| {
        let (connection, shared) = (Arc::clone(&connection), Arc::clone(&shared));
        answer(request, connection, shared, router.clone())
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(shared.config.handshake_timeout)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades()
        .await?;
    Ok(())
}

async fn answer(
    mut request: Request<Incoming>,
    connection: Arc<Connection>,
    shared: Arc<Shared>,
    router: Router,
) -> Result<Response, Infallible> {
    let mut answer = match count_client(request.headers(), &connection, &shared) {
        Ok(()) => {
            request.extensions_mut().insert(connection);
            router.oneshot(request.map(Body::new)).await?
        }
        Err(turned) => turned_away(turned),
    };
    if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        let headers = answer.headers_mut();
        headers.append(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(answer)
}

/// Counts a connection that comes through a proxy for the client behind it.
fn count_client(
    headers: &HeaderMap,
    connection: &Connection,
    shared: &Shared,
) -> Result<(), Turned> {
    let doorkeeper = &shared.doorkeeper;
    if !doorkeeper.trusts(connection.peer.ip()) {
        return Ok(());
    }
    let Some(client) = forwarded::client(headers, |proxy| doorkeeper.trusts(proxy)) else {
        return Ok(());
    };
    let counted = connection.pass.comes_from(client, Instant::now());
    counted.inspect_err(|&turned| {
        debug!(%client, reason = turned.name(), "turned away");
        shared.metrics.turned(turned);
    })
}

/// The status for whom a limit turns away.
pub(crate) fn turned_status(turned: Turned) -> StatusCode {
    if turned.is_of_address() {
        StatusCode::TOO_MANY_REQUESTS
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    }
}

fn turned_away(turned: Turned) -> Response {
    let answer = text(turned_status(turned), turned.explanation());
    with_header(answer, header::RETRY_AFTER, RETRY_AFTER)
}

/// The same answer for a connection that nobody reads a request from.
pub(crate) fn turned_away_unread(turned: Turned) -> String {
    let (status, text) = (turned_status(turned), turned.explanation());
    let length = text.len() + 1;
    format!(
        "HTTP/1.1 {status}\r\nRetry-After: {RETRY_AFTER}\r\nConnection: close\r\n\
         Content-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\r\n{text}\n"
    )
}

fn text(status: StatusCode, text: &str) -> Response {
    let mut answer = Response::new(Body::from(format!("{text}\n")));
    *answer.status_mut() = status;
    with_header(answer, header::CONTENT_TYPE, "text/plain; charset=utf-8")
}

fn with_header(mut answer: Response, name: header::HeaderName, value: &'static str) -> Response {
    let value = HeaderValue::from_static(value);
    answer.headers_mut().insert(name, value);
    answer
}

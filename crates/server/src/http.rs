//! From an accepted TCP connection to a WebSocket: the handshake, and an answer to everybody who
//! asks for something else.

use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, Version};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{Instrument, debug, field, info_span};

use crate::config::Config;
use crate::session::{Session, websocket_config};
use crate::table::ClientId;
use crate::table_task::TableHandle;

/// The longest request head, in bytes; also the smallest buffer the HTTP library allows.
const MAX_HEAD: usize = 8 * 1024;

/// What every connection needs of the server.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) table: TableHandle,
    pub(crate) shutdown: CancellationToken,
    pub(crate) sessions: TaskTracker,
}

/// One accepted connection.
pub(crate) struct Connection {
    pub(crate) id: ClientId,
    pub(crate) peer: SocketAddr,
    /// Held until the connection ends.
    pub(crate) permit: OwnedSemaphorePermit,
}

/// Reads the request of a new connection within the handshake's time and answers it; a WebSocket
/// goes on in a task of its own.
pub(crate) async fn serve(stream: TcpStream, connection: Connection, shared: Arc<Shared>) {
    let handshake_timeout = shared.config.handshake_timeout;
    let shutdown = shared.shutdown.clone();
    let id = connection.id;
    // A connection makes one request: every answer but the upgrade closes it.
    let once = std::sync::Mutex::new(Some((connection, shared)));
    let service = service_fn(|request| {
        let once = once.lock().ok().and_then(|mut once| once.take());
        async move { Ok::<_, std::convert::Infallible>(answer(request, once)) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(handshake_timeout)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::select! {
        served = timeout(handshake_timeout, served) => match served {
            Ok(Ok(())) => {}
            Ok(Err(error)) => debug!(client = id.0, %error, "handshake failed"),
            Err(_) => debug!(client = id.0, "handshake took too long"),
        },
        () = shutdown.cancelled() => {}
    }
}

type Answer = Response<Full<Bytes>>;

fn answer(request: Request<Incoming>, once: Option<(Connection, Arc<Shared>)>) -> Answer {
    let Some((connection, shared)) = once else {
        return text(StatusCode::BAD_REQUEST, "one request a connection");
    };
    if !matches!(request.uri().path(), "/" | "/ws") {
        return text(StatusCode::NOT_FOUND, "the WebSocket is at /ws");
    }
    if request.method() != Method::GET {
        let mut answer = text(
            StatusCode::METHOD_NOT_ALLOWED,
            "the WebSocket is opened by GET",
        );
        answer
            .headers_mut()
            .insert(header::ALLOW, HeaderValue::from_static("GET"));
        return answer;
    }
    match accept_key(&request) {
        Ok(key) => upgrade(request, key, connection, shared),
        Err(bad) => bad.answer(),
    }
}

/// Accepts the upgrade and leaves the session to a task of its own.
fn upgrade(
    request: Request<Incoming>,
    key: HeaderValue,
    Connection { id, peer, permit }: Connection,
    shared: Arc<Shared>,
) -> Answer {
    let span = info_span!("connection", id = id.0, %peer, name = field::Empty);
    let tracker = shared.sessions.clone();
    let session = async move {
        match hyper::upgrade::on(request).await {
            Ok(upgraded) => {
                let parts = upgraded.downcast::<TokioIo<TcpStream>>();
                let parts = parts.expect("the connection was served on a TCP stream");
                let socket = WebSocketStream::from_partially_read(
                    parts.io.into_inner(),
                    parts.read_buf.to_vec(),
                    Role::Server,
                    Some(websocket_config()),
                );
                Session {
                    id,
                    socket: socket.await,
                    table: shared.table.clone(),
                    config: shared.config.clone(),
                    shutdown: shared.shutdown.clone(),
                }
                .run()
                .await;
            }
            Err(error) => debug!(%error, "upgrade failed"),
        }
        drop(permit);
    };
    tracker.spawn(session.instrument(span));
    let mut answer = Response::new(Full::default());
    *answer.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = answer.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(header::SEC_WEBSOCKET_ACCEPT, key);
    answer
}

/// Why a request is no WebSocket handshake.
#[derive(Clone, Copy, Debug)]
enum BadHandshake {
    NotAnUpgrade,
    NotHttp11,
    WrongVersion,
    BadKey,
}

impl BadHandshake {
    fn answer(self) -> Answer {
        let (status, explanation) = match self {
            BadHandshake::NotAnUpgrade => (
                StatusCode::UPGRADE_REQUIRED,
                "this is a WebSocket server for Russian draughts; use a WebSocket client",
            ),
            BadHandshake::NotHttp11 => (StatusCode::BAD_REQUEST, "a WebSocket needs HTTP/1.1"),
            BadHandshake::WrongVersion => (
                StatusCode::UPGRADE_REQUIRED,
                "only version 13 of the WebSocket protocol",
            ),
            BadHandshake::BadKey => (
                StatusCode::BAD_REQUEST,
                "Sec-WebSocket-Key must have 24 characters",
            ),
        };
        let mut answer = text(status, explanation);
        if status == StatusCode::UPGRADE_REQUIRED {
            let headers = answer.headers_mut();
            headers.insert(
                header::CONNECTION,
                HeaderValue::from_static("close, Upgrade"),
            );
            headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
            headers.insert(
                header::SEC_WEBSOCKET_VERSION,
                HeaderValue::from_static("13"),
            );
        }
        answer
    }
}

/// The answer to the client's key.
///
/// CITE: RFC 6455, section 4.2.1.
fn accept_key(request: &Request<Incoming>) -> Result<HeaderValue, BadHandshake> {
    let headers = request.headers();
    if !lists(headers, header::UPGRADE, "websocket")
        || !lists(headers, header::CONNECTION, "upgrade")
    {
        return Err(BadHandshake::NotAnUpgrade);
    }
    if request.version() != Version::HTTP_11 {
        return Err(BadHandshake::NotHttp11);
    }
    let version = headers
        .get(header::SEC_WEBSOCKET_VERSION)
        .map(HeaderValue::as_bytes);
    if version != Some(b"13") {
        return Err(BadHandshake::WrongVersion);
    }
    let key = headers
        .get(header::SEC_WEBSOCKET_KEY)
        .map(HeaderValue::as_bytes);
    key.filter(|key| key.len() == 24)
        .and_then(|key| HeaderValue::from_str(&derive_accept_key(key)).ok())
        .ok_or(BadHandshake::BadKey)
}

/// Whether a header's comma-separated values contain `wanted`, in any case.
fn lists(headers: &HeaderMap, name: HeaderName, wanted: &str) -> bool {
    let values = headers.get_all(name);
    let mut items = values
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|v| v.split(','));
    items.any(|item| item.trim().eq_ignore_ascii_case(wanted))
}

fn text(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::from(format!("{text}\n")));
    *answer.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, plain);
    answer
        .headers_mut()
        .insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer
}

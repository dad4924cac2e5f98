//! A client's connection: the only task that reads and writes its socket. Incoming frames become
//! requests to tables and the lobby; frames in the outbox are sent.

mod byte_limit;
mod closing;
mod message;
mod owners;
mod permissions;
mod quick;
mod receiving;
mod requests;
mod round_trip;
mod sending;
mod subscriptions;

#[cfg(feature = "conformance")]
mod echo;

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Instant;

use checkers_lib::protocol::{MAX_FRAME_BYTES, close_code};
use event_store::TokenHash;
use futures::StreamExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::sleep_until;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Message, Role, WebSocketConfig};
use tracing::info;

use crate::accounts::Scopes;
use crate::broadcast::{Outbox, OutboxReader, Outgoing, outbox};
use crate::http::{self, HttpState};
use crate::limits::{RateLimiter, SharedBucket, TokenBucket};
use crate::lobby::secrets::Identity;
use crate::table::{ClientId, Command};
use byte_limit::ByteLimit;
use closing::{ConnectionEnd, is_violation};
use owners::LobbySubscriptions;
use round_trip::RoundTrip;
use subscriptions::Subscriptions;

pub(crate) use requests::MAIN_TABLE;

/// The burst and the rate per second of `ping` messages that do not count as other messages.
const FREE_PINGS: (u32, u32) = (4, 2);

/// Settings with small buffers, since there are many connections: the library's defaults take 135 KiB
/// each. The read buffer is cleared before every read; messages are short, and longer ones take several
/// reads.
fn websocket_config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(256)
        .write_buffer_size(4 * 1024)
        .max_write_buffer_size(2 * 1024 * 1024)
        .max_message_size(Some(MAX_FRAME_BYTES))
        .max_frame_size(Some(MAX_FRAME_BYTES))
}

/// What a connection reads and writes: a socket, or the pipe of a bot that plays over HTTP.
pub(crate) type ByteStream = Pin<Box<dyn Stream>>;

pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Sync {}

impl<S: AsyncRead + AsyncWrite + Send + Sync> Stream for S {}

/// A client's connection.
pub(crate) struct Connection {
    id: ClientId,
    socket: WebSocketStream<ByteLimit<ByteStream>>,
    accepted: Arc<http::AcceptedConnection>,
    shared: Arc<HttpState>,
    /// The client, once it has joined.
    session: Option<ClientSession>,
    subscriptions: Subscriptions,
    outbox: Outbox,
    frames: OutboxReader,
    round_trip: RoundTrip,
    limiters: RateLimiters,
}

/// A client that has joined.
#[derive(Debug)]
struct ClientSession {
    name: String,
    key: TokenHash,
    identity: Identity,
    /// What it may do with its account; `None` for a guest.
    scopes: Option<Scopes>,
    wants_moves: bool,
    lobby: LobbySubscriptions,
}

/// The limits on incoming frames.
struct RateLimiters {
    messages: RateLimiter,
    controls: RateLimiter,
    pings: TokenBucket,
}

impl Connection {
    /// A connection after the handshake, with the bytes that were read beyond it.
    pub(crate) async fn new(
        stream: (ByteStream, Vec<u8>),
        accepted: Arc<http::AcceptedConnection>,
        shared: Arc<HttpState>,
    ) -> Connection {
        Connection::configured(stream, websocket_config(), accepted, shared).await
    }

    /// The connection of a client whose messages are limited before they are sent.
    pub(crate) fn without_message_limit(mut self) -> Connection {
        self.limiters.messages = RateLimiter::new(TokenBucket::unlimited(Instant::now()), None);
        self
    }

    async fn configured(
        (stream, read): (ByteStream, Vec<u8>),
        config: WebSocketConfig,
        accepted: Arc<http::AcceptedConnection>,
        shared: Arc<HttpState>,
    ) -> Connection {
        let longest = config.max_message_size.unwrap_or(MAX_FRAME_BYTES);
        let stream = ByteLimit::new(stream, longest);
        let socket =
            WebSocketStream::from_partially_read(stream, read, Role::Server, Some(config)).await;
        let (outbox, frames) = outbox();
        Connection {
            id: accepted.id,
            socket,
            limiters: RateLimiters::new(&shared, accepted.permit.messages()),
            accepted,
            shared,
            session: None,
            subscriptions: Subscriptions::default(),
            outbox,
            frames,
            round_trip: RoundTrip::default(),
        }
    }

    /// Serves the connection until it ends, then removes the client from its tables and the lobby.
    pub(crate) async fn run(mut self) {
        let _open = self.shared.metrics.opened();
        let end = self.serve().await;
        if let ConnectionEnd::Close(code, reason) = &end
            && is_violation(*code)
        {
            let message = format!("closed with {code}: {reason}");
            self.report_violation(message).await;
        }
        for table in self.subscriptions.all() {
            table.command(self.id, Command::Disconnect).await;
        }
        if self.session.is_some() {
            self.shared.lobby.leave(self.id, false).await;
        }
        match end {
            ConnectionEnd::Gone => info!("gone"),
            ConnectionEnd::Left => {
                info!("left");
                self.answer_close().await;
            }
            ConnectionEnd::Close(code, reason) => {
                info!(code, %reason, "closing");
                self.close(code, reason).await;
            }
        }
    }

    async fn serve(&mut self) -> ConnectionEnd {
        let shared = Arc::clone(&self.shared);
        let (ping_interval, silence_timeout) =
            (shared.config.ping_interval, shared.config.silence_timeout);
        let mut last_received = tokio::time::Instant::now();
        let mut ping = pin!(sleep_until(
            last_received + ping_interval.min(silence_timeout)
        ));
        let mut closed = pin!(shared.lifecycle.closed_for(self.id));
        let mut route_changes = shared.tables.route_changes();
        loop {
            let done = tokio::select! {
                biased;
                notice = &mut closed => Err(self.send_shutdown(notice).await),
                outgoing = self.frames.next() => match outgoing {
                    Outgoing::Frame(frame) => self.send_waiting(frame).await,
                    Outgoing::Command(command) => match self.execute(command).await {
                        None => Ok(()),
                        Some(end) => Err(self.send_last(end).await),
                    },
                    Outgoing::Stale => {
                        for table in self.subscriptions.all() {
                            table.refresh(self.id).await;
                        }
                        self.refresh_lobby().await;
                        Ok(())
                    }
                    Outgoing::Closed => Err(ConnectionEnd::close(close_code::TOO_SLOW, "reads too slowly")),
                },
                Ok(()) = route_changes.changed() => self.follow_owners().await,
                incoming = self.socket.next() => {
                    last_received = tokio::time::Instant::now();
                    self.receive(incoming, last_received.into_std()).await
                }
                () = &mut ping => {
                    let now = tokio::time::Instant::now();
                    let silent_at = last_received + silence_timeout;
                    if now >= silent_at {
                        Err(ConnectionEnd::close(close_code::SILENT, "nothing was heard for too long"))
                    } else {
                        ping.as_mut().reset(silent_at.min(now + ping_interval));
                        let payload = self.round_trip.ping(Instant::now()).unwrap_or_default();
                        self.write(Message::Ping(payload.into())).await
                    }
                }
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    async fn report_violation(&mut self, message: String) {
        for table in self.subscriptions.all() {
            let message = message.clone();
            table
                .command(self.id, Command::ReportViolation { message })
                .await;
        }
    }
}

impl RateLimiters {
    fn new(shared: &HttpState, messages: Option<SharedBucket>) -> RateLimiters {
        let now = Instant::now();
        let config = &shared.config;
        let limiter = |shared: Option<SharedBucket>| {
            let own = TokenBucket::new(config.message_burst, config.message_rate, now);
            RateLimiter::new(own, shared)
        };
        let (burst, rate) = FREE_PINGS;
        RateLimiters {
            messages: limiter(messages),
            controls: limiter(None),
            pings: TokenBucket::new(burst, rate, now),
        }
    }
}

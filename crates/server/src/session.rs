//! One connection: frames to requests, frames from tables and the lobby, pings, and an orderly end.

mod ending;
mod hearing;
mod reading;
mod requests;
mod visits;
mod writing;

#[cfg(feature = "conformance")]
mod echo;

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use checkers_lib::protocol::{MAX_FRAME_BYTES, close_code};
use futures::StreamExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Message, WebSocketConfig};
use tracing::info;

use crate::http::{Connection, Shared};
use crate::limits::{RateLimiter, SharedBucket, TokenBucket};
use crate::line::Line;
use crate::metered::Metered;
use crate::rarely::Rarely;
use crate::store::TokenHash;
use crate::table::{ClientId, Command};
use crate::table_task::{Frames, Outbox, Outgoing, outbox_over};
use ending::{End, is_misbehaviour};
use hearing::Heard;
use visits::Visits;

pub(crate) use requests::MAIN_TABLE;

#[cfg(feature = "conformance")]
pub(crate) use echo::echo_config;

/// Signs of life that a client may ask for at once, and how many of them a second, beside its other
/// messages.
const FREE_PINGS: (u32, u32) = (4, 2);

/// Buffers for many small connections: the library's own take 135 KiB each. What is read goes through a
/// small one, which is cleared before every attempt; messages are short, and longer ones take several.
pub(crate) fn websocket_config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(256)
        .write_buffer_size(4 * 1024)
        .max_write_buffer_size(2 * 1024 * 1024)
        .max_message_size(Some(MAX_FRAME_BYTES))
        .max_frame_size(Some(MAX_FRAME_BYTES))
}

/// A client's connection.
pub(crate) struct Session<S> {
    id: ClientId,
    socket: WebSocketStream<Metered<S>>,
    connection: Arc<Connection>,
    shared: Arc<Shared>,
    /// Who the client is, once it has joined.
    me: Option<Me>,
    visits: Visits,
    outbox: Outbox,
    /// The other end of this queue, until the connection is served.
    frames: Option<Frames>,
}

/// Who a client is.
#[derive(Debug)]
struct Me {
    name: String,
    key: TokenHash,
    wants_moves: bool,
}

/// What a client may send.
struct RateLimiters {
    messages: RateLimiter,
    controls: RateLimiter,
    pings: TokenBucket,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Session<S> {
    /// A session whose way out is `line`, if others may write there.
    pub(crate) fn new(
        socket: WebSocketStream<Metered<S>>,
        line: Option<Arc<Line>>,
        connection: Arc<Connection>,
        shared: Arc<Shared>,
    ) -> Session<S> {
        let (outbox, frames) = outbox_over(line);
        Session {
            id: connection.id,
            socket,
            connection,
            shared,
            me: None,
            visits: Visits::default(),
            outbox,
            frames: Some(frames),
        }
    }

    /// Serves the connection to its end, then tells everybody that the client is gone.
    pub(crate) async fn run(mut self) {
        let _open = self.shared.metrics.opened();
        let end = self.serve().await;
        if let End::Close(code, reason) = &end
            && is_misbehaviour(*code)
        {
            let message = format!("closed with {code}: {reason}");
            self.tell_of_misbehaviour(message).await;
        }
        self.depart().await;
        match end {
            End::Gone => info!("gone"),
            End::Left => {
                info!("left");
                self.part().await;
            }
            End::Close(code, reason) => {
                info!(code, %reason, "closing");
                self.close(code, reason).await;
            }
        }
    }

    async fn depart(&mut self) {
        for table in self.visits.all() {
            table.command(self.id, Command::Disconnect).await;
        }
        if self.me.is_some() {
            self.shared.lobby.leave(self.id, false).await;
        }
    }

    async fn serve(&mut self) -> End {
        let Some(mut frames) = self.frames.take() else {
            return End::Gone;
        };
        let shared = Arc::clone(&self.shared);
        let mut limiters = self.limiters();
        let mut ping = interval(shared.config.ping_interval);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = tokio::time::Instant::now();
        ping.reset_at(
            heard
                + shared
                    .config
                    .ping_interval
                    .min(shared.config.silence_timeout),
        );
        let mut ping = Rarely::new(ping);
        let closed = pin!(shared.lifecycle.closed());
        let mut closed = Rarely::new(closed);
        loop {
            let done = tokio::select! {
                biased;
                farewell = &mut closed => {
                    let limiter = &mut limiters.messages;
                    Err(self.take_leave(farewell, &mut frames, limiter).await)
                }
                outgoing = frames.next() => match outgoing {
                    Outgoing::Frame(frame) => {
                        self.speak(frame, &mut frames, &mut limiters.messages).await
                    }
                    Outgoing::Follow(directive) => match self.follow(directive).await {
                        None => Ok(()),
                        Some(end) => {
                            Err(self.give_way(end, &mut frames, &mut limiters.messages).await)
                        }
                    },
                    Outgoing::Flush => self.flush().await,
                    Outgoing::Stale => {
                        for table in self.visits.all() {
                            table.refresh(self.id).await;
                        }
                        Ok(())
                    }
                    Outgoing::GivenUp => {
                        Err(End::close(close_code::TOO_SLOW, "reads too slowly"))
                    }
                },
                incoming = self.socket.next() => {
                    heard = tokio::time::Instant::now();
                    match self.hear(incoming, &mut limiters, heard.into_std()) {
                        Heard::Done => Ok(()),
                        // In a box, so that a session that waits does without its memory.
                        more => Box::pin(self.respond(more)).await,
                    }
                }
                _ = poll_fn(|context| ping.poll_with(context, Interval::poll_tick)) => {
                    let now = tokio::time::Instant::now();
                    let silent_at = heard + shared.config.silence_timeout;
                    if now >= silent_at {
                        Err(End::close(close_code::SILENT, "nothing was heard for too long"))
                    } else {
                        let next = silent_at.min(now + shared.config.ping_interval);
                        ping.get_mut().reset_at(next);
                        let payload = self.outbox.ping(Instant::now()).unwrap_or_default();
                        self.write(Message::Ping(payload.into())).await
                    }
                }
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    fn limiters(&self) -> RateLimiters {
        let now = Instant::now();
        let config = &self.shared.config;
        let limiter = |shared: Option<SharedBucket>| {
            let own = TokenBucket::new(config.message_burst, config.message_rate, now);
            RateLimiter::new(own, shared)
        };
        let (burst, rate) = FREE_PINGS;
        RateLimiters {
            messages: limiter(self.connection.permit.messages()),
            controls: limiter(None),
            pings: TokenBucket::new(burst, rate, now),
        }
    }

    async fn tell_of_misbehaviour(&self, message: String) {
        for table in self.visits.all() {
            let message = message.clone();
            table.command(self.id, Command::Misbehave { message }).await;
        }
    }
}

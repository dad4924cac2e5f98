//! One connection: frames to requests, frames from tables and the lobby, pings, and an orderly end.

mod reading;
mod requests;
mod round_trip;
mod visits;

#[cfg(feature = "conformance")]
mod echo;

use std::borrow::Cow;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{ErrorCode, MAX_FRAME_BYTES, Refusal, ServerMessage, close_code};
use futures::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error as WsError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message, WebSocketConfig};
use tracing::{debug, info};

use crate::allowance::{Allowance, Bucket, SharedBucket, Verdict};
use crate::http::{Connection, Shared};
use crate::lifecycle::Farewell;
use crate::lobby_task::{Directive, directives};
use crate::metrics::kind_refused;
use crate::store::TokenHash;
use crate::table::{ClientId, Command};
use crate::table_task::{Frame, Frames, Outbox, Outgoing, outbox};
use round_trip::RoundTrip;
use visits::Visits;

pub(crate) use requests::MAIN_TABLE;

#[cfg(feature = "conformance")]
pub(crate) use echo::echo_config;

/// How long a closed connection is read on, so that the peer sees the reason before the reset.
const LINGER: Duration = Duration::from_secs(1);

/// Signs of life that a client may ask for at once, and how many of them a second, beside its other
/// messages.
const FREE_PINGS: (u32, u32) = (4, 2);

/// The longest message that may be such a question.
const LONGEST_PING: usize = 64;

/// Buffers for many small connections: the library's own take 135 KiB each. What is read goes through a
/// small one, which is cleared before every attempt; messages are short, and longer ones take several.
pub(crate) fn websocket_config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(1024)
        .write_buffer_size(4 * 1024)
        .max_write_buffer_size(2 * 1024 * 1024)
        .max_message_size(Some(MAX_FRAME_BYTES))
        .max_frame_size(Some(MAX_FRAME_BYTES))
}

/// A client's connection.
pub(crate) struct Session<S> {
    id: ClientId,
    socket: WebSocketStream<S>,
    connection: Arc<Connection>,
    shared: Arc<Shared>,
    /// Who the client is, once it has joined.
    me: Option<Me>,
    visits: Visits,
    outbox: Outbox,
    directives: mpsc::Sender<Directive>,
    /// The other ends of these queues, until the connection is served.
    queues: Option<(Frames, mpsc::Receiver<Directive>)>,
    round_trip: RoundTrip,
}

/// Who a client is.
#[derive(Debug)]
struct Me {
    name: String,
    key: TokenHash,
    wants_moves: bool,
}

/// What a client may send.
struct Allowances {
    messages: Allowance,
    controls: Allowance,
    pings: Bucket,
}

/// Why a session ends.
enum End {
    /// The connection broke: nothing more to say.
    Gone,
    /// The client closed, and waits for the answer.
    Left,
    /// The server closes, with this reason.
    Close(u16, Cow<'static, str>),
}

impl End {
    fn close(code: u16, reason: &'static str) -> End {
        End::Close(code, reason.into())
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Session<S> {
    pub(crate) fn new(
        socket: WebSocketStream<S>,
        connection: Arc<Connection>,
        shared: Arc<Shared>,
    ) -> Session<S> {
        let (outbox, frames) = outbox();
        let (directives, to_do) = directives();
        Session {
            id: connection.id,
            socket,
            connection,
            shared,
            me: None,
            visits: Visits::default(),
            outbox,
            directives,
            queues: Some((frames, to_do)),
            round_trip: RoundTrip::default(),
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
            self.shared.lobby.leave(self.id).await;
        }
    }

    async fn serve(&mut self) -> End {
        let Some((mut frames, mut to_do)) = self.queues.take() else {
            return End::Gone;
        };
        let shared = Arc::clone(&self.shared);
        let mut allowances = self.allowances();
        let mut ping = interval(shared.config.ping_interval);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        let mut heard = tokio::time::Instant::now();
        // Once for all: to begin to wait takes a lock that all connections share.
        let mut closed = pin!(shared.lifecycle.closed());
        loop {
            let done = tokio::select! {
                farewell = &mut closed => Err(self.take_leave(farewell).await),
                incoming = self.socket.next() => {
                    heard = tokio::time::Instant::now();
                    self.hear(incoming, &mut allowances).await
                }
                outgoing = frames.next() => match outgoing {
                    Outgoing::Frame(frame) => {
                        self.speak(frame, &mut frames, &mut allowances.messages).await
                    }
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
                Some(directive) = to_do.recv() => {
                    match self.follow(directive).await {
                        None => Ok(()),
                        Some(end) => {
                            Err(self.give_way(end, &mut frames, &mut allowances.messages).await)
                        }
                    }
                }
                _ = ping.tick() => {
                    if heard.elapsed() > shared.config.silence_timeout {
                        Err(End::close(close_code::SILENT, "nothing was heard for too long"))
                    } else {
                        let payload = self.round_trip.ping(Instant::now()).unwrap_or_default();
                        self.write([Message::Ping(payload.into())]).await
                    }
                }
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    fn allowances(&self) -> Allowances {
        let now = Instant::now();
        let config = &self.shared.config;
        let allowance = |shared: Option<SharedBucket>| {
            let own = Bucket::new(config.message_burst, config.message_rate, now);
            Allowance::new(own, shared)
        };
        let (burst, rate) = FREE_PINGS;
        Allowances {
            messages: allowance(self.connection.pass.messages()),
            controls: allowance(None),
            pings: Bucket::new(burst, rate, now),
        }
    }

    /// Tells a client that the server comes back, if it does.
    async fn take_leave(&mut self, farewell: Farewell) -> End {
        let Farewell { code, reason } = farewell;
        if code == close_code::RESTART && self.me.is_some() {
            let delay = self.shared.config.restart_delay;
            let delay_ms = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
            let frame = Frame::new(&ServerMessage::Restarting { delay_ms });
            self.shared.metrics.sent(&frame.text);
            // Whoever is gone already need not know.
            let _ = self.write([Message::Text(frame.text)]).await;
        }
        End::Close(code, reason.into())
    }

    /// Writes what waits, which may say why the connection is to `end`.
    async fn give_way(&mut self, end: End, frames: &mut Frames, allowance: &mut Allowance) -> End {
        if let Some(frame) = frames.try_next()
            && let Err(end) = self.speak(frame, frames, allowance).await
        {
            return end;
        }
        end
    }

    async fn hear(
        &mut self,
        incoming: Option<Result<Message, WsError>>,
        allowances: &mut Allowances,
    ) -> Result<(), End> {
        let now = Instant::now();
        match incoming {
            Some(Ok(Message::Text(text))) => {
                if may_be_ping(&text) && allowances.pings.take(now) {
                    return self.obey(&text, now).await;
                }
                match allowances.messages.charge(now) {
                    Verdict::Take => self.obey(&text, now).await,
                    Verdict::Warn => {
                        let message = "messages come too fast; going on closes the connection";
                        self.refuse(Refusal::new(ErrorCode::TooManyMessages, message))
                            .await
                    }
                    Verdict::Drop => Ok(()),
                    Verdict::Close => Err(End::close(close_code::POLICY, "too many messages")),
                }
            }
            Some(Ok(Message::Binary(_))) => {
                Err(End::close(close_code::UNSUPPORTED, "text frames only"))
            }
            Some(Ok(control @ (Message::Ping(_) | Message::Pong(_) | Message::Frame(_)))) => {
                if let Message::Pong(payload) = &control
                    && self.round_trip.pong(payload, now)
                {
                    return Ok(());
                }
                match allowances.controls.charge(now) {
                    Verdict::Close => Err(End::close(close_code::POLICY, "too many messages")),
                    Verdict::Take | Verdict::Warn | Verdict::Drop => Ok(()),
                }
            }
            Some(Ok(Message::Close(_))) => Err(End::Left),
            None => Err(End::Gone),
            Some(Err(error)) => Err(end_of(&error)),
        }
    }

    async fn obey(&mut self, text: &str, arrived: Instant) -> Result<(), End> {
        let metrics = &self.shared.metrics;
        match reading::read(text) {
            Ok(request) => {
                metrics.received(request.message.type_name());
                match self.attend(request, arrived).await {
                    Ok(()) => Ok(()),
                    Err(refusal) => self.refuse(refusal).await,
                }
            }
            Err(refusal) => {
                metrics.received(kind_refused(text));
                // What is of an unknown type may be meant for a newer server.
                if refusal.code != ErrorCode::UnknownType {
                    self.tell_of_misbehaviour(refusal.message.clone()).await;
                }
                self.refuse(refusal).await
            }
        }
    }

    async fn tell_of_misbehaviour(&self, message: String) {
        for table in self.visits.all() {
            let message = message.clone();
            table.command(self.id, Command::Misbehave { message }).await;
        }
    }

    /// Writes a frame and all that wait behind it, then flushes once. With what asks for a move goes
    /// a ping: how long that takes to the client and back is what the move will take too.
    async fn speak(
        &mut self,
        first: Frame,
        frames: &mut Frames,
        allowance: &mut Allowance,
    ) -> Result<(), End> {
        let mut waiting = vec![first];
        while let Some(frame) = frames.try_next() {
            waiting.push(frame);
        }
        let mut asks = false;
        for frame in &waiting {
            self.shared.metrics.sent(&frame.text);
            allowance.grant(frame.asks_for.into());
            asks |= frame.asks_for > 0;
        }
        let ping = if asks {
            self.round_trip.ping(Instant::now())
        } else {
            None
        };
        let ping = ping.map(|payload| Message::Ping(payload.into()));
        let waiting = waiting.into_iter().map(|frame| Message::Text(frame.text));
        self.write(waiting.chain(ping)).await
    }

    async fn refuse(&mut self, refusal: Refusal) -> Result<(), End> {
        debug!(?refusal, "refused");
        let frame = Frame::new(&ServerMessage::from(refusal));
        self.shared.metrics.sent(&frame.text);
        self.write([Message::Text(frame.text)]).await
    }

    async fn write(&mut self, messages: impl IntoIterator<Item = Message>) -> Result<(), End> {
        let socket = &mut self.socket;
        let write = async {
            for message in messages {
                socket.feed(message).await?;
            }
            socket.flush().await
        };
        match timeout(self.shared.config.write_timeout, write).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(end_of(&error)),
            Err(_) => Err(End::close(close_code::TOO_SLOW, "reads too slowly")),
        }
    }

    /// Lets the answer to the client's close frame out, which lies ready.
    async fn part(mut self) {
        let answered = async { while let Some(Ok(_)) = self.socket.next().await {} };
        let _ = timeout(LINGER, answered).await;
    }

    /// Sends the close frame and reads on for a moment: closing at once with unread bytes would
    /// reset the connection and could take the reason with it.
    async fn close(mut self, code: u16, reason: Cow<'static, str>) {
        let frame = CloseFrame {
            code: CloseCode::from(code),
            reason: reason.as_ref().into(),
        };
        let farewell = async {
            let sent = self.socket.close(Some(frame)).await;
            debug!(?sent, "close frame");
            loop {
                match self.socket.next().await {
                    Some(Ok(_)) => {}
                    // The client has answered the close frame, or is gone.
                    None | Some(Err(WsError::ConnectionClosed | WsError::Io(_))) => return,
                    // Its frames cannot be told apart any more: only its hanging up can.
                    Some(Err(_)) => break,
                }
            }
            let mut unread = [0; 4096];
            let stream = self.socket.get_mut();
            while matches!(stream.read(&mut unread).await, Ok(1..)) {}
        };
        let _ = timeout(LINGER, farewell).await;
    }
}

/// Whether a connection that is closed with this code is closed for what the client did.
fn is_misbehaviour(code: u16) -> bool {
    let standard = [CloseCode::Protocol, CloseCode::Invalid].map(u16::from);
    let ours = [
        close_code::UNSUPPORTED,
        close_code::POLICY,
        close_code::TOO_BIG,
        close_code::TOO_SLOW,
        close_code::SILENT,
    ];
    standard.contains(&code) || ours.contains(&code)
}

/// What a broken frame or connection means for the session.
fn end_of(error: &WsError) -> End {
    debug!(%error, "connection error");
    match error {
        WsError::Capacity(CapacityError::MessageTooLong { .. }) => {
            End::close(close_code::TOO_BIG, "a message is at most 16 KiB")
        }
        WsError::Utf8(_) => End::close(CloseCode::Invalid.into(), "text must be UTF-8"),
        // It hung up without a word.
        WsError::Protocol(ProtocolError::ResetWithoutClosingHandshake) => End::Gone,
        WsError::Protocol(_) => End::close(CloseCode::Protocol.into(), "not a WebSocket frame"),
        _ => End::Gone,
    }
}

/// Whether a message may be the question for a sign of life. Others that look like it are few, and
/// short.
fn may_be_ping(text: &str) -> bool {
    text.len() <= LONGEST_PING && text.contains(r#""ping""#)
}

//! One connection: frames to commands, frames from the table, pings, and an orderly end.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    ClientMessage, ErrorCode, MAX_FRAME_BYTES, Refusal, ServerMessage, close_code,
};
use futures::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error as WsError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message, WebSocketConfig};
use tracing::{Span, debug, info};

use crate::allowance::{Allowance, Bucket, SharedBucket, Verdict};
use crate::http::{Connection, Shared};
use crate::lifecycle::Farewell;
use crate::metrics::kind_refused;
use crate::table::{ClientId, Command};
use crate::table_task::Frame;

/// How long a closed connection is read on, so that the peer sees the reason before the reset.
const LINGER: Duration = Duration::from_secs(1);

/// Buffers for many small connections: the library's own take 135 KiB each.
pub(crate) fn websocket_config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4 * 1024)
        .write_buffer_size(4 * 1024)
        .max_write_buffer_size(2 * 1024 * 1024)
        .max_message_size(Some(MAX_FRAME_BYTES))
        .max_frame_size(Some(MAX_FRAME_BYTES))
}

/// A client's connection to a table.
pub(crate) struct Session<S> {
    id: ClientId,
    socket: WebSocketStream<S>,
    connection: Arc<Connection>,
    shared: Arc<Shared>,
}

/// Why a session ends.
enum End {
    /// The client closed, or the connection broke: nothing more to say.
    Gone,
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
        Session {
            id: connection.id,
            socket,
            connection,
            shared,
        }
    }

    /// Serves the connection to its end, then tells the table that the client is gone.
    pub(crate) async fn run(mut self) {
        let _open = self.shared.metrics.opened();
        let frames = self.shared.table.attach(self.id).await;
        let end = self.serve(frames).await;
        if let End::Close(code, reason) = &end
            && is_misbehaviour(*code)
        {
            let message = format!("closed with {code}: {reason}");
            self.tell_of_misbehaviour(message).await;
        }
        self.shared.table.command(self.id, Command::Exit).await;
        match end {
            End::Gone => info!("gone"),
            End::Close(code, reason) => {
                info!(code, %reason, "closing");
                self.close(code, reason).await;
            }
        }
    }

    async fn serve(&mut self, mut frames: mpsc::Receiver<Frame>) -> End {
        let shared = Arc::clone(&self.shared);
        let mut allowance = self.allowance(self.connection.pass.messages());
        let mut control_allowance = self.allowance(None);
        let mut ping = interval(shared.config.ping_interval);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        let mut heard = tokio::time::Instant::now();
        loop {
            let done = tokio::select! {
                Farewell { code, reason } = shared.lifecycle.closed() => {
                    Err(End::Close(code, reason.into()))
                }
                incoming = self.socket.next() => {
                    heard = tokio::time::Instant::now();
                    self.hear(incoming, &mut allowance, &mut control_allowance).await
                }
                frame = frames.recv() => match frame {
                    Some(frame) => self.speak(frame, &mut frames, &mut allowance).await,
                    None => Err(End::close(close_code::TOO_SLOW, "reads too slowly")),
                },
                _ = ping.tick() => {
                    if heard.elapsed() > self.shared.config.silence_timeout {
                        Err(End::close(close_code::SILENT, "nothing was heard for too long"))
                    } else {
                        self.write([Message::Ping(Default::default())]).await
                    }
                }
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    fn allowance(&self, shared: Option<SharedBucket>) -> Allowance {
        let config = &self.shared.config;
        let own = Bucket::new(config.message_burst, config.message_rate, Instant::now());
        Allowance::new(own, shared)
    }

    async fn hear(
        &mut self,
        incoming: Option<Result<Message, WsError>>,
        allowance: &mut Allowance,
        control_allowance: &mut Allowance,
    ) -> Result<(), End> {
        match incoming {
            Some(Ok(Message::Text(text))) => match allowance.charge(Instant::now()) {
                Verdict::Take => self.obey(&text).await,
                Verdict::Warn => {
                    let message = "messages come too fast; going on closes the connection";
                    self.refuse(Refusal::new(ErrorCode::TooManyMessages, message))
                        .await
                }
                Verdict::Drop => Ok(()),
                Verdict::Close => Err(End::close(close_code::POLICY, "too many messages")),
            },
            Some(Ok(Message::Binary(_))) => {
                Err(End::close(close_code::UNSUPPORTED, "text frames only"))
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {
                match control_allowance.charge(Instant::now()) {
                    Verdict::Close => Err(End::close(close_code::POLICY, "too many messages")),
                    Verdict::Take | Verdict::Warn | Verdict::Drop => Ok(()),
                }
            }
            Some(Ok(Message::Close(_))) | None => Err(End::Gone),
            Some(Err(error)) => Err(end_of(&error)),
        }
    }

    async fn obey(&mut self, text: &str) -> Result<(), End> {
        let metrics = &self.shared.metrics;
        match parse(text) {
            Ok(message) => {
                metrics.received(message.type_name());
                self.shared.table.command(self.id, command(message)).await;
                Ok(())
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
        let command = Command::Misbehave { message };
        self.shared.table.command(self.id, command).await;
    }

    /// Writes a frame and all that wait behind it, then flushes once.
    async fn speak(
        &mut self,
        first: Frame,
        frames: &mut mpsc::Receiver<Frame>,
        allowance: &mut Allowance,
    ) -> Result<(), End> {
        let mut waiting = vec![first];
        while let Ok(frame) = frames.try_recv() {
            waiting.push(frame);
        }
        for frame in &waiting {
            self.shared.metrics.sent(&frame.text);
            allowance.grant(frame.asks_for.into());
        }
        self.write(waiting.into_iter().map(|frame| Message::Text(frame.text)))
            .await
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

fn command(message: ClientMessage) -> Command {
    if let ClientMessage::Join { name } = &message {
        Span::current().record("name", name.as_str());
    }
    message.into()
}

/// Reads a message, or says what is wrong with it.
fn parse(text: &str) -> Result<ClientMessage, Refusal> {
    // A list of a message's values would be read as the message too.
    let is_object = text.trim_start().starts_with('{');
    let error = match serde_json::from_str(text) {
        Ok(message) if is_object => return Ok(message),
        Ok(_) => serde::de::Error::custom("a message is an object"),
        Err(error) => error,
    };
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
        return Err(Refusal::new(
            ErrorCode::BadJson,
            format!("not JSON: {error}"),
        ));
    };
    let Some(name) = value.get("type").and_then(|name| name.as_str()) else {
        let message = "a message is an object with a text in `type`";
        return Err(Refusal::new(ErrorCode::BadJson, message));
    };
    Err(if ClientMessage::TYPES.contains(&name) {
        Refusal::new(ErrorCode::BadMessage, format!("{name}: {error}"))
    } else {
        let known = ClientMessage::TYPES.join(", ");
        let message = format!("unknown type {name:?}: expected one of {known}");
        Refusal::new(ErrorCode::UnknownType, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_messages_are_told_apart() {
        let code = |text: &str| match parse(text) {
            Err(refusal) => refusal.code,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(code("{"), ErrorCode::BadJson);
        assert_eq!(code("[1]"), ErrorCode::BadJson);
        assert_eq!(code(r#"["join","anna"]"#), ErrorCode::BadJson);
        let nested = r#"{"type":"take_seat","color":{"white":null}}"#;
        assert_eq!(code(nested), ErrorCode::BadMessage);
        assert_eq!(code(r#"{"name":"anna"}"#), ErrorCode::BadJson);
        assert_eq!(code(r#"{"type":"dance"}"#), ErrorCode::UnknownType);
        assert_eq!(code(r#"{"type":"join"}"#), ErrorCode::BadMessage);
        assert_eq!(
            code(r#"{"type":"move","ply":-1,"move":"c3-d4"}"#),
            ErrorCode::BadMessage
        );
        assert_eq!(
            code(r#"{"type":"take_seat","color":"red"}"#),
            ErrorCode::BadMessage
        );
        assert_eq!(
            parse(r#"{"type":"leave_seat"}"#),
            Ok(ClientMessage::LeaveSeat)
        );
    }
}

//! One connection: frames to commands, frames from the table, pings, and an orderly end.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    ClientMessage, ErrorCode, MAX_FRAME_BYTES, Refusal, ServerMessage, close_code,
};
use futures::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error as WsError};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message, WebSocketConfig};
use tokio_util::sync::CancellationToken;
use tracing::{Span, debug, info};

use crate::allowance::{Allowance, Verdict};
use crate::config::Config;
use crate::table::{ClientId, Command};
use crate::table_task::{Frame, TableHandle};

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
    pub(crate) id: ClientId,
    pub(crate) socket: WebSocketStream<S>,
    pub(crate) table: TableHandle,
    pub(crate) config: Config,
    pub(crate) shutdown: CancellationToken,
}

/// Why a session ends.
enum End {
    /// The client closed, or the connection broke: nothing more to say.
    Gone,
    /// The server closes, with this reason.
    Close(u16, &'static str),
}

impl<S: AsyncRead + AsyncWrite + Unpin> Session<S> {
    /// Serves the connection to its end, then tells the table that the client is gone.
    pub(crate) async fn run(mut self) {
        let frames = self.table.attach(self.id).await;
        let end = self.serve(frames).await;
        self.table.command(self.id, Command::Exit).await;
        match end {
            End::Gone => info!("gone"),
            End::Close(code, reason) => {
                info!(code, reason, "closing");
                self.close(code, reason).await;
            }
        }
    }

    async fn serve(&mut self, mut frames: mpsc::Receiver<Frame>) -> End {
        let (burst, rate) = (self.config.message_burst, self.config.message_rate);
        let mut allowance = Allowance::new(burst, rate, Instant::now());
        let mut control_allowance = Allowance::new(burst, rate, Instant::now());
        let mut ping = interval(self.config.ping_interval);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        let mut heard = tokio::time::Instant::now();
        loop {
            let done = tokio::select! {
                () = self.shutdown.cancelled() => {
                    Err(End::Close(close_code::GOING_AWAY, "the server is shutting down"))
                }
                incoming = self.socket.next() => {
                    heard = tokio::time::Instant::now();
                    self.hear(incoming, &mut allowance, &mut control_allowance).await
                }
                frame = frames.recv() => match frame {
                    Some(frame) => self.speak(frame, &mut frames, &mut allowance).await,
                    None => Err(End::Close(close_code::TOO_SLOW, "reads too slowly")),
                },
                _ = ping.tick() => {
                    if heard.elapsed() > self.config.silence_timeout {
                        Err(End::Close(close_code::SILENT, "nothing was heard for too long"))
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
                Verdict::Close => Err(End::Close(close_code::POLICY, "too many messages")),
            },
            Some(Ok(Message::Binary(_))) => {
                Err(End::Close(close_code::UNSUPPORTED, "text frames only"))
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {
                match control_allowance.charge(Instant::now()) {
                    Verdict::Close => Err(End::Close(close_code::POLICY, "too many messages")),
                    Verdict::Take | Verdict::Warn | Verdict::Drop => Ok(()),
                }
            }
            Some(Ok(Message::Close(_))) | None => Err(End::Gone),
            Some(Err(error)) => Err(end_of(&error)),
        }
    }

    async fn obey(&mut self, text: &str) -> Result<(), End> {
        match parse(text) {
            Ok(message) => {
                self.table.command(self.id, command(message)).await;
                Ok(())
            }
            Err(refusal) => self.refuse(refusal).await,
        }
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
            allowance.grant(f64::from(frame.asks_for));
        }
        self.write(waiting.into_iter().map(|frame| Message::Text(frame.text)))
            .await
    }

    async fn refuse(&mut self, refusal: Refusal) -> Result<(), End> {
        debug!(?refusal, "refused");
        let frame = Frame::new(&ServerMessage::from(refusal));
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
        match timeout(self.config.write_timeout, write).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(end_of(&error)),
            Err(_) => Err(End::Close(close_code::TOO_SLOW, "reads too slowly")),
        }
    }

    /// Sends the close frame and reads on for a moment: closing at once with unread bytes would
    /// reset the connection and could take the reason with it.
    async fn close(mut self, code: u16, reason: &'static str) {
        let frame = CloseFrame {
            code: CloseCode::from(code),
            reason: reason.into(),
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

/// What a broken frame or connection means for the session.
fn end_of(error: &WsError) -> End {
    debug!(%error, "connection error");
    match error {
        WsError::Capacity(CapacityError::MessageTooLong { .. }) => {
            End::Close(close_code::TOO_BIG, "a message is at most 16 KiB")
        }
        WsError::Utf8(_) => End::Close(CloseCode::Invalid.into(), "text must be UTF-8"),
        WsError::Protocol(_) => End::Close(CloseCode::Protocol.into(), "not a WebSocket frame"),
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

//! The WebSocket: messages instead of frames.

use std::time::Duration;

use checkers_lib::protocol::{Addressed, ClientMessage, ErrorCode, ServerMessage};
use futures::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_tungstenite::tungstenite::http::Uri;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{
    Connector, MaybeTlsStream, WebSocketStream, connect_async_tls_with_config,
};

use crate::failure::{BotFailure, ProtocolError};

/// How long connecting may take, the handshake included.
pub const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// After this long without a message, the connection counts as lost. The server pings every 10 s.
pub const SILENCE_LIMIT: Duration = Duration::from_secs(60);

/// How long the server may take to answer a close frame.
const CLOSE_LIMIT: Duration = Duration::from_secs(2);

/// How long the server may take to note that the client has left for good.
const LEAVE_LIMIT: Duration = Duration::from_secs(4);

/// The longest message taken. A request for a move lists every route of every legal move.
const MAX_MESSAGE_BYTES: usize = 1024 * 1024;

/// Reading and writing: messages are small, and the defaults cost 128 KiB each.
const BUFFER_BYTES: usize = 4 * 1024;

/// A connection to a game server.
#[derive(Debug)]
pub struct Connection<S = MaybeTlsStream<TcpStream>> {
    socket: WebSocketStream<S>,
    /// When the last frame came.
    heard: Instant,
    /// How long the server may say nothing.
    patience: Duration,
    /// Whether the server closes: it has sent its close frame.
    is_closed: bool,
}

/// Connects to a game server without TLS, for instance `ws://127.0.0.1:43210`.
///
/// # Errors
/// [`BotFailure::Connect`], or [`BotFailure::ConnectTimeout`] after [`CONNECT_LIMIT`].
pub async fn connect(server: &Uri) -> Result<Connection, BotFailure> {
    connect_with(server, Connector::Plain).await
}

/// Connects to a game server, with TLS if the connector has it.
///
/// # Errors
/// As for [`connect`].
pub(crate) async fn connect_with(
    server: &Uri,
    connector: Connector,
) -> Result<Connection, BotFailure> {
    let disable_nagle = true;
    let connecting =
        connect_async_tls_with_config(server, Some(config()), disable_nagle, Some(connector));
    match timeout(CONNECT_LIMIT, connecting).await {
        Ok(Ok((socket, _response))) => Ok(Connection::new(socket)),
        Ok(Err(error)) => Err(BotFailure::Connect {
            server: server.to_string(),
            error: Box::new(error),
        }),
        Err(_elapsed) => Err(BotFailure::ConnectTimeout {
            server: server.to_string(),
        }),
    }
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_write_buffer_size(16 * BUFFER_BYTES)
        .max_message_size(Some(MAX_MESSAGE_BYTES))
        .max_frame_size(Some(MAX_MESSAGE_BYTES))
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// A connection over a WebSocket that is open already.
    pub fn new(socket: WebSocketStream<S>) -> Connection<S> {
        Connection {
            socket,
            heard: Instant::now(),
            patience: SILENCE_LIMIT,
            is_closed: false,
        }
    }

    /// Gives the server up when it has said nothing for so long, instead of [`SILENCE_LIMIT`].
    pub(crate) fn be_patient_for(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Sends a message.
    ///
    /// # Errors
    /// [`BotFailure::Broken`].
    pub async fn send(&mut self, message: &ClientMessage) -> Result<(), BotFailure> {
        self.send_json(message).await
    }

    /// Sends a message about a table.
    ///
    /// # Errors
    /// [`BotFailure::Broken`].
    pub async fn send_to(
        &mut self,
        table: String,
        message: ClientMessage,
    ) -> Result<(), BotFailure> {
        self.send_json(&Addressed::to(table, message)).await
    }

    async fn send_json(&mut self, message: &impl Serialize) -> Result<(), BotFailure> {
        let text = serde_json::to_string(message).expect("strings and numbers are always JSON");
        self.socket.send(Message::text(text)).await.map_err(broken)
    }

    /// The next message; pings are answered on the way. Messages of types that the library does
    /// not know are passed over: a newer server may have more. Cancelling loses nothing.
    ///
    /// # Errors
    /// The end of the connection, or a frame that is no message.
    pub async fn next(&mut self) -> Result<ServerMessage, BotFailure> {
        loop {
            if let Message::Text(text) = self.frame().await?
                && let Some(message) = parse(&text)?
            {
                return Ok(message);
            }
        }
    }

    async fn frame(&mut self) -> Result<Message, BotFailure> {
        let frame = timeout_at(self.heard + self.patience, self.socket.next())
            .await
            .map_err(|_elapsed| BotFailure::Silent {
                after: self.patience,
            })?
            .ok_or_else(|| closed(None))?
            .map_err(broken)?;
        self.heard = Instant::now();
        match frame {
            Message::Close(frame) => {
                self.is_closed = true;
                Err(closed(frame))
            }
            Message::Binary(_) => Err(ProtocolError::Binary.into()),
            Message::Text(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => Ok(frame),
        }
    }

    /// Leaves the server for good and closes the connection. The name is free once the server has
    /// closed; one that does not know how to says so, or nothing, and keeps the name for a while.
    pub async fn leave(mut self) {
        let leaving = async {
            self.send(&ClientMessage::Leave).await?;
            while !is_unknown(&self.next().await?) {}
            Ok::<(), BotFailure>(())
        };
        // However the wait ends, the connection is not needed any more.
        let _ = timeout(LEAVE_LIMIT, leaving).await;
        self.close().await;
    }

    /// Closes the connection. Unless the server closes already, waits shortly until it does, and
    /// drops messages that arrive meanwhile. A connection that is already closed is no error.
    pub async fn close(mut self) {
        let closing = async {
            // Sends our close frame, or the answer to the server's.
            let _ = self.socket.close(None).await;
            while !self.is_closed {
                match self.socket.next().await {
                    Some(Ok(frame)) => self.is_closed = frame.is_close(),
                    Some(Err(_)) | None => break,
                }
            }
        };
        let _ = timeout(CLOSE_LIMIT, closing).await;
    }
}

fn is_unknown(message: &ServerMessage) -> bool {
    let code = ErrorCode::UnknownType;
    matches!(message, ServerMessage::Error { code: found, .. } if *found == code)
}

fn broken(error: tungstenite::Error) -> BotFailure {
    BotFailure::Broken(Box::new(error))
}

fn closed(frame: Option<CloseFrame>) -> BotFailure {
    let (code, reason) = match frame {
        Some(CloseFrame { code, reason }) => (Some(code.into()), reason.to_string()),
        None => (None, String::new()),
    };
    BotFailure::Closed { code, reason }
}

/// What a text frame says; `None` if its type is unknown.
fn parse(text: &str) -> Result<Option<ServerMessage>, ProtocolError> {
    serde_json::from_str(text)
        .map(Some)
        .or_else(|error| match serde_json::from_str(text) {
            Ok(MessageKind::Unknown) => Ok(None),
            Ok(_) | Err(_) => Err(ProtocolError::Unreadable(error.to_string())),
        })
}

/// The types of [`ServerMessage`], and the rest.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum MessageKind {
    Joined,
    Players,
    GameStarted,
    GameState,
    YourTurn,
    Moved,
    GameOver,
    Error,
    #[serde(other)]
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_tungstenite::tungstenite::protocol::Role;

    #[test]
    fn unknown_types_are_passed_over() {
        assert_eq!(parse(r#"{"type":"clock","white_ms":1}"#), Ok(None));
    }

    #[test]
    fn known_types_must_be_whole() {
        for text in [
            r#"{"type":"joined"}"#,
            r#"{"type":"players"}"#,
            r#"{"type":"game_started"}"#,
            r#"{"type":"game_state"}"#,
            r#"{"type":"your_turn","game":1}"#,
            r#"{"type":"moved"}"#,
            r#"{"type":"game_over"}"#,
            r#"{"type":"error","code":"no_such_code","message":""}"#,
            r#"{"no":"type"}"#,
            "nonsense",
        ] {
            let error = parse(text).unwrap_err();
            assert!(matches!(error, ProtocolError::Unreadable(_)), "{text}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_server_is_given_up() {
        let (here, _there) = tokio::io::duplex(BUFFER_BYTES);
        let socket = WebSocketStream::from_raw_socket(here, Role::Client, None).await;
        let mut connection = Connection::new(socket);
        let asked = Instant::now();
        assert!(matches!(
            connection.next().await,
            Err(BotFailure::Silent { .. })
        ));
        assert_eq!(asked.elapsed(), SILENCE_LIMIT);
    }
}

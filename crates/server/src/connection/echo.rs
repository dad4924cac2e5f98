//! Echoes messages, for conformance test suites.

use futures::StreamExt;
use tokio_tungstenite::tungstenite::protocol::{Message, WebSocketConfig};

use std::sync::Arc;

use super::closing::{ConnectionEnd, end_for_error};
use super::{Connection, websocket_config};
use crate::http::{self, HttpState};

/// The largest message that a suite sends; clients are limited to less.
const MAX_ECHO: usize = 16 << 20;

/// The usual settings with room for larger messages.
fn echo_config() -> WebSocketConfig {
    websocket_config()
        .max_write_buffer_size(2 * MAX_ECHO)
        .max_message_size(Some(MAX_ECHO))
        .max_frame_size(Some(MAX_ECHO))
}

impl Connection {
    /// A connection for echoing, after the handshake.
    pub(crate) async fn for_echo(
        stream: (ByteStream, Vec<u8>),
        accepted: Arc<http::AcceptedConnection>,
        shared: Arc<HttpState>,
    ) -> Connection {
        Connection::configured(stream, echo_config(), accepted, shared).await
    }

    /// Echoes until the connection ends, with the usual close handshake.
    pub(crate) async fn echo(mut self) {
        let end = loop {
            let incoming = self.socket.next().await;
            self.socket.get_mut().reset();
            let done = match incoming {
                Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                    self.write(message).await
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => Ok(()),
                Some(Ok(Message::Close(_))) => Err(ConnectionEnd::Left),
                None => Err(ConnectionEnd::Gone),
                Some(Err(error)) => Err(end_for_error(&error)),
            };
            if let Err(end) = done {
                break end;
            }
        };
        match end {
            ConnectionEnd::Gone => {}
            ConnectionEnd::Left => self.answer_close().await,
            ConnectionEnd::Close(code, reason) => self.close(code, reason).await,
        }
    }
}

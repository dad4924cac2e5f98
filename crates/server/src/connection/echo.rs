//! Sends every message back, for conformance suites.

use futures::StreamExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::tungstenite::protocol::{Message, WebSocketConfig};

use std::sync::Arc;

use super::closing::{End, end_of};
use super::{Connection, websocket_config};
use crate::http::{self, Shared};

/// The largest message that comes back: what a suite sends at most, which is more than players may.
const MAX_ECHO: usize = 16 << 20;

/// The players' settings with room for larger messages.
fn echo_config() -> WebSocketConfig {
    websocket_config()
        .max_write_buffer_size(2 * MAX_ECHO)
        .max_message_size(Some(MAX_ECHO))
        .max_frame_size(Some(MAX_ECHO))
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// The connection of a suite whose handshake is done.
    pub(crate) async fn for_echo(
        stream: (S, Vec<u8>),
        accepted: Arc<http::Connection>,
        shared: Arc<Shared>,
    ) -> Connection<S> {
        Connection::configured(stream, echo_config(), accepted, shared).await
    }

    /// Serves the connection to its end, which is as orderly as a player's.
    pub(crate) async fn echo(mut self) {
        let end = loop {
            let heard = self.socket.next().await;
            self.socket.get_mut().message_is_whole();
            let done = match heard {
                Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                    self.write(message).await
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => Ok(()),
                Some(Ok(Message::Close(_))) => Err(End::Left),
                None => Err(End::Gone),
                Some(Err(error)) => Err(end_of(&error)),
            };
            if let Err(end) = done {
                break end;
            }
        };
        match end {
            End::Gone => {}
            End::Left => self.answer_close().await,
            End::Close(code, reason) => self.close(code, reason).await,
        }
    }
}

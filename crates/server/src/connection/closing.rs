//! How a connection ends, and what is sent last.

use std::borrow::Cow;
use std::time::Duration;

use checkers_lib::protocol::{ServerMessage, close_code};
use futures::StreamExt;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error as WsError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tracing::debug;

use super::{Connection, byte_limit};
use crate::broadcast::Frame;
use crate::lifecycle::Farewell;
use crate::table::whole_millis;

/// How long a closed connection is read on, so that the peer sees the reason before the reset.
const LINGER: Duration = Duration::from_secs(1);

/// Why a connection ends.
pub(super) enum End {
    /// The connection broke: nothing more to say.
    Gone,
    /// The client closed, and waits for the answer.
    Left,
    /// The server closes, with this reason.
    Close(u16, Cow<'static, str>),
}

impl End {
    pub(super) fn close(code: u16, reason: &'static str) -> End {
        End::Close(code, reason.into())
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// Sends what waits, and `restarting` if the server comes back.
    pub(super) async fn say_farewell(&mut self, farewell: Farewell) -> End {
        let Farewell { code, reason } = farewell;
        if let Some(frame) = self.frames.try_next() {
            // A client that is gone need not know.
            let _ = self.send_waiting(frame).await;
        }
        if code == close_code::RESTART && self.me.is_some() {
            let delay_ms = whole_millis(self.shared.config.restart_delay);
            let restarting = ServerMessage::Restarting {
                delay_ms,
                in_ms: None,
            };
            let frame = Frame::new(&restarting);
            self.shared.metrics.sent(&frame);
            // A client that is gone need not know.
            let _ = self.write(frame.message()).await;
        }
        End::Close(code, reason.into())
    }

    /// Sends what waits, which may say why the connection is to `end`.
    pub(super) async fn send_last(&mut self, end: End) -> End {
        if let Some(frame) = self.frames.try_next()
            && let Err(end) = self.send_waiting(frame).await
        {
            return end;
        }
        end
    }

    /// Lets the answer to the client's close frame out.
    pub(super) async fn answer_close(mut self) {
        let answered = async { while let Some(Ok(_)) = self.socket.next().await {} };
        let _ = timeout(LINGER, answered).await;
    }

    /// Sends the close frame and reads on for a moment: closing at once with unread bytes would
    /// reset the connection and could take the reason with it.
    pub(super) async fn close(mut self, code: u16, reason: Cow<'static, str>) {
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
                    // The stream has no frames any more: wait for its end.
                    Some(Err(_)) => break,
                }
            }
            let mut unread = [0; 512];
            let stream = self.socket.get_mut();
            while matches!(stream.read(&mut unread).await, Ok(1..)) {}
        };
        let _ = timeout(LINGER, farewell).await;
    }
}

/// Whether a connection that is closed with this code is closed for what the client did.
pub(super) fn is_violation(code: u16) -> bool {
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

/// What a broken frame or connection means for the connection.
pub(super) fn end_of(error: &WsError) -> End {
    debug!(%error, "connection error");
    match error {
        WsError::Capacity(CapacityError::MessageTooLong { .. }) => {
            End::close(close_code::TOO_BIG, "a message is at most 16 KiB")
        }
        WsError::Utf8(_) => End::close(CloseCode::Invalid.into(), "text must be UTF-8"),
        // It hung up without a word.
        WsError::Protocol(ProtocolError::ResetWithoutClosingHandshake) => End::Gone,
        WsError::Protocol(_) => End::close(CloseCode::Protocol.into(), "not a WebSocket frame"),
        WsError::Io(error) if byte_limit::is_too_much(error) => {
            End::close(close_code::POLICY, "too much that becomes no message")
        }
        _ => End::Gone,
    }
}

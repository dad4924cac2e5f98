//! The end of a connection, and the last frames.

use std::borrow::Cow;
use std::time::Duration;

use checkers_lib::protocol::{ServerMessage, close_code};
use futures::StreamExt;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error as WsError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tracing::debug;

use super::{Connection, byte_limit};
use crate::broadcast::Frame;
use crate::lifecycle::ShutdownNotice;
use crate::table::whole_millis;

/// How long to read after the close frame, so that the client receives it before a reset.
const LINGER: Duration = Duration::from_secs(1);

/// Why a connection ends.
pub(super) enum ConnectionEnd {
    /// The connection was lost.
    Gone,
    /// The client has sent a close frame, which is to be answered.
    Left,
    /// The server closes with this code and reason.
    Close(u16, Cow<'static, str>),
}

impl ConnectionEnd {
    pub(super) fn close(code: u16, reason: &'static str) -> ConnectionEnd {
        ConnectionEnd::Close(code, reason.into())
    }
}

impl Connection {
    /// Sends the waiting frames, and `restarting` if the server restarts.
    pub(super) async fn send_shutdown(&mut self, notice: ShutdownNotice) -> ConnectionEnd {
        let ShutdownNotice { code, reason, .. } = notice;
        if let Some(frame) = self.frames.try_next() {
            // The client may be gone.
            let _ = self.send_waiting(frame).await;
        }
        if code == close_code::RESTART && self.session.is_some() {
            let delay_ms = whole_millis(self.shared.config.restart_delay);
            let restarting = ServerMessage::Restarting {
                delay_ms,
                in_ms: None,
            };
            let frame = Frame::new(&restarting);
            self.shared.metrics.sent(&frame);
            // The client may be gone.
            let _ = self.write(frame.message()).await;
        }
        ConnectionEnd::Close(code, reason.into())
    }

    /// Sends the waiting frames, which may explain the end.
    pub(super) async fn send_last(&mut self, end: ConnectionEnd) -> ConnectionEnd {
        if let Some(frame) = self.frames.try_next()
            && let Err(end) = self.send_waiting(frame).await
        {
            return end;
        }
        end
    }

    /// Answers the client's close frame.
    pub(super) async fn answer_close(mut self) {
        let answered = async { while let Some(Ok(_)) = self.socket.next().await {} };
        let _ = timeout(LINGER, answered).await;
    }

    /// Sends the close frame and reads for a moment: closing a socket with unread bytes resets the
    /// connection, and the client may not receive the frame.
    pub(super) async fn close(mut self, code: u16, reason: Cow<'static, str>) {
        let frame = CloseFrame {
            code: CloseCode::from(code),
            reason: reason.as_ref().into(),
        };
        let closing = async {
            let sent = self.socket.close(Some(frame)).await;
            debug!(?sent, "close frame");
            loop {
                match self.socket.next().await {
                    Some(Ok(_)) => {}
                    // The client has answered the close frame, or is gone.
                    None | Some(Err(WsError::ConnectionClosed | WsError::Io(_))) => return,
                    // The stream is corrupted: wait for its end.
                    Some(Err(_)) => break,
                }
            }
            let mut unread = [0; 512];
            let stream = self.socket.get_mut();
            while matches!(stream.read(&mut unread).await, Ok(1..)) {}
        };
        let _ = timeout(LINGER, closing).await;
    }
}

/// Whether the close code means a violation by the client.
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

/// How a connection ends after an error.
pub(super) fn end_for_error(error: &WsError) -> ConnectionEnd {
    debug!(%error, "connection error");
    match error {
        WsError::Capacity(CapacityError::MessageTooLong { .. }) => {
            ConnectionEnd::close(close_code::TOO_BIG, "a message is at most 16 KiB")
        }
        WsError::Utf8(_) => ConnectionEnd::close(CloseCode::Invalid.into(), "text must be UTF-8"),
        // The client closed the socket without a close frame.
        WsError::Protocol(ProtocolError::ResetWithoutClosingHandshake) => ConnectionEnd::Gone,
        WsError::Protocol(_) => {
            ConnectionEnd::close(CloseCode::Protocol.into(), "not a WebSocket frame")
        }
        WsError::Io(error) if byte_limit::is_limit_error(error) => {
            ConnectionEnd::close(close_code::POLICY, "too much that becomes no message")
        }
        _ => ConnectionEnd::Gone,
    }
}

//! How a connection ends, and what is said last.

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

use super::Session;
use crate::lifecycle::Farewell;
use crate::limits::RateLimiter;
use crate::metered;
use crate::table::whole_millis;
use crate::table_task::{Frame, Frames};

/// How long a closed connection is read on, so that the peer sees the reason before the reset.
const LINGER: Duration = Duration::from_secs(1);

/// Why a session ends.
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

impl<S: AsyncRead + AsyncWrite + Unpin> Session<S> {
    /// Writes what waits, and tells a client that the server comes back, if it does.
    pub(super) async fn take_leave(
        &mut self,
        farewell: Farewell,
        frames: &mut Frames,
        limiter: &mut RateLimiter,
    ) -> End {
        let Farewell { code, reason } = farewell;
        if let Some(frame) = frames.try_next() {
            // Whoever is gone already need not know.
            let _ = self.speak(frame, frames, limiter).await;
        }
        if code == close_code::RESTART && self.me.is_some() {
            let delay_ms = whole_millis(self.shared.config.restart_delay);
            let restarting = ServerMessage::Restarting {
                delay_ms,
                in_ms: None,
            };
            let frame = Frame::new(&restarting);
            self.shared.metrics.sent(&frame);
            // Whoever is gone already need not know.
            let _ = self.write(frame.message()).await;
        }
        End::Close(code, reason.into())
    }

    /// Writes what waits, which may say why the connection is to `end`.
    pub(super) async fn give_way(
        &mut self,
        end: End,
        frames: &mut Frames,
        limiter: &mut RateLimiter,
    ) -> End {
        if let Some(frame) = frames.try_next()
            && let Err(end) = self.speak(frame, frames, limiter).await
        {
            return end;
        }
        end
    }

    /// Lets the answer to the client's close frame out, which lies ready.
    pub(super) async fn part(mut self) {
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
                    // Its frames cannot be told apart any more: only its hanging up can.
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
pub(super) fn is_misbehaviour(code: u16) -> bool {
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
        WsError::Io(error) if metered::is_too_much(error) => {
            End::close(close_code::POLICY, "too much that becomes no message")
        }
        _ => End::Gone,
    }
}

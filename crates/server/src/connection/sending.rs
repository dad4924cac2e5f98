//! Outgoing frames: all waiting ones in one write.

use std::time::Instant;

use checkers_lib::protocol::{Refusal, ServerMessage, close_code};
use futures::SinkExt;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::error::Error as WsError;
use tokio_tungstenite::tungstenite::protocol::Message;
use tracing::debug;

use super::Connection;
use super::closing::{ConnectionEnd, end_for_error};
use crate::broadcast::{Frame, FrameKind, MAX_FRAMES};

impl Connection {
    /// Sends a frame and all that wait behind it, then flushes once. Sends a ping after a request
    /// for a move, to measure the lag of the move.
    pub(super) async fn send_waiting(&mut self, first: Frame) -> Result<(), ConnectionEnd> {
        let (mut next, mut room, mut asks) = (Some(first), MAX_FRAMES, false);
        let write = async {
            while let Some(frame) = next {
                self.shared.metrics.sent(&frame);
                self.limiters.messages.credit(frame.expected_replies.into());
                asks |= frame.expected_replies > 0;
                if matches!(frame.kind, FrameKind::Moved | FrameKind::Answer) {
                    self.subscriptions.forget_last_moves();
                }
                self.socket.feed(frame.message()).await?;
                room -= 1;
                next = if room > 0 {
                    self.frames.try_next()
                } else {
                    None
                };
            }
            if asks && let Some(payload) = self.round_trip.ping(Instant::now()) {
                self.socket.feed(Message::Ping(payload.into())).await?;
            }
            self.socket.flush().await
        };
        finished(timeout(self.shared.config.write_timeout, write).await)
    }

    /// Refuses a message, which was about this table.
    pub(super) async fn refuse(
        &mut self,
        refusal: Refusal,
        table: Option<String>,
    ) -> Result<(), ConnectionEnd> {
        debug!(?refusal, "refused");
        let frame = Frame::new(&match table {
            Some(table) => refusal.about(table),
            None => ServerMessage::from(refusal),
        });
        self.shared.metrics.sent(&frame);
        self.write(frame.message()).await
    }

    pub(super) async fn write(&mut self, message: Message) -> Result<(), ConnectionEnd> {
        let limit = self.shared.config.write_timeout;
        finished(timeout(limit, self.socket.send(message)).await)
    }
}

fn finished(
    written: Result<Result<(), WsError>, tokio::time::error::Elapsed>,
) -> Result<(), ConnectionEnd> {
    match written {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(end_for_error(&error)),
        Err(_) => Err(ConnectionEnd::close(
            close_code::TOO_SLOW,
            "reads too slowly",
        )),
    }
}

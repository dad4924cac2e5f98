//! What goes out: as much in one write as there is.

use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{Refusal, ServerMessage, close_code};
use futures::SinkExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::error::Error as WsError;
use tokio_tungstenite::tungstenite::protocol::Message;
use tracing::debug;

use super::Session;
use super::ending::{End, end_of};
use crate::limits::RateLimiter;
use crate::table_task::{Frame, Frames, OUTBOX};

impl<S: AsyncRead + AsyncWrite + Unpin> Session<S> {
    /// Writes a frame and all that wait behind it, then flushes once. With what asks for a move goes
    /// a ping: how long that takes to the client and back is what the move will take too.
    pub(super) async fn speak(
        &mut self,
        first: Frame,
        frames: &mut Frames,
        limiter: &mut RateLimiter,
    ) -> Result<(), End> {
        let Session {
            socket,
            shared,
            outbox,
            ..
        } = self;
        let write = async {
            let (mut next, mut room, mut asks) = (Some(first), OUTBOX, false);
            while let Some(frame) = next {
                shared.metrics.sent(&frame);
                limiter.credit(frame.asks_for.into());
                asks |= frame.asks_for > 0;
                socket.feed(frame.message()).await?;
                room -= 1;
                next = if room > 0 { frames.try_next() } else { None };
            }
            if asks && let Some(payload) = outbox.ping(Instant::now()) {
                socket.feed(Message::Ping(payload.into())).await?;
            }
            socket.flush().await
        };
        in_time(shared.config.write_timeout, write).await
    }

    pub(super) async fn refuse(&mut self, refusal: Refusal) -> Result<(), End> {
        debug!(?refusal, "refused");
        let frame = Frame::new(&ServerMessage::from(refusal));
        self.shared.metrics.sent(&frame);
        self.write(frame.message()).await
    }

    /// Waits until the kernel has taken what others have written.
    pub(super) async fn flush(&mut self) -> Result<(), End> {
        in_time(self.shared.config.write_timeout, self.socket.flush()).await
    }

    pub(super) async fn write(&mut self, message: Message) -> Result<(), End> {
        let write = self.socket.send(message);
        in_time(self.shared.config.write_timeout, write).await
    }
}

/// Waits for a write, at most so long. Most are done at once, and then no clock is asked.
async fn in_time(
    limit: Duration,
    write: impl Future<Output = Result<(), WsError>>,
) -> Result<(), End> {
    let mut write = pin!(write);
    let done = match futures::poll!(write.as_mut()) {
        Poll::Ready(done) => Ok(done),
        Poll::Pending => timeout(limit, write).await,
    };
    match done {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(end_of(&error)),
        Err(_) => Err(End::close(close_code::TOO_SLOW, "reads too slowly")),
    }
}

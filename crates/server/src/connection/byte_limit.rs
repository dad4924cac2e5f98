//! How many bytes a client may send before they have become a message.
//!
//! Messages are charged when they are whole, and one that never is would cost nothing: parts of it may
//! be empty, and come without end.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// So many bytes for each byte of the longest message: it may come in parts of a byte, with a header of
/// six each.
const ROOM: usize = 8;

/// Bytes that are counted as they are read.
#[derive(Debug)]
pub(super) struct ByteLimit<S> {
    bytes: S,
    /// How many may be read before the next message is whole.
    left: usize,
    most: usize,
}

impl<S> ByteLimit<S> {
    /// Bytes of messages of this length at most.
    pub(super) fn new(bytes: S, longest: usize) -> ByteLimit<S> {
        let most = longest.saturating_mul(ROOM);
        let left = most;
        ByteLimit { bytes, left, most }
    }

    /// Takes in that what was read became a message.
    pub(super) fn message_is_whole(&mut self) {
        self.left = self.most;
    }
}

/// Whether an error of reading says that there was too much that became no message.
pub(super) fn is_too_much(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::FileTooLarge
}

impl<S: AsyncRead + Unpin> AsyncRead for ByteLimit<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.left == 0 {
            return Poll::Ready(Err(io::ErrorKind::FileTooLarge.into()));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.bytes).poll_read(context, buffer))?;
        let read = buffer.filled().len() - before;
        self.left = self.left.saturating_sub(read);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ByteLimit<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.bytes).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.bytes).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.bytes).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn what_becomes_no_message_comes_to_an_end() {
        let mut limited = ByteLimit::new(tokio::io::repeat(7), 2);
        let mut some = [0; ROOM];
        for _ in 0..5 {
            limited.read_exact(&mut some).await.unwrap();
            limited.read_exact(&mut some).await.unwrap();
            limited.message_is_whole();
        }
        limited.read_exact(&mut [0; 2 * ROOM]).await.unwrap();
        assert!(is_too_much(&limited.read_u8().await.unwrap_err()));
    }
}

//! Limits the bytes that a client sends before they form a message.
//!
//! The rate limit counts complete messages. Without this limit, a message of endless empty
//! fragments would be free.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes allowed per byte of the longest message: a message may arrive in fragments of one byte,
/// with a header of six bytes each.
const OVERHEAD: usize = 8;

/// A stream that counts the bytes read.
#[derive(Debug)]
pub(super) struct ByteLimit<S> {
    bytes: S,
    /// The bytes left until the next complete message.
    left: usize,
    most: usize,
}

impl<S> ByteLimit<S> {
    /// Limits a stream with messages of at most `longest` bytes.
    pub(super) fn new(bytes: S, longest: usize) -> ByteLimit<S> {
        let most = longest.saturating_mul(OVERHEAD);
        let left = most;
        ByteLimit { bytes, left, most }
    }

    /// Restarts the count after a complete message.
    pub(super) fn reset(&mut self) {
        self.left = self.most;
    }
}

/// Whether a read failed because of the limit.
pub(super) fn is_limit_error(error: &io::Error) -> bool {
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
    async fn incomplete_messages_are_limited() {
        let mut limited = ByteLimit::new(tokio::io::repeat(7), 2);
        let mut some = [0; OVERHEAD];
        for _ in 0..5 {
            limited.read_exact(&mut some).await.unwrap();
            limited.read_exact(&mut some).await.unwrap();
            limited.reset();
        }
        limited.read_exact(&mut [0; 2 * OVERHEAD]).await.unwrap();
        assert!(is_limit_error(&limited.read_u8().await.unwrap_err()));
    }
}

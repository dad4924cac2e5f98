//! The way of bytes to a client, on which its session writes, and whoever has something to tell it.
//!
//! What a client is told mostly finds its session waiting and the kernel with room for it. Then it is
//! written by whoever tells it: to wake a task that does nothing but write costs more than to write.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// The way out of a connection. Every write is one of whole frames, and none gets in between the
/// bytes of another.
#[derive(Debug)]
pub(crate) struct Line(Mutex<Out>);

#[derive(Debug)]
struct Out {
    socket: OwnedWriteHalf,
    /// What has been written and the kernel has not taken.
    rest: Vec<u8>,
}

/// A connection whose way out others share.
#[derive(Debug)]
pub(crate) struct Shared {
    socket: OwnedReadHalf,
    line: Arc<Line>,
}

impl Shared {
    pub(crate) fn new(stream: TcpStream) -> Shared {
        let (reading, writing) = stream.into_split();
        let out = Out {
            socket: writing,
            rest: Vec::new(),
        };
        Shared {
            socket: reading,
            line: Arc::new(Line(Mutex::new(out))),
        }
    }

    /// The way out.
    pub(crate) fn line(&self) -> &Arc<Line> {
        &self.line
    }
}

impl Line {
    /// Writes frames. What the kernel does not take at once is kept, and `false` says that the
    /// session is to flush it; if the connection is broken, it learns of that then.
    pub(crate) fn write(&self, frames: &[u8]) -> bool {
        let mut out = self.lock();
        let written = if out.rest.is_empty() {
            out.socket.try_write(frames).unwrap_or_default()
        } else {
            0
        };
        let rest = frames.get(written..).unwrap_or_default();
        out.rest.extend_from_slice(rest);
        out.rest.is_empty()
    }

    /// Has the kernel acknowledge what is read next together with what is written after it, if that is soon.
    /// By itself it does so only if it took less than 40 ms from what came last to the answer, and else sends
    /// a packet for what is read next, which costs as much as a message.
    ///
    /// CITE: tcp(7), `TCP_QUICKACK`, which is not for good.
    pub(crate) fn acknowledge_with_answer(&self) {
        // Where the kernel does not know of it, it does as it likes.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let _ = self.lock().socket.as_ref().set_quickack(false);
    }

    /// Whether the kernel acknowledges what is read at once.
    #[cfg(all(test, target_os = "linux"))]
    pub(crate) fn acknowledges_at_once(&self) -> bool {
        let out = self.lock();
        out.socket.as_ref().quickack().expect("an open socket")
    }

    /// Writes frames once the kernel has taken what was written before. It takes all of them or,
    /// when it is not ready, nothing.
    fn poll_write(&self, context: &mut Context<'_>, frames: &[u8]) -> Poll<io::Result<usize>> {
        let mut out = self.lock();
        ready!(out.poll_flush(context))?;
        let written = ready!(Pin::new(&mut out.socket).poll_write(context, frames))?;
        let rest = frames.get(written..).unwrap_or_default();
        out.rest.extend_from_slice(rest);
        Poll::Ready(Ok(frames.len()))
    }

    fn lock(&self) -> MutexGuard<'_, Out> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Out {
    fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.rest.is_empty() {
            let written = ready!(Pin::new(&mut self.socket).poll_write(context, &self.rest))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.rest.drain(..written);
        }
        self.rest = Vec::new();
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Shared {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(context, buffer)
    }
}

impl AsyncWrite for Shared {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        frames: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.line.poll_write(context, frames)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.line.lock().poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut out = self.line.lock();
        ready!(out.poll_flush(context))?;
        Pin::new(&mut out.socket).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    async fn connected() -> (Shared, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (near, far) = tokio::join!(listener.accept(), TcpStream::connect(address));
        (Shared::new(near.unwrap().0), far.unwrap())
    }

    #[tokio::test]
    async fn what_both_write_comes_in_order_and_whole() {
        const LENGTH: usize = 64 * 1024;
        let (mut shared, mut far) = connected().await;
        let line = Arc::clone(shared.line());
        shared.write_all(b"<").await.unwrap();
        let mut frames = 0;
        // Until the kernel is full.
        while line.write(&[b'a'; LENGTH]) {
            frames += 1;
        }
        assert!(!line.write(b">"), "behind what waits");
        let reading = tokio::spawn(async move {
            let mut all = Vec::new();
            far.read_to_end(&mut all).await.map(|_| all)
        });
        shared.flush().await.unwrap();
        shared.write_all(b"!").await.unwrap();
        shared.shutdown().await.unwrap();
        let all = reading.await.unwrap().unwrap();
        assert_eq!(all.len(), 1 + (frames + 1) * LENGTH + 2);
        assert_eq!(all[0], b'<');
        assert!(all[1..all.len() - 2].iter().all(|&byte| byte == b'a'));
        assert_eq!(&all[all.len() - 2..], b">!");
    }

    #[tokio::test]
    async fn a_broken_connection_shows_when_it_is_flushed() {
        let (mut shared, far) = connected().await;
        let line = Arc::clone(shared.line());
        far.set_zero_linger().unwrap();
        drop(far);
        assert_eq!(
            shared.read(&mut [0]).await.unwrap_err().kind(),
            io::ErrorKind::ConnectionReset
        );
        assert!(!line.write(b"a"));
        assert!(shared.flush().await.is_err());
    }
}

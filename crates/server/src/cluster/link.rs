//! What both ends of a connection between nodes share.

use std::io;
use std::time::Duration;

use futures::SinkExt;
use futures::stream::SplitSink;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::bytes::Bytes;
use tracing::debug;

use super::handshake::LinkStream;

/// The most messages that wait. Senders wait for room.
const QUEUE: usize = 4096;

/// How long a write may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// Why a connection between nodes ended.
#[derive(Debug, thiserror::Error)]
pub(super) enum LinkEnd {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the other node closed the connection")]
    Closed,
    #[error("the other node has connected again")]
    Replaced,
    #[error("the other node was silent for {} s", .0.as_secs())]
    Silent(Duration),
}

/// The writing half of a connection between nodes. It writes in a task of its own, so that neither node stops
/// reading because the other does not read.
pub(super) struct LinkWriter {
    queue: mpsc::Sender<Bytes>,
    task: JoinHandle<()>,
}

impl LinkWriter {
    pub(super) fn start(sink: SplitSink<LinkStream, Bytes>) -> LinkWriter {
        let (queue, messages) = mpsc::channel(QUEUE);
        let task = tokio::spawn(async move {
            if let Err(error) = write(sink, messages).await {
                debug!(%error, "cannot write to a node");
            }
        });
        LinkWriter { queue, task }
    }

    /// Waits until a message can be sent. Cancel safe.
    pub(super) async fn has_room(&self) {
        // If the task has ended, sending shows it.
        let _ = self.queue.reserve().await;
    }

    /// Whether a message can be sent now.
    pub(super) fn has_room_now(&self) -> bool {
        self.queue.capacity() > 0
    }

    /// Queues a message.
    ///
    /// # Errors
    /// The other node reads too slowly, or the connection has ended.
    pub(super) fn send(&self, message: Bytes) -> io::Result<()> {
        let sent = self.queue.try_send(message);
        sent.map_err(|_| {
            io::Error::new(io::ErrorKind::BrokenPipe, "the other node reads too slowly")
        })
    }
}

impl Drop for LinkWriter {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn write(
    mut sink: SplitSink<LinkStream, Bytes>,
    mut messages: mpsc::Receiver<Bytes>,
) -> io::Result<()> {
    while let Some(message) = messages.recv().await {
        let written = async {
            sink.feed(message).await?;
            while let Ok(message) = messages.try_recv() {
                sink.feed(message).await?;
            }
            sink.flush().await
        };
        timeout(PATIENCE, written).await??;
    }
    Ok(())
}

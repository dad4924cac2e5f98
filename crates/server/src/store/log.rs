//! What a table needs of a log.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::future::BoxFuture;
use tokio::sync::{oneshot, watch};

use super::error::{ReadError, WriteError};
use super::event::{Append, Seq, StreamId, StreamRead};
use super::health::Health;

/// The answer to [`EventLog::append_batch`].
pub type BatchOutcome = Result<Vec<Result<Seq, WriteError>>, WriteError>;

/// Streams of events that are only ever added to.
///
/// One machine keeps them in a [`SqliteStore`](super::SqliteStore); a stream engine that many
/// machines share can stand behind the same trait.
pub trait EventLog: Send + Sync {
    /// Queues events. Waits while the queue is full; a future that is dropped before it is ready
    /// has queued nothing. Appends are written in the order in which they were queued.
    ///
    /// # Errors
    /// [`WriteError::Stopped`] or [`WriteError::ReadOnly`]; whatever else there is, the receipt
    /// tells.
    fn append(&self, append: Append) -> BoxFuture<'_, Result<Receipt, WriteError>>;

    /// Appends events to several streams in one transaction and waits until they are durable. The answers are
    /// in the order of `batch`, one for each append: a refused append leaves the others in force. Several
    /// appends to one stream are executed in order. Waits while the queue is full. Batches are written in the
    /// order in which their futures are first polled. If the future is dropped later than that, the batch may
    /// be written all the same.
    ///
    /// # Errors
    /// Within: why one append was refused, for example [`WriteError::Conflict`]. Outside: nothing of the batch
    /// was written ([`WriteError::Unavailable`], [`WriteError::ReadOnly`]), or the store stopped before it
    /// answered ([`WriteError::Stopped`]).
    fn append_batch(&self, batch: Vec<Append>) -> BoxFuture<'_, BatchOutcome>;

    /// Queues events like [`append`](EventLog::append) if there is room at once. Once they are queued,
    /// `whom` is called with the outcome, from whatever thread.
    ///
    /// # Errors
    /// The append, if there is no room; within, why it was not queued.
    fn try_append(
        &self,
        append: Append,
        whom: Arc<dyn OnAppended>,
    ) -> Result<Result<(), WriteError>, Box<Append>> {
        let _ = whom;
        Err(Box::new(append))
    }

    /// Reads a stream up to its end or its first damage; `None` if nobody has begun it.
    ///
    /// # Errors
    /// A log that cannot be reached.
    fn read(&self, stream: StreamId) -> BoxFuture<'_, Result<Option<StreamRead>, ReadError>>;

    /// The streams that are not closed, the oldest first: the games to be taken up again.
    ///
    /// # Errors
    /// A log that cannot be reached.
    fn unfinished(&self) -> BoxFuture<'_, Result<Vec<StreamId>, ReadError>>;

    /// The stream that was begun last among those whose names begin with `prefix`, which is not
    /// empty.
    ///
    /// # Errors
    /// A log that cannot be reached.
    fn latest(&self, prefix: StreamId) -> BoxFuture<'_, Result<Option<StreamId>, ReadError>>;

    /// Whether events are taken, and word of each change.
    fn health(&self) -> watch::Receiver<Health>;
}

/// Somebody who goes on with what follows from events once they are durable.
pub trait OnAppended: fmt::Debug + Send + Sync {
    /// Takes in that the events of an append are durable, up to the one of this number, or certain not
    /// to be. Must not wait.
    fn appended(self: Arc<Self>, outcome: Result<Seq, WriteError>);
}

/// The promise of an answer to a queued append. Ready when the events are durable, or certain not
/// to be. Dropping it takes nothing back.
#[derive(Debug)]
#[must_use = "an append is durable only once its receipt says so"]
pub struct Receipt {
    answer: oneshot::Receiver<Result<Seq, WriteError>>,
}

impl Receipt {
    /// The receipt of what is answered through this channel. An answer that never comes is
    /// [`WriteError::Stopped`].
    pub fn new(answer: oneshot::Receiver<Result<Seq, WriteError>>) -> Receipt {
        Receipt { answer }
    }
}

impl Future for Receipt {
    /// The number of the last event of the append.
    type Output = Result<Seq, WriteError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.answer)
            .poll(context)
            .map(|answer| answer.unwrap_or(Err(WriteError::Stopped)))
    }
}

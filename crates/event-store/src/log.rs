//! The log of events.

use futures::future::BoxFuture;
use tokio::sync::watch;

use super::error::{ReadError, WriteError};
use super::event::{Append, Seq, StreamId, StreamRead};
use super::health::Health;

/// The answer to [`EventLog::append`].
pub type BatchOutcome = Result<Vec<Result<Seq, WriteError>>, WriteError>;

/// Streams of events that are only ever added to.
///
/// One machine keeps them in a [`SqliteStore`](super::SqliteStore); a stream engine that many
/// machines share can stand behind the same trait.
pub trait EventLog: Send + Sync {
    /// Appends events to several streams in one transaction and waits until they are durable. The answers are
    /// in the order of `batch`, one for each append: a refused append leaves the others in force. Several
    /// appends to one stream are executed in order.
    ///
    /// The call itself queues the batch, so that batches are written in the order of the calls; a future
    /// that is dropped takes nothing back. If the queue is full, the future waits until it can queue the
    /// batch.
    ///
    /// # Errors
    /// Within: why one append was refused, for example [`WriteError::Conflict`]. Outside: nothing of the batch
    /// was written ([`WriteError::Unavailable`], [`WriteError::ReadOnly`]), or the store stopped before it
    /// answered ([`WriteError::Stopped`]).
    fn append(&self, batch: Vec<Append>) -> BoxFuture<'_, BatchOutcome>;

    /// Reads a stream up to its end or its first damage; `None` if nobody has begun it.
    ///
    /// # Errors
    /// A log that cannot be reached.
    fn read(&self, stream: StreamId) -> BoxFuture<'_, Result<Option<StreamRead>, ReadError>>;

    /// The streams that are not closed, the oldest first: the games to be taken up again. Those of games by correspondence are
    /// left out once they have a row in the table of that name.
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

    /// Refuses further appends and waits until everything queued is written. Reads still work.
    fn close(&self) -> BoxFuture<'_, ()>;
}

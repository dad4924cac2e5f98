//! The store in one SQLite file.

mod archive;
mod checkpoint;
mod database;
mod directory;
#[cfg(test)]
mod faults;
mod migrations;
mod query;
mod readers;
mod salvage;
mod schema;
mod streams;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use futures::future::BoxFuture;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::spawn_blocking;

use super::archive::{Archive, ArchiveFilter, ArchivedGame, Cursor, GamePage, Played};
use super::config::StoreConfig;
use super::error::{OpenError, ReadError, WriteError};
use super::event::{Append, Damage, StreamId, StreamRead};
use super::health::Health;
use super::log::{BatchOutcome, EventLog};
use super::stats::{Counters, StoreStats};
use checkpoint::Checkpoints;
use database::{Database, SqliteDatabase};
use directory::{DataDirectory, database_path};
use readers::Readers;
use writer::{Job, WriterConfig};

/// Streams that [`SqliteStore::verify`] reads in one go. Between two goes nothing is held, so that the
/// write-ahead log can begin anew.
const CHUNK: u32 = 100;

/// The copy of what can be read of a damaged file.
const SALVAGED: &str = "checkers.db.salvaged";

/// The event log and the archive in one SQLite file of one machine.
#[derive(Debug)]
pub struct SqliteStore {
    readers: Readers,
    /// Locked while a copy of a damaged file is read; the writer has the lock otherwise.
    _directory: Option<DataDirectory>,
    health: watch::Receiver<Health>,
    counters: Arc<Counters>,
    /// `None` once it was closed, or if it was opened for reading.
    queue: Mutex<Option<mpsc::Sender<Job>>>,
    queue_limit: usize,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl SqliteStore {
    /// Opens the store in a directory, or makes it, and starts its threads. Blocks: the structure of the whole file is checked, about a second for
    /// each gigabyte, and a file of an older version is migrated, some seconds for each million events.
    ///
    /// # Errors
    /// See [`OpenError`]. Damage within single events is no error here; reading their stream reports it.
    pub fn open(config: StoreConfig) -> Result<SqliteStore, OpenError> {
        let directory = DataDirectory::lock(&config.directory)?;
        let (path, durability) = (database_path(&config.directory), config.durability);
        let connection = schema::open(&path, durability)?;
        let checkpoints =
            Checkpoints::start(path.clone(), durability).map_err(OpenError::Thread)?;
        let database = SqliteDatabase::new(path, durability, connection, checkpoints);
        SqliteStore::start(&config, database, directory)
    }

    /// Opens what can be read of a store with a damaged file, for reading only. Copies it into a file of its
    /// own beside the damaged one, which is not changed. Blocks while it copies.
    ///
    /// # Errors
    /// A file that does not exist, is no store, or of which SQLite can read nothing; a disk without room
    /// for the copy.
    pub fn open_damaged(directory: &Path) -> Result<SqliteStore, OpenError> {
        let lock = DataDirectory::lock(directory)?;
        let copy = directory.join(SALVAGED);
        salvage::copy(&database_path(directory), &copy)?;
        let config = StoreConfig::new(directory);
        let (_, health) = watch::channel(Health::ReadOnly);
        Ok(SqliteStore {
            readers: Readers::new(copy, config.readers),
            _directory: Some(lock),
            health,
            counters: Arc::default(),
            queue: Mutex::default(),
            queue_limit: config.queue,
            writer: Mutex::default(),
        })
    }

    /// The store over any database.
    fn start<D: Database>(
        config: &StoreConfig,
        database: D,
        directory: DataDirectory,
    ) -> Result<SqliteStore, OpenError> {
        let (sender, queue) = mpsc::channel(config.queue.max(1));
        let (health_sender, health) = watch::channel(Health::Ready);
        let counters = Arc::<Counters>::default();
        let writer_config = WriterConfig {
            queue,
            health: health_sender,
            counters: Arc::clone(&counters),
            group: config.group.max(1),
            gather: config.gather,
        };
        let writer =
            writer::start(writer_config, database, directory).map_err(OpenError::Thread)?;
        Ok(SqliteStore {
            readers: Readers::new(database_path(&config.directory), config.readers),
            _directory: None,
            health,
            counters,
            queue: Mutex::new(Some(sender)),
            queue_limit: config.queue.max(1),
            writer: Mutex::new(Some(writer)),
        })
    }

    /// What has been done since the store was opened.
    pub fn stats(&self) -> StoreStats {
        let queued = match &*lock(&self.queue) {
            Some(queue) => queue.max_capacity() - queue.capacity(),
            None => 0,
        };
        self.counters.snapshot(queued, self.queue_limit)
    }

    /// Reads every stream and compares every event with its checksum. Returns the first damage of
    /// each stream that has one. Costs a pass over the whole file, in pieces between which others
    /// read.
    ///
    /// # Errors
    /// A file that cannot be read at all.
    pub async fn verify(&self) -> Result<Vec<Damage>, ReadError> {
        let (mut row, mut damages) = (0, Vec::new());
        loop {
            let read = self
                .readers
                .read(move |connection| verify_after(connection, row))
                .await?;
            let Some(last) = read.last_row else {
                return Ok(damages);
            };
            row = last;
            damages.extend(read.damages);
        }
    }

    /// Queues a job if there is room. Returns it otherwise, with the queue to wait for.
    fn enqueue(&self, job: Job) -> Result<Option<(mpsc::Sender<Job>, Job)>, WriteError> {
        let queue = lock(&self.queue);
        let Some(queue) = &*queue else {
            return Err(self.why_not());
        };
        match queue.try_send(job) {
            Ok(()) => Ok(None),
            Err(TrySendError::Full(job)) => Ok(Some((queue.clone(), job))),
            Err(TrySendError::Closed(_)) => Err(WriteError::Stopped),
        }
    }

    /// Why there is no queue.
    fn why_not(&self) -> WriteError {
        match &*self.health.borrow() {
            Health::ReadOnly => WriteError::ReadOnly,
            Health::Ready | Health::Failing { .. } | Health::Stopped => WriteError::Stopped,
        }
    }
}

impl EventLog for SqliteStore {
    fn append(&self, batch: Vec<Append>) -> BoxFuture<'_, BatchOutcome> {
        if batch.is_empty() {
            return Box::pin(async { Ok(Vec::new()) });
        }
        let (answer, outcome) = oneshot::channel();
        let queued = self.enqueue(Job {
            appends: batch,
            answer,
        });
        Box::pin(async {
            if let Some((queue, job)) = queued? {
                queue.send(job).await.map_err(|_| WriteError::Stopped)?;
            }
            outcome.await.unwrap_or(Err(WriteError::Stopped))
        })
    }

    fn read(&self, stream: StreamId) -> BoxFuture<'_, Result<Option<StreamRead>, ReadError>> {
        Box::pin(
            self.readers
                .read(move |connection| streams::read(connection, &stream)),
        )
    }

    fn unfinished(&self) -> BoxFuture<'_, Result<Vec<StreamId>, ReadError>> {
        Box::pin(self.readers.read(streams::unfinished))
    }

    fn latest(&self, prefix: StreamId) -> BoxFuture<'_, Result<Option<StreamId>, ReadError>> {
        Box::pin(
            self.readers
                .read(move |connection| streams::latest(connection, prefix.as_str())),
        )
    }

    fn health(&self) -> watch::Receiver<Health> {
        self.health.clone()
    }

    /// Also waits until the directory is free. Dropping the store closes it without waiting.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            drop(lock(&self.queue).take());
            let writer = lock(&self.writer).take();
            if let Some(writer) = writer {
                // A panic of the writer has been reported by its thread.
                let _ = spawn_blocking(move || writer.join()).await;
            }
        })
    }
}

impl Archive for SqliteStore {
    fn games(
        &self,
        filter: ArchiveFilter,
        after: Option<Cursor>,
        limit: u32,
    ) -> BoxFuture<'_, Result<GamePage, ReadError>> {
        let page = move |connection: &_| archive::page(connection, &filter, after, limit);
        Box::pin(self.readers.read(page))
    }

    fn game(&self, stream: StreamId) -> BoxFuture<'_, Result<Option<ArchivedGame>, ReadError>> {
        let find = move |connection: &_| archive::find(connection, &stream);
        Box::pin(self.readers.read(find))
    }

    fn count(&self, filter: ArchiveFilter, most: u32) -> BoxFuture<'_, Result<u32, ReadError>> {
        let count = move |connection: &_| query::count(connection, &filter, most);
        Box::pin(self.readers.read(count))
    }

    fn played(&self, player: String) -> BoxFuture<'_, Result<Vec<Played>, ReadError>> {
        let played = move |connection: &_| archive::played(connection, &player);
        Box::pin(self.readers.read(played))
    }
}

/// A piece of a verification.
struct Verified {
    /// The last stream that was read; `None` if there was none left.
    last_row: Option<i64>,
    damages: Vec<Damage>,
}

fn verify_after(connection: &rusqlite::Connection, row: i64) -> rusqlite::Result<Verified> {
    let found = streams::after(connection, row, CHUNK)?;
    let mut damages = Vec::new();
    for (_, id) in &found {
        damages.extend(streams::read(connection, id)?.and_then(|read| read.damage));
    }
    Ok(Verified {
        last_row: found.last().map(|(row, _)| *row),
        damages,
    })
}

/// What is guarded cannot be left half changed.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

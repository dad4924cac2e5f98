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
mod sql;
mod streams;

use std::path::Path;
use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::watch;

use super::Store;
use super::archive::{Archive, ArchiveFilter, ArchivedGame, Cursor, GamePage, PlayerGame};
use super::config::StoreConfig;
use super::database::Database;
use super::error::{OpenError, ReadError};
use super::event::{Append, StreamDamage, StreamEnd, StreamId, StreamRead};
use super::health::Health;
use super::log::{BatchOutcome, EventLog};
use super::sql::Sql;
use super::stats::StoreStats;
use super::writer::{WriterHandle, WriterLimits};
use checkpoint::Checkpoints;
use database::SqliteDatabase;
use directory::{DataDirectory, database_path};
use readers::Readers;
pub(super) use sql::SqliteTables;

/// Streams that [`SqliteStore::verify`] reads in one go. Between two goes nothing is held, so that the
/// write-ahead log can begin anew.
const CHUNK: u32 = 100;

/// The copy of what can be read of a damaged file.
const SALVAGED: &str = "checkers.db.salvaged";

/// The event log and the archive in one SQLite file of one machine.
#[derive(Debug)]
pub struct SqliteStore {
    readers: Readers,
    tables: Arc<SqliteTables>,
    /// Locked while a copy of a damaged file is read; the writer has the lock otherwise.
    _directory: Option<DataDirectory>,
    writer: WriterHandle,
}

impl SqliteStore {
    /// Opens the store in a directory, or makes it, and starts its threads. Blocks: the structure of the whole
    /// file is checked, about a second for each gigabyte, and a file of an older version is migrated, some
    /// seconds for each million events.
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
        let readers = Readers::new(copy.clone(), config.readers);
        Ok(SqliteStore {
            tables: Arc::new(SqliteTables::new(copy, config.durability, readers.clone())),
            readers,
            _directory: Some(lock),
            writer: WriterHandle::read_only(),
        })
    }

    /// The store over any database.
    fn start<D: Database>(
        config: &StoreConfig,
        database: D,
        directory: DataDirectory,
    ) -> Result<SqliteStore, OpenError> {
        let limits = WriterLimits {
            queue: config.queue,
            group: config.group,
            gather: config.gather,
        };
        let writer = WriterHandle::start(limits, database, directory).map_err(OpenError::Thread)?;
        let path = database_path(&config.directory);
        let readers = Readers::new(path.clone(), config.readers);
        Ok(SqliteStore {
            tables: Arc::new(SqliteTables::new(path, config.durability, readers.clone())),
            readers,
            _directory: None,
            writer,
        })
    }

    /// Reads every stream and compares every event with its checksum. Returns the first damage of
    /// each stream that has one. Costs a pass over the whole file, in pieces between which others
    /// read.
    ///
    /// # Errors
    /// A file that cannot be read at all.
    pub async fn verify(&self) -> Result<Vec<StreamDamage>, ReadError> {
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
}

impl EventLog for SqliteStore {
    fn append(&self, batch: Vec<Append>) -> BoxFuture<'_, BatchOutcome> {
        self.writer.append(batch)
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
        self.writer.health()
    }

    /// Also waits until the directory is free. Dropping the store closes it without waiting.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.writer.close())
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

    fn played(&self, player: String) -> BoxFuture<'_, Result<Vec<PlayerGame>, ReadError>> {
        let played = move |connection: &_| archive::played(connection, &player);
        Box::pin(self.readers.read(played))
    }
}

impl Store for SqliteStore {
    fn tables(&self) -> Arc<dyn Sql> {
        Arc::clone(&self.tables) as Arc<dyn Sql>
    }

    fn stats(&self) -> StoreStats {
        self.writer.stats()
    }

    fn count_streams(&self) -> BoxFuture<'_, Result<u64, ReadError>> {
        Box::pin(self.readers.read(streams::count))
    }

    fn streams(
        &self,
        after: i64,
        limit: u32,
    ) -> BoxFuture<'_, Result<Vec<(i64, StreamEnd)>, ReadError>> {
        let next = move |connection: &_| streams::after(connection, after, limit);
        Box::pin(self.readers.read(next))
    }

    fn ends(&self, streams: Vec<StreamId>) -> BoxFuture<'_, Result<Vec<StreamEnd>, ReadError>> {
        let ends = move |connection: &_| {
            let ends = streams.iter().map(|id| streams::find_end(connection, id));
            ends.filter_map(Result::transpose).collect()
        };
        Box::pin(self.readers.read(ends))
    }
}

/// A piece of a verification.
struct Verified {
    /// The last stream that was read; `None` if there was none left.
    last_row: Option<i64>,
    damages: Vec<StreamDamage>,
}

fn verify_after(connection: &rusqlite::Connection, row: i64) -> rusqlite::Result<Verified> {
    let found = streams::after(connection, row, CHUNK)?;
    let mut damages = Vec::new();
    for (_, end) in &found {
        damages.extend(streams::read(connection, &end.stream)?.and_then(|read| read.damage));
    }
    Ok(Verified {
        last_row: found.last().map(|(row, _)| *row),
        damages,
    })
}

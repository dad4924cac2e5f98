#![doc = include_str!("../README.md")]

mod address;
mod archive;
mod config;
mod database;
mod error;
mod event;
mod health;
mod log;
mod postgres;
mod query;
mod shard_id;
mod sql;
mod sqlite;
mod stats;
mod token_hash;
mod writer;

use std::sync::Arc;

use futures::future::BoxFuture;

pub use address::{StoreAddress, StoreAddressError};
pub use archive::{
    Archive, ArchiveFilter, ArchivedGame, Cursor, CursorError, GamePage, MOST_PLAYED, PlayerGame,
    Summary, all_games,
};
pub use config::{Durability, DurabilityError, StoreConfig};
pub use error::{OpenError, ReadError, WriteError};
pub use event::{
    Append, Defect, Event, NewEvent, Seq, StreamDamage, StreamEnd, StreamId, StreamIdError,
    StreamRead, UnixMillis,
};
pub use health::Health;
pub use log::{BatchOutcome, EventLog};
pub use postgres::{
    ClusterAdmin, ClusterView, Membership, MembershipError, NodeIdentity, PostgresAddress,
    PostgresAddressError, PostgresConfig, PostgresError, PostgresStore, SessionView,
};
pub use shard_id::ShardId;
pub use sql::{Row, Sql, Statement, Value};
pub use sqlite::SqliteStore;
pub use stats::{HistogramSnapshot, StoreStats};
pub use token_hash::TokenHash;

/// A log with the archive of its closed streams, and other tables.
pub trait Store: EventLog + Archive {
    /// The tables besides the streams and the archive.
    fn tables(&self) -> Arc<dyn Sql>;

    /// What has been done since the store was opened.
    fn stats(&self) -> StoreStats;

    /// How many streams there are.
    ///
    /// # Errors
    /// A log that cannot be reached.
    fn count_streams(&self) -> BoxFuture<'_, Result<u64, ReadError>>;

    /// At most `limit` streams with their places and ends, in the order in which they were begun, that come
    /// after a place; 0 is before all. Costs time for each of them, but not for their events.
    ///
    /// # Errors
    /// A log that cannot be reached.
    fn streams(
        &self,
        after: i64,
        limit: u32,
    ) -> BoxFuture<'_, Result<Vec<(i64, StreamEnd)>, ReadError>>;

    /// The ends of those of these streams that exist.
    ///
    /// # Errors
    /// A log that cannot be reached.
    fn ends(&self, streams: Vec<StreamId>) -> BoxFuture<'_, Result<Vec<StreamEnd>, ReadError>>;
}

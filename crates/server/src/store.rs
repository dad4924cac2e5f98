//! What outlives the server: the event streams of games and the archive of finished ones.
//!
//! An event is durable before any client sees it. Tables need an [`EventLog`], the pages of finished
//! games an [`Archive`]; [`SqliteStore`] is both in one file, [`PostgresStore`] in a database. A store knows
//! nothing about games: an event is a kind and some bytes. Files, tables and guarantees are described in
//! `docs/persistence.md`.
//!
//! ```
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use checkers_server::store::{Append, EventLog, NewEvent, Seq, SqliteStore, StoreConfig, UnixMillis};
//!
//! let store = SqliteStore::open(StoreConfig::new("data"))?;
//! let moved = NewEvent::new(UnixMillis::now(), "moved", br#"{"path":"c3-d4"}"#);
//! let append = Append::new("main-1".parse()?, Seq::NONE, vec![moved]);
//! let outcomes = store.append(vec![append]).await?; // durable: the players may see it
//! # assert_eq!(outcomes, [Ok(Seq(1))]);
//! # Ok(())
//! # }
//! ```

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

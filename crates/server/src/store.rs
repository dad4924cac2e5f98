//! What outlives the server: the event streams of games and the archive of finished ones.
//!
//! An event is durable before any client sees it. Tables need an [`EventLog`], the pages of finished
//! games an [`Archive`]; [`SqliteStore`] is both, in one file. The store knows nothing about games: an event is a kind and some bytes. Its file and its guarantees are
//! described in `docs/persistence.md`.
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

mod archive;
mod config;
mod error;
mod event;
mod health;
mod log;
mod sqlite;
mod stats;
mod token_hash;

pub use archive::{
    Archive, ArchiveFilter, ArchivedGame, Cursor, CursorError, GamePage, Played, Summary, all_games,
};
pub use config::{Durability, DurabilityError, StoreConfig};
pub use error::{OpenError, ReadError, WriteError};
pub use event::{
    Append, Damage, Defect, Event, NewEvent, Seq, StreamId, StreamIdError, StreamRead, UnixMillis,
};
pub use health::Health;
pub use log::{BatchOutcome, EventLog};
pub use sqlite::SqliteStore;
pub use stats::{HistogramSnapshot, StoreStats};
pub use token_hash::TokenHash;

/// A log with the archive of its closed streams.
pub trait Store: EventLog + Archive {}

impl<T: EventLog + Archive> Store for T {}

//! Why something could not be opened, written or read.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::event::{Seq, StreamDamage, StreamId};
use super::postgres::PostgresError;

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory cannot be made, or its lock not be opened.
    #[error("cannot use the directory {}", path.display())]
    Directory {
        /// The directory or the file in it.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another server has it.
    #[error("another server uses the directory {}", path.display())]
    Locked {
        /// The directory.
        path: PathBuf,
    },
    /// The file belongs to another program.
    #[error("{} is no store of games", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a later version of the server.
    #[error("{} has version {found}; this server knows versions up to {known}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its form.
        found: u32,
        /// The latest one that is known here.
        known: u32,
    },
    /// The file was written by an earlier version of the server, which only a server migrates.
    #[error("{} is of an earlier version: start the server once, which migrates it", path.display())]
    Older {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by an earlier version, and could not be migrated. It is as it was.
    #[error("cannot migrate {}", path.display())]
    Migration {
        /// The file.
        path: PathBuf,
        /// What failed.
        source: rusqlite_migration::Error,
    },
    /// The file is damaged. What can be read of it can still be opened.
    #[error("{} is damaged: {}", path.display(), problems.join("; "))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the database found.
        problems: Vec<String>,
    },
    /// The database cannot be opened.
    #[error("cannot open {}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What the database says.
        source: rusqlite::Error,
    },
    /// The database of PostgreSQL cannot be used.
    #[error(transparent)]
    Postgres(#[from] PostgresError),
    /// A thread could not be started.
    #[error("cannot start the thread of the store")]
    Thread(#[source] io::Error),
}

/// Why something was not written. With the exception of [`WriteError::Stopped`], nothing of it
/// was, and nothing of it will appear later.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WriteError {
    /// The stream does not stand where the writer thinks.
    #[error("stream {stream} stands at event {actual}, not {expected}")]
    Conflict {
        stream: StreamId,
        /// Where the writer thinks it stands.
        expected: Seq,
        /// Where it does.
        actual: Seq,
    },
    /// The stream takes no more events.
    #[error("stream {stream} is closed")]
    Closed { stream: StreamId },
    /// The stream cannot be continued, since it cannot be read to its end.
    #[error(transparent)]
    Damaged(#[from] StreamDamage),
    /// There is nothing to write.
    #[error("an append without events that closes nothing")]
    Empty,
    /// A kind or a payload is longer than an event may be, or has a zero byte in its kind.
    #[error("event {seq} of stream {stream} is too large or has no proper kind")]
    Malformed {
        stream: StreamId,
        /// The number it would have.
        seq: Seq,
    },
    /// The disk is full or failing; the store retries by itself.
    #[error("the store cannot write now: {cause}")]
    Unavailable {
        /// What the database says.
        cause: Arc<str>,
    },
    /// The store was opened for reading.
    #[error("the store is open for reading only")]
    ReadOnly,
    /// The store was closed before it answered. Whether the write is in it shows when it is opened
    /// again.
    #[error("the store has stopped")]
    Stopped,
}

/// Why something could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The database failed.
    #[error("cannot read the store")]
    Database(#[from] rusqlite::Error),
    /// The database of PostgreSQL failed.
    #[error("cannot read the store")]
    Query(#[from] tokio_postgres::Error),
    /// There is no connection to PostgreSQL.
    #[error("cannot read the store")]
    Connection(#[from] PostgresError),
    /// PostgreSQL has not answered in time.
    #[error("the database does not answer")]
    TimedOut,
    /// The runtime is shutting down.
    #[error("the read was cancelled")]
    Cancelled,
}

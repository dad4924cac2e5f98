//! Reads: on connections of their own, off the runtime, a few at one time.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::schema;
use crate::error::ReadError;

/// Read-only connections, opened when they are needed. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Readers {
    shared: Arc<ReaderQueue>,
}

#[derive(Debug)]
struct ReaderQueue {
    path: PathBuf,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// At most `limit` reads at one time.
    pub(super) fn new(path: PathBuf, limit: usize) -> Readers {
        let permits = Arc::new(Semaphore::new(limit.max(1)));
        Readers {
            shared: Arc::new(ReaderQueue {
                path,
                permits,
                idle: Mutex::default(),
            }),
        }
    }

    /// Runs `read` on a thread that may block, when it is its turn.
    pub(super) async fn read<T, F>(&self, read: F) -> Result<T, ReadError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let permits = Arc::clone(&self.shared.permits);
        let permit = permits
            .acquire_owned()
            .await
            .map_err(|_| ReadError::Cancelled)?;
        let shared = Arc::clone(&self.shared);
        let task = spawn_blocking(move || {
            let result = shared.read(read);
            drop(permit);
            result
        });
        task.await.map_err(|_| ReadError::Cancelled)?
    }
}

impl ReaderQueue {
    fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, ReadError> {
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => schema::connect_read_only(&self.path)?,
        };
        let result = read(&connection);
        self.idle().push(connection);
        Ok(result?)
    }

    /// A list of connections cannot be left half changed.
    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Reads, on connections of their own, a few at one time.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use postgres_kit::{Connection, Connector};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_postgres::{Client, Error};

use crate::error::ReadError;

/// How long a read may take.
const READ: Duration = Duration::from_secs(30);

/// Connections that are opened when they are needed.
#[derive(Debug)]
pub(super) struct Readers {
    connector: Connector,
    permits: Semaphore,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// At most `limit` reads at one time.
    pub(super) fn new(connector: Connector, limit: usize) -> Readers {
        Readers {
            connector,
            permits: Semaphore::new(limit.max(1)),
            idle: Mutex::default(),
        }
    }

    /// Runs `read` on a connection, when it is its turn. A connection whose read failed or was cancelled is not
    /// used again: the next read would wait for the answer.
    pub(super) async fn read<T>(
        &self,
        read: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<T, ReadError> {
        let permit = self.permits.acquire().await;
        let _permit = permit.map_err(|_| ReadError::Cancelled)?;
        let idle = self.take_idle();
        let connection = match idle {
            Some(connection) => connection,
            None => self.connector.connect().await?,
        };
        let Ok(result) = timeout(READ, read(&connection.client)).await else {
            connection.abort();
            return Err(ReadError::TimedOut);
        };
        let found = result?;
        self.idle().push(connection);
        Ok(found)
    }

    fn take_idle(&self) -> Option<Connection> {
        let mut idle = self.idle();
        // The server may have closed some.
        idle.retain(|connection| !connection.client.is_closed());
        idle.pop()
    }

    /// A list of connections cannot be left half changed.
    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Reads, on connections of their own, a few at one time.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_postgres::Client;

use super::connect::{Connection, Connector};
use crate::store::error::ReadError;

/// Connections that are opened when they are needed.
#[derive(Debug)]
pub(super) struct Readers {
    connector: Connector,
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

/// A connection for one read.
pub(super) struct Reader {
    /// `None` only while it is dropped.
    connection: Option<Connection>,
    idle: Arc<Mutex<Vec<Connection>>>,
    _permit: OwnedSemaphorePermit,
}

impl Readers {
    /// At most `limit` reads at one time.
    pub(super) fn new(connector: Connector, limit: usize) -> Readers {
        Readers {
            connector,
            permits: Arc::new(Semaphore::new(limit.max(1))),
            idle: Arc::default(),
        }
    }

    /// A connection, when it is this read's turn.
    pub(super) async fn reader(&self) -> Result<Reader, ReadError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(|_| ReadError::Cancelled)?;
        let connection = match self.take_idle() {
            Some(connection) => connection,
            None => self.connector.connect().await?,
        };
        Ok(Reader {
            connection: Some(connection),
            idle: Arc::clone(&self.idle),
            _permit: permit,
        })
    }

    fn take_idle(&self) -> Option<Connection> {
        let mut idle = lock(&self.idle);
        // The server may have closed some.
        idle.retain(|connection| !connection.client.is_closed());
        idle.pop()
    }
}

impl Reader {
    pub(super) fn client(&self) -> &Client {
        let connection = self.connection.as_ref();
        &connection.expect("it is there until the drop").client
    }
}

impl Drop for Reader {
    /// A read that was cancelled leaves an answer on its connection, which the next read waits for.
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take()
            && !connection.client.is_closed()
        {
            lock(&self.idle).push(connection);
        }
    }
}

/// A list of connections cannot be left half changed.
fn lock(idle: &Mutex<Vec<Connection>>) -> std::sync::MutexGuard<'_, Vec<Connection>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

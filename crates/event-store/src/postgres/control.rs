//! A connection for statements about the cluster, which is never the writer's.

use std::time::Duration;

use postgres_kit::{Connection, Connector, PostgresError, cause};
use tokio::time::timeout;
use tokio_postgres::{Client, Error};

use super::lock::{self, Sharing};
use super::membership::MembershipError;
use super::writing::{SURVIVE_POWER_LOSS, configure};

/// How long a connection may take to be made, and how long the database may take to answer.
const CONNECT: Duration = Duration::from_secs(3);
const ANSWER: Duration = Duration::from_secs(2);

/// Nothing waits long for a lock: another node would take the wait for the end of this one.
const SETTINGS: &str = "SET lock_timeout = '500ms'";

/// A connection that is made again when it is needed.
#[derive(Debug)]
pub(super) struct Control {
    connector: Connector,
    /// Whether it belongs to a node, which shares the lock of the schema.
    is_node: bool,
    connection: Option<Connection>,
}

impl Control {
    /// Does not connect yet.
    pub(super) fn new(connector: Connector, is_node: bool) -> Control {
        Control {
            connector,
            is_node,
            connection: None,
        }
    }

    /// Connects without a limit of its own, to see whether that is possible.
    pub(super) async fn open(&mut self) -> Result<&Client, PostgresError> {
        let connection = self.connect().await?;
        Ok(&self.connection.insert(connection).client)
    }

    /// Runs `work`. After a failure, or if it is cancelled, the next call makes another connection.
    pub(super) async fn call<T>(
        &mut self,
        work: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<T, MembershipError> {
        let open = self.connection.take();
        let connection = match open.filter(|open| !open.client.is_closed()) {
            Some(connection) => connection,
            None => match timeout(CONNECT, self.connect()).await {
                Ok(connected) => connected.map_err(|error| unavailable(error.to_string()))?,
                Err(_) => return Err(silent(CONNECT)),
            },
        };
        match timeout(ANSWER, work(&connection.client)).await {
            Ok(Ok(found)) => {
                self.connection = Some(connection);
                Ok(found)
            }
            Ok(Err(error)) => Err(unavailable(cause(&error))),
            Err(_) => {
                connection.abort();
                Err(silent(ANSWER))
            }
        }
    }

    async fn connect(&self) -> Result<Connection, PostgresError> {
        let connection = self.connector.connect().await?;
        let fail = |error: Error| PostgresError::new(self.connector.address(), &error);
        let client = &connection.client;
        configure(client).await.map_err(fail)?;
        client.batch_execute(SETTINGS).await.map_err(fail)?;
        client
            .batch_execute(SURVIVE_POWER_LOSS)
            .await
            .map_err(fail)?;
        if self.is_node {
            // A server that has taken the database for itself has declared this session dead.
            let _ = lock::try_schema(client, Sharing::Cluster)
                .await
                .map_err(fail)?;
        }
        Ok(connection)
    }
}

fn unavailable(cause: String) -> MembershipError {
    MembershipError::Unavailable(cause)
}

fn silent(limit: Duration) -> MembershipError {
    unavailable(format!("no answer for {} s", limit.as_secs()))
}

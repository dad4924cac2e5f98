//! The session of a server in the database: how it takes the database, writes, and finds out what it has written
//! after a connection broke.

use std::pin::pin;
use std::time::Duration;

use postgres_kit::{Connector, PostgresError};
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error};
use tracing::{debug, warn};

use super::lock::{self, Sharing};
use super::membership::NodeIdentity;
use super::plan::{AppendPlan, StreamPositions, StreamState, plan, unknown_streams};
use super::schema::SCHEMA;
use super::writing::{
    AppendFailure, WritingConnection, certain, configure, failed, make_durable, replaced,
};
use crate::config::Durability;
use crate::database::{AppendResult, CommitFailure, Database, SlowReport};
use crate::event::{Append, StreamId};

/// Declares all earlier sessions dead, which waits for their appends in progress, and takes all shards.
const BEGIN_ALONE: &str = "
    WITH earlier AS (UPDATE session SET dead = true WHERE NOT dead),
    own AS (INSERT INTO session (name) VALUES ($1) RETURNING id),
    owned AS (UPDATE shard SET session = own.id, epoch = epoch + 1 FROM own)
    SELECT id FROM own";

/// Declares the session of a server dead that had the database for itself. It has ended, or else the schema would
/// be locked.
const BEGIN_NODE: &str = "
    WITH alone AS (UPDATE session SET dead = true WHERE address IS NULL AND NOT dead),
    stopped AS (DELETE FROM node USING session WHERE session.id = node.session AND dead),
    own AS (INSERT INTO session (name, address) VALUES ($1, $2) RETURNING id),
    begun AS (INSERT INTO node (session) SELECT id FROM own)
    SELECT id FROM own";

/// Writes about 100 kB into a new file, and removes it, in one transaction: nothing can lock the table. Fails if
/// the disk is full.
const PROBE: &str = "
    CREATE TABLE checkers_probe AS SELECT repeat('x', 1000) AS filler FROM generate_series(1, 100);
    DROP TABLE checkers_probe";

/// The name of the session of a server that has the database for itself.
const NAME: &str = "single";

/// Between the end of a lost connection and the next attempt to take its lock.
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// How long the end of a session may take.
const END: Duration = Duration::from_secs(2);

/// How long the beginning of a session may take, the wait for the lock included.
const BEGIN: Duration = Duration::from_secs(60);

/// After how long a commit is reported to be slow.
const SLOW: Duration = Duration::from_secs(5);

const UNCONNECTED: &str = "there is no connection to the database";

/// The database, and the runtime that drives its connection.
pub(super) struct PostgresDatabase {
    runtime: Runtime,
    session: NodeSession,
    report_slow: SlowReport,
}

/// How a server uses the database.
pub(super) enum Role {
    /// It has the database for itself.
    Alone,
    Node(NodeIdentity),
}

/// The session of this server.
struct NodeSession {
    id: i32,
    sharing: Sharing,
    connector: Connector,
    durability: Durability,
    /// `None` after a failure.
    writing: Option<WritingConnection>,
    /// Where the open streams end that were found intact.
    positions: StreamPositions,
    /// The plan of an append whose answer was lost.
    in_doubt: Option<AppendPlan>,
}

impl PostgresDatabase {
    /// Begins a session of this server, and takes the schema to the latest version. Blocks.
    pub(super) fn open(
        runtime: Runtime,
        connector: Connector,
        durability: Durability,
        role: &Role,
    ) -> Result<PostgresDatabase, PostgresError> {
        let server = connector.address().server();
        let begin = NodeSession::begin(connector, durability, role);
        let session = async { timeout(BEGIN, begin).await };
        let session = runtime.block_on(session).unwrap_or_else(|_| {
            let cause = format!("no answer for {} s", BEGIN.as_secs());
            Err(PostgresError::Unreachable { server, cause })
        })?;
        Ok(PostgresDatabase {
            runtime,
            session,
            report_slow: Box::new(|| {}),
        })
    }

    /// The session of this server.
    pub(super) fn session(&self) -> i32 {
        self.session.id
    }
}

impl Database for PostgresDatabase {
    fn commit(&mut self, appends: &[Append]) -> Result<Vec<AppendResult>, CommitFailure> {
        let PostgresDatabase {
            runtime,
            session,
            report_slow,
        } = self;
        runtime.block_on(async {
            let mut commit = pin!(session.commit(appends));
            if let Ok(committed) = timeout(SLOW, &mut commit).await {
                return committed;
            }
            report_slow();
            commit.await
        })
    }

    fn on_slow(&mut self, report: SlowReport) {
        self.report_slow = report;
    }

    fn recover(&mut self, unknown: &[Append]) -> Result<Vec<bool>, CommitFailure> {
        self.runtime.block_on(self.session.recover(unknown))
    }
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        let end = async { timeout(END, self.session.end()).await.is_err() };
        if self.runtime.block_on(end) {
            warn!("the connection to the database did not end in time");
        }
    }
}

impl NodeSession {
    async fn begin(
        connector: Connector,
        durability: Durability,
        role: &Role,
    ) -> Result<NodeSession, PostgresError> {
        let address = connector.address().clone();
        let fail = |error: Error| PostgresError::new(&address, &error);
        let mut connection = connector.connect().await?;
        let client = &mut connection.client;
        configure(client).await.map_err(fail)?;
        SCHEMA.check(client, &address).await?;
        let sharing = role.sharing();
        lock::wait_for_schema(client, &address, sharing).await?;
        SCHEMA.migrate(client, &address).await?;
        let own = match role {
            Role::Alone => client.query_one(BEGIN_ALONE, &[&NAME]).await,
            Role::Node(node) => {
                let values: [&(dyn ToSql + Sync); 2] = [&node.name, &node.address];
                client.query_one(BEGIN_NODE, &values).await
            }
        };
        let id = own.map_err(fail)?.get(0);
        if !lock::take_session(client, id).await.map_err(fail)? {
            let address = address.to_string();
            return Err(PostgresError::InUse { address });
        }
        make_durable(client, durability).await.map_err(fail)?;
        let writing = WritingConnection::prepare(connection, sharing).await;
        let writing = Some(writing.map_err(fail)?);
        debug!(session = id, database = %address, "the database is open");
        Ok(NodeSession {
            id,
            sharing,
            connector,
            durability,
            writing,
            positions: StreamPositions::default(),
            in_doubt: None,
        })
    }

    async fn commit(&mut self, appends: &[Append]) -> Result<Vec<AppendResult>, CommitFailure> {
        match self.write(appends).await {
            Ok(plan) => {
                for (stream, position) in plan.streams {
                    if position.state == StreamState::Open {
                        self.positions.insert(stream, position);
                    } else {
                        self.positions.remove(&stream);
                    }
                }
                Ok(plan.outcomes)
            }
            Err(failure) => {
                self.positions.clear();
                if failure.is_unknown {
                    self.writing = None;
                }
                Err(failure)
            }
        }
    }

    /// Plans the appends and writes them.
    async fn write(&mut self, appends: &[Append]) -> Result<AppendPlan, CommitFailure> {
        if !self.is_connected() {
            self.connect().await?;
        }
        match self.try_write(appends).await {
            Err(AppendFailure::Duplicate) => {
                warn!("streams of the database do not end where they did; reading them again");
                self.positions.clear();
                self.try_write(appends).await.map_err(AppendFailure::into)
            }
            written => written.map_err(AppendFailure::into),
        }
    }

    fn is_connected(&self) -> bool {
        let writing = self.writing.as_ref();
        writing.is_some_and(|writing| !writing.connection.client.is_closed())
    }

    async fn try_write(&mut self, appends: &[Append]) -> Result<AppendPlan, AppendFailure> {
        let writing = self.writing.as_ref().ok_or_else(|| certain(UNCONNECTED))?;
        let unknown = unknown_streams(appends, &mut self.positions);
        let found = writing.find(&unknown).await.map_err(failed)?;
        let plan = plan(appends, &self.positions, &found);
        if plan.is_empty() {
            return Ok(plan);
        }
        match writing.append(self.id, &plan, appends).await {
            Ok(()) => Ok(plan),
            Err(failure) => {
                if failure.is_unknown() {
                    self.in_doubt = Some(plan);
                }
                Err(failure)
            }
        }
    }

    /// Connects again after a failure, and takes the locks again.
    async fn connect(&mut self) -> Result<(), CommitFailure> {
        self.writing = None;
        // A database that crashed or was replaced may have lost what it had confirmed.
        self.positions.clear();
        let connection = self.connector.connect().await;
        let connection = connection.map_err(|error| certain(&error.to_string()))?;
        let client = &connection.client;
        configure(client).await.map_err(failed)?;
        make_durable(client, self.durability)
            .await
            .map_err(failed)?;
        if !self.lock(client).await.map_err(failed)? {
            return Err(if self.is_alive(client).await.map_err(failed)? {
                certain("another server locks the database")
            } else {
                replaced(self.sharing)
            });
        }
        let writing = WritingConnection::prepare(connection, self.sharing).await;
        let writing = writing.map_err(failed)?;
        writing.confirm(self.id).await?;
        self.writing = Some(writing);
        Ok(())
    }

    /// Takes the locks. The own last connection may still hold them, if the network has lost it.
    async fn lock(&self, client: &Client) -> Result<bool, Error> {
        if !lock::try_schema(client, self.sharing).await? {
            lock::end_writer(client, self.id).await?;
            sleep(LOCK_PAUSE).await;
            if !lock::try_schema(client, self.sharing).await? {
                return Ok(false);
            }
        }
        lock::take_session(client, self.id).await
    }

    async fn is_alive(&self, client: &Client) -> Result<bool, Error> {
        let select = "SELECT NOT dead FROM session WHERE id = $1";
        let row = client.query_opt(select, &[&self.id]).await?;
        Ok(row.is_some_and(|row| row.get(0)))
    }

    async fn recover(&mut self, unknown: &[Append]) -> Result<Vec<bool>, CommitFailure> {
        if self.is_connected() {
            let writing = self.writing.as_ref().ok_or_else(|| certain(UNCONNECTED))?;
            writing.confirm(self.id).await?;
        } else {
            self.connect().await?;
        }
        let writing = self.writing.as_ref().ok_or_else(|| certain(UNCONNECTED))?;
        let probed = writing.connection.client.batch_execute(PROBE).await;
        probed.map_err(failed)?;
        let Some(plan) = &self.in_doubt else {
            return Ok(vec![false; unknown.len()]);
        };
        let is_written = self.write_again(writing, plan, unknown).await?;
        let each = |outcome: &AppendResult| is_written && outcome.is_ok();
        let are_written = plan.outcomes.iter().map(each).collect();
        self.in_doubt = None;
        Ok(are_written)
    }

    /// Writes a plan in doubt, unless it was written. False if it was not, and cannot be. The lock is held:
    /// the process that had the plan has ended.
    async fn write_again(
        &self,
        writing: &WritingConnection,
        plan: &AppendPlan,
        appends: &[Append],
    ) -> Result<bool, CommitFailure> {
        let streams: Vec<&StreamId> = plan.streams.iter().map(|(stream, _)| stream).collect();
        let found = writing.find(&streams).await.map_err(failed)?;
        if !plan.follows(&found) {
            warn!("the database has lost events that it had confirmed");
            return Ok(false);
        }
        // The same bytes again: a commit confirms them. If they are there already, their keys are.
        let is_duplicate = match writing.append(self.id, plan, appends).await {
            Ok(()) => return Ok(true),
            Err(AppendFailure::Duplicate) => true,
            Err(AppendFailure::Refused(_)) => false,
            Err(AppendFailure::Other(failure)) => return Err(failure),
        };
        let is_ours = writing.is_ours(self.id, plan, appends).await;
        if is_ours.map_err(failed)? {
            // They can be read. A commit after them makes sure that they stay.
            writing.confirm(self.id).await?;
            Ok(true)
        } else if is_duplicate {
            Err(certain("the database has other events"))
        } else {
            Ok(false)
        }
    }

    /// Releases the database. With an append in doubt, that is left to the next server.
    async fn end(&mut self) {
        let Some(writing) = self.writing.take() else {
            return;
        };
        let end = "UPDATE session SET dead = true WHERE id = $1";
        if self.in_doubt.is_none()
            && let Err(error) = writing.connection.client.execute(end, &[&self.id]).await
        {
            debug!(%error, "the session was not ended");
        }
        writing.connection.close().await;
    }
}

impl Role {
    fn sharing(&self) -> Sharing {
        match self {
            Role::Alone => Sharing::Alone,
            Role::Node(_) => Sharing::Cluster,
        }
    }
}

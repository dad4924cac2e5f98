//! The store in a database of PostgreSQL.
//!
//! One connection writes; it sends one statement for each group of appends, and never cancels one. A few
//! others read. The schema has what several servers need to share a database: a session for each server, which
//! every append locks, and shards that sessions own. A server alone owns all of them; nodes of a cluster share
//! them, each with a [`Membership`].

mod admin;
mod append;
mod archive;
mod control;
mod database;
mod lock;
mod membership;
mod plan;
mod readers;
mod rows;
mod schema;
mod sql;
mod streams;
mod view;
mod writing;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use futures::future::BoxFuture;
use postgres_kit::Connector;
use tokio::sync::watch;
use tokio_postgres::Client;
use tracing::warn;

use super::Store;
use super::archive::{Archive, ArchiveFilter, ArchivedGame, Cursor, GamePage, PlayerGame};
use super::config::Durability;
use super::error::{OpenError, ReadError};
use super::event::{Append, StreamEnd, StreamId, StreamRead};
use super::health::Health;
use super::log::{BatchOutcome, EventLog};
use super::sql::Sql;
use super::stats::StoreStats;
use super::writer::{WriterHandle, WriterLimits};
use database::{PostgresDatabase, Role};
use readers::Readers;

pub use admin::ClusterAdmin;
pub use membership::{Membership, MembershipError, NodeIdentity};
pub use postgres_kit::{PostgresAddress, PostgresAddressError, PostgresError};
pub use view::{ClusterView, SessionView};

/// The settings of a store in a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PostgresConfig {
    /// Where the database is.
    pub address: PostgresAddress,
    /// What an acknowledged event survives; with [`Durability::PowerLoss`], whatever the database is set to.
    pub durability: Durability,
    /// The most batches that wait for the writer. Further appends wait.
    pub queue: usize,
    /// Batches in one commit at most.
    pub group: usize,
    /// Between the beginnings of two commits at least, as in [`StoreConfig`](super::StoreConfig).
    pub gather: Duration,
    /// Reads at one time, each on a connection of its own; more wait.
    pub readers: usize,
}

impl PostgresConfig {
    /// The defaults for a database.
    pub fn new(address: PostgresAddress, durability: Durability) -> PostgresConfig {
        PostgresConfig {
            address,
            durability,
            queue: 4096,
            group: 1024,
            gather: durability.gather(),
            readers: 4,
        }
    }
}

/// The event log and the archive in a database of PostgreSQL.
#[derive(Debug)]
pub struct PostgresStore {
    readers: Arc<Readers>,
    writer: WriterHandle,
}

impl PostgresStore {
    /// Takes a database for this server, makes or migrates its tables, and starts the writer. Blocks.
    ///
    /// # Errors
    /// See [`PostgresError`].
    pub fn open(config: PostgresConfig) -> Result<PostgresStore, OpenError> {
        on_own_thread(|| Ok(PostgresStore::start(config, &Role::Alone)?.0))
    }

    /// Joins the cluster whose nodes use a database, makes or migrates its tables, and starts the writer. Blocks.
    /// The node owns no shards until its [`Membership`] claims some.
    ///
    /// Once another node has declared this one dead, nothing is written any more: [`Health::Stopped`].
    ///
    /// # Errors
    /// See [`PostgresError`].
    pub fn join(
        config: PostgresConfig,
        node: NodeIdentity,
    ) -> Result<(PostgresStore, Membership), OpenError> {
        node.check()?;
        on_own_thread(|| {
            let role = Role::Node(node);
            let (store, connector, session) = PostgresStore::start(config, &role)?;
            Ok((store, Membership::new(connector, session)))
        })
    }

    /// The other tables of a database that servers may be using. Connects when it is needed.
    ///
    /// # Errors
    /// Certificates of authorities that cannot be read.
    pub(super) fn open_tables(address: PostgresAddress) -> Result<impl Sql, OpenError> {
        let connector = Connector::new(address, "checkers-server")?;
        Ok(Readers::new(connector, 1))
    }

    fn start(
        config: PostgresConfig,
        role: &Role,
    ) -> Result<(PostgresStore, Connector, i32), OpenError> {
        let PostgresConfig {
            address,
            durability,
            queue,
            group,
            gather,
            readers,
        } = config;
        let connector = Connector::new(address, "checkers-server")?;
        if connector.is_unverified() {
            warn!(
                server = connector.address().server(),
                "the certificate of the database is not verified: sslmode=verify-full does so"
            );
        }
        let readers = Arc::new(Readers::new(connector.clone(), readers));
        // A thread of its own notices between commits that the connection was closed.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("store-connection")
            .enable_all()
            .build()
            .map_err(OpenError::Thread)?;
        let database = PostgresDatabase::open(runtime, connector.clone(), durability, role)?;
        let session = database.session();
        let limits = WriterLimits {
            queue,
            group,
            gather,
        };
        let writer = WriterHandle::start(limits, database, ()).map_err(OpenError::Thread)?;
        Ok((PostgresStore { readers, writer }, connector, session))
    }
}

/// Opens a store on a thread of its own: the caller's may belong to a runtime, which must not run another one.
fn on_own_thread<T: Send + 'static>(
    open: impl FnOnce() -> Result<T, OpenError> + Send + 'static,
) -> Result<T, OpenError> {
    let opening = thread::Builder::new()
        .name("store-opening".into())
        .spawn(open)
        .map_err(OpenError::Thread)?;
    opening
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

impl EventLog for PostgresStore {
    fn append(&self, batch: Vec<Append>) -> BoxFuture<'_, BatchOutcome> {
        self.writer.append(batch)
    }

    fn read(&self, stream: StreamId) -> BoxFuture<'_, Result<Option<StreamRead>, ReadError>> {
        Box::pin(async move {
            let read = async |client: &Client| streams::read(client, &stream).await;
            self.readers.read(read).await
        })
    }

    fn unfinished(&self) -> BoxFuture<'_, Result<Vec<StreamId>, ReadError>> {
        Box::pin(self.readers.read(streams::unfinished))
    }

    fn latest(&self, prefix: StreamId) -> BoxFuture<'_, Result<Option<StreamId>, ReadError>> {
        Box::pin(async move {
            let read = async |client: &Client| streams::latest(client, &prefix).await;
            self.readers.read(read).await
        })
    }

    fn health(&self) -> watch::Receiver<Health> {
        self.writer.health()
    }

    /// Also waits until another server can take the database. Dropping the store closes it without waiting.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.writer.close())
    }
}

impl Archive for PostgresStore {
    fn games(
        &self,
        filter: ArchiveFilter,
        after: Option<Cursor>,
        limit: u32,
    ) -> BoxFuture<'_, Result<GamePage, ReadError>> {
        Box::pin(async move {
            let read = async |client: &Client| archive::page(client, &filter, after, limit).await;
            self.readers.read(read).await
        })
    }

    fn game(&self, stream: StreamId) -> BoxFuture<'_, Result<Option<ArchivedGame>, ReadError>> {
        Box::pin(async move {
            let read = async |client: &Client| archive::find(client, &stream).await;
            self.readers.read(read).await
        })
    }

    fn count(&self, filter: ArchiveFilter, most: u32) -> BoxFuture<'_, Result<u32, ReadError>> {
        Box::pin(async move {
            let read = async |client: &Client| archive::count(client, &filter, most).await;
            self.readers.read(read).await
        })
    }

    fn played(&self, player: String) -> BoxFuture<'_, Result<Vec<PlayerGame>, ReadError>> {
        Box::pin(async move {
            let read = async |client: &Client| archive::played(client, &player).await;
            self.readers.read(read).await
        })
    }
}

impl Store for PostgresStore {
    fn tables(&self) -> Arc<dyn Sql> {
        Arc::clone(&self.readers) as Arc<dyn Sql>
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
        Box::pin(async move {
            let read = async |client: &Client| streams::after(client, after, limit).await;
            self.readers.read(read).await
        })
    }

    fn ends(&self, streams: Vec<StreamId>) -> BoxFuture<'_, Result<Vec<StreamEnd>, ReadError>> {
        Box::pin(async move {
            let read = async |client: &Client| streams::ends(client, &streams).await;
            self.readers.read(read).await
        })
    }
}

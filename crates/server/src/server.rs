//! Start, operation and orderly shutdown of the server.

mod accept;
mod background;
mod error;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use checkers_lib::ByColor;
use checkers_lib::openings;
use checkers_lib::protocol::{BotRequest, BotRequests, ServerMessage, TableKind};
use event_store::{
    Durability, EventLog, Health, Membership, NodeIdentity, OpenError, PostgresConfig,
    PostgresStore, SqliteStore, Store, StoreAddress, StoreConfig,
};
use tokio::net::TcpListener;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::task::TaskTracker;
use tracing::{error, info, warn};

use crate::accounts::Accounts;
use crate::bots::{BotLimits, Bots};
use crate::cluster::{NodeEnd, NodeParts, RunningNode};
use crate::config::Config;
use crate::connection::MAIN_TABLE;
use crate::correspondence::Correspondence;
use crate::http::{BotSessions, HttpState};
use crate::ladder::Ladder;
use crate::lifecycle::{Lifecycle, ShutdownNotice, Stop};
use crate::limits::ConnectionLimiter;
use crate::lobby::LobbyLimits;
use crate::lobby_shard::{LobbyHandle, LobbySetup, ShowcaseGames, TableFactory};
use crate::metrics::Metrics;
use crate::moderation::Moderation;
use crate::profiles::Profiles;
use crate::push::Push;
use crate::ratings::Ratings;
use crate::restore::{self, RestoredTable};
use crate::route::Route;
use crate::secret::Secret;
use crate::shard::{Shards, TableHandle};
use crate::table::{ClientId, ClientIds, TableSettings, whole_millis};
use crate::tablebases::TablebaseService;
use crate::tls::{Tls, TlsError};
use crate::tournaments::Tournaments;
use error::SHORTEST_KEY;

pub use error::ServerError;

/// How long to retry a port that is in use.
const BIND_TIMEOUT: Duration = Duration::from_secs(5);

/// The level of the bots in showcase games; it moves at once.
const SHOWCASE_LEVEL: u8 = 8;

/// How long connections have to close at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// The time over which a node closes its connections.
const CLOSE_SPREAD: Duration = Duration::from_secs(2);

/// How long a node has to hand over its shards at shutdown.
const HAND_OVER_TIMEOUT: Duration = Duration::from_secs(15);

/// How long the store has to write what is queued, and to close, at shutdown.
const STORE_TIMEOUT: Duration = Duration::from_secs(20);

/// A server that listens on its port and is ready to [run](Server::run).
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    config: Config,
    /// The main table, and the tables whose games were not over.
    tables: Vec<RestoredTable>,
    main: TableSettings,
    /// What makes the server a node of a cluster.
    cluster: Option<ClusterParts>,
    /// `None` if games are not kept.
    store: Option<Arc<dyn Store>>,
    tablebases: TablebaseService,
    tls: Option<Arc<Tls>>,
    metrics: Arc<Metrics>,
    bots: Bots,
}

/// What a node needs to be part of its cluster.
#[derive(Debug)]
struct ClusterParts {
    name: String,
    membership: Membership,
    listener: TcpListener,
    key: Arc<Secret>,
}

impl Server {
    /// Binds the port of `config`, retrying for some seconds while it is in use.
    ///
    /// # Errors
    /// An address that cannot be listened on, bad openings, or a bad certificate.
    pub async fn bind(config: Config) -> Result<Server, ServerError> {
        let main = main_table(&config)?;
        let (store, cluster) = match &config.node {
            Some(name) => {
                let (store, cluster) = join_cluster(name, &config).await?;
                (Some(store), Some(cluster))
            }
            None => (open_store(&config).await?, None),
        };
        let tables = match &cluster {
            // A node restores the tables of the shards that it takes up.
            Some(_) => Vec::new(),
            None => restore_tables(store.as_ref(), &main, &config).await?,
        };
        let tls = tls(&config)?;
        let tablebase = config.tablebase.clone();
        let tablebases = spawn_blocking(move || TablebaseService::open(tablebase.as_deref())).await;
        let tablebases = tablebases.map_err(|_| ServerError::Cancelled)?;
        let metrics = match &store {
            Some(store) => Metrics::new().with_store(Arc::clone(store)),
            None => Metrics::new(),
        };
        let metrics = match &cluster {
            Some(_) => metrics.with_cluster(),
            None => metrics,
        };
        let metrics = Arc::new(metrics);
        let bots = bots(&config, &metrics).map_err(ServerError::Bots)?;
        let address = SocketAddr::new(config.bind, config.port);
        let failed = |source| ServerError::Bind { address, source };
        let deadline = Instant::now() + BIND_TIMEOUT;
        let mut has_warned = false;
        let listener = loop {
            match TcpListener::bind(address).await {
                Ok(listener) => break listener,
                Err(error)
                    if error.kind() == io::ErrorKind::AddrInUse && Instant::now() < deadline =>
                {
                    if !has_warned {
                        warn!(%address, "the port is in use, trying again for {} s", BIND_TIMEOUT.as_secs());
                    }
                    has_warned = true;
                    sleep(Duration::from_millis(500)).await;
                }
                Err(error) => return Err(failed(error)),
            }
        };
        let address = listener.local_addr().map_err(failed)?;
        Ok(Server {
            listener,
            address,
            config,
            tables,
            main,
            cluster,
            store,
            tablebases,
            tls,
            metrics,
            bots,
        })
    }

    /// The address that the server listens on, with the actual port.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The certificate, if the server speaks TLS.
    pub(crate) fn tls(&self) -> Option<Arc<Tls>> {
        self.tls.clone()
    }

    /// A code that makes an account the first administrator; `None` if there is one, or if the server keeps nothing.
    pub(crate) async fn first_administrator(&self) -> Option<String> {
        let tables = self.store.as_ref()?.tables();
        let accounts = Accounts::new(tables, self.config.registration);
        let code = accounts.first_administrator().await;
        code.unwrap_or_else(|error| {
            error.log();
            None
        })
    }

    /// Serves until `stop` completes, then closes every connection with a reason, and returns when all are
    /// closed, after some seconds at most. A `stop` that returns `()` is [`Stop::ForGood`].
    ///
    /// # Errors
    /// [`ServerError::Replaced`] if it ends by itself.
    pub async fn run(self, stop: impl Future<Output: Into<Stop>>) -> Result<(), ServerError> {
        let (metrics, bots) = (self.metrics, self.bots);
        let log = self.store.clone().map(|store| store as Arc<dyn EventLog>);
        let tournaments = self
            .store
            .as_ref()
            .map(|store| Arc::new(Tournaments::new(store.tables())));
        let correspondence = self.store.as_ref().map(|store| {
            let (rules, policy) = (self.config.draw_rules, self.config.policy());
            Arc::new(Correspondence::new(store, rules, policy))
        });
        let first_client = match &self.cluster {
            Some(cluster) => ClientId::first_of_session(cluster.membership.session()),
            None => ClientId::FIRST,
        };
        let (lobby, tables, mut node) = match (self.cluster, log) {
            (Some(cluster), Some(log)) => {
                let tables = Shards::start_node(&log, correspondence.as_ref(), &metrics);
                let factory = factory(&self.config, &self.main, &tables, &metrics, &bots);
                let route = Arc::new(Route::without_owner());
                let parts = NodeParts {
                    name: cluster.name,
                    log,
                    shards: tables.clone(),
                    lobby: lobby_setup(&self.config, factory, &tournaments),
                    bots: bots.clone(),
                    policy: self.config.policy(),
                    main: self.main,
                    key: cluster.key,
                    metrics: metrics.cluster(),
                };
                let (membership, listener) = (cluster.membership, cluster.listener);
                let node = RunningNode::start(membership, parts, listener, Arc::clone(&route));
                (LobbyHandle::new(route), tables, Some(node))
            }
            (_, log) => {
                let tables = Shards::start(log.as_ref(), correspondence.as_ref(), &metrics);
                let factory = factory(&self.config, &self.main, &tables, &metrics, &bots);
                let setup = lobby_setup(&self.config, factory, &tournaments);
                let lobby = open_lobby(setup, self.tables, &tables, &bots).await;
                (lobby, tables, None)
            }
        };
        let accounts = self.store.as_ref().map(|store| {
            let accounts = Accounts::new(store.tables(), self.config.registration);
            Arc::new(accounts)
        });
        let moderation =
            (self.store.as_ref()).map(|store| Arc::new(Moderation::new(store.tables())));
        let ratings = self.store.as_ref().map(|store| {
            let ratings = Ratings::new(store.tables());
            Arc::new(ratings)
        });
        let profiles = self
            .store
            .as_ref()
            .map(|store| Arc::new(Profiles::new(store.tables())));
        let ladder = self
            .store
            .as_ref()
            .map(|store| Arc::new(Ladder::new(store.tables())));
        let (push, deliveries) = self
            .store
            .as_ref()
            .map(|store| Push::new(store.tables(), self.config.push_services.clone(), &metrics))
            .unzip();
        let shared = Arc::new(HttpState {
            limiter: Arc::new(ConnectionLimiter::new(&self.config)),
            config: self.config,
            lobby,
            tables,
            archive: self.store.clone(),
            accounts,
            moderation,
            ratings,
            profiles,
            ladder,
            tournaments,
            correspondence,
            push,
            tablebases: self.tablebases,
            lifecycle: Lifecycle::default(),
            metrics,
            bots,
            tls: self.tls,
            clients: ClientIds::from(first_client),
            connections: TaskTracker::new(),
            bot_sessions: BotSessions::default(),
        });
        let deletions = background::spawn_deletions(&shared);
        let ratings = background::spawn_ratings(&shared);
        let organising = background::spawn_tournaments(&shared);
        let corresponding = background::spawn_correspondence(&shared);
        let delivering = tokio::spawn(async move {
            if let Some(deliveries) = deliveries {
                deliveries.run().await;
            }
        });
        let restart = ShutdownNotice::new(Stop::Restart, shared.config.restart_delay);
        let ended = tokio::select! {
            never = accept::forever(self.listener, &shared) => match never {},
            stopped = stopped(stop, &shared, &mut node) => stopped,
            () = store_stopped(self.store.as_deref()) => Err(ServerError::Replaced),
        };
        let (notice, ended) = match ended {
            Ok(notice) => (notice, Ok(())),
            Err(error) => (restart, Err(error)),
        };
        deletions.abort();
        ratings.abort();
        organising.abort();
        corresponding.abort();
        delivering.abort();
        shared.lifecycle.close(notice);
        wait_for_connections(&shared).await;
        drop(node);
        if let Some(store) = self.store
            && timeout(STORE_TIMEOUT, store.close()).await.is_err()
        {
            warn!("the store does not close; the next start shows what it has written");
        }
        ended
    }
}

/// The factory of tables of a server with this configuration.
fn factory(
    config: &Config,
    main: &TableSettings,
    shards: &Shards,
    metrics: &Arc<Metrics>,
    bots: &Bots,
) -> TableFactory {
    TableFactory {
        shards: shards.clone(),
        policy: config.policy(),
        rules: config.draw_rules,
        openings: main.openings.clone(),
        metrics: Arc::clone(metrics),
        bots: bots.clone(),
        showcase: (config.house_games > 0).then_some(ShowcaseGames {
            games: config.house_games,
            bots: BotRequests {
                white: Some(BotRequest::Level(SHOWCASE_LEVEL)),
                black: Some(BotRequest::Level(SHOWCASE_LEVEL)),
            },
        }),
    }
}

/// What the lobby of a server with this configuration is started with.
fn lobby_setup(
    config: &Config,
    factory: TableFactory,
    tournaments: &Option<Arc<Tournaments>>,
) -> LobbySetup {
    LobbySetup {
        limits: LobbyLimits {
            // In a tournament, players reconnect at once or not at all.
            grace: match config.director_token {
                Some(_) => Duration::ZERO,
                None => config.grace,
            },
            client_tables: config.client_tables,
            address_tables: config.address_tables,
            tables: config.max_tables,
        },
        factory,
        quick_clock: config.quick_clock,
        tournaments: tournaments.clone(),
    }
}

/// Opens these tables, and starts the lobby with them.
async fn open_lobby(
    setup: LobbySetup,
    restored: Vec<RestoredTable>,
    shards: &Shards,
    bots: &Bots,
) -> LobbyHandle {
    let mut tables: Vec<TableHandle> = Vec::new();
    for restored in restored {
        if shards.find(&restored.table.settings().id).is_none() {
            tables.push(shards.open(restored).await);
        }
    }
    for table in &tables {
        bots.reseat(table);
    }
    LobbyHandle::new(Arc::new(Route::here(setup.start(tables))))
}

/// The bots of a server with this configuration.
fn bots(config: &Config, metrics: &Metrics) -> io::Result<Bots> {
    let limits = BotLimits {
        threads: config.bot_threads(),
        seats: config.max_bots,
        depth: config.bot_depth,
        time: config.bot_time,
        memory: config.bot_memory,
    };
    Bots::start(limits, config.bot_pace, config.idle_table, metrics.bots())
}

/// Waits for `stop`, then for the `drain-time`, in which the server serves only its present clients.
async fn stopped(
    stop: impl Future<Output: Into<Stop>>,
    shared: &HttpState,
    node: &mut Option<RunningNode>,
) -> Result<ShutdownNotice, ServerError> {
    let stop = match node {
        Some(node) => stopped_node(stop, shared, node).await?,
        None => stop.await.into(),
    };
    shared.lifecycle.drain();
    let time = shared.config.drain_time;
    // The tables of a node have moved before, and its clients need not wait.
    if stop == Stop::Restart && !time.is_zero() && node.is_none() {
        info!(?time, "draining");
        let restarting = ServerMessage::Restarting {
            delay_ms: whole_millis(shared.config.restart_delay),
            in_ms: Some(whole_millis(time)),
        };
        shared.lobby.announce(restarting).await;
        sleep(time).await;
    }
    let mut notice = ShutdownNotice::new(stop, shared.config.restart_delay);
    if node.is_some() {
        // The other nodes serve its clients; they do not come all at once.
        notice.spread = CLOSE_SPREAD;
    }
    Ok(notice)
}

/// Waits for `stop`, then until the node has handed over its shards; or until it ends by itself.
async fn stopped_node(
    stop: impl Future<Output: Into<Stop>>,
    shared: &HttpState,
    node: &mut RunningNode,
) -> Result<Stop, ServerError> {
    tokio::select! {
        stop = stop => {
            let stop = stop.into();
            shared.lifecycle.drain();
            node.drain();
            if timeout(HAND_OVER_TIMEOUT, node.ended()).await.is_err() {
                warn!("not all shards are handed over; the other nodes take them");
            }
            Ok(stop)
        }
        end = node.ended() => match end {
            NodeEnd::Dead => Err(ServerError::Replaced),
            NodeEnd::Drained => {
                info!("this node is drained");
                Ok(Stop::Restart)
            }
        },
    }
}

/// Waits until the store stops by itself.
async fn store_stopped(store: Option<&dyn Store>) {
    let is_stopped = |health: &Health| *health == Health::Stopped;
    let has_stopped = match store {
        Some(store) => store.health().wait_for(is_stopped).await.is_ok(),
        None => false,
    };
    if !has_stopped {
        std::future::pending::<()>().await;
    }
}

/// Waits until all connections are closed, or for [`SHUTDOWN_TIMEOUT`].
async fn wait_for_connections(shared: &HttpState) {
    info!(connections = shared.connections.len(), "shutting down");
    shared.connections.close();
    if timeout(SHUTDOWN_TIMEOUT, shared.connections.wait())
        .await
        .is_err()
    {
        warn!(
            connections = shared.connections.len(),
            "aborting connections that do not close"
        );
    }
}

/// The certificate of a server with this configuration.
fn tls(config: &Config) -> Result<Option<Arc<Tls>>, TlsError> {
    match (&config.tls_cert, &config.tls_key) {
        (Some(cert), Some(key)) => Ok(Some(Arc::new(Tls::load(cert, key)?))),
        (None, None) => Ok(None),
        (Some(_), None) | (None, Some(_)) => Err(TlsError::Incomplete),
    }
}

fn main_table(config: &Config) -> Result<TableSettings, ServerError> {
    let mut main = TableSettings::new(MAIN_TABLE, config.draw_rules);
    main.kind = TableKind::Main;
    main.clocks = ByColor::new_with(|_| config.clock);
    main.director = config.director_token.clone();
    let Some(path) = &config.openings else {
        return Ok(main);
    };
    let file = path.clone();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(source) => return Err(ServerError::OpeningsFile { file, source }),
    };
    main.openings = match openings::parse(&text) {
        Ok(openings) => openings,
        Err(source) => return Err(ServerError::Openings { file, source }),
    };
    match main.check() {
        Ok(()) => Ok(main),
        Err(source) => Err(ServerError::Opening { file, source }),
    }
}

/// Joins a cluster under this name: its store, and what the node needs besides.
async fn join_cluster(
    name: &str,
    config: &Config,
) -> Result<(Arc<dyn Store>, ClusterParts), ServerError> {
    let (Some(address), Some(file)) = (&config.cluster_address, &config.cluster_key_file) else {
        return Err(ServerError::IncompleteCluster);
    };
    let StoreAddress::Postgres(database) = config.store_address() else {
        return Err(ServerError::IncompleteCluster);
    };
    let key = std::fs::read_to_string(file).map_err(|source| ServerError::ClusterKey {
        file: file.clone(),
        source,
    })?;
    let key = key.trim();
    if key.len() < SHORTEST_KEY {
        let file = file.clone();
        return Err(ServerError::ShortClusterKey { file });
    }
    let key = Arc::new(Secret::new(key));
    let failed = |source| ServerError::ClusterAddress {
        address: address.clone(),
        source,
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    if bound.ip().is_unspecified() {
        let source = io::Error::other("other nodes need an address of this machine");
        return Err(failed(source));
    }
    let host = address
        .rsplit_once(':')
        .map_or(&**address, |(host, _)| host);
    let node = NodeIdentity {
        name: name.to_owned(),
        address: format!("{host}:{}", bound.port()),
    };
    let store = PostgresConfig::new(database, config.durability);
    let joined = spawn_blocking(move || PostgresStore::join(store, node)).await;
    let (store, membership) = joined.map_err(|_| ServerError::Cancelled)??;
    let parts = ClusterParts {
        name: name.to_owned(),
        membership,
        listener,
        key,
    };
    Ok((Arc::new(store), parts))
}

/// Opens the store; `None` if games are not kept.
async fn open_store(config: &Config) -> Result<Option<Arc<dyn Store>>, ServerError> {
    if config.in_memory {
        return Ok(None);
    }
    let (address, durability) = (config.store_address(), config.durability);
    let opened = spawn_blocking(move || open_or_salvage(address, durability)).await;
    Ok(Some(opened.map_err(|_| ServerError::Cancelled)??))
}

/// Opens a store; if its file is damaged, read-only with the games that can be read.
fn open_or_salvage(
    address: StoreAddress,
    durability: Durability,
) -> Result<Arc<dyn Store>, OpenError> {
    let StoreAddress::Sqlite(directory) = address else {
        return address.open(durability);
    };
    match SqliteStore::open(StoreConfig::new(&directory).durability(durability)) {
        Err(damage @ OpenError::Damaged { .. }) => {
            let store = SqliteStore::open_damaged(&directory)?;
            error!(
                %damage,
                "the readable games are served from the copy checkers.db.salvaged, and no game can be played: \
                 put a backup or that copy in the place of checkers.db"
            );
            Ok(Arc::new(store))
        }
        opened => Ok(Arc::new(opened?)),
    }
}

/// Restores the tables whose games were not over; the main table is the first.
async fn restore_tables(
    store: Option<&Arc<dyn Store>>,
    main: &TableSettings,
    config: &Config,
) -> Result<Vec<RestoredTable>, ServerError> {
    let log = store.map(|store| Arc::clone(store) as Arc<dyn EventLog>);
    let policy = config.policy();
    let mut restored = match &log {
        Some(log) => restore::restore_all(&**log, main, policy).await?,
        None => Vec::new(),
    };
    let main = restore::take_main(log.as_ref(), &mut restored, main, policy).await?;
    restored.insert(0, main);
    Ok(restored)
}

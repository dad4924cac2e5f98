//! Listening, and going down in order.

mod accept;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use checkers_lib::ByColor;
use checkers_lib::openings::{self, Opening, OpeningsError};
use checkers_lib::protocol::{BotRequest, BotRequests, ServerMessage, TableKind};
use tokio::net::TcpListener;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::task::TaskTracker;
use tracing::{error, info, warn};

use crate::bots::{BotLimits, Bots};
use crate::config::Config;
use crate::connection::MAIN_TABLE;
use crate::http::Shared;
use crate::lifecycle::{Lifecycle, ShutdownNotice, Stop};
use crate::limits::ConnectionLimiter;
use crate::lobby::{Lobby, LobbyLimits};
use crate::lobby_shard::{self, LobbyHandle, ShowcaseGames, TableFactory};
use crate::metrics::Metrics;
use crate::shard::{self, RestoredTable, Shards};
use crate::store::{EventLog, OpenError, ReadError, SqliteStore, Store, StoreConfig};
use crate::table::{BadOpening, TableSettings, whole_millis};
use crate::tablebases::TablebaseService;
use crate::tls::{Tls, TlsError};

/// How long a port that is in use is tried again.
const BIND_PATIENCE: Duration = Duration::from_secs(5);

/// How well the bots play that play when nobody does: as fast as one can look.
const HOUSE_LEVEL: u8 = 8;

/// How long connections have to say good-bye when the server goes down.
const SHUTDOWN_PATIENCE: Duration = Duration::from_secs(5);

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}{}", hint(source))]
    Bind {
        /// Where it tried.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The file with openings cannot be read.
    #[error("cannot read the openings in {}", file.display())]
    OpeningsFile {
        /// Where they should be.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The directory with the games cannot be used.
    #[error("cannot open the games")]
    Store(#[from] OpenError),
    /// The games cannot be read.
    #[error("cannot read the games")]
    Games(#[from] ReadError),
    /// The threads on which bots search do not start.
    #[error("no threads for computer opponents")]
    Bots(#[source] io::Error),
    /// The program is going down.
    #[error("cancelled")]
    Cancelled,
    /// The file has no good openings.
    #[error("bad openings in {}", file.display())]
    Openings {
        /// Where they are.
        file: PathBuf,
        /// What is wrong with them.
        source: OpeningsError,
    },
    /// The certificate cannot be used.
    #[error("no TLS")]
    Tls(#[from] TlsError),
    /// One of the openings leaves nothing to play.
    #[error("bad openings in {}", file.display())]
    Opening {
        /// Where it is.
        file: PathBuf,
        /// Which one.
        source: BadOpening,
    },
}

fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            ": the port is in use (by another server, or by an outgoing connection: see \
             net.ipv4.ip_local_reserved_ports in docs/running-a-server.md)"
        }
        io::ErrorKind::PermissionDenied => ": ports below 1024 need a privilege",
        io::ErrorKind::AddrNotAvailable => ": this machine does not have that address",
        _ => "",
    }
}

/// A server that has its port and is ready to [run](Server::run).
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    config: Config,
    /// The main table, and those whose games were not over.
    tables: Vec<RestoredTable>,
    /// The openings that were given to it.
    openings: Vec<Opening>,
    /// Where games are kept, if they are.
    store: Option<Arc<SqliteStore>>,
    tablebases: TablebaseService,
    tls: Option<Arc<Tls>>,
    metrics: Arc<Metrics>,
    bots: Bots,
}

impl Server {
    /// Takes the port of `config`, trying for some seconds while it is in use.
    ///
    /// # Errors
    /// An address that cannot be listened on, bad openings, or a bad certificate.
    pub async fn bind(config: Config) -> Result<Server, ServerError> {
        let main = main_table(&config)?;
        let store = open_store(&config).await?;
        let tables = take_up(store.as_ref(), &main, &config).await?;
        let tls = tls(&config)?;
        let tablebase = config.tablebase.clone();
        let tablebases = spawn_blocking(move || TablebaseService::open(tablebase.as_deref())).await;
        let tablebases = tablebases.map_err(|_| ServerError::Cancelled)?;
        let metrics = match &store {
            Some(store) => Metrics::new().with_store(Arc::clone(store)),
            None => Metrics::new(),
        };
        let metrics = Arc::new(metrics);
        let bots = bots(&config, &metrics).map_err(ServerError::Bots)?;
        let address = SocketAddr::new(config.bind, config.port);
        let failed = |source| ServerError::Bind { address, source };
        let deadline = Instant::now() + BIND_PATIENCE;
        let mut is_told = false;
        let listener = loop {
            match TcpListener::bind(address).await {
                Ok(listener) => break listener,
                Err(error)
                    if error.kind() == io::ErrorKind::AddrInUse && Instant::now() < deadline =>
                {
                    if !is_told {
                        warn!(%address, "the port is in use, trying again for {} s", BIND_PATIENCE.as_secs());
                    }
                    is_told = true;
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
            openings: main.openings,
            store,
            tablebases,
            tls,
            metrics,
            bots,
        })
    }

    /// The address the server listens on, with the port it got.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The certificate, if the server speaks TLS.
    pub(crate) fn tls(&self) -> Option<Arc<Tls>> {
        self.tls.clone()
    }

    /// Serves until `stop` is done, then closes every connection with a reason and returns when
    /// all are gone, after some seconds at most. A `stop` that returns nothing is for good.
    pub async fn run(self, stop: impl Future<Output: Into<Stop>>) {
        let (metrics, bots) = (self.metrics, self.bots);
        let log = self.store.clone().map(|store| store as Arc<dyn EventLog>);
        let shards = Shards::start(log.as_ref(), &metrics);
        let factory = factory(&self.config, self.openings, shards, &metrics, &bots);
        let lobby = open_lobby(&self.config, self.tables, factory).await;
        let shared = Arc::new(Shared {
            limiter: Arc::new(ConnectionLimiter::new(&self.config)),
            config: self.config,
            lobby,
            archive: self.store.clone().map(|store| store as Arc<dyn Store>),
            tablebases: self.tablebases,
            lifecycle: Lifecycle::default(),
            metrics,
            bots,
            tls: self.tls,
            sessions: TaskTracker::new(),
        });
        tokio::select! {
            () = accept::forever(self.listener, &shared) => {}
            notice = stopped(stop, &shared) => shared.lifecycle.close(notice),
        }
        part(&shared).await;
        if let Some(store) = self.store {
            store.close().await;
        }
    }
}

/// How tables of a server with this configuration come into being.
fn factory(
    config: &Config,
    openings: Vec<Opening>,
    shards: Shards,
    metrics: &Arc<Metrics>,
    bots: &Bots,
) -> TableFactory {
    TableFactory {
        shards,
        policy: config.policy(),
        rules: config.draw_rules,
        openings,
        metrics: Arc::clone(metrics),
        bots: bots.clone(),
        showcase: (config.house_games > 0).then_some(ShowcaseGames {
            games: config.house_games,
            bots: BotRequests {
                white: Some(BotRequest::Level(HOUSE_LEVEL)),
                black: Some(BotRequest::Level(HOUSE_LEVEL)),
            },
        }),
    }
}

/// Begins to serve the lobby and these tables.
async fn open_lobby(
    config: &Config,
    tables: Vec<RestoredTable>,
    factory: TableFactory,
) -> LobbyHandle {
    let limits = LobbyLimits {
        // A tournament's players come back at once or not at all.
        grace: match config.director_token {
            Some(_) => Duration::ZERO,
            None => config.grace,
        },
        client_tables: config.client_tables,
        address_tables: config.address_tables,
        tables: config.max_tables,
    };
    let (shards, bots) = (factory.shards.clone(), factory.bots.clone());
    let lobby = Lobby::new(limits);
    let (handle, mut task) = lobby_shard::channel(lobby, factory, config.quick_clock);
    for restored in tables {
        if !task.has(&restored.table.settings().id) {
            let table = shards.open(restored).await;
            task.reopen(table.clone());
            bots.reseat(&table);
        }
    }
    tokio::spawn(task.run());
    handle
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

/// Waits for `stop`, then for as long as the server goes on serving whom it has.
async fn stopped(stop: impl Future<Output: Into<Stop>>, shared: &Shared) -> ShutdownNotice {
    let stop = stop.await.into();
    shared.lifecycle.drain();
    let time = shared.config.drain_time;
    if stop == Stop::Restart && !time.is_zero() {
        info!(?time, "draining");
        let restarting = ServerMessage::Restarting {
            delay_ms: whole_millis(shared.config.restart_delay),
            in_ms: Some(whole_millis(time)),
        };
        shared.lobby.announce(restarting).await;
        sleep(time).await;
    }
    ShutdownNotice::new(stop, shared.config.restart_delay)
}

/// Waits until every connection has been closed.
async fn part(shared: &Shared) {
    info!(connections = shared.sessions.len(), "shutting down");
    shared.sessions.close();
    if timeout(SHUTDOWN_PATIENCE, shared.sessions.wait())
        .await
        .is_err()
    {
        warn!(
            connections = shared.sessions.len(),
            "cutting connections that do not end"
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

/// What the main table is.
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

/// Where games are kept, if they are.
async fn open_store(config: &Config) -> Result<Option<Arc<SqliteStore>>, ServerError> {
    if config.in_memory {
        return Ok(None);
    }
    let config = StoreConfig::new(&config.data).durability(config.durability);
    let opened = spawn_blocking(move || open_or_show(config)).await;
    Ok(Some(Arc::new(opened.map_err(|_| ServerError::Cancelled)??)))
}

/// Opens a store, or, if it is damaged, what can be read of it.
fn open_or_show(config: StoreConfig) -> Result<SqliteStore, OpenError> {
    let directory = config.directory.clone();
    match SqliteStore::open(config) {
        Err(damage @ OpenError::Damaged { .. }) => {
            let store = SqliteStore::open_damaged(&directory)?;
            error!(
                %damage,
                "the readable games are served from the copy checkers.db.salvaged, and no game can be played: \
                 put a backup or that copy in the place of checkers.db"
            );
            Ok(store)
        }
        opened => opened,
    }
}

/// The main table with its game, if that is not over, and the other tables whose games are not.
async fn take_up(
    store: Option<&Arc<SqliteStore>>,
    main: &TableSettings,
    config: &Config,
) -> Result<Vec<RestoredTable>, ServerError> {
    let log = store.map(|store| Arc::clone(store) as Arc<dyn EventLog>);
    let policy = config.policy();
    let mut restored = match &log {
        Some(log) => shard::restore_all(&**log, main, policy).await?,
        None => Vec::new(),
    };
    let main = shard::take_main(log.as_ref(), &mut restored, main, policy).await?;
    restored.insert(0, main);
    Ok(restored)
}

//! Listening, accepting, and going down in order.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use checkers_lib::openings::{self, OpeningsError};
use socket2::SockRef;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{debug, info, warn};

use crate::config::Config;
use crate::http::{self, Connection, Shared};
use crate::table::{BadOpening, ClientId, Table};
use crate::table_task;

/// How long a port that is in use is tried again.
const BIND_PATIENCE: Duration = Duration::from_secs(5);

/// How long connections have to say good-bye when the server goes down.
const SHUTDOWN_PATIENCE: Duration = Duration::from_secs(5);

/// Bytes that the kernel holds for a client before the client's own queue fills up.
const SEND_BUFFER: usize = 64 * 1024;

/// The table at which everybody arrives.
const MAIN_TABLE: &str = "main";

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
    /// The file has no good openings.
    #[error("bad openings in {}", file.display())]
    Openings {
        /// Where they are.
        file: PathBuf,
        /// What is wrong with them.
        source: OpeningsError,
    },
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
             net.ipv4.ip_local_reserved_ports in docs/protocol.md)"
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
    table: Table,
}

impl Server {
    /// Takes the port of `config`, trying for some seconds while it is in use.
    ///
    /// # Errors
    /// An address that cannot be listened on, or bad openings.
    pub async fn bind(config: Config) -> Result<Server, ServerError> {
        let table = main_table(&config)?;
        let address = SocketAddr::new(config.bind, config.port);
        let failed = |source| ServerError::Bind { address, source };
        let deadline = Instant::now() + BIND_PATIENCE;
        let listener = loop {
            match TcpListener::bind(address).await {
                Ok(listener) => break listener,
                Err(error)
                    if error.kind() == io::ErrorKind::AddrInUse && Instant::now() < deadline =>
                {
                    warn!(%address, "the port is in use, trying again");
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
            table,
        })
    }

    /// The address the server listens on, with the port it got.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is done, then closes every connection with a reason and returns when
    /// all are gone, after some seconds at most.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let (table, task) = table_task::channel(self.table);
        tokio::spawn(task.run());
        let connections = Arc::new(Semaphore::new(self.config.max_connections));
        let shared = Arc::new(Shared {
            config: self.config,
            table,
            shutdown: CancellationToken::new(),
            sessions: TaskTracker::new(),
        });
        tokio::select! {
            () = accept(self.listener, connections, &shared) => {}
            () = stop => {}
        }
        info!(connections = shared.sessions.len(), "shutting down");
        shared.shutdown.cancel();
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
}

/// The table of a server with this configuration.
fn main_table(config: &Config) -> Result<Table, ServerError> {
    let mut table = Table::new(MAIN_TABLE, config.draw_rules);
    if let Some(token) = &config.director_token {
        table = table.directed_by(token.clone());
    }
    let Some(path) = &config.openings else {
        return Ok(table);
    };
    let file = path.clone();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(source) => return Err(ServerError::OpeningsFile { file, source }),
    };
    let openings = match openings::parse(&text) {
        Ok(openings) => openings,
        Err(source) => return Err(ServerError::Openings { file, source }),
    };
    table
        .with_openings(openings)
        .map_err(|source| ServerError::Opening { file, source })
}

/// Accepts for ever. The listener closes when this future is dropped.
async fn accept(listener: TcpListener, connections: Arc<Semaphore>, shared: &Arc<Shared>) {
    let mut next_id = 1;
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, most likely: some will be given back.
                warn!(%error, "cannot accept");
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        if let Err(error) = tune(&stream) {
            debug!(%error, "cannot tune the socket");
        }
        let Ok(permit) = Arc::clone(&connections).try_acquire_owned() else {
            warn!(%peer, "too many connections");
            shared.sessions.spawn(refuse(stream));
            continue;
        };
        let connection = Connection {
            id: ClientId(next_id),
            peer,
            permit,
        };
        next_id += 1;
        shared
            .sessions
            .spawn(http::serve(stream, connection, Arc::clone(shared)));
    }
}

/// Sends small frames at once, and lets the kernel hold little for a client that does not read.
fn tune(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    SockRef::from(stream).set_send_buffer_size(SEND_BUFFER)
}

/// Tells one connection too many to try again later.
async fn refuse(mut stream: TcpStream) {
    let answer = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30\r\nContent-Length: 0\r\n\
                  Connection: close\r\n\r\n";
    let _ = timeout(Duration::from_secs(1), stream.write_all(answer.as_bytes())).await;
}

//! Connections to the database.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::error::Severity;
use tokio_postgres::{AsyncMessage, Client};
use tokio_postgres_rustls::MakeRustlsConnect;
use tracing::{debug, warn};

use crate::tls::{self, Verification};
use crate::{PostgresAddress, PostgresError};

/// How long the server may take to greet a client, its certificate and password included.
const GREETING: Duration = Duration::from_secs(15);

/// Makes connections to one database.
#[derive(Clone)]
pub struct Connector {
    address: Arc<PostgresAddress>,
    tls: MakeRustlsConnect,
}

impl std::fmt::Debug for Connector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Connector({})", self.address)
    }
}

/// A connection, driven by a task of its own.
#[derive(Debug)]
pub struct Connection {
    /// Where statements are sent.
    pub client: Client,
    /// Whether the server has sent a warning.
    warned: Arc<AtomicBool>,
    driver: JoinHandle<()>,
}

impl Connector {
    /// Connects as `program`, unless the address says otherwise. Reads the authorities that verify the database's
    /// certificate. Blocks.
    ///
    /// # Errors
    /// Authorities that cannot be read.
    pub fn new(address: PostgresAddress, program: &str) -> Result<Connector, PostgresError> {
        let tls = tls::connector(&address).map_err(PostgresError::Authorities)?;
        let address = Arc::new(address.named(program));
        Ok(Connector { address, tls })
    }

    /// Where the database is.
    pub fn address(&self) -> &Arc<PostgresAddress> {
        &self.address
    }

    /// Whether anyone between this machine and the database could pretend to be the database.
    pub fn is_unverified(&self) -> bool {
        self.address.verification() == Some(Verification::None) && !self.address.is_this_machine()
    }

    /// Connects to the database.
    ///
    /// # Errors
    /// No server, or one that refuses the connection.
    pub async fn connect(&self) -> Result<Connection, PostgresError> {
        let connecting = self.address.config().connect(self.tls.clone());
        let (client, mut connection) = match timeout(GREETING, connecting).await {
            Ok(connected) => {
                connected.map_err(|error| PostgresError::new(&self.address, &error))?
            }
            Err(_) => {
                return Err(PostgresError::Unreachable {
                    server: self.address.server(),
                    cause: format!("no answer for {} s", GREETING.as_secs()),
                });
            }
        };
        let warned = Arc::<AtomicBool>::default();
        let flag = Arc::clone(&warned);
        let driver = tokio::spawn(async move {
            while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
                match message {
                    Ok(AsyncMessage::Notice(notice)) => {
                        if notice.parsed_severity() == Some(Severity::Warning) {
                            warn!(message = notice.message(), "the database warns");
                            flag.store(true, Relaxed);
                        }
                    }
                    Ok(_) => {}
                    // The client gets the error, too.
                    Err(error) => return debug!(%error, "a connection to the database ended"),
                }
            }
        });
        Ok(Connection {
            client,
            warned,
            driver,
        })
    }
}

impl Connection {
    /// Whether the server has warned since the last call.
    pub fn take_warning(&self) -> bool {
        self.warned.swap(false, Relaxed)
    }

    /// Closes the connection without waiting for the server.
    pub fn abort(self) {
        self.driver.abort();
    }

    /// Closes the connection and waits until it is closed.
    pub async fn close(self) {
        drop(self.client);
        // A panic of the driver has been reported.
        let _ = self.driver.await;
    }
}

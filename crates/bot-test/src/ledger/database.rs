//! One connection to the ledger, which is made again when it breaks.

use std::collections::HashMap;
use std::time::Duration;

use postgres_kit::{Connection, Connector, PostgresAddress, PostgresError, cause};
use tokio::time::sleep;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row, Statement};

use super::error::LedgerError;
use super::retry::Pauses;
use super::schema::{self, LOCK, SCHEMA};
use crate::stderr::print_stderr;

/// Between attempts while the database is away.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// How often the lock of a run is tried for: a coordinator that was killed may have a statement in progress, and the
/// database notices after about 10 s that a machine has gone.
const LOCK_TRIES: u32 = 150;
const LOCK_PAUSE: Duration = Duration::from_millis(100);

const HAS_TABLES: &str = "SELECT to_regclass('tournament_schema') IS NOT NULL";

/// After how many tries that is reported.
const QUIET_TRIES: u32 = 10;

const TAKE_LOCK: &str =
    "SELECT pg_try_advisory_lock($1, hashtext(coalesce(current_schema(), '') || '/' || $2))";

/// A connection to the ledger. Every statement may be executed twice: when its answer is lost, it is sent again.
#[derive(Debug)]
pub(super) struct Database {
    connector: Connector,
    connection: Option<Connection>,
    /// Those of the connection.
    statements: HashMap<&'static str, Statement>,
    /// The run whose lock every connection holds.
    lock: Option<String>,
    /// Whether this one reports to the user that the database is away.
    reports: bool,
}

/// Why a statement was not executed.
enum Failed {
    /// The database is away for now.
    Passing(String),
    Final(LedgerError),
}

impl Database {
    /// Connects. What is wrong now is final; later on, the database may go away and come back.
    pub(super) async fn open(connector: Connector) -> Result<Database, LedgerError> {
        let connection = connector.connect().await?;
        Ok(Database {
            connector,
            connection: Some(connection),
            statements: HashMap::new(),
            lock: None,
            reports: true,
        })
    }

    /// Another connection to the same database, which is made when it is needed and reports nothing.
    pub(super) fn silent(connector: Connector) -> Database {
        Database {
            connector,
            connection: None,
            statements: HashMap::new(),
            lock: None,
            reports: false,
        }
    }

    pub(super) fn address(&self) -> &PostgresAddress {
        self.connector.address()
    }

    /// Makes the tables, or takes them to the latest version.
    pub(super) async fn migrate(&mut self) -> Result<(), LedgerError> {
        let address = self.connector.address();
        match &mut self.connection {
            Some(connection) => Ok(schema::migrate(connection, address).await?),
            None => Ok(()),
        }
    }

    /// Whether the tables are there.
    pub(super) async fn has_tables(&mut self) -> Result<bool, LedgerError> {
        let rows = self.query(HAS_TABLES, &[]).await?;
        if !rows.iter().any(|row| row.get(0)) {
            return Ok(false);
        }
        let address = self.connector.address();
        let Some(connection) = &self.connection else {
            return Ok(false);
        };
        Ok(SCHEMA.check(&connection.client, address).await? > 0)
    }

    /// Takes the lock of a run, and takes it again with each new connection.
    pub(super) async fn lock(&mut self, run: i32, name: &str) -> Result<(), LedgerError> {
        for tries in 0..LOCK_TRIES {
            let rows = self.query(TAKE_LOCK, &[&LOCK, &run.to_string()]).await?;
            if rows.iter().any(|row| row.get(0)) {
                self.lock = Some(run.to_string());
                return Ok(());
            }
            if tries == QUIET_TRIES {
                print_stderr(&format!(
                    "another process coordinates run {name}; waiting for its end\n"
                ));
            }
            sleep(LOCK_PAUSE).await;
        }
        let run = name.to_owned();
        Err(LedgerError::Coordinated { run })
    }

    /// Executes a statement, as often as it takes.
    pub(super) async fn query(
        &mut self,
        statement: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, LedgerError> {
        let mut pauses = Pauses::new(SHORTEST_PAUSE, LONGEST_PAUSE);
        let mut is_away = false;
        loop {
            match self.attempt(statement, parameters).await {
                Ok(rows) => {
                    if is_away && self.reports {
                        print_stderr("the ledger is back\n");
                    }
                    return Ok(rows);
                }
                Err(Failed::Final(error)) => return Err(error),
                Err(Failed::Passing(cause)) => {
                    if !is_away && self.reports {
                        print_stderr(&format!(
                            "warning: the ledger is away, trying again: {cause}\n"
                        ));
                    }
                    is_away = true;
                    sleep(pauses.next()).await;
                }
            }
        }
    }

    async fn attempt(
        &mut self,
        statement: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Failed> {
        self.connect().await?;
        let answer = self.execute(statement, parameters).await;
        answer.map_err(|error| {
            if !is_passing(&error) {
                return Failed::Final(LedgerError::Statement {
                    address: self.address().clone(),
                    cause: cause(&error),
                });
            }
            // A statement that was cancelled or refused leaves a good connection, which is not worth keeping.
            self.connection = None;
            Failed::Passing(cause(&error))
        })
    }

    async fn execute(
        &mut self,
        text: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Error> {
        let Some(Connection { client, .. }) = &self.connection else {
            return Ok(Vec::new());
        };
        let statement = match self.statements.get(text) {
            Some(statement) => statement.clone(),
            None => {
                let statement = client.prepare(text).await?;
                self.statements.insert(text, statement.clone());
                statement
            }
        };
        client.query(&statement, parameters).await
    }

    /// Makes the connection again if it is broken.
    async fn connect(&mut self) -> Result<(), Failed> {
        let is_open = |connection: &Connection| !connection.client.is_closed();
        if self.connection.as_ref().is_some_and(is_open) {
            return Ok(());
        }
        self.connection = None;
        self.statements.clear();
        let passing = |error: PostgresError| Failed::Passing(error.to_string());
        let connection = self.connector.connect().await.map_err(passing)?;
        if let Some(run) = &self.lock {
            let locked = connection.client.query_one(TAKE_LOCK, &[&LOCK, run]).await;
            let is_locked = locked.map_err(|error| Failed::Passing(cause(&error)))?;
            if !is_locked.get::<_, bool>(0) {
                // Perhaps the last connection, which the database has not missed yet.
                let message = "another connection coordinates the run";
                return Err(Failed::Passing(message.to_owned()));
            }
        }
        self.connection = Some(connection);
        Ok(())
    }
}

/// Whether a statement may succeed later: without an answer, or after the end of a server, a full disk or a deadlock.
fn is_passing(error: &Error) -> bool {
    let is_broken = || {
        let source = std::error::Error::source(error);
        error.is_closed() || source.is_some_and(|source| source.is::<std::io::Error>())
    };
    error.code().map_or_else(is_broken, |code| {
        ["08", "25", "40", "53", "55", "57", "58"]
            .iter()
            .any(|class| code.code().starts_with(class))
    })
}

//! A connection to the ledger that is restored after it breaks.

use std::collections::HashMap;
use std::time::Duration;

use postgres_kit::{Connection, Connector, PostgresAddress, PostgresError, cause, is_transient};
use tokio::time::sleep;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row, Statement};

use crate::error::LedgerError;
use crate::print_stderr;
use crate::retry::Pauses;
use crate::schema::SCHEMA;

/// The pauses between attempts while the database is not available.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// How often to try to lock a run. After a coordinator is killed, its last statement may still be in progress, and the
/// database takes about 10 s to notice that a machine is gone.
const LOCK_TRIES: u32 = 150;
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// After how many attempts the user is told about the wait.
const QUIET_TRIES: u32 = 10;

/// The first half of the key of each run's lock: "TRNM". The second half is a hash of the schema and the run.
const LOCK: i32 = 0x5452_4E4D;

const TAKE_LOCK: &str =
    "SELECT pg_try_advisory_lock($1, hashtext(coalesce(current_schema(), '') || '/' || $2))";

/// A connection to the ledger. A statement whose answer is lost is sent again, so every statement may be executed
/// twice.
#[derive(Debug)]
pub struct Database {
    connector: Connector,
    connection: Option<Connection>,
    /// The statements that are prepared on the connection.
    statements: HashMap<&'static str, Statement>,
    /// The run that every connection locks.
    lock: Option<String>,
    /// Whether to tell the user that the database is not available.
    reports: bool,
}

/// Why a statement was not executed.
enum Failed {
    /// The database is not available; another attempt may succeed.
    Transient(String),
    Final(LedgerError),
}

/// A time during which attempts fail.
struct Outage {
    pauses: Pauses,
    has_begun: bool,
}

impl Outage {
    fn new() -> Outage {
        Outage {
            pauses: Pauses::new(SHORTEST_PAUSE, LONGEST_PAUSE),
            has_begun: false,
        }
    }
}

impl Database {
    /// Connects. Later failures of a connection are repeated until they succeed.
    ///
    /// # Errors
    /// Every failure of this first connection.
    pub async fn open(connector: Connector) -> Result<Database, LedgerError> {
        let connection = connector.connect().await?;
        Ok(Database {
            connector,
            connection: Some(connection),
            statements: HashMap::new(),
            lock: None,
            reports: true,
        })
    }

    /// A connection that is opened by its first statement and does not report outages.
    pub fn silent(connector: Connector) -> Database {
        Database {
            connector,
            connection: None,
            statements: HashMap::new(),
            lock: None,
            reports: false,
        }
    }

    /// Where the database is.
    pub fn address(&self) -> &PostgresAddress {
        self.connector.address()
    }

    /// Creates the tables, or migrates them to the latest version.
    ///
    /// # Errors
    /// A database that cannot be used, missing rights, tables of a later version or of another program.
    pub async fn migrate(&mut self) -> Result<(), LedgerError> {
        let address = self.connector.address();
        match &mut self.connection {
            Some(connection) => Ok(SCHEMA.migrate(&mut connection.client, address).await?),
            None => Ok(()),
        }
    }

    /// Whether the tables exist; those of an earlier version are migrated. Waits while the database is not available.
    ///
    /// # Errors
    /// Tables of a later version or of another program, missing rights.
    pub async fn has_tables(&mut self) -> Result<bool, LedgerError> {
        let mut outage = Outage::new();
        loop {
            match self.attempt_check().await {
                Ok(version) => {
                    self.report_end(&outage);
                    return Ok(version > 0);
                }
                Err(failed) => self.wait_after(failed, &mut outage).await?,
            }
        }
    }

    /// Locks a run, now and on each new connection.
    ///
    /// # Errors
    /// When another process has locked it.
    pub async fn lock(&mut self, run: i32, name: &str) -> Result<(), LedgerError> {
        for tries in 0..LOCK_TRIES {
            let rows = self.query(TAKE_LOCK, &[&LOCK, &run.to_string()]).await?;
            if rows.iter().any(|row| row.get(0)) {
                self.lock = Some(run.to_string());
                return Ok(());
            }
            if tries == QUIET_TRIES {
                print_stderr(&format!(
                    "another process coordinates run {name}; waiting for its end"
                ));
            }
            sleep(LOCK_PAUSE).await;
        }
        let run = name.to_owned();
        Err(LedgerError::Coordinated { run })
    }

    /// Executes a statement. Waits while the database is not available. A statement whose answer is lost is executed
    /// twice.
    ///
    /// # Errors
    /// When the database refuses it for good.
    pub async fn query(
        &mut self,
        statement: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, LedgerError> {
        let mut outage = Outage::new();
        loop {
            match self.attempt(statement, parameters).await {
                Ok(rows) => {
                    self.report_end(&outage);
                    return Ok(rows);
                }
                Err(failed) => self.wait_after(failed, &mut outage).await?,
            }
        }
    }

    /// Waits before the next attempt; returns the error if there is no point in another one.
    async fn wait_after(&self, failed: Failed, outage: &mut Outage) -> Result<(), LedgerError> {
        let cause = match failed {
            Failed::Final(error) => return Err(error),
            Failed::Transient(cause) => cause,
        };
        if !outage.has_begun && self.reports {
            print_stderr(&format!(
                "warning: the ledger is not available, trying again: {cause}"
            ));
        }
        outage.has_begun = true;
        sleep(outage.pauses.next()).await;
        Ok(())
    }

    fn report_end(&self, outage: &Outage) {
        if outage.has_begun && self.reports {
            print_stderr("the ledger is available again");
        }
    }

    /// Reads the version of the tables; 0 if there are none.
    async fn attempt_check(&mut self) -> Result<u32, Failed> {
        self.connect().await?;
        let address = self.connector.address();
        let Some(connection) = &mut self.connection else {
            return Ok(0);
        };
        let mut checked = SCHEMA.check(&connection.client, address).await;
        if checked.as_ref().is_ok_and(|&version| version > 0) {
            let migrated = SCHEMA.migrate(&mut connection.client, address).await;
            checked = migrated.map(|()| SCHEMA.latest());
        }
        checked.map_err(|error| {
            if !error.is_transient() {
                return Failed::Final(error.into());
            }
            self.connection = None;
            Failed::Transient(error.to_string())
        })
    }

    async fn attempt(
        &mut self,
        statement: &'static str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Failed> {
        self.connect().await?;
        let answer = self.execute(statement, parameters).await;
        answer.map_err(|error| {
            if !is_transient(&error) {
                return Failed::Final(LedgerError::Statement {
                    address: self.address().clone(),
                    cause: cause(&error),
                });
            }
            // Some of these errors leave the connection intact. A new one is simpler than telling them apart.
            self.connection = None;
            Failed::Transient(cause(&error))
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

    /// Connects again if the connection is broken.
    async fn connect(&mut self) -> Result<(), Failed> {
        let is_open = |connection: &Connection| !connection.client.is_closed();
        if self.connection.as_ref().is_some_and(is_open) {
            return Ok(());
        }
        self.connection = None;
        self.statements.clear();
        let transient = |error: PostgresError| Failed::Transient(error.to_string());
        let connection = self.connector.connect().await.map_err(transient)?;
        if let Some(run) = &self.lock {
            let locked = connection.client.query_one(TAKE_LOCK, &[&LOCK, run]).await;
            let is_locked = locked.map_err(|error| Failed::Transient(cause(&error)))?;
            if !is_locked.get::<_, bool>(0) {
                // Perhaps our last connection, whose end the database has not noticed yet.
                let message = "another connection coordinates the run";
                return Err(Failed::Transient(message.to_owned()));
            }
        }
        self.connection = Some(connection);
        Ok(())
    }
}

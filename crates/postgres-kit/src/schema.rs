//! Versions of a schema, and the way from each to the next.

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, GenericClient};
use tracing::info;

use crate::{PostgresAddress, PostgresError};

/// The oldest PostgreSQL that is supported, as `server_version_num`.
const OLDEST_SERVER: u32 = 15_00_00;

/// Errors of a table without a column of versions that can be compared.
const FOREIGN_COLUMN: [SqlState; 2] = [SqlState::UNDEFINED_COLUMN, SqlState::UNDEFINED_FUNCTION];

/// The key of the lock with which programs that start at one time migrate one after the other. It begins with
/// "RDMG".
const LOCK_KEY: &str = "x'52444d47'::integer, hashtext(coalesce(current_schema(), ''))";

/// How often the steps are tried while they end in a deadlock with the transactions of running programs.
const MOST_TRIES: u32 = 20;

/// The tables of a program, in all of their versions.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The table with the versions that the schema has reached.
    pub table: &'static str,
    /// Step `i` leads from version `i` to version `i + 1`. Released steps keep their meaning.
    pub steps: &'static [&'static str],
}

impl Schema {
    /// The latest version.
    pub const fn latest(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Checks that this program can use the database. Returns the version of its schema; 0 if it has none.
    ///
    /// # Errors
    /// An old server, a database of another encoding, a schema of a later version, or a table of another program.
    pub async fn check(
        &self,
        client: &impl GenericClient,
        address: &PostgresAddress,
    ) -> Result<u32, PostgresError> {
        let fail = |error: tokio_postgres::Error| PostgresError::new(address, &error);
        let row = client
            .query_one(
                "SELECT current_setting('server_version_num', true), current_setting('server_version'),
                        to_regclass($1) IS NOT NULL, current_setting('server_encoding')",
                &[&self.table],
            )
            .await
            .map_err(fail)?;
        let number: Option<String> = row.get(0);
        let number = number.and_then(|number| number.parse::<u32>().ok());
        if number.is_none_or(|number| number < OLDEST_SERVER) {
            let (server, found) = (address.server(), row.get(1));
            return Err(PostgresError::TooOld { server, found });
        }
        let encoding = row.get::<_, String>(3);
        if encoding != "UTF8" {
            let (address, found) = (address.to_string(), encoding);
            return Err(PostgresError::Encoding { address, found });
        }
        if !row.get::<_, bool>(2) {
            return Ok(0);
        }
        let (found, known) = (self.version(client, address).await?, self.latest());
        if found > known {
            let address = address.to_string();
            return Err(PostgresError::Newer {
                address,
                found,
                known,
            });
        }
        Ok(found)
    }

    /// The version in the table, which another program may have made.
    async fn version(
        &self,
        client: &impl GenericClient,
        address: &PostgresAddress,
    ) -> Result<u32, PostgresError> {
        let select = format!("SELECT max(version)::text FROM {}", self.table);
        let row = client.query_one(&select, &[]).await;
        let row = row.map_err(|error| match error.code() {
            Some(code) if FOREIGN_COLUMN.contains(code) => PostgresError::Foreign {
                address: address.to_string(),
                relation: format!("table {}", self.table),
            },
            _ => PostgresError::new(address, &error),
        })?;
        let Some(version) = row.get::<_, Option<String>>(0) else {
            return Ok(0);
        };
        version.parse().map_err(|_| PostgresError::Version {
            address: address.to_string(),
            table: self.table,
            found: version,
        })
    }

    /// Checks that the schema has been taken to the latest version.
    ///
    /// # Errors
    /// As for [`Schema::check`]; an earlier version.
    pub async fn check_latest(
        &self,
        client: &impl GenericClient,
        address: &PostgresAddress,
    ) -> Result<(), PostgresError> {
        let (found, known) = (self.check(client, address).await?, self.latest());
        if found == known {
            return Ok(());
        }
        let address = address.to_string();
        Err(PostgresError::Older {
            address,
            found,
            known,
        })
    }

    /// Takes the schema to the latest version in one transaction, or leaves it as it was. Others that do so at the
    /// same time wait.
    ///
    /// # Errors
    /// As for [`Schema::check`]; missing rights, or tables of another program.
    pub async fn migrate(
        &self,
        client: &mut Client,
        address: &PostgresAddress,
    ) -> Result<(), PostgresError> {
        if self.check(client, address).await? == self.latest() {
            return Ok(());
        }
        let fail = |error: tokio_postgres::Error| PostgresError::new(address, &error);
        // Not within the transaction, which would not see that another has made tables meanwhile.
        let lock = format!("SELECT pg_advisory_lock({LOCK_KEY})");
        client.batch_execute(&lock).await.map_err(fail)?;
        let migrated = self.migrate_locked(client, address).await;
        let unlock = format!("SELECT pg_advisory_unlock({LOCK_KEY})");
        client.batch_execute(&unlock).await.map_err(fail)?;
        migrated
    }

    async fn migrate_locked(
        &self,
        client: &mut Client,
        address: &PostgresAddress,
    ) -> Result<(), PostgresError> {
        let (from, to) = (self.check(client, address).await?, self.latest());
        if from < to {
            let mut migrated = self.run_steps(client, from).await;
            for _ in 1..MOST_TRIES {
                if !is_deadlock(&migrated) {
                    break;
                }
                info!(
                    "the migration ended in a deadlock with a running program and is tried again"
                );
                migrated = self.run_steps(client, from).await;
            }
            migrated.map_err(|error| PostgresError::new(address, &error))?;
            info!(from, to, "the schema of the database is up to date");
        }
        Ok(())
    }

    async fn run_steps(&self, client: &mut Client, from: u32) -> Result<(), tokio_postgres::Error> {
        let transaction = client.transaction().await?;
        let table = self.table;
        if from == 0 {
            let create = format!(
                "CREATE TABLE {table} (
                     version     integer PRIMARY KEY,
                     migrated_at timestamptz NOT NULL DEFAULT now()
                 )"
            );
            transaction.batch_execute(&create).await?;
        }
        let insert = format!("INSERT INTO {table} VALUES ($1)");
        for (version, step) in (1_i32..).zip(self.steps).skip(from as usize) {
            transaction.batch_execute(step).await?;
            transaction.execute(&insert, &[&version]).await?;
        }
        transaction.commit().await
    }
}

fn is_deadlock(result: &Result<(), tokio_postgres::Error>) -> bool {
    let error = result.as_ref().err();
    error.and_then(tokio_postgres::Error::code) == Some(&SqlState::T_R_DEADLOCK_DETECTED)
}

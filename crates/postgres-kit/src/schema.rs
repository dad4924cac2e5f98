//! Versions of a schema, and the way from each to the next.

use tokio_postgres::{Client, GenericClient};
use tracing::info;

use crate::{PostgresAddress, PostgresError};

/// The oldest PostgreSQL that is supported, as `server_version_num`.
const OLDEST_SERVER: i32 = 15_00_00;

/// The key of the lock with which programs that start at one time migrate one after the other. It begins with
/// "RDMG".
const LOCK_KEY: &str = "x'52444d47'::integer, hashtext(coalesce(current_schema(), ''))";

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
    /// An old server, a database of another encoding, or a schema of a later version.
    pub async fn check(
        &self,
        client: &impl GenericClient,
        address: &PostgresAddress,
    ) -> Result<u32, PostgresError> {
        let fail = |error: tokio_postgres::Error| PostgresError::new(address, &error);
        let row = client
            .query_one(
                "SELECT current_setting('server_version_num')::integer, current_setting('server_version'),
                        to_regclass($1) IS NOT NULL, current_setting('server_encoding')",
                &[&self.table],
            )
            .await
            .map_err(fail)?;
        if row.get::<_, i32>(0) < OLDEST_SERVER {
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
        let version = format!("SELECT coalesce(max(version), 0) FROM {}", self.table);
        let version: i32 = client.query_one(&version, &[]).await.map_err(fail)?.get(0);
        let (found, known) = (u32::try_from(version).unwrap_or(u32::MAX), self.latest());
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
            let migrated = self.run_steps(client, from).await;
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

//! The versions of the schema, and the way from each to the next.

use tokio_postgres::{Client, GenericClient};
use tracing::info;

use super::address::PostgresAddress;
use super::error::PostgresError;

/// Step `i` leads from version `i` to version `i + 1`. Released steps keep their meaning.
const STEPS: [&str; 1] = [include_str!("migrations/v1.sql")];

/// The latest version.
pub(super) const LATEST: u32 = STEPS.len() as u32;

/// The oldest PostgreSQL that is supported, as `server_version_num`.
const OLDEST_SERVER: i32 = 15_00_00;

/// Checks that this server can use the database. Returns the version of its schema; 0 if it has none.
pub(super) async fn check(
    client: &impl GenericClient,
    address: &PostgresAddress,
) -> Result<u32, PostgresError> {
    let fail = |error: tokio_postgres::Error| PostgresError::new(address, &error);
    let row = client
        .query_one(
            "SELECT current_setting('server_version_num')::integer, current_setting('server_version'),
                    to_regclass('checkers_schema') IS NOT NULL, current_setting('server_encoding')",
            &[],
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
    let version = "SELECT coalesce(max(version), 0) FROM checkers_schema";
    let version: i32 = client.query_one(version, &[]).await.map_err(fail)?.get(0);
    let (found, known) = (u32::try_from(version).unwrap_or(u32::MAX), LATEST);
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

/// Takes the schema to the latest version in one transaction, or leaves it as it was.
pub(super) async fn migrate(
    client: &mut Client,
    address: &PostgresAddress,
) -> Result<(), PostgresError> {
    let from = check(client, address).await?;
    if from == LATEST {
        return Ok(());
    }
    let migrated = run_steps(client, from).await;
    migrated.map_err(|error| PostgresError::new(address, &error))?;
    info!(
        from,
        to = LATEST,
        "the schema of the database is up to date"
    );
    Ok(())
}

async fn run_steps(client: &mut Client, from: u32) -> Result<(), tokio_postgres::Error> {
    let transaction = client.transaction().await?;
    if from == 0 {
        transaction
            .batch_execute(
                "CREATE TABLE checkers_schema (
                     version     integer PRIMARY KEY,
                     migrated_at timestamptz NOT NULL DEFAULT now()
                 )",
            )
            .await?;
    }
    for (version, step) in (1..).zip(STEPS).skip(from as usize) {
        transaction.batch_execute(step).await?;
        let reached: i32 = version;
        transaction
            .execute("INSERT INTO checkers_schema VALUES ($1)", &[&reached])
            .await?;
    }
    transaction.commit().await
}

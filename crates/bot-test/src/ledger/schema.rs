//! The tables of the ledger, and how they are made.

use postgres_kit::{Connection, PostgresAddress, PostgresError, Schema};

/// The tables of the ledger, in all of their versions.
pub(super) const SCHEMA: Schema = Schema {
    table: "tournament_schema",
    steps: &[include_str!("migrations/v1.sql")],
};

/// The first half of the keys of the ledger's locks: "TRNM". The second half belongs to the schema.
pub(super) const LOCK: i32 = 0x5452_4E4D;

const LOCK_SCHEMA: &str = "SELECT pg_advisory_lock($1, hashtext(coalesce(current_schema(), '')))";
const UNLOCK_SCHEMA: &str =
    "SELECT pg_advisory_unlock($1, hashtext(coalesce(current_schema(), '')))";

/// Makes the tables, or takes them to the latest version, while no other process does so.
pub(super) async fn migrate(
    connection: &mut Connection,
    address: &PostgresAddress,
) -> Result<(), PostgresError> {
    let fail = |error: tokio_postgres::Error| PostgresError::new(address, &error);
    let client = &mut connection.client;
    if SCHEMA.check(client, address).await? == SCHEMA.latest() {
        return Ok(());
    }
    client.execute(LOCK_SCHEMA, &[&LOCK]).await.map_err(fail)?;
    let migrated = SCHEMA.migrate(client, address).await;
    client
        .execute(UNLOCK_SCHEMA, &[&LOCK])
        .await
        .map_err(fail)?;
    migrated
}

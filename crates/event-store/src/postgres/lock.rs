//! The locks that say who uses a database: that of its schema, which a server alone takes for itself and nodes
//! share, and one for each session, which its writer holds.
//!
//! They keep mistakes and old connections away. That no two servers write the same streams follows from the
//! rows that appends lock, not from these.

use std::time::Duration;

use postgres_kit::{PostgresAddress, PostgresError};
use tokio::time::sleep;
use tokio_postgres::{Client, Error};
use tracing::info;

/// The first half of the key of the schema's lock: "RDST". The second half is the schema: servers may share a
/// database, each with a schema of its own.
const SCHEMA: i32 = 0x5244_5354;

/// How often the lock is tried for, and how long after each time: a server that was killed may have a
/// statement in progress, and the database notices after about 10 s that a machine has gone.
const TRIES: u32 = 150;
const PAUSE: Duration = Duration::from_millis(100);

/// After how many tries that is logged.
const QUIET_TRIES: u32 = 5;

/// The key of a session's lock has 64 bits, which distinguishes it from all keys of two halves.
const TAKE_SESSION: &str = "
    SELECT pg_try_advisory_lock(hashtext(coalesce(current_schema(), ''))::bigint << 32 | $1::integer)";

/// Ends the connection that holds a session's lock, in vain if there is none. Its append in progress is committed
/// or rolled back first.
const END_WRITER: &str = "
    SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND objid = $1::integer::oid
        AND classid = hashtext(coalesce(current_schema(), ''))::oid AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// Whether nodes hold the schema's lock.
const HAS_NODES: &str = "
    SELECT EXISTS (SELECT FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 2 AND classid = $1::integer::oid AND mode = 'ShareLock' AND granted
        AND objid = hashtext(coalesce(current_schema(), ''))::oid
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))";

/// Who may use the database at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sharing {
    /// Nobody.
    Alone,
    /// Nodes of the same cluster.
    Cluster,
}

/// Takes the schema's lock for a connection, if it is free.
pub(super) async fn try_schema(client: &Client, sharing: Sharing) -> Result<bool, Error> {
    let take = match sharing {
        Sharing::Alone => {
            "SELECT pg_try_advisory_lock($1, hashtext(coalesce(current_schema(), '')))"
        }
        Sharing::Cluster => {
            "SELECT pg_try_advisory_lock_shared($1, hashtext(coalesce(current_schema(), '')))"
        }
    };
    Ok(client.query_one(take, &[&SCHEMA]).await?.get(0))
}

/// Waits for the schema's lock.
pub(super) async fn wait_for_schema(
    client: &Client,
    address: &PostgresAddress,
    sharing: Sharing,
) -> Result<(), PostgresError> {
    let fail = |error: Error| PostgresError::new(address, &error);
    for tries in 0..TRIES {
        if try_schema(client, sharing).await.map_err(fail)? {
            return Ok(());
        }
        if tries == QUIET_TRIES {
            info!(database = %address, "another server uses the database; waiting for its end");
        }
        sleep(PAUSE).await;
    }
    let has_nodes = client.query_one(HAS_NODES, &[&SCHEMA]).await;
    let has_nodes: bool = has_nodes.map_err(fail)?.get(0);
    let address = address.to_string();
    Err(match sharing {
        Sharing::Alone if has_nodes => PostgresError::InUseByNodes { address },
        Sharing::Alone => PostgresError::InUse { address },
        Sharing::Cluster => PostgresError::InUseAlone { address },
    })
}

/// Takes the lock of the own session for its writer. A connection that the network has lost, and that still
/// holds it, is ended.
pub(super) async fn take_session(client: &Client, session: i32) -> Result<bool, Error> {
    if try_session(client, session).await? {
        return Ok(true);
    }
    end_writer(client, session).await?;
    sleep(PAUSE).await;
    try_session(client, session).await
}

async fn try_session(client: &Client, session: i32) -> Result<bool, Error> {
    Ok(client.query_one(TAKE_SESSION, &[&session]).await?.get(0))
}

/// Ends the connection with which a session writes, if it has one.
pub(super) async fn end_writer(client: &Client, session: i32) -> Result<(), Error> {
    client.execute(END_WRITER, &[&session]).await?;
    Ok(())
}

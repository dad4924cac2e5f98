//! A node's part in its cluster: its heartbeat, and which shards it owns.
//!
//! A shard changes its owner only when its owner releases it or is declared dead. Both wait for the owner's
//! append in progress: whoever claims the shard then reads streams that do not grow any more.

use futures::future::try_join;
use postgres_kit::{Connector, PostgresError};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Row};
use tracing::warn;

use super::control::Control;
use super::lock::end_writer;
use super::rows;
use super::view::{self, ClusterView, shard_id};
use crate::event::StreamId;
use crate::shard_id::ShardId;

/// Counts the heartbeat up. A crash of the database may take a heartbeat, which changes it, too.
const BEAT: &str = "
    WITH living AS (SELECT id FROM session WHERE id = $1 AND NOT dead),
    fast AS (SELECT set_config('synchronous_commit', 'off', true))
    UPDATE node SET beat = beat + 1 FROM living, fast WHERE session = living.id RETURNING beat";

/// Waits for the append in progress, which has locked the row.
const DECLARE_DEAD: &str = "
    UPDATE session SET dead = true FROM node
    WHERE id = $2 AND NOT dead AND node.session = id AND beat = $3
        AND EXISTS (SELECT FROM session AS own WHERE own.id = $1 AND NOT own.dead)
    RETURNING id";

/// Owners are compared with sessions that are known to be dead, not with those that are known to live: others
/// may have joined, and claimed shards, since the statement began.
const CLAIM: &str = "
    WITH living AS (SELECT id FROM session WHERE id = $1 AND NOT dead FOR SHARE),
    free AS (
        SELECT id FROM shard
        WHERE shard.session IS NULL OR shard.session IN (SELECT id FROM session WHERE dead)
        ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
    ),
    claimed AS (
        UPDATE shard SET session = living.id, epoch = epoch + 1 FROM living, free WHERE shard.id = free.id
        RETURNING shard.id, epoch
    )
    SELECT claimed.id, epoch FROM living LEFT JOIN claimed ON true ORDER BY claimed.id";

const RELEASE: &str = "
    WITH released AS (UPDATE shard SET session = NULL WHERE session = $1 AND id = ANY ($2) RETURNING id)
    UPDATE node SET surplus = greatest(surplus - (SELECT count(*) FROM released)::integer, 0)
    WHERE session = $1 RETURNING session";

const UNFINISHED: &str = "SELECT name FROM stream WHERE open AND shard = ANY ($1)
    AND NOT EXISTS (SELECT 1 FROM correspondence WHERE game = name) ORDER BY id";

const DRAIN: &str = "UPDATE node SET draining = true WHERE session = $1 RETURNING session";

/// A value of a statement.
type Value<'a> = (&'a (dyn ToSql + Sync), Type);

/// What a node is called, and where others reach it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeIdentity {
    /// Its name, which people read.
    pub name: String,
    /// HOST:PORT of its link.
    pub address: String,
}

impl NodeIdentity {
    pub(super) fn check(&self) -> Result<(), PostgresError> {
        let parts = self.address.rsplit_once(':');
        let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port != 0);
        if parts.is_some_and(|(host, port)| !host.is_empty() && is_port(port)) {
            return Ok(());
        }
        Err(PostgresError::NodeAddress {
            name: self.name.clone(),
            address: self.address.clone(),
        })
    }
}

/// Why a node does not know the state of its cluster, or could not change it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MembershipError {
    /// This session was declared dead, which is final.
    #[error("another node has declared this one dead")]
    Dead,
    /// The database does not answer, or says why it refuses. What was to be changed may have been changed, and
    /// may still be: the next view shows it.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// There is no living node of this name.
    #[error("the cluster has no node {0}")]
    UnknownNode(String),
}

/// The session of a node, with a connection of its own.
///
/// Each call makes one round trip, after a failure a few more to connect again. It takes 5 s at most, and may be
/// cancelled; then the change may be made all the same.
#[derive(Debug)]
pub struct Membership {
    session: i32,
    control: Control,
}

impl Membership {
    /// Connects with the first call.
    pub(super) fn new(connector: Connector, session: i32) -> Membership {
        Membership {
            session,
            control: Control::new(connector, true),
        }
    }

    /// The number of the session.
    pub fn session(&self) -> i32 {
        self.session
    }

    /// Counts the heartbeat up, and reads all living sessions and all shards.
    ///
    /// # Errors
    /// See [`MembershipError`].
    pub async fn beat(&mut self) -> Result<ClusterView, MembershipError> {
        let session = self.session;
        let beat = async |client: &Client| {
            let values: [Value<'_>; 1] = [(&session, Type::INT4)];
            try_join(client.query_typed(BEAT, &values), view::read(client)).await
        };
        let (beaten, view) = self.control.call(beat).await?;
        if beaten.is_empty() {
            return Err(MembershipError::Dead);
        }
        Ok(view)
    }

    /// Declares another session dead if its heartbeat is still `beat` and this session lives. Waits for the
    /// append in progress, at most for half a second; then it ends the connection with which the session writes.
    ///
    /// # Errors
    /// See [`MembershipError`].
    pub async fn declare_dead(&mut self, session: i32, beat: i64) -> Result<bool, MembershipError> {
        let own = self.session;
        let declare = async |client: &Client| {
            let declared = match declare_dead(client, own, session, beat).await {
                Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                    warn!(session, "ending an append of a node that seems dead");
                    end_writer(client, session).await?;
                    declare_dead(client, own, session, beat).await?
                }
                declared => declared?,
            };
            Ok(!declared.is_empty())
        };
        self.control.call(declare).await
    }

    /// Claims at most `most` shards that are free or whose owners are dead. Their streams do not grow any more.
    /// Each comes with the number of owners that it has had.
    ///
    /// # Errors
    /// See [`MembershipError`].
    pub async fn claim(&mut self, most: usize) -> Result<Vec<(ShardId, i64)>, MembershipError> {
        let session = self.session;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let claim = async |client: &Client| {
            let values: [Value<'_>; 2] = [(&session, Type::INT4), (&most, Type::INT8)];
            client.query_typed(CLAIM, &values).await
        };
        let rows = self.control.call(claim).await?;
        if rows.is_empty() {
            return Err(MembershipError::Dead);
        }
        Ok(rows.iter().filter_map(claimed).collect())
    }

    /// Gives up shards of this node, and counts them off from its surplus. The caller guarantees that every
    /// append to their streams has been answered.
    ///
    /// # Errors
    /// See [`MembershipError`].
    pub async fn release(&mut self, shards: &[ShardId]) -> Result<(), MembershipError> {
        let (session, shards) = (self.session, numbers(shards));
        let release = async |client: &Client| {
            let values: [Value<'_>; 2] = [(&session, Type::INT4), (&shards, Type::INT2_ARRAY)];
            client.query_typed(RELEASE, &values).await
        };
        self.control.call(release).await?;
        Ok(())
    }

    /// The open streams of shards, the oldest first, without those of games by correspondence with a row.
    ///
    /// # Errors
    /// See [`MembershipError`].
    pub async fn unfinished(
        &mut self,
        shards: &[ShardId],
    ) -> Result<Vec<StreamId>, MembershipError> {
        let shards = numbers(shards);
        let read = async |client: &Client| {
            let values = [(&shards as _, Type::INT2_ARRAY)];
            client.query_typed(UNFINISHED, &values).await
        };
        let rows = self.control.call(read).await?;
        Ok(rows.iter().filter_map(rows::stream).collect())
    }

    /// Shows to all nodes that this one gives up its shards.
    ///
    /// # Errors
    /// See [`MembershipError`].
    pub async fn drain(&mut self) -> Result<(), MembershipError> {
        let session = self.session;
        let drain =
            async |client: &Client| client.query_typed(DRAIN, &[(&session, Type::INT4)]).await;
        self.control.call(drain).await?;
        Ok(())
    }
}

async fn declare_dead(
    client: &Client,
    own: i32,
    session: i32,
    beat: i64,
) -> Result<Vec<Row>, Error> {
    let values: [Value<'_>; 3] = [
        (&own, Type::INT4),
        (&session, Type::INT4),
        (&beat, Type::INT8),
    ];
    client.query_typed(DECLARE_DEAD, &values).await
}

/// The shard in a row, unless it is the row of a claim that got none.
fn claimed(row: &Row) -> Option<(ShardId, i64)> {
    row.get::<_, Option<i16>>("id")?;
    Some((shard_id(row)?, row.get("epoch")))
}

fn numbers(shards: &[ShardId]) -> Vec<i16> {
    shards.iter().map(|shard| shard.0.into()).collect()
}

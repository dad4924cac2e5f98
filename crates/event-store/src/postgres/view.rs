//! The nodes of a cluster and what they serve, as one of them sees it.

use std::cmp::Reverse;

use futures::future::try_join;
use tokio_postgres::{Client, Error, Row};

use super::rows::number;
use crate::shard_id::ShardId;

/// The nodes of a cluster and its shards.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClusterView {
    /// The nodes that have not been declared dead, the one that joined first at first.
    pub sessions: Vec<SessionView>,
    /// All shards in their order: the session that owns each, and how often its owner has changed. A session
    /// that is not among `sessions` is dead.
    pub shards: Vec<(ShardId, Option<i32>, i64)>,
}

/// One node, from its start to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionView {
    /// Its number, which no other session ever has.
    pub id: i32,
    /// The name of the node. Several sessions may have one.
    pub name: String,
    /// Where other nodes reach it: HOST:PORT.
    pub address: String,
    /// Changes while it lives.
    pub beat: i64,
    /// Whether it gives up all its shards.
    pub draining: bool,
    /// How many shards it should give up.
    pub surplus: u32,
}

impl ClusterView {
    /// How many shards a session owns.
    pub fn owned(&self, session: i32) -> usize {
        let owners = self.shards.iter().map(|(_, owner, _)| *owner);
        owners.filter(|owner| *owner == Some(session)).count()
    }

    /// How many shards each node that is not draining has more than its share, by its session.
    pub(super) fn surplus(&self) -> Vec<(i32, usize)> {
        let nodes = self.sessions.iter().filter(|session| !session.draining);
        let mut owned: Vec<(i32, usize)> = nodes
            .map(|session| (session.id, self.owned(session.id)))
            .collect();
        if owned.is_empty() {
            return owned;
        }
        let (share, rest) = (ShardId::COUNT / owned.len(), ShardId::COUNT % owned.len());
        // Those that have the most keep one more each, so that few shards move.
        owned.sort_by_key(|(_, count)| Reverse(*count));
        for (i, (_, count)) in owned.iter_mut().enumerate() {
            *count = count.saturating_sub(share + usize::from(i < rest));
        }
        owned
    }
}

/// Reads all that is seen, in one round trip. Owners are read before sessions: those of nodes that live are
/// among the sessions.
pub(super) async fn read(client: &Client) -> Result<ClusterView, Error> {
    let shards = client.query_typed("SELECT id, session, epoch FROM shard ORDER BY id", &[]);
    let sessions = "
        SELECT id, name, address, beat, draining, surplus FROM session JOIN node ON node.session = session.id
        WHERE NOT dead ORDER BY id";
    let sessions = client.query_typed(sessions, &[]);
    let (shards, sessions) = try_join(shards, sessions).await?;
    Ok(ClusterView {
        sessions: sessions.iter().map(session).collect(),
        shards: shards.iter().filter_map(shard).collect(),
    })
}

fn session(row: &Row) -> SessionView {
    SessionView {
        id: row.get("id"),
        name: row.get("name"),
        address: row.get::<_, Option<_>>("address").unwrap_or_default(),
        beat: row.get("beat"),
        draining: row.get("draining"),
        surplus: number(row, "surplus"),
    }
}

fn shard(row: &Row) -> Option<(ShardId, Option<i32>, i64)> {
    Some((shard_id(row)?, row.get("session"), row.get("epoch")))
}

/// The shard in a row; `None` for one that there cannot be.
pub(super) fn shard_id(row: &Row) -> Option<ShardId> {
    u8::try_from(row.get::<_, i16>("id")).ok().map(ShardId)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cluster whose nodes own so many shards each, and of which some are draining.
    fn cluster(nodes: &[(usize, bool)]) -> ClusterView {
        let mut view = ClusterView::default();
        let mut shards = ShardId::all();
        for (id, (count, draining)) in (1..).zip(nodes) {
            view.sessions.push(SessionView {
                id,
                name: format!("n{id}"),
                address: "10.0.0.1:1".to_owned(),
                beat: 0,
                draining: *draining,
                surplus: 0,
            });
            let own = shards.by_ref().take(*count);
            view.shards.extend(own.map(|shard| (shard, Some(id), 1)));
        }
        view.shards.extend(shards.map(|shard| (shard, None, 0)));
        view
    }

    #[test]
    fn nodes_give_up_what_exceeds_their_share() {
        let cases = [
            (vec![(256, false)], vec![0]),
            (vec![(256, false), (0, false)], vec![128, 0]),
            (vec![(128, false), (128, false)], vec![0, 0]),
            (vec![(256, false), (0, false), (0, false)], vec![170, 0, 0]),
            (vec![(85, false), (86, false), (85, false)], vec![0, 0, 0]),
            (vec![(100, false), (156, true), (0, false)], vec![0, 0]),
            (vec![(200, false), (56, true), (0, false)], vec![72, 0]),
            (vec![(256, true)], vec![]),
        ];
        for (nodes, expected) in cases {
            let mut surplus = cluster(&nodes).surplus();
            surplus.sort_unstable();
            let counts: Vec<usize> = surplus.iter().map(|(_, count)| *count).collect();
            assert_eq!(counts, expected, "{nodes:?}");
        }
    }
}

//! The shards that a node serves.

use std::collections::BTreeMap;

use event_store::ShardId;

/// The shards that a node serves, with the numbers of their owners.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct OwnedShards(pub(super) BTreeMap<ShardId, i64>);

impl OwnedShards {
    /// Those that `other` does not have with the same number.
    pub(super) fn without(&self, other: &OwnedShards) -> Vec<(ShardId, i64)> {
        let owned = self.0.iter();
        owned
            .filter(|(shard, epoch)| other.0.get(shard) != Some(epoch))
            .map(|(&shard, &epoch)| (shard, epoch))
            .collect()
    }
}

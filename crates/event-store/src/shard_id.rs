//! The parts into which the tables of a cluster are divided.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of the 256 parts into which tables are divided, each of which one node serves: the CRC-32 of the table's
/// id modulo 256.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ShardId(pub u8);

impl ShardId {
    /// How many there are.
    pub const COUNT: usize = 256;

    /// The part whose node also serves the lobby.
    pub const LOBBY: ShardId = ShardId(0);

    /// The part of a table.
    pub fn of_table(id: &str) -> ShardId {
        let [_, _, _, lowest] = crc32fast::hash(id.as_bytes()).to_be_bytes();
        ShardId(lowest)
    }

    /// All parts in their order.
    pub fn all() -> impl Iterator<Item = ShardId> {
        (0..=u8::MAX).map(ShardId)
    }
}

impl fmt::Display for ShardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By another program, since databases have them: `zlib.crc32(b"main") % 256` of Python.
    #[test]
    fn a_table_stays_in_its_part() {
        let parts = ["main", "k3x", ""].map(|id| ShardId::of_table(id).0);
        assert_eq!(parts, [100, 237, 0]);
    }
}

//! The complete state of a table.

use serde::{Deserialize, Serialize};

use super::{GameState, LegalMove, OpenOffer, TableInfo, WireColor};

/// The complete state of a table, for a client that has just entered it or has missed events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableState {
    /// The table's id.
    pub table: String,
    /// The table's entry, with its settings and players.
    pub info: TableInfo,
    /// The running game, or else the last one. Absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<GameState>,
    /// The client's side at the table, or in the last game while a rematch is possible. Absent for
    /// a spectator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub you: Option<WireColor>,
    /// All legal moves. Absent if the client is not to move, or has joined with `moves` false.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal_moves: Vec<LegalMove>,
    /// The open offer of a rematch. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<OpenOffer>,
    /// The server's time, in milliseconds since 1970, UTC.
    pub server_ms: u64,
}

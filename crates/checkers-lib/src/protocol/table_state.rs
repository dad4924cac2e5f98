//! A table as a client finds it.

use serde::{Deserialize, Serialize};

use super::{GameState, LegalMove, OpenOffer, TableInfo, WireColor};

/// All there is to know of a table: what a client needs that has just come, or has lost track.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableState {
    /// The table's id.
    pub table: String,
    /// What it is.
    pub info: TableInfo,
    /// The running game, or the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<GameState>,
    /// The client's own seat, or its side in the game that was just over; absent if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub you: Option<WireColor>,
    /// Every legal move, if the client is to move and wants to be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal_moves: Vec<LegalMove>,
    /// The offer to play again that is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<OpenOffer>,
    /// The server's time of day in milliseconds since 1970.
    pub server_ms: u64,
}

//! Offers of one player to the other, on the wire.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::WireColor;

/// What a player may offer the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// To end the game as a draw.
    Draw,
    /// To go back to before the last move of the player who offers.
    Takeback,
    /// To play again, after the game, with colours swapped.
    Rematch,
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Offer::Draw => "draw",
            Offer::Takeback => "takeback",
            Offer::Rematch => "rematch",
        })
    }
}

/// An offer that waits for its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenOffer {
    /// What is offered.
    pub offer: Offer,
    /// Who offers it.
    pub by: WireColor,
}

/// The game that a message is meant for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Meant {
    /// Its number; without it, whatever game there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
}

//! Offers between the players of a game, on the wire.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::WireColor;

/// What a player may offer the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// To end the game as a draw.
    Draw,
    /// To return to the position before the last move of the player who offers.
    Takeback,
    /// To play another game after this one, with colours swapped.
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

/// An offer that the opponent has not answered yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenOffer {
    /// The kind of offer.
    pub offer: Offer,
    /// The side that made the offer; for a rematch, its colour in the finished game.
    pub by: WireColor,
}

/// The game that a message is for. It protects against messages that arrive late.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Meant {
    /// The number of the game; for a rematch, that of the finished game. If absent, the message is
    /// for the running game, or for a rematch of the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
}

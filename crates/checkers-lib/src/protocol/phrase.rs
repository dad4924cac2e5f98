//! The phrases that players can say to each other.

use serde::{Deserialize, Serialize};

/// A phrase. Only its name is sent, so that clients can show it in the user's language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// Hello!
    Hello,
    /// Good luck!
    GoodLuck,
    /// Good move!
    GoodMove,
    /// Oops!
    Oops,
    /// Sorry!
    Sorry,
    /// One moment!
    OneMoment,
    /// Thank you!
    Thanks,
    /// Good game!
    GoodGame,
    /// I have to go.
    MustGo,
    /// Goodbye!
    Goodbye,
}

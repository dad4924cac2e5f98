//! Messages and the tables that they are about.

use serde::{Deserialize, Serialize};

use super::ClientMessage;

/// A client's message and the id of the table that it is about, in one JSON object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Addressed {
    /// The message.
    #[serde(flatten)]
    pub message: ClientMessage,
    /// The id of the table that the message is about. If absent, the table that the client has
    /// entered last; for `join` and `watch`, `main` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

impl Addressed {
    /// A message about the table with this id.
    pub fn to(table: impl Into<String>, message: ClientMessage) -> Addressed {
        Addressed {
            message,
            table: Some(table.into()),
        }
    }
}

impl From<ClientMessage> for Addressed {
    fn from(message: ClientMessage) -> Addressed {
        Addressed {
            message,
            table: None,
        }
    }
}

/// The table that a message is about, without the message itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct About {
    /// The id of the table that the message is about. If absent, the table that the client has
    /// entered last; for `join` and `watch`, `main` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

//! Messages and the tables that they are about.

use serde::{Deserialize, Serialize};

use super::ClientMessage;

/// A client's message and the table it is about: one object, with the table's id in `table`.
///
/// Without an id it is about the table that the client has come to last; at first that is `main`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Addressed {
    /// What is said.
    #[serde(flatten)]
    pub message: ClientMessage,
    /// The id of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

impl Addressed {
    /// A message about a table.
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

/// Which table a message is about, whatever else it says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct About {
    /// The id of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

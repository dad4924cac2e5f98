//! Names that clients keep.

use serde::{Deserialize, Serialize};

/// Asks for an account under the client's name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeepName {
    /// The code of an invitation, where the server wants one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
}

/// A new account. The codes are told only here.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NameKept {
    /// The name.
    pub name: String,
    /// The secret to come back with: that of [`Joined`](super::Joined), which is the account's from now on.
    pub token: String,
    /// Codes that sign in without the secret, each once.
    pub recovery: Vec<String>,
}

/// Who may have an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Registration {
    /// Everybody.
    Open,
    /// Whoever has an invitation.
    Invitation,
    /// Nobody new.
    Closed,
}

//! Accounts.

use serde::{Deserialize, Serialize};

/// Asks for an account under the client's name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeepName {
    /// The code of an invitation, if the server requires one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
}

/// A new account. The server sends the codes only once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NameKept {
    /// The name.
    pub name: String,
    /// The token of [`Joined`](super::Joined), which now signs in to the account.
    pub token: String,
    /// Single-use codes that sign in without the token.
    pub recovery: Vec<String>,
}

/// Who may create an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Registration {
    /// Everybody.
    Open,
    /// Holders of an invitation.
    Invitation,
    /// No new accounts.
    Closed,
}

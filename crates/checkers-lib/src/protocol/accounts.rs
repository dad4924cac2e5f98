//! Accounts.

use serde::{Deserialize, Serialize};

/// Creates an account under the client's name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeepName {
    /// The code of an invitation. It is required if `registration` of `joined` is `invitation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
}

/// A new account. The server sends the recovery codes only once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NameKept {
    /// The name of the account.
    pub name: String,
    /// The token of `joined`, which now signs in to the account. Keep it like a password.
    pub token: String,
    /// Ten codes. Each signs in once without the token.
    pub recovery: Vec<String>,
}

/// Who may create an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Registration {
    /// Everyone.
    Open,
    /// Only clients with an invitation.
    Invitation,
    /// No one: the server accepts no new accounts.
    Closed,
}

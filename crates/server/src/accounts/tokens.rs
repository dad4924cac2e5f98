//! Tokens of programs, and what they may be used for.

use event_store::{Statement, UnixMillis};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::statements::insert_token;
use super::{AccountError, AccountSession, Accounts, MAX_LABEL, SecretCode};
use crate::names;

/// The most tokens of one person.
pub(super) const MAX_TOKENS: i64 = 20;

/// Something that a token may be used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scope {
    /// Read the account.
    Read,
    /// Connect under the bot's name, and play.
    Play,
    /// Challenge players.
    Challenge,
    /// Enter and leave tournaments; with the token of a person, organise them.
    Tournament,
}

const ALL: [Scope; 4] = [
    Scope::Read,
    Scope::Play,
    Scope::Challenge,
    Scope::Tournament,
];

impl Scope {
    fn bit(self) -> i64 {
        1 << self as i64
    }

    /// Its name.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Play => "play",
            Scope::Challenge => "challenge",
            Scope::Tournament => "tournament",
        }
    }
}

/// What a token may be used for; a bit for each scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scopes(pub(super) i64);

impl Scopes {
    /// Everything.
    pub(crate) const ALL: Scopes = Scopes(0b1111);

    /// What the token of a person may be used for: programs play as bots.
    const OF_PERSON: [Scope; 2] = [Scope::Read, Scope::Tournament];

    /// Whether a scope is among them.
    pub(crate) fn has(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// One by one.
    pub(crate) fn list(self) -> Vec<Scope> {
        ALL.into_iter().filter(|&scope| self.has(scope)).collect()
    }

    /// Checks that there is one.
    pub(crate) fn check_some(self) -> Result<Scopes, AccountError> {
        match self.0 {
            0 => Err(AccountError::BadScopes),
            _ => Ok(self),
        }
    }

    /// Checks that a scope is among them.
    pub(crate) fn check(self, scope: Scope) -> Result<(), AccountError> {
        match self.has(scope) {
            true => Ok(()),
            false => Err(AccountError::MissingScope(scope)),
        }
    }
}

impl From<&[Scope]> for Scopes {
    fn from(scopes: &[Scope]) -> Scopes {
        Scopes(scopes.iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

/// A token of a person, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OwnToken {
    pub(crate) id: i64,
    pub(crate) label: String,
    pub(crate) scopes: Scopes,
    pub(crate) created_at: UnixMillis,
    pub(crate) used_at: UnixMillis,
}

impl Accounts {
    /// Creates a token of a person, which does not expire, and returns it.
    pub(crate) async fn create_token(
        &self,
        session: &AccountSession,
        label: &str,
        scopes: &[Scope],
    ) -> Result<String, AccountError> {
        let is_possible = |scope| Scopes::OF_PERSON.contains(scope);
        if scopes.is_empty() || !scopes.iter().all(is_possible) {
            return Err(AccountError::BadScopes);
        }
        let token = SecretCode::session()?;
        let has_room = Statement::new(
            "SELECT CAST(1 AS bigint) WHERE (SELECT count(*) FROM credential WHERE account = $1 AND kind = 'token') < $2",
            vec![session.account.into(), MAX_TOKENS.into()],
        );
        let label: String = label.chars().take(MAX_LABEL).collect();
        let skeleton = names::skeleton(&session.name);
        let insert = insert_token(&token, &label, &skeleton, scopes.into(), UnixMillis::now());
        let made = self
            .tables
            .transact(vec![has_room.required(), insert])
            .await?;
        made.map(|_| token.to_text())
            .ok_or(AccountError::TooManyTokens)
    }

    /// Revokes a token of the account.
    pub(crate) async fn revoke_token(
        &self,
        session: &AccountSession,
        id: i64,
    ) -> Result<(), AccountError> {
        let revoked = self.end_credential(session, id, "token").await?;
        revoked.then_some(()).ok_or(AccountError::NoSuchToken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_listed_as_they_were_given() {
        let scopes = Scopes::from(&[Scope::Tournament, Scope::Read][..]);
        assert_eq!(scopes.list(), [Scope::Read, Scope::Tournament]);
        assert!(scopes.check(Scope::Read).is_ok() && scopes.check(Scope::Play).is_err());
        assert_eq!(Scopes::ALL.list(), ALL);
        assert_eq!(Scopes::from(&ALL[..]), Scopes::ALL);
    }
}

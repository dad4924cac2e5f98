//! Roles: what an account may do beside playing.

use checkers_lib::protocol::Registration;
use clap::ValueEnum;
use event_store::{Statement, UnixMillis};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::statements::{insert_credential, use_up};
use super::{AccountError, AccountSession, Accounts, LINK, SecretCode};
use crate::moderation::{NewLogEntry, insert_entry};
use crate::names;

/// What an account is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ValueEnum)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum AccountRole {
    /// A person.
    #[default]
    Person,
    /// A program, which plays and cannot change its account.
    #[value(skip)]
    Bot,
    /// A person who handles reports.
    Moderator,
    /// A moderator who also appoints moderators.
    Administrator,
}

impl AccountRole {
    /// As it is stored.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            AccountRole::Person => "person",
            AccountRole::Bot => "bot",
            AccountRole::Moderator => "moderator",
            AccountRole::Administrator => "administrator",
        }
    }

    /// A stored role; that of a later version counts as a person.
    pub(crate) fn stored(text: &str) -> AccountRole {
        let roles = [
            AccountRole::Bot,
            AccountRole::Moderator,
            AccountRole::Administrator,
        ];
        let role = roles.into_iter().find(|role| role.as_str() == text);
        role.unwrap_or_default()
    }

    /// Whether it handles reports.
    pub(crate) fn moderates(self) -> bool {
        matches!(self, AccountRole::Moderator | AccountRole::Administrator)
    }
}

/// Finds a row while no account is an administrator.
const NO_ADMINISTRATOR: &str = "SELECT CAST(1 AS bigint) WHERE NOT EXISTS (SELECT 1 FROM account WHERE role = 'administrator')";

/// Makes the account with this skeleton the administrator.
const PROMOTE: &str = "
    UPDATE account SET role = 'administrator' WHERE skeleton = $1 AND role IN ('person', 'moderator') RETURNING id";

impl Accounts {
    /// A code that makes an account the administrator, once, within a day; `None` if there is an administrator.
    pub(crate) async fn first_administrator(&self) -> Result<Option<String>, AccountError> {
        let code = SecretCode::link()?;
        let now = UnixMillis::now();
        let none = Statement::new(NO_ADMINISTRATOR, Vec::new()).required();
        let insert = insert_credential("administrator", &code, "", "", now, LINK);
        let made = self.tables.transact(vec![none, insert]).await?;
        Ok(made.map(|_| code.to_text()))
    }

    /// Makes the account of a session the administrator by such a code.
    pub(crate) async fn claim_administration(
        &self,
        session: &AccountSession,
        code: &str,
    ) -> Result<(), AccountError> {
        let skeleton = names::skeleton(&session.name);
        let statements = appoint_first(&SecretCode::parse(code), &skeleton);
        let done = self.tables.transact(statements).await?;
        done.map(|_| ()).ok_or(AccountError::WrongCode)
    }

    /// Gives an account of a person another role, on behalf of the operator. Returns whether there is one.
    pub(crate) async fn set_role(
        &self,
        name: &str,
        role: AccountRole,
    ) -> Result<bool, AccountError> {
        let set = Statement::new(
            "UPDATE account SET role = $1 WHERE skeleton = $2 AND name = $3 AND role NOT IN ('bot', 'leaving')
             RETURNING id",
            vec![
                role.as_str().into(),
                names::skeleton(name).into(),
                name.into(),
            ],
        );
        let log = insert_entry(&NewLogEntry::by_operator(role.as_str()), name);
        let mut statements = vec![set.required(), log];
        if role == AccountRole::Administrator {
            statements.push(forget_codes());
        }
        Ok(self.tables.transact(statements).await?.is_some())
    }

    /// Whether this invitation makes the account the administrator, which is possible on every server.
    pub(super) async fn is_for_administrator(
        &self,
        invitation: Option<&str>,
    ) -> Result<bool, AccountError> {
        let Some(invitation) = invitation else {
            return Ok(false);
        };
        let select = Statement::new(
            "SELECT id FROM credential WHERE hash = $1 AND kind = 'administrator' AND expires_at > $2",
            vec![
                SecretCode::parse(invitation).hash()[..].into(),
                UnixMillis::now().0.into(),
            ],
        );
        Ok(!self.tables.select(select).await?.is_empty())
    }

    /// Checks that a guest may create an account: with an invitation, without one, or as the administrator.
    pub(super) fn check_registration(
        &self,
        invitation: Option<&str>,
        is_administrator: bool,
    ) -> Result<(), AccountError> {
        match (self.registration, invitation) {
            _ if is_administrator => Ok(()),
            (Registration::Closed, _) => Err(AccountError::Closed),
            (Registration::Invitation, None) => Err(AccountError::NoInvitation),
            (Registration::Invitation, Some(_)) | (Registration::Open, _) => Ok(()),
        }
    }
}

/// Voids all codes for the first administrator.
fn forget_codes() -> Statement {
    Statement::new(
        "DELETE FROM credential WHERE kind = 'administrator'",
        Vec::new(),
    )
}

/// Uses the code up, and makes the account with this skeleton the first administrator.
pub(super) fn appoint_first(code: &SecretCode, skeleton: &str) -> Vec<Statement> {
    vec![
        Statement::new(NO_ADMINISTRATOR, Vec::new()).required(),
        use_up("administrator", &code.hash(), UnixMillis::now()),
        Statement::new(PROMOTE, vec![skeleton.into()]).required(),
        forget_codes(),
        insert_entry(
            &NewLogEntry::by_operator(AccountRole::Administrator.as_str()),
            skeleton,
        ),
    ]
}

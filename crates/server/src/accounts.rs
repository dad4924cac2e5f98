//! Accounts: registered names, and the credentials that sign in to them.
//!
//! All state is in the tables `account` and `credential` of the store, which the nodes of a cluster share. Secrets are
//! stored as hashes. There are no cookies: a client sends its secret in `join` or in a header, which a page of
//! another site cannot do.

mod attempts;
mod bots;
mod cards;
mod commands;
mod copy;
mod deletion;
mod error;
mod password;
mod removal;
mod role;
mod secret_code;
mod statements;
mod tokens;

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use checkers_lib::protocol::{Registration, is_valid_name};
use event_store::{Row, Sql, Statement, TokenHash, UnixMillis};
use tokio::sync::Notify;

use crate::bots::is_bot_name;
use crate::lobby::secrets::{ClientToken, Identity};
use crate::names;
use attempts::{AttemptKind, Attempts};
use password::Passwords;
use role::appoint_first;
use statements::{end_old_sessions, insert_account, insert_credential, insert_recovery, use_up};

pub(crate) use bots::{NewBot, OwnedBot};
pub(crate) use commands::AccountArgs;
pub(crate) use commands::run as run_command;
pub(crate) use copy::{copy, is_empty};
pub(crate) use error::AccountError;
pub(crate) use role::AccountRole;
pub(crate) use secret_code::SecretCode;
pub(crate) use tokens::{OwnToken, Scope, Scopes};

/// How long a session lasts after it was last used.
const SESSION: i64 = 90 * DAY;

/// How long a link or an invitation can be used.
const LINK: i64 = DAY;

/// How often the time of last use is updated.
const USE: i64 = DAY / 24;

const DAY: i64 = 24 * 3600 * 1000;

/// The number of recovery codes of an account.
const RECOVERY_CODES: usize = 10;

/// The most unused links of one account.
const MAX_LINKS: i64 = 50;

/// The most sessions of one account: a new one ends the one that was not used for longest.
const MAX_SESSIONS: i64 = 50;

/// The longest label of a session, in characters.
const MAX_LABEL: usize = 60;

/// The accounts of a server.
#[derive(Debug)]
pub(crate) struct Accounts {
    tables: Arc<dyn Sql>,
    registration: Registration,
    attempts: Attempts,
    passwords: Passwords,
    /// Wakes the task that finishes deletions.
    deletions: Notify,
}

/// A valid session, or the token of a bot, with its account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AccountSession {
    pub(crate) account: i64,
    pub(crate) name: String,
    pub(crate) role: AccountRole,
    /// How lobby and tables identify the player.
    pub(crate) identity: Identity,
    /// What it may be used for.
    pub(crate) scopes: Scopes,
    /// Whether a program shows it.
    is_token: bool,
    /// The row of the secret.
    pub(crate) credential: i64,
}

/// Who joins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Visitor {
    /// A client without an account, under a name that no account has.
    Guest,
    Owner(AccountSession),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewAccount {
    pub(crate) name: String,
    /// Single-use codes that sign in.
    pub(crate) recovery: Vec<String>,
}

/// An account as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Overview {
    pub(crate) created_at: UnixMillis,
    pub(crate) has_password: bool,
    /// Recovery codes that have not been used.
    pub(crate) recovery: i64,
    pub(crate) sessions: Vec<OpenSession>,
    /// The tokens of a person.
    pub(crate) tokens: Vec<OwnToken>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OpenSession {
    pub(crate) id: i64,
    pub(crate) label: String,
    pub(crate) created_at: UnixMillis,
    pub(crate) used_at: UnixMillis,
    pub(crate) is_own: bool,
}

/// A code that signs in to an account, once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewLink {
    /// The name of the account.
    pub(crate) name: String,
    pub(crate) code: String,
}

/// An entry of the list of accounts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AccountEntry {
    pub(crate) name: String,
    pub(crate) role: String,
}

impl AccountSession {
    /// Whether a program plays for the account, which cannot change it.
    pub(crate) fn is_bot(&self) -> bool {
        self.role == AccountRole::Bot
    }

    /// Checks that a person is signed in: neither a token nor a bot changes an account.
    pub(crate) fn check_owner(&self) -> Result<(), AccountError> {
        match self.is_token || self.is_bot() {
            true => Err(AccountError::OnlyPlays),
            false => Ok(()),
        }
    }

    /// Checks that it is a person's, and may be used for this.
    pub(crate) fn check_person(&self, scope: Scope) -> Result<(), AccountError> {
        match self.is_bot() {
            true => Err(AccountError::OnlyPlays),
            false => self.scopes.check(scope),
        }
    }
}

impl Accounts {
    /// The accounts in these tables.
    pub(crate) fn new(tables: Arc<dyn Sql>, registration: Registration) -> Accounts {
        Accounts {
            tables,
            registration,
            attempts: Attempts::default(),
            passwords: Passwords::default(),
            deletions: Notify::new(),
        }
    }

    /// Who may create an account.
    pub(crate) fn registration(&self) -> Registration {
        self.registration
    }

    /// Identifies a client by its name and token. The token of a session is enough; without one, the name must
    /// belong to no account.
    pub(crate) async fn admit(
        &self,
        name: &str,
        token: Option<&str>,
    ) -> Result<Visitor, AccountError> {
        let mut key = String::new();
        if let Some(token) = token {
            match self.session(token).await {
                Ok(session) => {
                    session.scopes.check(Scope::Play)?;
                    return Ok(Visitor::Owner(session));
                }
                Err(AccountError::SignedOut) => {}
                Err(error) => return Err(error),
            }
            // A guest joins with a name too.
            let token = ClientToken::parse(token).filter(|_| !name.is_empty());
            key = key_of(&token.ok_or(AccountError::SignedOut)?);
        }
        let select = Statement::new(
            "SELECT identity FROM account WHERE skeleton = $1 OR identity = $2",
            vec![names::skeleton(name).into(), key.as_str().into()],
        );
        let rows = self.tables.select(select).await?;
        if rows.iter().any(|row| row.text(0) == key) {
            // The token was that of an account's first session, which has ended. Its key is still the account's.
            return Err(AccountError::SignedOut);
        }
        match rows.is_empty() {
            true => Ok(Visitor::Guest),
            false => Err(AccountError::NameTaken(name.to_owned())),
        }
    }

    /// Creates an account under a guest's name. The guest's token becomes the token of the first session.
    pub(crate) async fn keep_name(
        &self,
        name: &str,
        token: &ClientToken,
        invitation: Option<&str>,
        from: Option<IpAddr>,
    ) -> Result<NewAccount, AccountError> {
        let is_administrator = self.is_for_administrator(invitation).await?;
        self.check_registration(invitation, is_administrator)?;
        self.attempts
            .admit_address(AttemptKind::Registration, from)?;
        let now = UnixMillis::now();
        let skeleton = names::skeleton(name);
        let identity = key_of(token);
        let session = SecretCode::parse(&token.to_text());
        let mut statements = vec![insert_account(name, &skeleton, &identity, now, None)];
        let invitation = SecretCode::parse(invitation.unwrap_or_default());
        if is_administrator {
            statements.extend(appoint_first(&invitation, &skeleton));
        } else if self.registration == Registration::Invitation {
            statements.insert(0, use_up("invitation", &invitation.hash(), now));
        }
        statements.push(insert_credential(
            "session", &session, "", &skeleton, now, SESSION,
        ));
        let recovery = recovery_codes()?;
        statements.extend(insert_recovery(&recovery, &skeleton, now));
        if self.tables.transact(statements).await?.is_none() {
            return Err(match self.find(name).await? {
                Some(_) => AccountError::NameTaken(name.to_owned()),
                None => AccountError::WrongCode,
            });
        }
        Ok(NewAccount {
            name: name.to_owned(),
            recovery: texts(&recovery),
        })
    }

    /// Creates an account for each name, all or none, each with a single-use code that is valid for `valid`.
    pub(crate) async fn create(
        &self,
        names: &[String],
        valid: Duration,
    ) -> Result<Vec<NewLink>, AccountError> {
        let now = UnixMillis::now();
        let lasts = i64::try_from(valid.as_millis()).unwrap_or(i64::MAX);
        let (mut statements, mut made) = (Vec::new(), Vec::new());
        let mut skeletons = HashSet::new();
        for name in names {
            if !is_valid_name(name) {
                return Err(AccountError::BadName(name.clone()));
            }
            let skeleton = names::skeleton(name);
            if is_bot_name(name) || names::is_of_deleted(name) || names::is_of_bot_account(name) {
                return Err(AccountError::NameReserved(name.clone()));
            }
            if !skeletons.insert(skeleton.clone()) || self.find(name).await?.is_some() {
                return Err(AccountError::NameTaken(name.clone()));
            }
            let identity = SecretCode::session()?.to_text();
            let code = SecretCode::link()?;
            statements.push(insert_account(name, &skeleton, &identity, now, None));
            statements.push(insert_credential("link", &code, "", &skeleton, now, lasts));
            made.push(NewLink {
                name: name.clone(),
                code: code.to_text(),
            });
        }
        match self.tables.transact(statements).await? {
            Some(_) => Ok(made),
            None => Err(AccountError::Busy),
        }
    }

    /// The session with this token, which may be a bot's.
    pub(crate) async fn session(&self, token: &str) -> Result<AccountSession, AccountError> {
        let now = UnixMillis::now();
        let hash = SecretCode::parse(token).hash();
        let select = Statement::new(
            "SELECT account.id, name, role, identity, credential.id, used_at, scopes, kind
             FROM credential JOIN account ON account.id = credential.account
             WHERE hash = $1 AND kind IN ('session', 'token') AND expires_at > $2 AND role <> 'leaving'",
            vec![hash[..].into(), now.0.into()],
        );
        let rows = self.tables.select(select).await?;
        let row = rows.first().ok_or(AccountError::SignedOut)?;
        let key = TokenHash::from_hex(row.text(3)).ok_or(AccountError::SignedOut)?;
        let session = AccountSession {
            account: row.integer(0),
            name: row.text(1).to_owned(),
            role: AccountRole::stored(row.text(2)),
            identity: Identity::Account(key),
            scopes: Scopes(row.integer(6)),
            is_token: row.text(7) == "token",
            credential: row.integer(4),
        };
        if now.0 - row.integer(5) > USE {
            let touch = Statement::new(
                "UPDATE credential SET used_at = $1,
                    expires_at = CASE WHEN kind = 'session' THEN $2 ELSE expires_at END WHERE id = $3",
                vec![
                    now.0.into(),
                    (now.0 + SESSION).into(),
                    session.credential.into(),
                ],
            );
            // The session is valid even if the time of use cannot be stored.
            if let Err(error) = self.tables.transact(vec![touch]).await {
                AccountError::from(error).log();
            }
        }
        Ok(session)
    }

    /// Signs in by name and password. An unknown name takes as long as a wrong password.
    pub(crate) async fn sign_in_by_password(
        &self,
        name: &str,
        password: &str,
        label: &str,
        from: Option<IpAddr>,
    ) -> Result<(AccountSession, String), AccountError> {
        if !is_valid_name(name) {
            return Err(AccountError::WrongPassword);
        }
        let skeleton = names::skeleton(name);
        self.attempts.admit_address(AttemptKind::SignIn, from)?;
        self.attempts.admit_name(&skeleton)?;
        let select = Statement::new(
            "SELECT password FROM account WHERE skeleton = $1 AND name = $2 AND role <> 'leaving'",
            vec![skeleton.as_str().into(), name.into()],
        );
        let rows = self.tables.select(select).await?;
        let stored = rows.first().map(|row| row.text(0).to_owned());
        if !self.passwords.verify(password, stored).await? {
            return Err(AccountError::WrongPassword);
        }
        self.attempts.forget_name(&skeleton);
        let token = SecretCode::session()?;
        let now = UnixMillis::now();
        let label = label.chars().take(MAX_LABEL).collect::<String>();
        let insert = insert_credential("session", &token, &label, &skeleton, now, SESSION);
        let begin = vec![insert, end_old_sessions(&token, MAX_SESSIONS)];
        self.tables.transact(begin).await?;
        let token = token.to_text();
        Ok((self.session(&token).await?, token))
    }

    /// Signs in by a link or a recovery code, which is used up.
    pub(crate) async fn sign_in_by_code(
        &self,
        code: &str,
        label: &str,
        from: Option<IpAddr>,
    ) -> Result<(AccountSession, String), AccountError> {
        self.attempts.admit_address(AttemptKind::SignIn, from)?;
        let hash = SecretCode::parse(code).hash();
        let token = SecretCode::session()?;
        let now = UnixMillis::now();
        let label: String = label.chars().take(MAX_LABEL).collect();
        // The code becomes the session: of two who use it at one time, one succeeds.
        let exchange = Statement::new(
            "UPDATE credential
             SET hash = $1, kind = 'session', label = $2, created_at = $3, used_at = $3, expires_at = $4
             WHERE hash = $5 AND kind IN ('link', 'recovery') AND expires_at > $3 RETURNING id",
            vec![
                token.hash()[..].into(),
                label.into(),
                now.0.into(),
                (now.0 + SESSION).into(),
                hash[..].into(),
            ],
        );
        if self
            .tables
            .transact(vec![
                exchange.required(),
                end_old_sessions(&token, MAX_SESSIONS),
            ])
            .await?
            .is_none()
        {
            return Err(AccountError::WrongCode);
        }
        let token = token.to_text();
        Ok((self.session(&token).await?, token))
    }

    /// The account with its sessions.
    pub(crate) async fn overview(
        &self,
        session: &AccountSession,
    ) -> Result<Overview, AccountError> {
        let account = Statement::new(
            "SELECT created_at, password FROM account WHERE id = $1",
            vec![session.account.into()],
        );
        let credentials = Statement::new(
            "SELECT id, kind, label, created_at, used_at, scopes FROM credential
             WHERE account = $1 AND expires_at > $2 ORDER BY used_at DESC, id",
            vec![session.account.into(), UnixMillis::now().0.into()],
        );
        let account = self.tables.select(account).await?;
        let account = account.first().ok_or(AccountError::SignedOut)?;
        let credentials = self.tables.select(credentials).await?;
        let of_kind = |kind| credentials.iter().filter(move |row| row.text(1) == kind);
        let open = |row: &Row| OpenSession {
            id: row.integer(0),
            label: row.text(2).to_owned(),
            created_at: UnixMillis(row.integer(3)),
            used_at: UnixMillis(row.integer(4)),
            is_own: row.integer(0) == session.credential,
        };
        let token = |row: &Row| OwnToken {
            id: row.integer(0),
            label: row.text(2).to_owned(),
            scopes: Scopes(row.integer(5)),
            created_at: UnixMillis(row.integer(3)),
            used_at: UnixMillis(row.integer(4)),
        };
        Ok(Overview {
            created_at: UnixMillis(account.integer(0)),
            has_password: !account.text(1).is_empty(),
            recovery: i64::try_from(of_kind("recovery").count()).unwrap_or_default(),
            sessions: of_kind("session").map(open).collect(),
            tokens: match session.is_bot() {
                true => Vec::new(),
                false => of_kind("token").map(token).collect(),
            },
        })
    }

    pub(crate) async fn end_session(
        &self,
        session: &AccountSession,
        id: i64,
    ) -> Result<(), AccountError> {
        let ended = self.end_credential(session, id, "session").await?;
        ended.then_some(()).ok_or(AccountError::NoSuchSession)
    }

    /// Deletes a credential of this kind of the account, and returns whether there was one.
    async fn end_credential(
        &self,
        session: &AccountSession,
        id: i64,
        kind: &str,
    ) -> Result<bool, AccountError> {
        let delete = Statement::new(
            "DELETE FROM credential WHERE id = $1 AND account = $2 AND kind = $3 RETURNING id",
            vec![id.into(), session.account.into(), kind.into()],
        );
        let ended = self.tables.transact(vec![delete.required()]).await?;
        Ok(ended.is_some())
    }

    /// Ends this session.
    pub(crate) async fn sign_out(&self, session: &AccountSession) -> Result<(), AccountError> {
        self.end_session(session, session.credential).await
    }

    /// Creates a code that signs in on another device, once, within a day.
    pub(crate) async fn link(&self, session: &AccountSession) -> Result<String, AccountError> {
        self.link_to(&session.name)
            .await?
            .ok_or(AccountError::SignedOut)
    }

    /// As [`Accounts::link`], for the person with this name; `None` if there is none.
    pub(crate) async fn link_to(&self, name: &str) -> Result<Option<String>, AccountError> {
        let code = SecretCode::link()?;
        let skeleton = names::skeleton(name);
        let exists = Statement::new(
            "SELECT id FROM account WHERE skeleton = $1 AND name = $2 AND role NOT IN ('bot', 'leaving')",
            vec![skeleton.as_str().into(), name.into()],
        );
        // Older links beyond the limit are revoked.
        let forget = Statement::new(
            "DELETE FROM credential WHERE kind = 'link' AND id IN (
                SELECT id FROM credential WHERE kind = 'link'
                    AND account = (SELECT id FROM account WHERE skeleton = $1)
                ORDER BY id DESC LIMIT 1000 OFFSET $2)",
            vec![skeleton.as_str().into(), (MAX_LINKS - 1).into()],
        );
        let insert = insert_credential("link", &code, "", &skeleton, UnixMillis::now(), LINK);
        let statements = vec![exists.required(), forget, insert];
        let made = self.tables.transact(statements).await?;
        Ok(made.map(|_| code.to_text()))
    }

    /// Replaces the recovery codes.
    pub(crate) async fn renew_recovery(
        &self,
        session: &AccountSession,
    ) -> Result<Vec<String>, AccountError> {
        let codes = recovery_codes()?;
        let delete = Statement::new(
            "DELETE FROM credential WHERE account = $1 AND kind = 'recovery'",
            vec![session.account.into()],
        );
        let mut statements = vec![delete];
        let skeleton = names::skeleton(&session.name);
        statements.extend(insert_recovery(&codes, &skeleton, UnixMillis::now()));
        self.tables.transact(statements).await?;
        Ok(texts(&codes))
    }

    /// Sets the password, and ends all other sessions.
    pub(crate) async fn set_password(
        &self,
        session: &AccountSession,
        password: &str,
    ) -> Result<(), AccountError> {
        let hash = self.passwords.hash(password).await?;
        let set = Statement::new(
            "UPDATE account SET password = $1 WHERE id = $2 RETURNING id",
            vec![hash.into(), session.account.into()],
        );
        let end_others = Statement::new(
            "DELETE FROM credential WHERE account = $1 AND kind IN ('session', 'link') AND id <> $2",
            vec![session.account.into(), session.credential.into()],
        );
        let done = self
            .tables
            .transact(vec![set.required(), end_others])
            .await?;
        done.map(|_| ()).ok_or(AccountError::SignedOut)
    }

    /// Creates an invitation for one new account, valid for a day.
    pub(crate) async fn invite(&self) -> Result<String, AccountError> {
        let code = SecretCode::link()?;
        let insert = insert_credential("invitation", &code, "", "", UnixMillis::now(), LINK);
        self.tables.transact(vec![insert]).await?;
        Ok(code.to_text())
    }

    /// At most `limit` accounts in the order of their names, after one.
    pub(crate) async fn list(
        &self,
        after: &str,
        limit: u32,
    ) -> Result<Vec<AccountEntry>, AccountError> {
        let select = Statement::new(
            "SELECT name, role FROM account WHERE name > $1 ORDER BY name LIMIT $2",
            vec![after.into(), i64::from(limit).into()],
        );
        let rows = self.tables.select(select).await?;
        let entries = rows.iter().map(|row| AccountEntry {
            name: row.text(0).to_owned(),
            role: row.text(1).to_owned(),
        });
        Ok(entries.collect())
    }

    /// The name of the account whose name is confusable with this one.
    async fn find(&self, name: &str) -> Result<Option<String>, AccountError> {
        let select = Statement::new(
            "SELECT name FROM account WHERE skeleton = $1",
            vec![names::skeleton(name).into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.first().map(|row| row.text(0).to_owned()))
    }
}

/// The key of a guest's token, in hexadecimal digits.
fn key_of(token: &ClientToken) -> String {
    token.hash().to_hex()
}

fn recovery_codes() -> Result<Vec<SecretCode>, AccountError> {
    (0..RECOVERY_CODES)
        .map(|_| Ok(SecretCode::recovery()?))
        .collect()
}

fn texts(codes: &[SecretCode]) -> Vec<String> {
    codes.iter().map(SecretCode::to_text).collect()
}

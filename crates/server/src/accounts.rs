//! Accounts: names that people and programs keep, and what signs in to them.
//!
//! Everything is in the tables `account` and `credential` of the store, so that all nodes of a cluster see the
//! same. Secrets are stored as hashes. Nothing is a cookie: a client shows its secret in `join` or in a header,
//! and no page of another site can make it do so.

mod attempts;
mod cards;
mod commands;
mod copy;
mod error;
mod password;
mod removal;
mod role;
mod secret_code;

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use checkers_lib::protocol::{Registration, is_valid_name};
use tokio::sync::Notify;

use crate::bots::is_bot_name;
use crate::lobby::secrets::{ClientToken, Identity, draw_letters};
use crate::store::{Row, Sql, Statement, TokenHash, UnixMillis, Value};
use crate::{hex, names};
use attempts::{Attempts, Kind};
use password::Passwords;
use removal::Removal;

pub use commands::AccountArgs;
pub(crate) use commands::run as run_command;
pub(crate) use copy::{copy, is_empty};
pub(crate) use error::AccountError;
pub(crate) use role::Role;
pub(crate) use secret_code::SecretCode;

/// How long a session lasts after it was last used.
const SESSION: i64 = 90 * DAY;

/// How long a link or an invitation can be used.
const LINK: i64 = DAY;

/// How often the use of a session is written down.
const USE: i64 = DAY / 24;

const DAY: i64 = 24 * 3600 * 1000;

/// Codes that are made in one go.
const RECOVERY_CODES: usize = 10;

/// The most tokens, and the most unused links, of one account.
const MAX_TOKENS: i64 = 50;

/// Letters of the name under which the games of a deleted account stay.
const PSEUDONYM_LETTERS: usize = 10;

/// The longest label of a session, in characters.
const MAX_LABEL: usize = 60;

/// The accounts of a server, and who may have one.
#[derive(Debug)]
pub(crate) struct Accounts {
    tables: Arc<dyn Sql>,
    registration: Registration,
    attempts: Attempts,
    passwords: Passwords,
    /// Wakes the task that finishes deletions.
    deletions: Notify,
}

/// An account whose owner has shown a secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Session {
    /// The account.
    pub(crate) account: i64,
    /// Its name.
    pub(crate) name: String,
    pub(crate) role: Role,
    /// The key by which tables know the player, in hexadecimal digits.
    identity: String,
    /// The row of the secret.
    credential: i64,
    /// Whether the secret is a program's: it plays, and changes nothing of the account.
    pub(crate) is_program: bool,
}

impl Session {
    /// By what the lobby knows the owner.
    pub(crate) fn identity(&self) -> Option<Identity> {
        hex::decode(&self.identity).map(|key| Identity::Account(TokenHash(key)))
    }
}

/// Who comes in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Visitor {
    /// Somebody without an account, with a name that no account has.
    Guest,
    /// The owner of an account.
    Owner(Session),
}

/// A new account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewAccount {
    /// Its name.
    pub(crate) name: String,
    /// Codes that sign in, each once.
    pub(crate) recovery: Vec<String>,
}

/// What the owner of an account sees of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Overview {
    pub(crate) created_at: UnixMillis,
    pub(crate) has_password: bool,
    /// Recovery codes that have not been used.
    pub(crate) recovery: i64,
    pub(crate) sessions: Vec<OpenSession>,
}

/// A place where somebody is signed in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OpenSession {
    pub(crate) id: i64,
    pub(crate) label: String,
    pub(crate) created_at: UnixMillis,
    pub(crate) used_at: UnixMillis,
    pub(crate) is_own: bool,
    pub(crate) is_program: bool,
}

/// A code that signs in to an account, once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewLink {
    /// The name of the account.
    pub(crate) name: String,
    /// The code.
    pub(crate) code: String,
}

/// An entry of the list of accounts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AccountEntry {
    pub(crate) name: String,
    pub(crate) role: String,
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

    /// Who may have an account.
    pub(crate) fn registration(&self) -> Registration {
        self.registration
    }

    /// Finds out who comes in with a name and perhaps a secret. That of a session decides alone; with any other, the
    /// name must belong to no account.
    pub(crate) async fn admit(
        &self,
        name: &str,
        token: Option<&str>,
    ) -> Result<Visitor, AccountError> {
        let mut key = String::new();
        if let Some(token) = token {
            match self.session(token).await {
                Ok(session) => return Ok(Visitor::Owner(session)),
                Err(AccountError::SignedOut) => {}
                Err(error) => return Err(error),
            }
            key = key_of(token).ok_or(AccountError::SignedOut)?;
        }
        let select = Statement::new(
            "SELECT identity FROM account WHERE skeleton = $1 OR identity = $2",
            vec![names::skeleton(name).into(), key.as_str().into()],
        );
        let rows = self.tables.select(select).await?;
        if rows.iter().any(|row| row.text(0) == key) {
            // The secret of a session that has ended: the key is the account's.
            return Err(AccountError::SignedOut);
        }
        match rows.is_empty() {
            true => Ok(Visitor::Guest),
            false => Err(AccountError::NameTaken(name.to_owned())),
        }
    }

    /// Makes an account for a guest, under the guest's name. The guest's secret becomes that of the first session.
    pub(crate) async fn keep_name(
        &self,
        name: &str,
        token: &str,
        invitation: Option<&str>,
        from: Option<IpAddr>,
    ) -> Result<NewAccount, AccountError> {
        match (self.registration, invitation) {
            (Registration::Closed, _) => return Err(AccountError::Closed),
            (Registration::Invitation, None) => return Err(AccountError::NoInvitation),
            (Registration::Invitation, Some(_)) | (Registration::Open, _) => {}
        }
        self.attempts.admit_address(Kind::Registration, from)?;
        let now = UnixMillis::now();
        let skeleton = names::skeleton(name);
        let identity = key_of(token).ok_or(AccountError::SignedOut)?;
        let session = SecretCode::parse(token);
        let mut statements = vec![insert_account(name, &skeleton, &identity, now)];
        if self.registration == Registration::Invitation {
            let hash = SecretCode::parse(invitation.unwrap_or_default()).hash();
            statements.insert(0, use_up("invitation", &hash, now));
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

    /// Makes an account for each name, all or none, with a code that signs in to it once, for so long.
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
            if is_bot_name(name)
                || names::is_of_deleted(name)
                || !skeletons.insert(skeleton.clone())
                || self.find(name).await?.is_some()
            {
                return Err(AccountError::NameTaken(name.clone()));
            }
            let identity = SecretCode::session()?.to_text();
            let code = SecretCode::link()?;
            statements.push(insert_account(name, &skeleton, &identity, now));
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

    /// The account of a session, or of a program's token.
    pub(crate) async fn session(&self, token: &str) -> Result<Session, AccountError> {
        let now = UnixMillis::now();
        let hash = SecretCode::parse(token).hash();
        let select = Statement::new(
            "SELECT account.id, name, role, identity, credential.id, used_at, kind
             FROM credential JOIN account ON account.id = credential.account
             WHERE hash = $1 AND kind IN ('session', 'token') AND expires_at > $2 AND role <> 'leaving'",
            vec![hash[..].into(), now.0.into()],
        );
        let rows = self.tables.select(select).await?;
        let row = rows.first().ok_or(AccountError::SignedOut)?;
        let session = Session {
            account: row.integer(0),
            name: row.text(1).to_owned(),
            role: Role::from_text(row.text(2)),
            identity: row.text(3).to_owned(),
            credential: row.integer(4),
            is_program: row.text(6) == "token",
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
            // Whoever shows the secret comes in, also while nothing can be written.
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
    ) -> Result<(Session, String), AccountError> {
        if !is_valid_name(name) {
            return Err(AccountError::WrongPassword);
        }
        let skeleton = names::skeleton(name);
        self.attempts.admit_address(Kind::SignIn, from)?;
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
        self.tables.transact(vec![insert]).await?;
        let token = token.to_text();
        Ok((self.session(&token).await?, token))
    }

    /// Signs in by a link or a recovery code, which is used up.
    pub(crate) async fn sign_in_by_code(
        &self,
        code: &str,
        label: &str,
        from: Option<IpAddr>,
    ) -> Result<(Session, String), AccountError> {
        self.attempts.admit_address(Kind::SignIn, from)?;
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
            .transact(vec![exchange.required()])
            .await?
            .is_none()
        {
            return Err(AccountError::WrongCode);
        }
        let token = token.to_text();
        Ok((self.session(&token).await?, token))
    }

    /// What the owner sees.
    pub(crate) async fn overview(&self, session: &Session) -> Result<Overview, AccountError> {
        let account = Statement::new(
            "SELECT created_at, password FROM account WHERE id = $1",
            vec![session.account.into()],
        );
        let credentials = Statement::new(
            "SELECT id, kind, label, created_at, used_at FROM credential
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
            is_program: row.text(1) == "token",
        };
        let is_open = |row: &&Row| matches!(row.text(1), "session" | "token");
        Ok(Overview {
            created_at: UnixMillis(account.integer(0)),
            has_password: !account.text(1).is_empty(),
            recovery: i64::try_from(of_kind("recovery").count()).unwrap_or_default(),
            sessions: credentials.iter().filter(is_open).map(open).collect(),
        })
    }

    /// Ends a session of the account, perhaps its own.
    pub(crate) async fn end_session(&self, session: &Session, id: i64) -> Result<(), AccountError> {
        let delete = Statement::new(
            "DELETE FROM credential WHERE id = $1 AND account = $2 AND kind IN ('session', 'token')
             RETURNING id",
            vec![id.into(), session.account.into()],
        );
        let ended = self.tables.transact(vec![delete.required()]).await?;
        ended.map(|_| ()).ok_or(AccountError::NoSuchSession)
    }

    /// Ends the session that was used.
    pub(crate) async fn sign_out(&self, session: &Session) -> Result<(), AccountError> {
        self.end_session(session, session.credential).await
    }

    /// Makes a token with which a program plays under the account's name, until it is ended like a session.
    pub(crate) async fn token(
        &self,
        session: &Session,
        label: &str,
    ) -> Result<String, AccountError> {
        let token = SecretCode::session()?;
        let label: String = label.chars().take(MAX_LABEL).collect();
        let number = Statement::new(
            "SELECT id FROM account WHERE id = $1
             AND (SELECT count(*) FROM credential WHERE account = $1 AND kind = 'token') < $2",
            vec![session.account.into(), MAX_TOKENS.into()],
        );
        let skeleton = names::skeleton(&session.name);
        let now = UnixMillis::now();
        let insert = insert_credential("token", &token, &label, &skeleton, now, i64::MAX);
        let made = self
            .tables
            .transact(vec![number.required(), insert])
            .await?;
        made.ok_or(AccountError::TooManyTokens)?;
        Ok(token.to_text())
    }

    /// Makes a code that signs in to the account on another device, once, within a day.
    pub(crate) async fn link(&self, session: &Session) -> Result<String, AccountError> {
        self.link_to(&session.name)
            .await?
            .ok_or(AccountError::SignedOut)
    }

    /// Makes such a code for the account with a name; `None` if there is none.
    pub(crate) async fn link_to(&self, name: &str) -> Result<Option<String>, AccountError> {
        let code = SecretCode::link()?;
        let skeleton = names::skeleton(name);
        let exists = Statement::new(
            "SELECT id FROM account WHERE skeleton = $1 AND name = $2 AND role <> 'leaving'",
            vec![skeleton.as_str().into(), name.into()],
        );
        // Only the last links count.
        let forget = Statement::new(
            "DELETE FROM credential WHERE kind = 'link' AND id IN (
                SELECT id FROM credential WHERE kind = 'link'
                    AND account = (SELECT id FROM account WHERE skeleton = $1)
                ORDER BY id DESC LIMIT 1000 OFFSET $2)",
            vec![skeleton.as_str().into(), (MAX_TOKENS - 1).into()],
        );
        let insert = insert_credential("link", &code, "", &skeleton, UnixMillis::now(), LINK);
        let statements = vec![exists.required(), forget, insert];
        let made = self.tables.transact(statements).await?;
        Ok(made.map(|_| code.to_text()))
    }

    /// Makes new recovery codes; the old ones are void.
    pub(crate) async fn renew_recovery(
        &self,
        session: &Session,
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
        session: &Session,
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

    /// Makes an invitation, which serves one new account within a day.
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

    /// Begins to delete an account: nobody can sign in to it any more. [`Accounts::finish_deletions`] does the rest.
    pub(crate) async fn delete(&self, name: &str) -> Result<bool, AccountError> {
        let skeleton = names::skeleton(name);
        // From now on the key is the name under which the games stay.
        let pseudonym = format!("{}{}", names::DELETED, draw_letters(PSEUDONYM_LETTERS)?);
        let leave = Statement::new(
            "UPDATE account SET role = 'leaving', password = '', identity = $1
             WHERE skeleton = $2 AND name = $3 AND role <> 'leaving' RETURNING id",
            vec![pseudonym.into(), skeleton.as_str().into(), name.into()],
        );
        let forget = Statement::new(
            "DELETE FROM credential WHERE account = (SELECT id FROM account WHERE skeleton = $1)",
            vec![skeleton.into()],
        );
        let begun = self.tables.transact(vec![leave.required(), forget]).await?;
        self.deletions.notify_one();
        Ok(begun.is_some())
    }

    /// Waits until a deletion begins on this node.
    pub(crate) async fn deletion_begun(&self) {
        self.deletions.notified().await;
    }

    /// Does what it can for the accounts that are being deleted, and returns the names of those for which more is to
    /// do: a game may go on in which one has a seat, or something may have been on its way to the store.
    pub(crate) async fn finish_deletions(&self) -> Result<Vec<String>, AccountError> {
        let expired = Statement::new(
            "DELETE FROM credential WHERE expires_at < $1",
            vec![UnixMillis::now().0.into()],
        );
        self.tables.transact(vec![expired]).await?;
        let select = Statement::new(
            "SELECT id, name, identity FROM account WHERE role = 'leaving' ORDER BY id",
            Vec::new(),
        );
        let mut unfinished = Vec::new();
        for row in self.tables.select(select).await? {
            let (id, name, pseudonym) = (row.integer(0), row.text(1), row.text(2));
            if !self.finish_deletion(id, name, pseudonym).await? {
                unfinished.push(name.to_owned());
            }
        }
        Ok(unfinished)
    }

    async fn finish_deletion(
        &self,
        id: i64,
        name: &str,
        pseudonym: &str,
    ) -> Result<bool, AccountError> {
        if name != pseudonym {
            if removal::replace(&*self.tables, name, pseudonym).await? != Removal::NothingLeft {
                return Ok(false);
            }
            let rename = Statement::new(
                "UPDATE account SET name = $1, skeleton = $1 WHERE id = $2",
                vec![pseudonym.into(), id.into()],
            );
            self.tables.transact(vec![rename]).await?;
        }
        if !self.tables.scrub().await? {
            return Ok(false);
        }
        let delete = Statement::new("DELETE FROM account WHERE id = $1", vec![id.into()]);
        self.tables.transact(vec![delete]).await?;
        Ok(true)
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

/// The key that a guest's secret stands for, in hexadecimal digits.
fn key_of(token: &str) -> Option<String> {
    Some(hex::encode(&ClientToken::parse(token)?.hash().0))
}

fn insert_account(name: &str, skeleton: &str, identity: &str, now: UnixMillis) -> Statement {
    let insert = Statement::new(
        "INSERT INTO account (name, skeleton, role, identity, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (skeleton) DO NOTHING RETURNING id",
        vec![
            name.into(),
            skeleton.into(),
            Role::Person.text().into(),
            identity.into(),
            now.0.into(),
        ],
    );
    insert.required()
}

/// A credential of the account with this skeleton; of none if there is none.
fn insert_credential(
    kind: &str,
    code: &SecretCode,
    label: &str,
    skeleton: &str,
    now: UnixMillis,
    lasts: i64,
) -> Statement {
    Statement::new(
        "INSERT INTO credential (hash, account, kind, label, created_at, used_at, expires_at)
         VALUES ($1, coalesce((SELECT id FROM account WHERE skeleton = $2), 0), $3, $4, $5, $5, $6)",
        vec![
            code.hash()[..].into(),
            skeleton.into(),
            kind.into(),
            label.into(),
            now.0.into(),
            now.0.saturating_add(lasts).into(),
        ],
    )
}

fn insert_recovery(
    codes: &[SecretCode],
    skeleton: &str,
    now: UnixMillis,
) -> impl Iterator<Item = Statement> {
    let insert = move |code| insert_credential("recovery", code, "", skeleton, now, i64::MAX);
    codes.iter().map(insert)
}

/// Deletes a credential that counts once.
fn use_up(kind: &str, hash: &[u8; 32], now: UnixMillis) -> Statement {
    let delete = Statement::new(
        "DELETE FROM credential WHERE hash = $1 AND kind = $2 AND expires_at > $3 RETURNING id",
        vec![Value::from(&hash[..]), kind.into(), now.0.into()],
    );
    delete.required()
}

fn recovery_codes() -> Result<Vec<SecretCode>, AccountError> {
    (0..RECOVERY_CODES)
        .map(|_| Ok(SecretCode::recovery()?))
        .collect()
}

fn texts(codes: &[SecretCode]) -> Vec<String> {
    codes.iter().map(SecretCode::to_text).collect()
}

//! Accounts of bots: programs that play under a name of their own, which marks them.

use checkers_lib::protocol::is_valid_name;
use event_store::{Statement, UnixMillis};

use super::statements::{insert_account, insert_token};
use super::{AccountError, AccountSession, Accounts, Scopes, SecretCode};
use crate::names::{self, BOT_MARK};

/// The most bots of one account.
pub(super) const MAX_BOTS: i64 = 50;

/// A bot as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OwnedBot {
    pub(crate) name: String,
    pub(crate) created_at: UnixMillis,
    /// When it last connected, to the hour.
    pub(crate) used_at: UnixMillis,
    /// What its token may be used for.
    pub(crate) scopes: Scopes,
}

/// A bot with a new token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewBot {
    pub(crate) name: String,
    /// Signs in, and does not expire.
    pub(crate) token: String,
}

impl Accounts {
    /// Creates a bot of this owner, or of the operator. Its name ends in [`BOT_MARK`],
    /// which is added if it is missing.
    pub(crate) async fn create_bot(
        &self,
        owner: Option<&AccountSession>,
        name: &str,
        scopes: Scopes,
    ) -> Result<NewBot, AccountError> {
        scopes.check_some()?;
        let name = match name.strip_suffix(BOT_MARK) {
            Some(_) => name.to_owned(),
            None => format!("{name}{BOT_MARK}"),
        };
        if !is_valid_name(&name) || name == BOT_MARK {
            return Err(AccountError::BadBotName(name));
        }
        let (token, identity) = (SecretCode::session()?, SecretCode::session()?.to_text());
        let (now, skeleton) = (UnixMillis::now(), names::skeleton(&name));
        let owner = owner.map_or(0, |session| session.account);
        let mut statements = Vec::new();
        if owner != 0 {
            let can_have_more = Statement::new(
                "SELECT id FROM account WHERE id = $1 AND role <> 'leaving'
                 AND (SELECT count(*) FROM account WHERE owner = $1) < $2",
                vec![owner.into(), MAX_BOTS.into()],
            );
            statements.push(can_have_more.required());
        }
        statements.push(insert_account(
            &name,
            &skeleton,
            &identity,
            now,
            Some(owner),
        ));
        statements.push(insert_token(&token, "", &skeleton, scopes, now));
        if self.tables.transact(statements).await?.is_none() {
            return Err(match self.find(&name).await? {
                Some(_) => AccountError::NameTaken(name),
                None => AccountError::TooManyBots,
            });
        }
        Ok(NewBot {
            name,
            token: token.to_text(),
        })
    }

    /// The bots of the account, by name.
    pub(crate) async fn bots(&self, owner: &AccountSession) -> Result<Vec<OwnedBot>, AccountError> {
        let select = Statement::new(
            "SELECT name, account.created_at, coalesce(max(used_at), account.created_at),
                coalesce(max(scopes), 0)
             FROM account LEFT JOIN credential ON credential.account = account.id AND kind = 'token'
             WHERE owner = $1 AND role = 'bot' GROUP BY account.id, name, account.created_at ORDER BY name",
            vec![owner.account.into()],
        );
        let rows = self.tables.select(select).await?;
        let bots = rows.iter().map(|row| OwnedBot {
            name: row.text(0).to_owned(),
            created_at: UnixMillis(row.integer(1)),
            used_at: UnixMillis(row.integer(2)),
            scopes: Scopes(row.integer(3)),
        });
        Ok(bots.collect())
    }

    /// Replaces the token of a bot of the account by one that may be used for this, or for the same.
    pub(crate) async fn renew_token(
        &self,
        owner: &AccountSession,
        name: &str,
        scopes: Option<Scopes>,
    ) -> Result<NewBot, AccountError> {
        let scopes = match scopes {
            Some(scopes) => scopes.check_some()?,
            None => {
                let bots = self.bots(owner).await?;
                let bot = bots.iter().find(|bot| bot.name == name);
                bot.ok_or_else(|| AccountError::NoSuchBot(name.to_owned()))?
                    .scopes
            }
        };
        let token = SecretCode::session()?;
        let skeleton = names::skeleton(name);
        let revoke = Statement::new(
            "DELETE FROM credential WHERE account = (SELECT id FROM account WHERE skeleton = $1)",
            vec![skeleton.as_str().into()],
        );
        let now = UnixMillis::now();
        let statements = vec![
            is_owned(owner, name),
            revoke,
            insert_token(&token, "", &skeleton, scopes, now),
        ];
        let done = self.tables.transact(statements).await?;
        done.ok_or_else(|| AccountError::NoSuchBot(name.to_owned()))?;
        Ok(NewBot {
            name: name.to_owned(),
            token: token.to_text(),
        })
    }

    /// Starts to delete a bot of the account, as [`Accounts::delete`].
    pub(crate) async fn delete_bot(
        &self,
        owner: &AccountSession,
        name: &str,
    ) -> Result<(), AccountError> {
        let owned = self.tables.transact(vec![is_owned(owner, name)]).await?;
        owned.ok_or_else(|| AccountError::NoSuchBot(name.to_owned()))?;
        self.delete(name).await.map(drop)
    }
}

/// Finds a row if the bot belongs to the account.
fn is_owned(owner: &AccountSession, name: &str) -> Statement {
    let select = Statement::new(
        "SELECT id FROM account WHERE skeleton = $1 AND name = $2 AND owner = $3 AND role = 'bot'",
        vec![
            names::skeleton(name).into(),
            name.into(),
            owner.account.into(),
        ],
    );
    select.required()
}

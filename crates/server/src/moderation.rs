//! Blocks between players, reports about players, and what moderators do.
//!
//! A moderator mutes or suspends accounts. Every action is logged. The log has no names and no free text, so that a
//! deleted account leaves no name in it.

mod action;
mod blocks;
mod copy;
mod error;
mod log;
mod reports;

use std::sync::Arc;

use event_store::{Sql, Statement, TokenHash, UnixMillis};

use crate::names;

pub(crate) use action::{ModerationAction, check_role};
pub(crate) use blocks::Opponents;
pub(crate) use copy::copy;
pub(crate) use error::ModerationError;
pub(crate) use log::{LogEntry, NewLogEntry, insert_entry};
pub(crate) use reports::{NewReport, Reason, ReportedPlayer};

/// Blocks, reports and the actions of moderators.
#[derive(Debug)]
pub(crate) struct Moderation {
    tables: Arc<dyn Sql>,
}

/// The end of a mute and of a suspension, in milliseconds since 1970; 0 if there was none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sanctions {
    muted_until: i64,
    suspended_until: i64,
}

impl Moderation {
    pub(crate) fn new(tables: Arc<dyn Sql>) -> Moderation {
        Moderation { tables }
    }

    /// The id of the account with this name.
    async fn find(&self, name: &str) -> Result<i64, ModerationError> {
        let select = Statement::new(
            "SELECT id FROM account WHERE skeleton = $1 AND name = $2 AND role <> 'leaving'",
            vec![names::skeleton(name).into(), name.into()],
        );
        let rows = self.tables.select(select).await?;
        let found = rows.first().map(|row| row.integer(0));
        found.ok_or_else(|| ModerationError::NoSuchAccount(name.to_owned()))
    }

    /// Checks that the player may begin a game.
    pub(crate) async fn check_may_play(&self, key: TokenHash) -> Result<(), ModerationError> {
        let until = self.sanctions_of(key).await.suspended_until;
        match until > UnixMillis::now().0 {
            true => Err(ModerationError::Suspended(UnixMillis(until))),
            false => Ok(()),
        }
    }

    /// Checks that the player may say something.
    pub(crate) async fn check_may_talk(&self, key: TokenHash) -> Result<(), ModerationError> {
        let until = self.sanctions_of(key).await.muted_until;
        match until > UnixMillis::now().0 {
            true => Err(ModerationError::Muted(UnixMillis(until))),
            false => Ok(()),
        }
    }

    /// The sanctions of the player, and of the owner of a bot. They are ignored while the database cannot be read, so
    /// that games go on.
    async fn sanctions_of(&self, key: TokenHash) -> Sanctions {
        let select = Statement::new(
            "SELECT muted_until, suspended_until FROM account WHERE identity = $1
             UNION ALL
             SELECT owner.muted_until, owner.suspended_until
             FROM account JOIN account AS owner ON owner.id = account.owner WHERE account.identity = $1",
            vec![key.to_hex().into()],
        );
        let rows = self.tables.select(select).await.unwrap_or_else(|error| {
            ModerationError::from(error).log();
            Vec::new()
        });
        let latest = |column| rows.iter().map(|row| row.integer(column)).max();
        Sanctions {
            muted_until: latest(0).unwrap_or_default(),
            suspended_until: latest(1).unwrap_or_default(),
        }
    }
}

/// Deletes the blocks and reports of an account that is being deleted, and its name in other reports.
pub(crate) fn forget(account: i64, name: &str, pseudonym: &str) -> [Statement; 3] {
    let delete = |text| Statement::new(text, vec![account.into()]);
    [
        delete("DELETE FROM block WHERE account = $1 OR blocked = $1"),
        delete("DELETE FROM report WHERE account = $1 OR subject = $1"),
        Statement::new(
            "UPDATE report SET text = replace(text, $1, $2) WHERE closed_at = 0",
            vec![name.into(), pseudonym.into()],
        ),
    ]
}

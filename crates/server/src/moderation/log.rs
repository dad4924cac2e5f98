//! The log of moderation, to which entries are only added: triggers of the database refuse everything else.

use event_store::{Row, Statement, UnixMillis};

use super::{Moderation, ModerationError, Reason};
use crate::names;

/// Entries of a page of the log.
const PAGE: i64 = 50;

/// An entry to add.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewLogEntry {
    /// The account of the moderator; 0 for the operator.
    pub(super) moderator: i64,
    pub(super) action: &'static str,
    pub(super) reason: Option<Reason>,
    pub(super) until: UnixMillis,
}

impl NewLogEntry {
    pub(crate) fn by_operator(action: &'static str) -> NewLogEntry {
        NewLogEntry {
            moderator: 0,
            action,
            reason: None,
            until: UnixMillis(0),
        }
    }
}

/// An entry as moderators see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LogEntry {
    pub(crate) id: i64,
    pub(crate) at: UnixMillis,
    /// The name of the moderator; empty for the operator, and for a deleted account.
    pub(crate) moderator: String,
    pub(crate) action: String,
    /// The name of the player; empty if there is none, and for a deleted account.
    pub(crate) subject: String,
    /// Empty if there is none.
    pub(crate) reason: String,
    pub(crate) until: UnixMillis,
}

/// Adds an entry about the account with this name, or without an account if there is none.
pub(crate) fn insert_entry(entry: &NewLogEntry, subject: &str) -> Statement {
    Statement::new(
        "INSERT INTO moderation_log (at, moderator, action, subject, reason, until)
         VALUES ($1, coalesce((SELECT identity FROM account WHERE id = $2), ''), $3,
            coalesce((SELECT identity FROM account WHERE skeleton = $4), ''), $5, $6)",
        vec![
            UnixMillis::now().0.into(),
            entry.moderator.into(),
            entry.action.into(),
            names::skeleton(subject).into(),
            entry.reason.map_or("", Reason::as_str).into(),
            entry.until.0.into(),
        ],
    )
}

impl Moderation {
    /// The last entries before one, the latest first.
    pub(crate) async fn log(&self, before: i64) -> Result<Vec<LogEntry>, ModerationError> {
        let select = Statement::new(
            "SELECT moderation_log.id, at, coalesce(moderator.name, ''), action, coalesce(subject.name, ''), reason,
                until
             FROM moderation_log
                LEFT JOIN account AS moderator ON moderator.identity = moderation_log.moderator
                LEFT JOIN account AS subject ON subject.identity = moderation_log.subject
             WHERE moderation_log.id < $1 ORDER BY moderation_log.id DESC LIMIT $2",
            vec![before.into(), PAGE.into()],
        );
        let entry = |row: &Row| LogEntry {
            id: row.integer(0),
            at: UnixMillis(row.integer(1)),
            moderator: row.text(2).to_owned(),
            action: row.text(3).to_owned(),
            subject: row.text(4).to_owned(),
            reason: row.text(5).to_owned(),
            until: UnixMillis(row.integer(6)),
        };
        Ok(self
            .tables
            .select(select)
            .await?
            .iter()
            .map(entry)
            .collect())
    }
}

//! The log of what moderators have done. The database refuses to change or shorten it.

use super::{Moderation, ModerationError, Reason};
use crate::names;
use crate::store::{ReadError, Row, Sql, Statement, UnixMillis};

/// Entries of a page of the log.
const PAGE: i64 = 50;

/// Entries copied in one transaction.
const CHUNK: usize = 500;

/// An entry to add.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The account of the moderator; 0 for the operator.
    pub(super) moderator: i64,
    pub(super) action: &'static str,
    pub(super) reason: Option<Reason>,
    pub(super) until: UnixMillis,
}

impl Entry {
    /// An action of the operator.
    pub(crate) fn by_operator(action: &'static str) -> Entry {
        Entry {
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

/// What adds an entry about the account with this name, or about nobody if there is none.
pub(crate) fn insert_entry(entry: &Entry, subject: &str) -> Statement {
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

/// Copies the log, the open reports and the blocks of one store to another, which has the accounts already. It can be
/// repeated.
pub(crate) async fn copy(source: &dyn Sql, target: &dyn Sql) -> Result<(), ReadError> {
    let copies = [
        (
            "SELECT at, moderator, action, subject, reason, until FROM moderation_log ORDER BY id",
            "INSERT INTO moderation_log (at, moderator, action, subject, reason, until)
             SELECT CAST($1 AS bigint), $2, $3, $4, $5, CAST($6 AS bigint) WHERE NOT EXISTS (
                SELECT 1 FROM moderation_log WHERE at = $1 AND moderator = $2 AND action = $3 AND subject = $4
                    AND reason = $5 AND until = $6)",
        ),
        (
            "SELECT account.skeleton, subject.skeleton, reason, game, text, report.created_at, closed_at
             FROM report JOIN account ON account.id = report.account
                JOIN account AS subject ON subject.id = report.subject ORDER BY report.id",
            "INSERT INTO report (account, subject, reason, game, text, created_at, closed_at)
             SELECT account.id, subject.id, $3, $4, $5, $6, $7 FROM account, account AS subject
             WHERE account.skeleton = $1 AND subject.skeleton = $2",
        ),
        (
            "SELECT account.skeleton, blocked.skeleton, block.created_at
             FROM block JOIN account ON account.id = block.account
                JOIN account AS blocked ON blocked.id = block.blocked ORDER BY number",
            "INSERT INTO block (account, blocked, created_at)
             SELECT account.id, blocked.id, $3 FROM account, account AS blocked
             WHERE account.skeleton = $1 AND blocked.skeleton = $2",
        ),
    ];
    let mut statements = vec![
        Statement::new("DELETE FROM report", Vec::new()),
        Statement::new("DELETE FROM block", Vec::new()),
    ];
    for (select, insert) in copies {
        let rows = source.select(Statement::new(select, Vec::new())).await?;
        let inserts = rows.into_iter();
        statements.extend(inserts.map(|row| Statement::new(insert, row.into_values())));
    }
    for chunk in statements.chunks(CHUNK) {
        target.transact(chunk.to_vec()).await?;
    }
    Ok(())
}

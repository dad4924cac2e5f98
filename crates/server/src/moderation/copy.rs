//! Copies blocks, reports and the log of one store to another.

use event_store::{ReadError, Sql, Statement};

/// Rows copied in one transaction.
const CHUNK: usize = 500;

/// Copies to `target`, which has the accounts already: replaces its blocks and reports, and adds the entries of the log that
/// it lacks. It can be repeated.
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

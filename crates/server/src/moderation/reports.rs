//! Reports about players.

use event_store::{Row, Statement, UnixMillis};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Moderation, ModerationError, check_role};
use crate::accounts::{AccountRole, AccountSession};

/// The most open reports of one account.
pub(super) const MAX_OPEN: i64 = 20;

/// The longest text of a report, in characters.
pub(super) const MAX_TEXT: usize = 500;

/// Open reports that a moderator sees: the oldest.
const QUEUE: i64 = 200;

/// Why a player is reported, or why a moderator acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reason {
    /// Help of a program during games.
    Cheating,
    /// Games lost on purpose.
    Sandbagging,
    /// Games left or delayed.
    Stalling,
    /// Abusive phrases.
    Chat,
    /// An offensive name.
    Name,
    /// Something else.
    Other,
}

impl Reason {
    /// As it is stored.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Reason::Cheating => "cheating",
            Reason::Sandbagging => "sandbagging",
            Reason::Stalling => "stalling",
            Reason::Chat => "chat",
            Reason::Name => "name",
            Reason::Other => "other",
        }
    }

    /// A stored reason; that of a later version is another one.
    pub(super) fn stored(text: &str) -> Reason {
        let reasons = [
            Reason::Cheating,
            Reason::Sandbagging,
            Reason::Stalling,
            Reason::Chat,
            Reason::Name,
        ];
        let reason = reasons.into_iter().find(|reason| reason.as_str() == text);
        reason.unwrap_or(Reason::Other)
    }
}

/// A report to file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewReport {
    /// The name of the player.
    pub(crate) name: String,
    pub(crate) reason: Reason,
    /// The id of a game, or empty.
    pub(crate) game: String,
    pub(crate) text: String,
}

/// A player about whom there are open reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReportedPlayer {
    pub(crate) name: String,
    pub(crate) role: AccountRole,
    pub(crate) muted_until: UnixMillis,
    pub(crate) suspended_until: UnixMillis,
    /// How often it was muted or suspended.
    pub(crate) sanctions: i64,
    /// The open reports, the oldest first.
    pub(crate) reports: Vec<OpenReport>,
}

/// An open report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OpenReport {
    /// Who reports.
    pub(crate) by: String,
    pub(crate) reason: Reason,
    /// The id of a game, or empty.
    pub(crate) game: String,
    pub(crate) text: String,
    pub(crate) at: UnixMillis,
}

impl Moderation {
    /// Files a report. It replaces an open one of this account about the same player.
    pub(crate) async fn report(
        &self,
        session: &AccountSession,
        report: NewReport,
    ) -> Result<(), ModerationError> {
        let NewReport {
            name,
            reason,
            game,
            text,
        } = report;
        if name == session.name {
            return Err(ModerationError::Oneself);
        }
        if text.chars().count() > MAX_TEXT {
            return Err(ModerationError::LongText);
        }
        let subject = self.find(&name).await?;
        let earlier = Statement::new(
            "DELETE FROM report WHERE account = $1 AND subject = $2 AND closed_at = 0",
            vec![session.account.into(), subject.into()],
        );
        let has_room = Statement::new(
            "SELECT CAST(1 AS bigint) WHERE (SELECT count(*) FROM report WHERE account = $1 AND closed_at = 0) < $2",
            vec![session.account.into(), MAX_OPEN.into()],
        );
        let insert = Statement::new(
            "INSERT INTO report (account, subject, reason, game, text, created_at)
             SELECT $1, id, $3, $4, $5, $6 FROM account WHERE id = $2 AND role <> 'leaving'",
            vec![
                session.account.into(),
                subject.into(),
                reason.as_str().into(),
                game.into(),
                text.into(),
                UnixMillis::now().0.into(),
            ],
        );
        let filed = self
            .tables
            .transact(vec![earlier, has_room.required(), insert])
            .await?;
        filed.map(|_| ()).ok_or(ModerationError::TooManyReports)
    }

    /// The reports that the account has filed, the latest first, each with the name of the player.
    pub(crate) async fn reports_by(
        &self,
        session: &AccountSession,
    ) -> Result<Vec<(String, OpenReport)>, ModerationError> {
        let select = Statement::new(
            "SELECT account.name, reason, game, text, report.created_at
             FROM report JOIN account ON account.id = report.subject
             WHERE report.account = $1 ORDER BY report.id DESC",
            vec![session.account.into()],
        );
        let rows = self.tables.select(select).await?;
        let by = |row: &Row| (row.text(0).to_owned(), report(&session.name, row, 1));
        Ok(rows.iter().map(by).collect())
    }

    /// The players with open reports on whom the moderator can act, those who wait longest first. An administrator
    /// sees the reports about others too.
    pub(crate) async fn queue(
        &self,
        by: &AccountSession,
    ) -> Result<Vec<ReportedPlayer>, ModerationError> {
        check_role(by, false)?;
        let select = Statement::new(
            "SELECT subject.name, subject.role, subject.muted_until, subject.suspended_until,
                (SELECT count(*) FROM moderation_log
                 WHERE moderation_log.subject = subject.identity AND action IN ('mute', 'suspend')),
                reporter.name, reason, game, text, report.created_at
             FROM report JOIN account AS subject ON subject.id = report.subject
                JOIN account AS reporter ON reporter.id = report.account
             WHERE closed_at = 0 AND subject.id <> $1 AND (subject.role IN ('person', 'bot') OR $2 = 'administrator')
             ORDER BY report.id LIMIT $3",
            vec![by.account.into(), by.role.as_str().into(), QUEUE.into()],
        );
        let mut players: Vec<ReportedPlayer> = Vec::new();
        for row in self.tables.select(select).await? {
            let report = report(row.text(5), &row, 6);
            match players.iter_mut().find(|player| player.name == row.text(0)) {
                Some(player) => player.reports.push(report),
                None => players.push(ReportedPlayer {
                    name: row.text(0).to_owned(),
                    role: AccountRole::stored(row.text(1)),
                    muted_until: UnixMillis(row.integer(2)),
                    suspended_until: UnixMillis(row.integer(3)),
                    sanctions: row.integer(4),
                    reports: vec![report],
                }),
            }
        }
        Ok(players)
    }
}

/// The report that begins at a column of a row.
fn report(by: &str, row: &Row, column: usize) -> OpenReport {
    OpenReport {
        by: by.to_owned(),
        reason: Reason::stored(row.text(column)),
        game: row.text(column + 1).to_owned(),
        text: row.text(column + 2).to_owned(),
        at: UnixMillis(row.integer(column + 3)),
    }
}

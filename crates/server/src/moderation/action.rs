//! What moderators do with an account.

use event_store::{Statement, UnixMillis};

use super::{Moderation, ModerationError, NewLogEntry, Reason, insert_entry};
use crate::accounts::{AccountRole, AccountSession};
use crate::names;

/// The longest mute or suspension, in hours.
pub(super) const MAX_HOURS: i64 = 10 * 366 * 24;

const HOUR: i64 = 3600 * 1000;

/// What a moderator does with an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ModerationAction {
    /// Mutes it for a number of hours.
    Mute(i64, Reason),
    /// Suspends it for a number of hours: it begins no games.
    Suspend(i64, Reason),
    /// Ends a mute and a suspension.
    Lift,
    /// Closes the reports without a sanction.
    Dismiss,
    /// Gives it another role.
    Appoint(AccountRole),
    /// Makes a link that signs in to it.
    Link,
}

impl ModerationAction {
    fn as_str(self) -> &'static str {
        match self {
            ModerationAction::Mute(..) => "mute",
            ModerationAction::Suspend(..) => "suspend",
            ModerationAction::Lift => "lift",
            ModerationAction::Dismiss => "dismiss",
            ModerationAction::Appoint(role) => role.as_str(),
            ModerationAction::Link => "link",
        }
    }

    /// Whether it decides about the open reports.
    fn closes_reports(self) -> bool {
        !matches!(self, ModerationAction::Appoint(_) | ModerationAction::Link)
    }

    /// Whether it is for administrators only.
    fn is_for_administrators(self) -> bool {
        matches!(self, ModerationAction::Appoint(_) | ModerationAction::Link)
    }

    fn reason(self) -> Option<Reason> {
        match self {
            ModerationAction::Mute(_, reason) | ModerationAction::Suspend(_, reason) => {
                Some(reason)
            }
            ModerationAction::Lift
            | ModerationAction::Dismiss
            | ModerationAction::Appoint(_)
            | ModerationAction::Link => None,
        }
    }

    /// The end of a mute or a suspension.
    fn until(self, now: UnixMillis) -> Result<UnixMillis, ModerationError> {
        match self {
            ModerationAction::Mute(hours, _) | ModerationAction::Suspend(hours, _) => {
                let hours = Some(hours).filter(|hours| (1..=MAX_HOURS).contains(hours));
                let hours = hours.ok_or(ModerationError::BadHours)?;
                Ok(UnixMillis(now.0 + hours * HOUR))
            }
            ModerationAction::Lift
            | ModerationAction::Dismiss
            | ModerationAction::Appoint(_)
            | ModerationAction::Link => Ok(UnixMillis(0)),
        }
    }
}

/// Finds the account with the skeleton $1 and the name $2 if the account with the id $3 may do $4 with it.
const MAY_ACT: &str = "
    SELECT subject.id FROM account AS subject, account AS moderator
    WHERE subject.skeleton = $1 AND subject.name = $2 AND moderator.id = $3 AND subject.id <> moderator.id
        AND ($4 <> 'link' OR subject.role <> 'bot')
        AND (moderator.role = 'administrator'
                AND (subject.role IN ('person', 'bot', 'moderator') OR $4 = 'dismiss' AND subject.role <> 'leaving')
            OR moderator.role = 'moderator' AND subject.role IN ('person', 'bot'))";

impl Moderation {
    /// Acts on the account with this name, closes the reports about it, with their texts, and logs the action: all or nothing.
    pub(crate) async fn act(
        &self,
        by: &AccountSession,
        name: &str,
        action: ModerationAction,
    ) -> Result<(), ModerationError> {
        check_role(by, action.is_for_administrators())?;
        let now = UnixMillis::now();
        let until = action.until(now)?;
        let skeleton = names::skeleton(name);
        let may_act = vec![
            skeleton.as_str().into(),
            name.into(),
            by.account.into(),
            action.as_str().into(),
        ];
        let close = Statement::new(
            "UPDATE report SET closed_at = $1, text = ''
             WHERE closed_at = 0 AND subject = (SELECT id FROM account WHERE skeleton = $2)",
            vec![now.0.into(), skeleton.as_str().into()],
        );
        let entry = NewLogEntry {
            moderator: by.account,
            action: action.as_str(),
            reason: action.reason(),
            until,
        };
        let mut statements = vec![Statement::new(MAY_ACT, may_act).required()];
        statements.extend(action.closes_reports().then_some(close));
        statements.extend(change(action, &skeleton, until));
        statements.push(insert_entry(&entry, name));
        if self.tables.transact(statements).await?.is_some() {
            return Ok(());
        }
        self.find(name).await?;
        Err(ModerationError::NotAllowed(name.to_owned()))
    }

    /// The bots of the account with this name.
    pub(crate) async fn bots_of(&self, name: &str) -> Result<Vec<String>, ModerationError> {
        let select = Statement::new(
            "SELECT bot.name FROM account JOIN account AS bot ON bot.owner = account.id WHERE account.skeleton = $1",
            vec![names::skeleton(name).into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
    }

    /// Logs that an administrator has made an invitation.
    pub(crate) async fn note_invitation(&self, by: &AccountSession) -> Result<(), ModerationError> {
        check_role(by, true)?;
        let entry = NewLogEntry {
            moderator: by.account,
            ..NewLogEntry::by_operator("invitation")
        };
        self.tables.transact(vec![insert_entry(&entry, "")]).await?;
        Ok(())
    }

    /// The accounts with a role, by name.
    pub(crate) async fn staff(
        &self,
        by: &AccountSession,
    ) -> Result<Vec<(String, AccountRole)>, ModerationError> {
        check_role(by, false)?;
        let select = Statement::new(
            "SELECT name, role FROM account WHERE role IN ('administrator', 'moderator') ORDER BY name",
            Vec::new(),
        );
        let rows = self.tables.select(select).await?;
        let staff = rows.iter();
        Ok(staff
            .map(|row| (row.text(0).to_owned(), AccountRole::stored(row.text(1))))
            .collect())
    }
}

/// Checks that a moderator or an administrator is signed in; a token is refused.
pub(crate) fn check_role(
    by: &AccountSession,
    is_administrator: bool,
) -> Result<(), ModerationError> {
    if by.check_owner().is_err() || !by.role.moderates() {
        return Err(ModerationError::NotModerator);
    }
    if is_administrator && by.role != AccountRole::Administrator {
        return Err(ModerationError::NotAdministrator);
    }
    Ok(())
}

/// What changes the account with this skeleton.
fn change(action: ModerationAction, skeleton: &str, until: UnixMillis) -> Option<Statement> {
    let text = match action {
        ModerationAction::Mute(..) => "UPDATE account SET muted_until = $1 WHERE skeleton = $2",
        ModerationAction::Suspend(..) => {
            "UPDATE account SET suspended_until = $1 WHERE skeleton = $2"
        }
        ModerationAction::Lift => {
            "UPDATE account SET muted_until = $1, suspended_until = $1 WHERE skeleton = $2"
        }
        ModerationAction::Appoint(role) => {
            let set = "UPDATE account SET role = $1 WHERE skeleton = $2 AND role NOT IN ('bot', 'leaving') RETURNING id";
            let set = Statement::new(set, vec![role.as_str().into(), skeleton.into()]);
            return Some(set.required());
        }
        ModerationAction::Dismiss | ModerationAction::Link => return None,
    };
    Some(Statement::new(text, vec![until.0.into(), skeleton.into()]))
}

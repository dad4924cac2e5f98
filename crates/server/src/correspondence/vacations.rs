//! Vacations: the time of a player for a move stands still.

use event_store::{ReadError, Row, Statement, UnixMillis};

use super::{Correspondence, CorrespondenceError, DAY};

/// The days of vacation of an account in 365 days.
pub(crate) const MAX_DAYS_A_YEAR: i64 = 30;

/// The vacation of an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Vacation {
    /// Until when the account is on vacation.
    pub(crate) until: Option<UnixMillis>,
    /// Whole days that are left of the last 365 days.
    pub(crate) days_left: i64,
}

impl Correspondence {
    pub(crate) async fn vacation(&self, account: i64) -> Result<Vacation, ReadError> {
        let now = UnixMillis::now();
        let select = Statement::new(
            "SELECT starts_at, ends_at FROM vacation WHERE account = $1 AND ends_at > $2",
            vec![account.into(), (now.0 - 365 * DAY).into()],
        );
        let rows = self.tables.select(select).await?;
        let used: i64 = rows
            .iter()
            .map(|row: &Row| row.integer(1) - row.integer(0))
            .sum();
        let until = rows.iter().map(|row| row.integer(1)).max();
        Ok(Vacation {
            until: until.filter(|until| *until > now.0).map(UnixMillis),
            days_left: ((MAX_DAYS_A_YEAR * DAY - used) / DAY).max(0),
        })
    }

    /// Starts a vacation of some days now, and moves the deadlines of the account's games. Returns when it ends.
    pub(crate) async fn start_vacation(
        &self,
        account: i64,
        days: i64,
    ) -> Result<UnixMillis, CorrespondenceError> {
        if !(1..=MAX_DAYS_A_YEAR).contains(&days) {
            return Err(CorrespondenceError::BadVacation);
        }
        let before = self.vacation(account).await?;
        if before.until.is_some() {
            return Err(CorrespondenceError::OnVacation);
        }
        let now = UnixMillis::now();
        let ends = UnixMillis(now.0 + days * DAY);
        let year = now.0 - 365 * DAY;
        // The account is locked, so that two requests at a time do not both find enough days.
        let lock = Statement::new(
            "UPDATE account SET role = role WHERE id = $1 AND role NOT IN ('bot', 'leaving') RETURNING id",
            vec![account.into()],
        );
        let insert = Statement::new(
            "INSERT INTO vacation (account, starts_at, ends_at)
             SELECT id, $2, $3 FROM account WHERE id = $1
                AND coalesce((SELECT CAST(sum(ends_at - starts_at) AS bigint) FROM vacation WHERE account = $1 AND ends_at > $4), 0) <= $5
                AND NOT EXISTS (SELECT 1 FROM vacation WHERE account = $1 AND ends_at > $2)
             RETURNING number",
            vec![
                account.into(),
                now.0.into(),
                ends.0.into(),
                year.into(),
                ((MAX_DAYS_A_YEAR - days) * DAY).into(),
            ],
        );
        let statements = vec![
            lock.required(),
            insert.required(),
            shift(account, days * DAY),
        ];
        let started = self.tables.transact(statements).await?;
        started
            .map(|_| ends)
            .ok_or(CorrespondenceError::NoVacationLeft(before.days_left))
    }

    /// Ends the vacation of an account now.
    pub(crate) async fn end_vacation(&self, account: i64) -> Result<(), CorrespondenceError> {
        let until = self.vacation(account).await?.until;
        let until = until.ok_or(CorrespondenceError::NotOnVacation)?;
        let now = UnixMillis::now();
        let end = Statement::new(
            "UPDATE vacation SET ends_at = $1 WHERE account = $2 AND ends_at = $3 RETURNING number",
            vec![now.0.into(), account.into(), until.0.into()],
        );
        let statements = vec![end.required(), shift(account, now.0 - until.0)];
        let ended = self.tables.transact(statements).await?;
        ended.map(drop).ok_or(CorrespondenceError::NotOnVacation)
    }
}

/// Moves the deadlines of an account by some milliseconds.
fn shift(account: i64, by: i64) -> Statement {
    Statement::new(
        "UPDATE correspondence SET deadline = deadline + $1 WHERE (white = $2 AND turn = 0) OR (black = $2 AND turn = 1)",
        vec![by.into(), account.into()],
    )
}

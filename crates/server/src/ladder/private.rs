//! Private ladders: those of a course or a club, with an end, which bots join with a code.

use checkers_lib::TimeControl;
use checkers_lib::protocol::{ErrorCode, Refusal};
use event_store::{ReadError, Row, Statement, UnixMillis};
use tracing::warn;

use super::{Ladder, Season};
use crate::lobby::PrivateLadder;
use crate::lobby::secrets::{draw_letters, draw_table_id};
use crate::names;

/// The most private ladders of an account.
const MAX_LADDERS: i64 = 20;

/// Letters of a code: 60 random bits.
const CODE_LENGTH: usize = 12;

/// The longest name, in characters.
const MAX_NAME: usize = 60;

/// The longest time from the creation to the end, in days.
pub(crate) const MAX_DAYS: u32 = 366;

/// A private ladder, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OwnedLadder {
    pub(crate) season: Season,
    /// What bots join with. Unlike the season, it is in no game.
    pub(crate) code: String,
    pub(crate) name: String,
    /// The time control of both sides, as text.
    pub(crate) clock: String,
    /// When the last games begin.
    pub(crate) until: UnixMillis,
}

/// Why a private ladder cannot be created or found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PrivateLadderError {
    #[error("a name has 1 to {MAX_NAME} visible characters")]
    BadName,
    #[error("an account has at most {MAX_LADDERS} ladders: delete one of them")]
    TooMany,
    #[error("you have no such ladder")]
    NotFound,
    #[error("the server has no randomness now")]
    NoRandomness(#[from] getrandom::Error),
    #[error("ladders cannot be read or written now: try again")]
    Store(#[from] ReadError),
}

impl Ladder {
    /// Creates a ladder of this account.
    pub(crate) async fn create(
        &self,
        owner: i64,
        name: &str,
        clock: TimeControl,
        days: u32,
    ) -> Result<OwnedLadder, PrivateLadderError> {
        let name = name.trim();
        let length = name.chars().count();
        if !(1..=MAX_NAME).contains(&length) || name.chars().any(char::is_control) {
            return Err(PrivateLadderError::BadName);
        }
        let (id, code) = (draw_table_id()?, draw_letters(CODE_LENGTH)?);
        let now = UnixMillis::now();
        let until = UnixMillis(now.0 + i64::from(days) * DAY);
        // The account is locked, so that requests at the same time are counted.
        let lock = Statement::new(
            "UPDATE account SET role = role WHERE id = $1 AND role <> 'leaving' RETURNING id",
            vec![owner.into()],
        );
        let can_have_more = Statement::new(
            "SELECT id FROM account WHERE id = $1
             AND (SELECT count(*) FROM private_ladder WHERE owner = $1) < $2",
            vec![owner.into(), MAX_LADDERS.into()],
        );
        let insert = Statement::new(
            "INSERT INTO private_ladder (id, code, owner, name, clock, until, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            vec![
                id.as_str().into(),
                code.as_str().into(),
                owner.into(),
                name.into(),
                clock.to_string().into(),
                until.0.into(),
                now.0.into(),
            ],
        );
        let statements = vec![lock.required(), can_have_more.required(), insert];
        let made = self.tables.transact(statements);
        made.await?.ok_or(PrivateLadderError::TooMany)?;
        let season = id.parse().map_err(|_| PrivateLadderError::NotFound)?;
        Ok(OwnedLadder {
            season,
            code,
            name: name.to_owned(),
            clock: clock.to_string(),
            until,
        })
    }

    /// The ladders of this account, the latest first.
    pub(crate) async fn of_owner(&self, owner: i64) -> Result<Vec<OwnedLadder>, ReadError> {
        let select = Statement::new(
            "SELECT id, code, name, clock, until FROM private_ladder WHERE owner = $1 ORDER BY created_at DESC, id",
            vec![owner.into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().filter_map(read).collect())
    }

    pub(crate) async fn private(&self, season: Season) -> Result<Option<OwnedLadder>, ReadError> {
        let select = Statement::new(
            "SELECT id, code, name, clock, until FROM private_ladder WHERE id = $1",
            vec![season.to_string().into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.first().and_then(read))
    }

    /// Ends a ladder of this account now, unless it is over.
    pub(crate) async fn end(&self, owner: i64, id: &str) -> Result<(), PrivateLadderError> {
        let end = Statement::new(
            "UPDATE private_ladder SET until = CASE WHEN until > $1 THEN $1 ELSE until END
             WHERE id = $2 AND owner = $3 RETURNING id",
            vec![UnixMillis::now().0.into(), id.into(), owner.into()],
        );
        let ended = self.tables.transact(vec![end.required()]).await?;
        ended.map(drop).ok_or(PrivateLadderError::NotFound)
    }

    /// Deletes a ladder of this account. Its games stay.
    pub(crate) async fn delete(&self, owner: i64, id: &str) -> Result<(), PrivateLadderError> {
        let delete = Statement::new(
            "DELETE FROM private_ladder WHERE id = $1 AND owner = $2 RETURNING id",
            vec![id.into(), owner.into()],
        );
        let deleted = self.tables.transact(vec![delete.required()]).await?;
        deleted.map(drop).ok_or(PrivateLadderError::NotFound)
    }

    /// The owner of a bot; 0 for the operator.
    pub(crate) async fn owner_of(&self, bot: &str) -> i64 {
        let select = Statement::new(
            "SELECT owner FROM account WHERE skeleton = $1 AND name = $2",
            vec![names::skeleton(bot).into(), bot.into()],
        );
        let rows = self.tables.select(select).await.unwrap_or_else(|error| {
            warn!(
                error = cli_kit::explain(&error),
                "the owner of a bot cannot be read"
            );
            Vec::new()
        });
        rows.first().map_or(0, |row| row.integer(0))
    }

    /// The ladder with this code, and its clock.
    ///
    /// # Errors
    /// There is none, it is over, or it cannot be read now.
    pub(crate) async fn open(&self, code: &str) -> Result<(TimeControl, PrivateLadder), Refusal> {
        let select = Statement::new(
            "SELECT id, code, name, clock, until FROM private_ladder WHERE code = $1",
            vec![code.into()],
        );
        let rows = self.tables.select(select).await.map_err(|error| {
            warn!(error = cli_kit::explain(&error), "a ladder cannot be read");
            Refusal::new(
                ErrorCode::NotStored,
                "ladders cannot be read now: try again",
            )
        })?;
        let unknown = || refusal(&format!("there is no ladder with the code {code:?}"));
        let found = rows.first().and_then(read).ok_or_else(unknown)?;
        let clock = found.clock.parse().map_err(|_| unknown())?;
        let OwnedLadder { season, until, .. } = found;
        if until <= UnixMillis::now() {
            return Err(over());
        }
        Ok((clock, PrivateLadder { season, until }))
    }
}

/// Milliseconds in a day.
const DAY: i64 = 24 * 3600 * 1000;

/// The refusal for a ladder that has ended.
pub(crate) fn over() -> Refusal {
    Refusal::new(ErrorCode::EventOver, "the ladder is over")
}

/// The refusal for a client that is no bot.
pub(crate) fn only_bots() -> Refusal {
    refusal("only bots with accounts play on ladders")
}

fn refusal(message: &str) -> Refusal {
    Refusal::new(ErrorCode::BadTable, format!("ladder: {message}"))
}

fn read(row: &Row) -> Option<OwnedLadder> {
    Some(OwnedLadder {
        season: row.text(0).parse().ok()?,
        code: row.text(1).to_owned(),
        name: row.text(2).to_owned(),
        clock: row.text(3).to_owned(),
        until: UnixMillis(row.integer(4)),
    })
}

//! Games by correspondence: days for each move, and players who need not be connected.
//!
//! The events of such a game are in the log, as those of every game. The table `correspondence` of the store has a row
//! for each running one: whose turn it is, and until when. A shard notes each change here, and a task writes it; a table
//! without clients whose row is written is dropped from memory, and is loaded from the log for a client, for a move, or when
//! its time is over. A row that is older than the log, since the server was killed between the two, is written again from the log.

mod challenges;
mod conditional;
mod copy;
mod games;
mod vacations;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use checkers_lib::protocol::{TableKind, Visibility};
use checkers_lib::{ByColor, DrawRules, MoveTiming, TimeControl};
use event_store::{EventLog, ReadError, Sql, Store};
use tokio::sync::Notify;

use crate::restore::RestoredTable;
use crate::table::{Policy, TableSettings};

pub(crate) use challenges::{Challenge, Invitation, Wish};
pub(crate) use conditional::ConditionalLine;
pub(crate) use copy::copy;
pub(crate) use games::{
    CorrespondenceGame, GameProgress, RunningProgress, TurnDates, millis, table_of,
};
pub(crate) use vacations::{MAX_DAYS_A_YEAR, Vacation};

/// The most days for a move.
pub(crate) const MAX_DAYS: u32 = 14;

/// The most running games of an account.
pub(crate) const MAX_GAMES: i64 = 200;

const DAY: i64 = 24 * 3600 * 1000;

/// The running games by correspondence, and what belongs to them.
pub(crate) struct Correspondence {
    tables: Arc<dyn Sql>,
    log: Arc<dyn EventLog>,
    rules: DrawRules,
    policy: Policy,
    /// What is to be written, by the id of the game: at most one entry for each table in memory.
    noted: Mutex<HashMap<String, GameProgress>>,
    changed: Notify,
}

/// A game from the log, with what the log does not say.
#[derive(Debug)]
pub(crate) struct LoadedGame {
    pub(crate) restored: RestoredTable,
    /// The time of the side to move; `None` without a row.
    pub(crate) dates: Option<TurnDates>,
    /// Whether the row is not older than the log.
    pub(crate) is_row_current: bool,
}

/// Why something about a game by correspondence is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CorrespondenceError {
    #[error("expected 1 to {MAX_DAYS} days for a move")]
    BadDays,
    #[error("expected 1 to {MAX_DAYS_A_YEAR} days")]
    BadVacation,
    #[error("a year has {MAX_DAYS_A_YEAR} days of vacation, and {0} of them are left")]
    NoVacationLeft(i64),
    #[error("you are on vacation already")]
    OnVacation,
    #[error("you are not on vacation")]
    NotOnVacation,
    #[error("there is no account of a person {0:?} that you could challenge")]
    NoSuchOpponent(String),
    #[error("{0}")]
    TooMany(&'static str),
    #[error("there is no such challenge: it may have been answered or withdrawn")]
    NoSuchChallenge,
    #[error("your account is suspended: it begins no games")]
    Suspended,
    #[error("you play no such game")]
    NoSuchGame,
    #[error("it is your turn: play a move")]
    YourTurn,
    #[error("line {line}: {why}")]
    BadLine { line: usize, why: String },
    #[error("the server has no randomness now")]
    NoRandomness(#[from] getrandom::Error),
    #[error("games by correspondence cannot be read or written now: try again")]
    Store(#[from] ReadError),
}

impl Correspondence {
    pub(crate) fn new(store: &Arc<dyn Store>, rules: DrawRules, policy: Policy) -> Correspondence {
        Correspondence {
            tables: store.tables(),
            log: Arc::clone(store) as Arc<dyn EventLog>,
            rules,
            policy,
            noted: Mutex::default(),
            changed: Notify::new(),
        }
    }

    /// Reads games from another log.
    #[cfg(test)]
    pub(crate) fn with_log(self, log: Arc<dyn EventLog>) -> Correspondence {
        Correspondence { log, ..self }
    }

    /// The settings of a table with these days for a move.
    fn settings(&self, id: &str, days: u32, rated: bool) -> Option<TableSettings> {
        let clock = TimeControl::per_move(Duration::from_secs(u64::from(days) * 24 * 3600))?;
        Some(TableSettings {
            kind: TableKind::Correspondence,
            visibility: Visibility::Link,
            clocks: ByColor::new_with(|_| Some(clock)),
            casual: false,
            rated,
            ..TableSettings::new(id, self.rules)
        })
    }

    fn noted(&self) -> MutexGuard<'_, HashMap<String, GameProgress>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Correspondence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Correspondence").finish_non_exhaustive()
    }
}

/// The days for a move of a table's clock.
pub(crate) fn days_of(settings: &TableSettings) -> i64 {
    match settings.clocks.white.map(TimeControl::timing) {
        Some(MoveTiming::PerMove(time)) => i64::try_from(time.as_secs() / (24 * 3600)).unwrap_or(1),
        _ => 1,
    }
}

//! The rows of running games, and the way from a row and the log to a table.

use std::time::{Duration, Instant};

use checkers_lib::{ByColor, Color};
use event_store::{ReadError, Row, Statement, StreamId, TokenHash, UnixMillis, Value};

use super::{Correspondence, DAY, LoadedGame, days_of};
use crate::restore;
use crate::table::{CorrespondenceState, TableSettings, TurnTime, game_id};

/// The most rows that are written in one transaction.
const WRITTEN_AT_ONCE: usize = 100;

/// The most games of one search.
const FOUND_AT_ONCE: i64 = 100;

/// Where a game stands, for its row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GameProgress {
    pub(crate) table: String,
    /// The last event.
    pub(crate) seq: u32,
    /// `None` if the game is over.
    pub(crate) running: Option<RunningProgress>,
}

/// The columns of the row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunningProgress {
    pub(crate) players: ByColor<TokenHash>,
    pub(crate) days: i64,
    pub(crate) rated: bool,
    pub(crate) ply: u32,
    pub(crate) turn: Color,
    pub(crate) since: UnixMillis,
    pub(crate) deadline: UnixMillis,
}

/// A running game, as one of its players sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CorrespondenceGame {
    pub(crate) game: String,
    pub(crate) color: Color,
    pub(crate) opponent: String,
    /// Until when the opponent is on vacation.
    pub(crate) opponent_away: Option<UnixMillis>,
    pub(crate) days: i64,
    pub(crate) rated: bool,
    pub(crate) ply: i64,
    pub(crate) is_own_turn: bool,
    pub(crate) deadline: UnixMillis,
}

/// The time of the side to move, by the wall clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TurnDates {
    pub(crate) since: UnixMillis,
    pub(crate) deadline: UnixMillis,
    /// When the vacation of each player ends, or has ended.
    pub(crate) vacation: ByColor<UnixMillis>,
}

impl TurnDates {
    /// The dates of a time now, which is `at`.
    pub(crate) fn of(time: TurnTime, at: UnixMillis) -> TurnDates {
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let later = |time: Duration| UnixMillis(at.0.saturating_add(millis(time)));
        TurnDates {
            since: UnixMillis(at.0.saturating_sub(millis(time.since))),
            deadline: later(time.left),
            vacation: time.vacation.map(later),
        }
    }

    /// The time now, which is `at`.
    pub(crate) fn at(self, at: UnixMillis) -> TurnTime {
        let until = |date: UnixMillis| millis(date.0.saturating_sub(at.0));
        TurnTime {
            since: millis(at.0.saturating_sub(self.since.0)),
            left: until(self.deadline),
            vacation: self.vacation.map(until),
        }
    }
}

impl RunningProgress {
    /// Where a running game stands.
    pub(crate) fn new(
        state: &CorrespondenceState,
        dates: TurnDates,
        settings: &TableSettings,
    ) -> RunningProgress {
        RunningProgress {
            players: state.players,
            days: days_of(settings),
            rated: settings.rated,
            ply: state.ply,
            turn: state.turn,
            since: dates.since,
            deadline: dates.deadline,
        }
    }
}

impl Correspondence {
    /// Notes where a game stands; it is written soon.
    pub(crate) fn note(&self, progress: GameProgress) {
        self.noted().insert(progress.table.clone(), progress);
        self.changed.notify_one();
    }

    /// Waits until something is noted.
    pub(crate) async fn noted_something(&self) {
        self.changed.notified().await;
    }

    /// Writes some of what was noted, and returns it. What cannot be written stays noted.
    pub(crate) async fn write(&self) -> Result<Vec<GameProgress>, ReadError> {
        let batch: Vec<GameProgress> = {
            let noted = self.noted();
            noted.values().take(WRITTEN_AT_ONCE).cloned().collect()
        };
        if batch.is_empty() {
            return Ok(batch);
        }
        let statements = batch.iter().flat_map(statements).collect();
        self.tables.transact(statements).await?;
        let mut noted = self.noted();
        for written in &batch {
            if noted.get(&written.table) == Some(written) {
                noted.remove(&written.table);
            }
        }
        Ok(batch)
    }

    /// Whether a table has a running game.
    pub(crate) async fn has(&self, table: &str) -> Result<bool, ReadError> {
        let select = Statement::new(
            "SELECT number FROM correspondence WHERE game = $1",
            vec![game_id(table, 1).into()],
        );
        Ok(!self.tables.select(select).await?.is_empty())
    }

    /// Loads a running game; `None` if there is none.
    pub(crate) async fn load(&self, table: &str) -> Result<Option<LoadedGame>, ReadError> {
        let game = game_id(table, 1);
        let Ok(stream) = game.parse::<StreamId>() else {
            return Ok(None);
        };
        // A table of another kind has its own settings.
        let main = TableSettings::new("", self.rules);
        let read = restore::restore_one(&*self.log, stream, &main, self.policy).await?;
        let Some(restored) = read else {
            return Ok(None);
        };
        let Some(state) = restored.table.correspondence(Instant::now()) else {
            return Ok(None);
        };
        let select = Statement::new(
            "SELECT seq, since, deadline,
                coalesce((SELECT max(ends_at) FROM vacation WHERE account = white), 0),
                coalesce((SELECT max(ends_at) FROM vacation WHERE account = black), 0)
             FROM correspondence WHERE game = $1",
            vec![game.into()],
        );
        let rows = self.tables.select(select).await?;
        let (_, seq) = restored.table.stream_position();
        let days = days_of(restored.table.settings());
        let is_row_current = rows
            .first()
            .is_some_and(|row| row.integer(0) == i64::from(seq));
        let row = rows.first().zip(restored.turn_began);
        let dates =
            row.map(|(row, began)| dates_of(row, is_row_current, (state.turn, days), began));
        Ok(Some(LoadedGame {
            restored,
            dates,
            is_row_current,
        }))
    }

    /// The running games of an account, those first whose time is over first.
    pub(crate) async fn of(&self, account: i64) -> Result<Vec<CorrespondenceGame>, ReadError> {
        let select = Statement::new(
            "SELECT game, white, turn, days, rated, ply, deadline, coalesce(account.name, ''),
                coalesce((SELECT max(ends_at) FROM vacation WHERE vacation.account = account.id), 0)
             FROM correspondence LEFT JOIN account ON account.id = white + black - $1
             WHERE white = $1 OR black = $1 ORDER BY deadline, game",
            vec![account.into()],
        );
        let now = UnixMillis::now();
        let game = |row: &Row| {
            let color = if row.integer(1) == account {
                Color::White
            } else {
                Color::Black
            };
            let away = UnixMillis(row.integer(8));
            CorrespondenceGame {
                game: row.text(0).to_owned(),
                color,
                opponent: row.text(7).to_owned(),
                opponent_away: (away > now).then_some(away),
                days: row.integer(3),
                rated: row.integer(4) != 0,
                ply: row.integer(5),
                is_own_turn: row.integer(2) == number(color),
                deadline: UnixMillis(row.integer(6)),
            }
        };
        Ok(self.tables.select(select).await?.iter().map(game).collect())
    }

    /// The tables, and the sides, at which an account that is being deleted plays.
    pub(crate) async fn of_leaving(&self, name: &str) -> Result<Vec<(String, Color)>, ReadError> {
        let select = Statement::new(
            "SELECT game, white, account.id FROM correspondence
                JOIN account ON account.id = white OR account.id = black
             WHERE account.name = $1 AND role = 'leaving' ORDER BY game",
            vec![name.into()],
        );
        let side = |row: &Row| {
            let is_white = row.integer(1) == row.integer(2);
            let color = if is_white { Color::White } else { Color::Black };
            Some((table_of(row.text(0))?.to_owned(), color))
        };
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().filter_map(side).collect())
    }

    /// Some games, after one, whose rows are older than the log.
    pub(crate) async fn stale(&self, after: &str) -> Result<Vec<String>, ReadError> {
        let select = "SELECT game FROM correspondence JOIN stream ON stream.name = game
             WHERE game > $1 AND correspondence.seq < (SELECT max(CAST(event.seq AS bigint)) FROM event WHERE event.stream = stream.id)
             ORDER BY game LIMIT $2";
        self.games(select, vec![after.into(), FOUND_AT_ONCE.into()])
            .await
    }

    /// Some games, after one, whose time is over.
    pub(crate) async fn overdue(&self, after: &str) -> Result<Vec<String>, ReadError> {
        let select = "SELECT game FROM correspondence WHERE deadline <= $1 AND game > $2 ORDER BY game LIMIT $3";
        let now = UnixMillis::now();
        self.games(
            select,
            vec![now.0.into(), after.into(), FOUND_AT_ONCE.into()],
        )
        .await
    }

    /// Deletes the rows of games that are over.
    pub(crate) async fn forget_ended(&self) -> Result<(), ReadError> {
        let ended = [
            "DELETE FROM correspondence WHERE EXISTS (
                SELECT 1 FROM stream WHERE stream.name = correspondence.game AND NOT open)",
            "DELETE FROM conditional_moves WHERE NOT EXISTS (
                SELECT 1 FROM correspondence WHERE correspondence.game = conditional_moves.game)",
        ];
        let ended = ended.map(|text| Statement::new(text, Vec::new()));
        self.tables.transact(ended.into()).await.map(drop)
    }

    pub(super) async fn games(
        &self,
        select: &'static str,
        parameters: Vec<Value>,
    ) -> Result<Vec<String>, ReadError> {
        let rows = self
            .tables
            .select(Statement::new(select, parameters))
            .await?;
        Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
    }
}

pub(crate) fn table_of(game: &str) -> Option<&str> {
    game.rsplit_once('-').map(|(table, _)| table)
}

/// The number of a side in the store.
pub(super) fn number(color: Color) -> i64 {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// The time of the side to move by its row, or, if the row is older than the log, by when its turn `began`.
fn dates_of(
    row: &Row,
    is_row_current: bool,
    (turn, days): (Color, i64),
    began: UnixMillis,
) -> TurnDates {
    let vacation = ByColor {
        white: row.integer(3),
        black: row.integer(4),
    };
    let (since, deadline) = if is_row_current {
        (row.integer(1), row.integer(2))
    } else {
        (began.0, began.0.max(vacation[turn]) + days * DAY)
    };
    TurnDates {
        since: UnixMillis(since),
        deadline: UnixMillis(deadline),
        vacation: vacation.map(UnixMillis),
    }
}

/// A time in milliseconds; none if it is negative.
pub(crate) fn millis(time: i64) -> Duration {
    Duration::from_millis(u64::try_from(time).unwrap_or_default())
}

/// What writes a row, or deletes it.
fn statements(progress: &GameProgress) -> Vec<Statement> {
    let game = game_id(&progress.table, 1);
    let Some(running) = &progress.running else {
        let deletes = [
            "DELETE FROM correspondence WHERE game = $1",
            "DELETE FROM conditional_moves WHERE game = $1",
        ];
        return deletes
            .map(|text| Statement::new(text, vec![game.as_str().into()]))
            .into();
    };
    let upsert = Statement::new(
        "INSERT INTO correspondence (game, white, black, days, rated, seq, ply, turn, since, deadline)
         SELECT $1, coalesce((SELECT id FROM account WHERE identity = $2), 0),
            coalesce((SELECT id FROM account WHERE identity = $3), 0), $4, $5, $6, $7, $8, $9, $10
         FROM stream WHERE name = $1 AND open
         ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, ply = excluded.ply, turn = excluded.turn,
            since = excluded.since, deadline = excluded.deadline WHERE excluded.seq >= correspondence.seq",
        vec![
            game.into(),
            running.players.white.to_hex().into(),
            running.players.black.to_hex().into(),
            running.days.into(),
            i64::from(running.rated).into(),
            i64::from(progress.seq).into(),
            i64::from(running.ply).into(),
            number(running.turn).into(),
            running.since.0.into(),
            running.deadline.0.into(),
        ],
    );
    vec![upsert]
}

//! The ladder: seasons of games between bots, and what they say about their strength.
//!
//! The lobby pairs the bots. A season is the event that its games belong to; the standings follow from these games
//! alone.

mod choices;
mod commands;
mod file;
mod pairing;
mod private;
mod regret;
mod season;
mod similarity;
mod standings;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use checkers_lib::ByColor;
use event_store::{ReadError, Row, Sql, Statement};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use tokio::time::Instant;

use crate::ratings::{LEVELS, Speed};
use standings::GroupedGames;

pub(crate) use commands::{LadderArgs, run as run_command};
#[cfg(test)]
pub(crate) use file::SeasonLine;
pub(crate) use file::{LadderPlayer, write as season_file};
pub(crate) use private::{MAX_DAYS, OwnedLadder, PrivateLadderError, only_bots, over};
#[cfg(test)]
pub(crate) use regret::tests::record as test_record;
pub(crate) use regret::{Regret, value_of_ending};
pub(crate) use season::{Season, SeasonError};
pub(crate) use similarity::{Similar, similarity};
pub(crate) use standings::Standings;

/// How long standings are kept before they are computed again.
const KEPT: Duration = Duration::from_secs(60);

/// The standings of the ladder on a server.
#[derive(Debug)]
pub(crate) struct Ladder {
    tables: Arc<dyn Sql>,
    /// The latest standings. A request that computes some holds the lock, so that others wait for it.
    latest: Arc<Mutex<HashMap<(Season, Speed), Computed>>>,
}

/// Standings, and when they were computed.
#[derive(Debug)]
struct Computed {
    at: Instant,
    standings: Arc<Standings>,
}

impl Ladder {
    /// The standings of the games in these tables.
    pub(crate) fn new(tables: Arc<dyn Sql>) -> Ladder {
        Ladder {
            tables,
            latest: Arc::default(),
        }
    }

    /// Forgets standings, which may have the name of a deleted account.
    pub(crate) async fn forget_standings(&self) {
        self.latest.lock().await.clear();
    }

    /// The standings of a season, at most a minute old. Computing them takes O(players³).
    pub(crate) async fn standings(
        &self,
        season: Season,
        speed: Speed,
    ) -> Result<Arc<Standings>, ReadError> {
        // Whoever asks may go away; the computation goes on then, and others wait for it.
        let mut latest = Arc::clone(&self.latest).lock_owned().await;
        latest.retain(|_, computed| computed.at.elapsed() < KEPT);
        let key = (season, speed);
        if let Some(computed) = latest.get(&key) {
            return Ok(Arc::clone(&computed.standings));
        }
        let games = self.games(season).await?;
        let computed = spawn_blocking(move || {
            let standings = Arc::new(Standings::of(&games, speed, &LEVELS));
            let computed = Computed {
                at: Instant::now(),
                standings: Arc::clone(&standings),
            };
            latest.insert(key, computed);
            standings
        });
        computed.await.map_err(|_| ReadError::Cancelled)
    }

    async fn games(&self, season: Season) -> Result<Vec<GroupedGames>, ReadError> {
        let select = Statement::new(
            "SELECT coalesce(white_bot, white, ''), coalesce(black_bot, black, ''), game.clock, game.result, count(*),
                CAST(coalesce(sum(white_moves), 0) AS bigint), CAST(coalesce(sum(white_lost), 0) AS bigint),
                CAST(coalesce(sum(black_moves), 0) AS bigint), CAST(coalesce(sum(black_lost), 0) AS bigint)
             FROM participant JOIN game ON game.stream = participant.stream
             WHERE role = 'event' AND name = $1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4",
            vec![season.event().as_str().into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().map(read_group).collect())
    }
}

fn read_group(row: &Row) -> GroupedGames {
    let regret = |column| Regret {
        moves: row.integer(column),
        lost: row.integer(column + 1),
    };
    GroupedGames {
        white: row.text(0).to_owned(),
        black: row.text(1).to_owned(),
        clock: row.text(2).to_owned(),
        result: row.text(3).to_owned(),
        count: row.integer(4),
        regret: ByColor {
            white: regret(5),
            black: regret(7),
        },
    }
}

//! Rules against ratings that say little of a player's strength: games given up on purpose, and pairs of players who
//! play only each other.

use std::time::Duration;

use checkers_lib::protocol::{ErrorCode, Refusal};
use event_store::{ReadError, Statement, UnixMillis};
use tracing::warn;

use super::fold::GIVEN_UP_A_DAY;
use super::{DAY, Ratings, Speed, standing};
use crate::names;

/// The highest rating within so many days counts for the limit of a tournament.
pub(crate) const PEAK_DAYS: i64 = 90;

/// The first games of a player, after which a rating may be high by chance.
const UNCERTAIN_GAMES: i64 = 15;

/// Whether a `rating` is listed: the latest 100 games were against at least five opponents, and no more than three
/// quarters of them against the same one.
macro_rules! is_of_many_opponents {
    () => {
        "(SELECT CASE WHEN count(*) >= 5 AND max(games) * 4 <= sum(games) * 3 THEN 1 ELSE 0 END FROM (
            SELECT count(*) AS games FROM (
                SELECT opponent FROM rating_change AS change
                WHERE change.name = rating.name AND change.speed = rating.speed ORDER BY number DESC LIMIT 100
            ) AS latest GROUP BY opponent
        ) AS met) = 1"
    };
}
pub(super) use is_of_many_opponents;

impl Ratings {
    /// Whether a rating is not compared with others because its latest games were against too few opponents.
    pub(crate) async fn is_isolated(&self, name: &str, speed: Speed) -> Result<bool, ReadError> {
        let select = Statement::new(
            concat!(
                "SELECT rating FROM rating WHERE name = $1 AND speed = $2 AND ",
                is_of_many_opponents!()
            ),
            vec![name.into(), speed.name().into()],
        );
        Ok(self.tables.select(select).await?.is_empty())
    }

    /// When the rated games ended, later than `since`, that a player gave up early.
    pub(super) async fn given_up_since(
        &self,
        name: &str,
        since: UnixMillis,
    ) -> Result<Vec<UnixMillis>, ReadError> {
        let select = Statement::new(
            "SELECT participant.finished_at FROM participant CROSS JOIN game
             WHERE game.stream = participant.stream AND role = 'player' AND name = $1 AND participant.finished_at > $2
                AND game.rated > 0 AND gave_up = CASE WHEN is_white THEN 'white' ELSE 'black' END",
            vec![name.into(), since.0.into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().map(|row| UnixMillis(row.integer(0))).collect())
    }

    /// Checks that a person has not given up too many games that were to be rated. Bots, which may fail, play on.
    pub(crate) async fn check_not_paused(&self, name: &str) -> Result<(), Refusal> {
        if names::is_of_bot_account(name) {
            return Ok(());
        }
        let now = UnixMillis::now();
        let paused_until = self.paused_until(name, now).await;
        let paused_until = paused_until.unwrap_or_else(|error| {
            let error = cli_kit::explain(&error);
            warn!(error, "the rated games of a player cannot be read");
            None
        });
        let Some(until) = paused_until else {
            return Ok(());
        };
        let minutes = u64::try_from((until.0 - now.0) / 60_000).unwrap_or_default() + 1;
        let rest = humantime::format_duration(Duration::from_secs(minutes * 60));
        let message = format!(
            "you have given up {GIVEN_UP_A_DAY} rated games early within a day: you can play rated games again in {rest}"
        );
        Err(Refusal::new(ErrorCode::RatedPaused, message))
    }

    /// When the player can play rated games again; `None` for now.
    async fn paused_until(
        &self,
        name: &str,
        now: UnixMillis,
    ) -> Result<Option<UnixMillis>, ReadError> {
        let select = Statement::new(
            "SELECT participant.finished_at FROM participant CROSS JOIN game
             WHERE game.stream = participant.stream AND role = 'player' AND name = $1 AND participant.finished_at > $2
                AND participant.reason IN ('resignation', 'time', 'player_left', 'abandoned', 'aborted')
                AND gave_up = CASE WHEN is_white THEN 'white' ELSE 'black' END
             ORDER BY participant.finished_at DESC LIMIT $3",
            vec![
                name.into(),
                (now.0 - DAY).into(),
                i64::try_from(GIVEN_UP_A_DAY).unwrap_or(i64::MAX).into(),
            ],
        );
        let rows = self.tables.select(select).await?;
        let oldest = rows.get(GIVEN_UP_A_DAY - 1);
        Ok(oldest.map(|row| UnixMillis(row.integer(0).saturating_add(DAY))))
    }

    /// The highest rating of a player in a class within the last [`PEAK_DAYS`], in points, without the first games; at
    /// least the rating at present, and that of a new player if there is none.
    pub(crate) async fn peak(
        &self,
        name: &str,
        speed: Speed,
        now: UnixMillis,
    ) -> Result<i64, ReadError> {
        let select = Statement::new(
            "SELECT coalesce(max(rating), 0) FROM (
                SELECT rating, at FROM rating_change WHERE name = $1 AND speed = $2 ORDER BY number LIMIT $3 OFFSET $4
             ) AS certain WHERE at > $5",
            vec![
                name.into(),
                speed.name().into(),
                i64::MAX.into(),
                UNCERTAIN_GAMES.into(),
                (now.0 - PEAK_DAYS * DAY).into(),
            ],
        );
        let rows = self.tables.select(select).await?;
        let highest = rows
            .first()
            .map_or(0, |row| standing::points(row.integer(0)));
        Ok(highest.max(self.for_pairing(name, speed).await))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use event_store::{Durability, Sql, StoreAddress};

    use super::*;

    /// Changes of a player's rating: opponent, time and rating in points.
    async fn store_changes(tables: &dyn Sql, name: &str, changes: &[(String, i64, i64)]) {
        let change = |(number, (opponent, at, points)): (i64, &(String, i64, i64))| {
            Statement::new(
                "INSERT INTO rating_change (name, speed, number, at, opponent, rating) VALUES ($1, 'rapid', $2, $3, $4, $5)",
                vec![
                    name.into(),
                    number.into(),
                    (*at).into(),
                    opponent.as_str().into(),
                    (points * 1_000_000).into(),
                ],
            )
        };
        let mut statements: Vec<Statement> = (1..).zip(changes).map(change).collect();
        let (_, at, points) = changes.last().unwrap();
        statements.push(Statement::new(
            "INSERT INTO rating (name, speed, rating, deviation, volatility, games, rated_at)
             VALUES ($1, 'rapid', $2, 60000000, 60000, $3, $4)",
            vec![
                name.into(),
                (points * 1_000_000).into(),
                (changes.len() as i64).into(),
                (*at).into(),
            ],
        ));
        tables.transact(statements).await.unwrap();
    }

    fn open(directory: &tempfile::TempDir) -> Arc<dyn Sql> {
        let address = StoreAddress::Sqlite(directory.path().to_owned());
        address.open(Durability::Crash).unwrap().tables()
    }

    /// Games against opponents of these numbers, now.
    fn against(opponents: impl IntoIterator<Item = i64>) -> Vec<(String, i64, i64)> {
        let now = UnixMillis::now().0;
        let change = |opponent: i64| (format!("p{opponent}"), now, 1600);
        opponents.into_iter().map(change).collect()
    }

    #[tokio::test]
    async fn who_plays_few_opponents_is_not_listed() {
        let directory = tempfile::tempdir().unwrap();
        let tables = open(&directory);
        let players = [
            ("four", against((0..80).map(|game| game % 4))),
            ("five", against((0..80).map(|game| game % 5))),
            // Seventy-five of the latest hundred, and one more.
            (
                "often",
                against((0..100).map(|game| if game < 75 { 0 } else { game })),
            ),
            (
                "pair",
                against((0..100).map(|game| if game < 76 { 0 } else { game })),
            ),
            // The others were long ago.
            (
                "later",
                against((0..300).map(|game| if game < 200 { game } else { 0 })),
            ),
        ];
        for (name, changes) in &players {
            store_changes(&*tables, name, changes).await;
        }
        let ratings = Ratings::new(tables);
        let listed = ratings.best(Speed::Rapid, super::super::RatingPool::People, 10);
        let listed: Vec<String> = (listed.await.unwrap().into_iter())
            .map(|ranked| ranked.name)
            .collect();
        assert_eq!(listed, ["five", "often"]);
        for (name, _) in &players {
            let is_isolated = ratings.is_isolated(name, Speed::Rapid).await.unwrap();
            assert_eq!(is_isolated, !listed.iter().any(|listed| listed == name));
        }
    }

    #[tokio::test]
    async fn the_highest_rating_of_the_last_days_counts() {
        let directory = tempfile::tempdir().unwrap();
        let tables = open(&directory);
        let now = 400 * DAY;
        let change = |day: i64, points| ("boris".to_owned(), day * DAY, points);
        let mut changes: Vec<_> = (0..UNCERTAIN_GAMES).map(|_| change(399, 2200)).collect();
        changes.extend([
            change(300, 2100),
            change(311, 1900),
            change(320, 1700),
            change(399, 1500),
        ]);
        store_changes(&*tables, "anna", &changes).await;
        store_changes(&*tables, "young", &[change(399, 1741)]).await;
        store_changes(&*tables, "idle", &[change(1, 1800)]).await;
        let ratings = Ratings::new(tables);
        let peak = async |name| {
            let peak = ratings.peak(name, Speed::Rapid, UnixMillis(now)).await;
            peak.unwrap()
        };
        assert_eq!(peak("anna").await, 1900);
        assert_eq!(peak("young").await, 1741, "the rating at present counts");
        assert_eq!(peak("idle").await, 1800);
        assert_eq!(peak("nobody").await, 1500);
    }

    #[tokio::test]
    async fn three_games_given_up_within_a_day_pause_rated_play() {
        let directory = tempfile::tempdir().unwrap();
        let tables = open(&directory);
        let ratings = Ratings::new(Arc::clone(&tables));
        let now = UnixMillis::now();
        let store = async |number: i64, age: i64, name: &str, gave_up: &str| {
            let at = now.0 - age;
            let game = Statement::new(
                "INSERT INTO game VALUES ($1, 9, $2, 'interrupted', 'aborted', '3m+2s', 1, $3, 'boris', NULL, NULL, x'', 0, NULL, NULL, NULL, NULL, NULL, $4)",
                vec![number.into(), at.into(), name.into(), gave_up.into()],
            );
            let part = Statement::new(
                "INSERT INTO participant (role, name, finished_at, stream, is_white, result, reason, clock, plies)
                 VALUES ('player', $1, $2, $3, 1, 'interrupted', 'aborted', '3m+2s', 1)",
                vec![name.into(), at.into(), number.into()],
            );
            tables.transact(vec![game, part]).await.unwrap();
        };
        let hour = 3_600_000;
        for number in 1..=2 {
            store(number, number * hour, "anna", "white").await;
        }
        // Those are too old, or the opponent has given them up.
        store(3, DAY + hour, "anna", "white").await;
        store(4, hour, "anna", "black").await;
        assert_eq!(ratings.paused_until("anna", now).await.unwrap(), None);
        assert_eq!(ratings.check_not_paused("anna").await, Ok(()));
        store(5, 20 * hour, "anna", "white").await;
        let until = ratings.paused_until("anna", now).await.unwrap();
        assert_eq!(until, Some(UnixMillis(now.0 + 4 * hour)));
        let refused = ratings.check_not_paused("anna").await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::RatedPaused);
        // The latest three count.
        store(6, hour, "anna", "white").await;
        let until = ratings.paused_until("anna", now).await.unwrap();
        assert_eq!(until, Some(UnixMillis(now.0 + 22 * hour)));
        for number in 7..=9 {
            store(number, hour, "crow[bot]", "white").await;
        }
        assert_eq!(ratings.check_not_paused("crow[bot]").await, Ok(()));
    }
}

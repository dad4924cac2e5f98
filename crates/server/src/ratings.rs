//! Ratings of accounts, from the rated games in the archive.
//!
//! A finished game waits in the archive until some node rates it. The number that it then gets fixes the order, so
//! that ratings can be computed again from the archive alone. Ratings belong to names: a deleted account's games, and
//! what they did to the ratings of others, stay under its new name.

mod commands;
mod copy;
mod fair_play;
mod fold;
mod glicko;
mod recompute;
mod speed;
mod standing;

use std::sync::Arc;

use checkers_lib::ByColor;
use event_store::{ReadError, Row, Sql, Statement, UnixMillis};
use tracing::warn;

use crate::names;
use fair_play::is_of_many_opponents;
use fold::{RatedGame, RatingChange, RatingState, pair};

pub(crate) use commands::{RatingArgs, run as run_command};
pub(crate) use copy::copy;
pub(crate) use fair_play::PEAK_DAYS;
pub(crate) use fold::{LEVELS, fixed_rating};
pub(crate) use recompute::Recomputed;
pub(crate) use speed::Speed;
pub(crate) use standing::{NEW_RATING, Standing};

/// Milliseconds in a day.
const DAY: i64 = 24 * 3600 * 1000;

/// Games rated in one transaction.
const CHUNK: i64 = 50;

/// The fields of a [`RatedGame`].
macro_rules! select_games {
    ($condition:literal) => {
        concat!(
            "SELECT stream, coalesce(white, ''), coalesce(black, ''), coalesce(white_bot, ''),
                coalesce(black_bot, ''), result, clock, finished_at, rated,
                coalesce(gave_up, '') FROM game ",
            $condition
        )
    };
}
use select_games;

/// The number of other players of a pool, and of those with a lower rating.
macro_rules! select_lower {
    ($like:literal) => {
        concat!(
            "SELECT count(*), CAST(coalesce(sum(CASE WHEN rating < $1 THEN 1 ELSE 0 END), 0) AS bigint) FROM rating
             WHERE speed = $2 AND deviation < $3 AND name <> $4 AND name ",
            $like,
            " $5"
        )
    };
}

/// The listed ratings of a pool after one, the best first.
macro_rules! select_best {
    ($like:literal) => {
        concat!(
            "SELECT name, rating, deviation, volatility, games, rated_at FROM rating
             WHERE speed = $1 AND deviation < $2 AND name ",
            $like,
            " $3 AND (rating < $4 OR rating = $4 AND name > $5) AND ",
            is_of_many_opponents!(),
            " ORDER BY rating DESC, name LIMIT $6"
        )
    };
}

/// The ratings of a server.
#[derive(Debug)]
pub(crate) struct Ratings {
    tables: Arc<dyn Sql>,
}

/// Players who play rated games with each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RatingPool {
    People,
    Bots,
}

impl RatingPool {
    /// The pool of the player with this name.
    pub(crate) fn of(name: &str) -> RatingPool {
        match names::is_of_bot_account(name) {
            true => RatingPool::Bots,
            false => RatingPool::People,
        }
    }
}

/// An entry of a leaderboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RatedPlayer {
    pub(crate) name: String,
    pub(crate) standing: Standing,
}

/// A rating in the course of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Point {
    /// When the game ended that changed it.
    pub(crate) at: UnixMillis,
    /// The rating after it.
    pub(crate) rating: i64,
}

impl Ratings {
    /// The ratings in these tables.
    pub(crate) fn new(tables: Arc<dyn Sql>) -> Ratings {
        Ratings { tables }
    }

    /// Rates games that wait for it, the earliest first. Returns whether others may still wait. Of several nodes that
    /// do so at one time, one succeeds.
    pub(crate) async fn rate_finished(&self) -> Result<bool, ReadError> {
        let waiting = Statement::new(
            select_games!("WHERE rated = -1 ORDER BY finished_at, stream LIMIT $1"),
            vec![CHUNK.into()],
        );
        let rows = self.tables.select(waiting).await?;
        if rows.is_empty() {
            return Ok(false);
        }
        // Before anything else is read that others may change.
        let version = self.version().await?;
        let rated = self.rated().await?;
        let mut state = RatingState::default();
        let mut statements = vec![next_version(version)];
        for (number, row) in (rated + 1..).zip(&rows) {
            let game = RatedGame {
                number,
                ..read_game(row)
            };
            self.load(&mut state, &game).await?;
            statements.push(number_game(row.integer(0), &game));
            for change in state.rate(&game) {
                statements.extend(store(&change));
            }
        }
        self.tables.transact(statements).await?;
        Ok(true)
    }

    /// The ratings of a player.
    pub(crate) async fn of(&self, name: &str) -> Result<Vec<(Speed, Standing)>, ReadError> {
        let select = Statement::new(
            "SELECT speed, rating, deviation, volatility, games, rated_at FROM rating WHERE name = $1 ORDER BY speed",
            vec![name.into()],
        );
        let rows = self.tables.select(select).await?;
        let rating = |row: &Row| Some((Speed::from_name(row.text(0))?, read_standing(row, 1)));
        Ok(rows.iter().filter_map(rating).collect())
    }

    /// The rating of a player in points, to find opponents; that of a new player if there is none, or if it cannot be
    /// read.
    pub(crate) async fn for_pairing(&self, name: &str, speed: Speed) -> i64 {
        let ratings = self.of(name).await.unwrap_or_else(|error| {
            warn!(%error, "a rating cannot be read");
            Vec::new()
        });
        let known = ratings.into_iter().find(|(of, _)| *of == speed);
        let new = || Standing::new(UnixMillis(0));
        known.map_or_else(new, |(_, standing)| standing).points()
    }

    /// The latest ratings of a player in the course of time, the earliest first.
    pub(crate) async fn history(
        &self,
        name: &str,
        speed: Speed,
        limit: u32,
    ) -> Result<Vec<Point>, ReadError> {
        let select = Statement::new(
            "SELECT at, rating FROM rating_change WHERE name = $1 AND speed = $2 ORDER BY number DESC LIMIT $3",
            vec![name.into(), speed.name().into(), i64::from(limit).into()],
        );
        let rows = self.tables.select(select).await?;
        let point = |row: &Row| Point {
            at: UnixMillis(row.integer(0)),
            rating: standing::points(row.integer(1)),
        };
        Ok(rows.iter().rev().map(point).collect())
    }

    /// The share of the others whose rating is lower than this one, in percent, among the people or the bots whose
    /// ratings are not provisional; `None` if they are too few, or if this one is provisional or
    /// [isolated](Ratings::is_isolated).
    pub(crate) async fn percentile(
        &self,
        name: &str,
        speed: Speed,
        standing: Standing,
    ) -> Result<Option<i64>, ReadError> {
        /// The fewest others to be compared with.
        const LEAST: i64 = 10;
        if standing.is_provisional_at(UnixMillis::now()) || self.is_isolated(name, speed).await? {
            return Ok(None);
        }
        let text = match RatingPool::of(name) {
            RatingPool::People => select_lower!("NOT LIKE"),
            RatingPool::Bots => select_lower!("LIKE"),
        };
        let parameters = vec![
            standing.rating.into(),
            speed.name().into(),
            standing::provisional_units().into(),
            name.into(),
            format!("%{}", names::BOT_MARK).into(),
        ];
        let rows = self.tables.select(Statement::new(text, parameters)).await?;
        let (others, lower) = rows
            .first()
            .map_or((0, 0), |row| (row.integer(0), row.integer(1)));
        Ok((others >= LEAST).then(|| lower * 100 / others))
    }

    /// The best people of a class, or the best bots, whose ratings are neither provisional nor
    /// [isolated](Ratings::is_isolated).
    pub(crate) async fn best(
        &self,
        speed: Speed,
        pool: RatingPool,
        limit: usize,
    ) -> Result<Vec<RatedPlayer>, ReadError> {
        /// Ratings read in one go.
        const PAGE: i64 = 200;
        let now = UnixMillis::now();
        let text = match pool {
            RatingPool::People => select_best!("NOT LIKE"),
            RatingPool::Bots => select_best!("LIKE"),
        };
        let mut best: Vec<RatedPlayer> = Vec::new();
        let mut after = (i64::MAX, String::new());
        while best.len() < limit {
            let parameters = vec![
                speed.name().into(),
                standing::provisional_units().into(),
                format!("%{}", names::BOT_MARK).into(),
                after.0.into(),
                after.1.as_str().into(),
                PAGE.into(),
            ];
            let rows = self.tables.select(Statement::new(text, parameters)).await?;
            let Some(last) = rows.last() else { break };
            after = (last.integer(1), last.text(0).to_owned());
            let ranked = rows.iter().map(|row| RatedPlayer {
                name: row.text(0).to_owned(),
                standing: read_standing(row, 1),
            });
            best.extend(ranked.filter(|ranked| !ranked.standing.is_provisional_at(now)));
        }
        best.truncate(limit);
        Ok(best)
    }

    /// The number of games rated so far.
    async fn rated(&self) -> Result<i64, ReadError> {
        self.number("SELECT coalesce(max(rated), 0) FROM game WHERE rated > 0")
            .await
    }

    async fn version(&self) -> Result<i64, ReadError> {
        self.number("SELECT version FROM rating_version").await
    }

    async fn number(&self, select: &'static str) -> Result<i64, ReadError> {
        let rows = self.tables.select(Statement::new(select, Vec::new()));
        Ok(rows.await?.first().map_or(0, |row| row.integer(0)))
    }

    /// Reads what [`RatingState::rate`] needs for a game.
    async fn load(&self, state: &mut RatingState, game: &RatedGame) -> Result<(), ReadError> {
        let pair = pair(&game.players);
        for name in &pair {
            if state.standings.keys().any(|(known, _)| known == name) {
                continue;
            }
            let ratings = self.of(name).await?;
            let known = ratings.into_iter();
            state
                .standings
                .extend(known.map(|(speed, standing)| ((name.clone(), speed), standing)));
        }
        if let Some(quitter) = game.quitter()
            && !state.given_up.contains_key(quitter)
        {
            let since = UnixMillis(game.finished_at.0.saturating_sub(DAY));
            let times = self.given_up_since(quitter, since).await?;
            state.given_up.insert(quitter.to_owned(), times);
        }
        if state.meetings.contains_key(&pair) {
            return Ok(());
        }
        let select = Statement::new(
            "SELECT DISTINCT number, at FROM rating_change
             WHERE (name = $1 AND opponent = $2 OR name = $2 AND opponent = $1) AND at > $3 ORDER BY number",
            vec![
                pair[0].as_str().into(),
                pair[1].as_str().into(),
                game.finished_at.0.saturating_sub(DAY).into(),
            ],
        );
        let rows = self.tables.select(select).await?;
        let times = rows.iter().map(|row| UnixMillis(row.integer(1)));
        state.meetings.insert(pair, times.collect());
        Ok(())
    }
}

/// Gives ratings another name. No game with the name may wait to be rated.
pub(crate) fn rename(old: &str, new: &str) -> impl Iterator<Item = Statement> {
    let next = "UPDATE rating_version SET version = version + 1";
    let updates = [
        "UPDATE rating SET name = $1 WHERE name = $2",
        "UPDATE rating_change SET name = $1 WHERE name = $2",
        "UPDATE rating_change SET opponent = $1 WHERE opponent = $2",
    ];
    let parameters = [new.into(), old.into()];
    let updates = updates.map(|text| Statement::new(text, parameters.to_vec()));
    updates
        .into_iter()
        .chain([Statement::new(next, Vec::new())])
}

/// Counts the version up, if it is still `before`.
fn next_version(before: i64) -> Statement {
    let set = Statement::new(
        "UPDATE rating_version SET version = version + 1 WHERE version = $1 RETURNING version",
        vec![before.into()],
    );
    set.required()
}

/// Gives a waiting game its number, unless a player has got another name.
fn number_game(stream: i64, game: &RatedGame) -> Statement {
    let set = Statement::new(
        "UPDATE game SET rated = $1 WHERE stream = $2 AND rated = -1 AND white = $3 AND black = $4 RETURNING stream",
        vec![
            game.number.into(),
            stream.into(),
            game.players.white.as_str().into(),
            game.players.black.as_str().into(),
        ],
    );
    set.required()
}

/// Stores a change, and the rating after it.
fn store(change: &RatingChange) -> [Statement; 2] {
    let set = set(&change.name, change.speed, &change.standing);
    [record(change), set]
}

/// Stores a change.
fn record(change: &RatingChange) -> Statement {
    Statement::new(
        "INSERT INTO rating_change (name, speed, number, at, opponent, rating) VALUES ($1, $2, $3, $4, $5, $6)",
        vec![
            change.name.as_str().into(),
            change.speed.name().into(),
            change.number.into(),
            change.at.0.into(),
            change.opponent.as_str().into(),
            change.standing.rating.into(),
        ],
    )
}

/// Stores a rating.
fn set(name: &str, speed: Speed, standing: &Standing) -> Statement {
    Statement::new(
        "INSERT INTO rating (name, speed, rating, deviation, volatility, games, rated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (name, speed) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation,
            volatility = excluded.volatility, games = excluded.games, rated_at = excluded.rated_at",
        vec![
            name.into(),
            speed.name().into(),
            standing.rating.into(),
            standing.deviation.into(),
            standing.volatility.into(),
            standing.games.into(),
            standing.rated_at.0.into(),
        ],
    )
}

/// The game in a row of `select_games!`.
fn read_game(row: &Row) -> RatedGame {
    let text = |column| row.text(column).to_owned();
    RatedGame {
        number: row.integer(8),
        gave_up: row.text(9).to_owned(),
        players: ByColor {
            white: text(1),
            black: text(2),
        },
        bots: ByColor {
            white: text(3),
            black: text(4),
        },
        result: text(5),
        clock: text(6),
        finished_at: UnixMillis(row.integer(7)),
    }
}

/// The standing in the five columns from `first` on.
fn read_standing(row: &Row, first: usize) -> Standing {
    let number = |column| row.integer(first + column);
    Standing {
        rating: number(0),
        deviation: number(1),
        volatility: number(2),
        games: number(3),
        rated_at: UnixMillis(number(4)),
    }
}

#[cfg(test)]
mod tests {
    use event_store::{Durability, Store, StoreAddress};

    use super::*;

    /// A store with games that wait to be rated.
    async fn store(directory: &tempfile::TempDir) -> Arc<dyn Store> {
        let address = StoreAddress::Sqlite(directory.path().to_owned());
        let store = address.open(Durability::Crash).unwrap();
        let game = |number: i64| {
            let (white, black) = match number % 3 {
                0 => ("anna", "boris"),
                1 => ("clara", "anna"),
                _ => ("boris", "clara"),
            };
            Statement::new(
                "INSERT INTO game VALUES ($1, 9, $2, 'white_won', 'resignation', '3m+2s', 8, $3, $4, NULL, NULL, x'', -1, NULL, NULL, NULL, NULL, NULL, NULL)",
                vec![
                    number.into(),
                    (number / 2).into(),
                    white.into(),
                    black.into(),
                ],
            )
        };
        let games = (1..=120).map(game).collect();
        store.tables().transact(games).await.unwrap();
        store
    }

    async fn rate_all(ratings: Ratings) {
        while ratings.rate_finished().await.unwrap() {}
    }

    #[tokio::test]
    async fn nodes_that_rate_at_one_time_count_each_game_once() {
        let directory = tempfile::tempdir().unwrap();
        let store = store(&directory).await;
        let tables = store.tables();
        let node = || rate_all(Ratings::new(Arc::clone(&tables)));
        tokio::join!(node(), node(), node());
        let ratings = Ratings::new(tables);
        assert_eq!(ratings.rated().await.unwrap(), 120);
        // Each pair has met 40 times within a day, of which 20 count.
        let of_anna = ratings.of("anna").await.unwrap();
        let games: i64 = of_anna.iter().map(|(_, standing)| standing.games).sum();
        assert_eq!(games, 40);
        assert_eq!(
            ratings
                .history("anna", Speed::Rapid, 100)
                .await
                .unwrap()
                .len(),
            40
        );
    }

    #[tokio::test]
    async fn games_that_were_given_up_are_the_same_when_they_are_rated_again() {
        let directory = tempfile::tempdir().unwrap();
        let store = store(&directory).await;
        let tables = store.tables();
        let given_up = [
            "UPDATE game SET gave_up = 'white', result = 'black_won' WHERE white = 'anna' AND stream % 2 = 1",
            "INSERT INTO participant (role, name, finished_at, stream, is_white, result, reason, clock, plies)
             SELECT 'player', white, finished_at, stream, 1, result, reason, clock, plies FROM game",
        ];
        let given_up = given_up.map(|text| Statement::new(text, Vec::new()));
        tables.transact(given_up.to_vec()).await.unwrap();
        // Several chunks, so that what was given up is read from the store too.
        rate_all(Ratings::new(Arc::clone(&tables))).await;
        let ratings = Ratings::new(Arc::clone(&tables));
        let counted = "SELECT count(*) FROM rating_change JOIN game ON game.rated = number
             WHERE name = 'anna' AND gave_up = 'white'";
        assert_eq!(ratings.number(counted).await.unwrap(), 3);
        let recomputed = ratings.recompute().await.unwrap().unwrap();
        assert_eq!((recomputed.games, recomputed.wrong), (120, 0));
    }

    #[tokio::test]
    async fn a_percentile_compares_with_those_of_the_same_pool() {
        let directory = tempfile::tempdir().unwrap();
        let store = store(&directory).await;
        let tables = store.tables();
        let now = UnixMillis::now();
        let rating = |name: String, points: i64, deviation: i64| {
            Statement::new(
                "INSERT INTO rating (name, speed, rating, deviation, volatility, games, rated_at)
                 VALUES ($1, 'rapid', $2, $3, 60000, 50, $4)",
                vec![
                    name.into(),
                    (points * 1_000_000).into(),
                    (deviation * 1_000_000).into(),
                    now.0.into(),
                ],
            )
        };
        let mut all: Vec<Statement> = (1..=10)
            .map(|i| rating(format!("p{i}"), 1500 + i, 60))
            .collect();
        let change = |name: &str, game: i64| {
            Statement::new(
                "INSERT INTO rating_change (name, speed, number, at, opponent, rating) VALUES ($1, 'rapid', $2, 0, $3, 0)",
                vec![name.into(), game.into(), format!("p{game}").into()],
            )
        };
        for name in ["anna", "p10", "b0[bot]"] {
            let opponents = (1..=5).map(|game| change(name, game));
            all.extend(opponents);
        }
        all.push(rating("anna".to_owned(), 1000, 200));
        all.push(rating("b0[bot]".to_owned(), 1000, 200));
        all.push(rating("new".to_owned(), 1400, 200));
        all.extend((1..=9).map(|i| rating(format!("b{i}[bot]"), 1500 - i, 60)));
        tables.transact(all).await.unwrap();
        let ratings = Ratings::new(Arc::clone(&tables));
        let percentile = async |name: &str, points: i64| {
            let standing = Standing {
                rating: points * 1_000_000,
                deviation: 60_000_000,
                ..Standing::new(now)
            };
            ratings
                .percentile(name, Speed::Rapid, standing)
                .await
                .unwrap()
        };
        assert_eq!(percentile("anna", 1506).await, Some(50));
        assert_eq!(percentile("anna", 1400).await, Some(0));
        assert_eq!(
            percentile("p10", 1510).await,
            None,
            "nine others are too few"
        );
        assert_eq!(percentile("b0[bot]", 1506).await, None);
        let provisional = Standing::new(now);
        let of_provisional = ratings.percentile("anna", Speed::Rapid, provisional).await;
        assert_eq!(of_provisional.unwrap(), None);
    }

    #[tokio::test]
    async fn ratings_that_are_wrong_are_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let store = store(&directory).await;
        let tables = store.tables();
        rate_all(Ratings::new(Arc::clone(&tables))).await;
        let ratings = Ratings::new(Arc::clone(&tables));
        let right = ratings.of("anna").await.unwrap();
        let history = ratings.history("anna", Speed::Rapid, 100).await.unwrap();
        let tampered = [
            "UPDATE rating SET rating = 0 WHERE name = 'anna'",
            "UPDATE rating_change SET rating = 0 WHERE name = 'anna' AND number = 1",
            "DELETE FROM rating_change WHERE name = 'anna' AND number = 3",
            "INSERT INTO rating_change (name, speed, number, at, opponent, rating) VALUES ('anna', 'rapid', 1000, 0, 'boris', 0)",
        ];
        let tampered = tampered.map(|text| Statement::new(text, Vec::new()));
        tables.transact(tampered.to_vec()).await.unwrap();
        let recomputed = |wrong| Recomputed {
            games: 120,
            ratings: 3,
            wrong,
        };
        assert_eq!(ratings.recompute().await.unwrap(), Some(recomputed(1)));
        assert_eq!(ratings.of("anna").await.unwrap(), right);
        let repaired = ratings.history("anna", Speed::Rapid, 100).await.unwrap();
        assert_eq!(repaired, history);
        assert_eq!(ratings.recompute().await.unwrap(), Some(recomputed(0)));

        // Not while games have two names.
        let leaving = Statement::new(
            "INSERT INTO account (name, skeleton, role, identity, created_at) VALUES ('boris', 'boris', 'leaving', '', 0)",
            Vec::new(),
        );
        tables.transact(vec![leaving]).await.unwrap();
        assert_eq!(ratings.recompute().await.unwrap(), None);
    }
}

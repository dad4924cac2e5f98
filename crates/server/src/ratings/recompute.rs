//! Computes all ratings again from the archive, and repairs what differs.

use std::collections::HashMap;

use event_store::{ReadError, Row, Statement};

use super::fold::{RatingChange, RatingState};
use super::{
    CHUNK, Ratings, Speed, next_version, read_game, read_standing, record, select_games, set,
};

/// The result of [`Ratings::recompute`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Recomputed {
    /// Games that were rated.
    pub(crate) games: i64,
    /// Ratings that there are.
    pub(crate) ratings: usize,
    /// Ratings that were different or missing, or should not have been there.
    pub(crate) wrong: usize,
}

impl Ratings {
    /// Computes all ratings again from the archive, in memory, and replaces those that are wrong. Returns `None` if
    /// games were rated meanwhile, or an account is being deleted: try again.
    pub(crate) async fn recompute(&self) -> Result<Option<Recomputed>, ReadError> {
        let version = self.version().await?;
        let rated = self.rated().await?;
        let (state, changes) = self.rate_again(rated).await?;
        let before = Statement::new(
            "SELECT name, speed, rating, deviation, volatility, games, rated_at FROM rating",
            Vec::new(),
        );
        let before = self.tables.select(before).await?;
        let known = |row: &Row| {
            let key = (row.text(0).to_owned(), Speed::from_name(row.text(1))?);
            Some((key, read_standing(row, 2)))
        };
        let before: HashMap<_, _> = before.iter().filter_map(known).collect();
        let right = &state.standings;
        let superfluous = before.keys().filter(|key| !right.contains_key(*key));
        let superfluous = superfluous.map(|(name, speed)| {
            Statement::new(
                "DELETE FROM rating WHERE name = $1 AND speed = $2",
                vec![name.as_str().into(), speed.name().into()],
            )
        });
        let different = right
            .iter()
            .filter(|(key, standing)| before.get(*key) != Some(*standing))
            .map(|((name, speed), standing)| set(name, *speed, standing));
        let ratings: Vec<Statement> = superfluous.chain(different).collect();
        let wrong = ratings.len();
        let history = self.wrong_changes(changes).await?;
        let done = Recomputed {
            games: rated,
            ratings: right.len(),
            wrong,
        };
        let mut statements = vec![
            next_version(version),
            // The games of such an account have two names at present.
            Statement::new(
                "SELECT version FROM rating_version WHERE NOT EXISTS (SELECT 1 FROM account WHERE role = 'leaving' AND name <> identity)",
                Vec::new(),
            )
            .required(),
        ];
        statements.extend(ratings.into_iter().chain(history));
        let replaced = self.tables.transact(statements).await?;
        Ok(replaced.map(|_| done))
    }

    /// Rates the first games once more, from nothing.
    async fn rate_again(&self, rated: i64) -> Result<(RatingState, Vec<RatingChange>), ReadError> {
        let mut state = RatingState::default();
        let mut changes = Vec::new();
        let mut last = 0;
        while last < rated {
            let games = Statement::new(
                select_games!("WHERE rated > 0 AND rated > $1 ORDER BY rated LIMIT $2"),
                vec![last.into(), CHUNK.into()],
            );
            let rows = self.tables.select(games).await?;
            if rows.is_empty() {
                break;
            }
            for row in &rows {
                let game = read_game(row);
                last = game.number;
                changes.extend(state.rate(&game));
            }
        }
        Ok((state, changes))
    }

    /// What makes the stored changes these. Reads all, in pieces.
    async fn wrong_changes(&self, right: Vec<RatingChange>) -> Result<Vec<Statement>, ReadError> {
        /// Changes read in one go.
        const PAGE: i64 = 5000;
        let key = |change: &RatingChange| (change.name.clone(), change.speed, change.number);
        let mut missing: HashMap<_, RatingChange> = right
            .into_iter()
            .map(|change| (key(&change), change))
            .collect();
        let mut statements = Vec::new();
        let mut after = (String::new(), String::new(), 0);
        loop {
            let page = Statement::new(
                "SELECT name, speed, number, at, opponent, rating FROM rating_change
                 WHERE (name, speed, number) > ($1, $2, $3) ORDER BY name, speed, number LIMIT $4",
                vec![
                    after.0.as_str().into(),
                    after.1.as_str().into(),
                    after.2.into(),
                    PAGE.into(),
                ],
            );
            let rows = self.tables.select(page).await?;
            let Some(last) = rows.last() else { break };
            after = (
                last.text(0).to_owned(),
                last.text(1).to_owned(),
                last.integer(2),
            );
            for row in &rows {
                let speed = Speed::from_name(row.text(1));
                let key = speed.map(|speed| (row.text(0).to_owned(), speed, row.integer(2)));
                let is_right = key.is_some_and(|key| {
                    let is_equal = |change: &RatingChange| {
                        change.at.0 == row.integer(3)
                            && change.opponent == row.text(4)
                            && change.standing.rating == row.integer(5)
                    };
                    let is_right = missing.get(&key).is_some_and(is_equal);
                    is_right && missing.remove(&key).is_some()
                });
                if !is_right {
                    statements.push(Statement::new(
                        "DELETE FROM rating_change WHERE name = $1 AND speed = $2 AND number = $3",
                        vec![
                            row.text(0).into(),
                            row.text(1).into(),
                            row.integer(2).into(),
                        ],
                    ));
                }
            }
        }
        statements.extend(missing.values().map(record));
        Ok(statements)
    }
}

//! The strength by which a private ladder pairs its bots. Their games there are not rated: it follows from their results
//! against the levels.

use event_store::{ReadError, Statement};
use match_statistics::score_of_elo;
use tracing::warn;

use super::{Ladder, Season};
use crate::ratings::{LEVELS, fixed_rating};

/// The strength of a bot without games: that of an average player, and of level 5.
const NEW: i64 = LEVELS[4] as i64;

/// The games of a bot against a level.
#[derive(Clone, Copy, Debug)]
struct PairResults {
    /// The rating of the level.
    level: f64,
    games: f64,
    /// A win is one, a draw half of one.
    points: f64,
}

impl Ladder {
    /// The rating of a bot on a private ladder in points, to find opponents; that of a new player before its first game
    /// against a level, or if its games cannot be read.
    pub(crate) async fn for_pairing(&self, season: Season, bot: &str) -> i64 {
        let results = self.against_levels(season, bot).await;
        let results = results.unwrap_or_else(|error| {
            warn!(
                error = cli_kit::explain(&error),
                "the games of a bot on a private ladder cannot be read"
            );
            Vec::new()
        });
        most_likely(&results)
    }

    async fn against_levels(
        &self,
        season: Season,
        bot: &str,
    ) -> Result<Vec<PairResults>, ReadError> {
        let select = Statement::new(
            "SELECT opponent_bot, count(*), CAST(sum(CASE game.result WHEN 'draw' THEN 1
                WHEN CASE WHEN is_white THEN 'white_won' ELSE 'black_won' END THEN 2 ELSE 0 END) AS bigint)
             FROM participant JOIN game ON game.stream = participant.stream
             WHERE role = 'player' AND name = $1 AND event = $2 AND game.result <> 'interrupted'
             GROUP BY opponent_bot",
            vec![bot.into(), season.event().as_str().into()],
        );
        let rows = self.tables.select(select).await?;
        let results = rows.iter().filter_map(|row| {
            Some(PairResults {
                level: fixed_rating(row.text(0), &LEVELS)?,
                games: row.integer(1) as f64,
                points: row.integer(2) as f64 / 2.0,
            })
        });
        Ok(results.collect())
    }
}

/// The rating that makes the results most likely, between those of the weakest and the strongest level: that of a
/// player who is expected to have as many points. O(results).
fn most_likely(results: &[PairResults]) -> i64 {
    if results.is_empty() {
        return NEW;
    }
    let points: f64 = results.iter().map(|results| results.points).sum();
    let expected = |rating: i64| -> f64 {
        let of_one =
            |results: &PairResults| results.games * score_of_elo(rating as f64 - results.level);
        results.iter().map(of_one).sum()
    };
    let [weakest, .., strongest] = LEVELS.map(i64::from);
    let mut between = (weakest, strongest);
    while between.1 - between.0 > 1 {
        let middle = i64::midpoint(between.0, between.1);
        if expected(middle) < points {
            between.0 = middle;
        } else {
            between.1 = middle;
        }
    }
    between.0
}

#[cfg(test)]
mod tests {
    use event_store::{Durability, StoreAddress};
    use test_support::PostgresServer;
    use tokio::task::spawn_blocking;

    use super::*;

    fn against(level: usize, games: f64, points: f64) -> PairResults {
        let level = f64::from(LEVELS[level - 1]);
        PairResults {
            level,
            games,
            points,
        }
    }

    #[test]
    fn results_against_levels_determine_the_strength() {
        assert_eq!(most_likely(&[]), 1500);
        let lost = against(5, 2.0, 0.0);
        assert_eq!(most_likely(&[lost]), 630);
        assert_eq!(most_likely(&[against(10, 2.0, 2.0)]), 2400);
        let won = against(1, 2.0, 2.0);
        // Rounded down.
        assert!([1064, 1065].contains(&most_likely(&[lost, won])));
        assert!([1310, 1311].contains(&most_likely(&[against(4, 4.0, 2.0)])));
    }

    #[test]
    fn the_games_on_the_ladder_count() {
        let directory = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(games_on_the_ladder_count(StoreAddress::Sqlite(
            directory.path().to_owned(),
        )));
        if let Some(server) = PostgresServer::shared() {
            runtime.block_on(games_on_the_ladder_count(
                server.database().parse().unwrap(),
            ));
        }
    }

    async fn games_on_the_ladder_count(address: StoreAddress) {
        let store = spawn_blocking(|| address.open(Durability::Crash).unwrap());
        let store = store.await.unwrap();
        let tables = store.tables();
        let season: Season = "k3x9w2ab".parse().unwrap();
        let (here, elsewhere) = (season.event(), "ladder-2026-11");
        let games = [
            ("level 5", "white_won", true, here.as_str()),
            ("level 5", "draw", false, &here),
            ("level 5", "black_won", true, &here),
            ("level 5", "black_won", false, &here),
            ("minimax:depth=6", "black_won", true, &here),
            ("level 5", "interrupted", true, &here),
            ("level 1", "black_won", true, elsewhere),
        ];
        let mut statements = Vec::new();
        for (stream, (level, result, is_white, event)) in (1_i64..).zip(games) {
            statements.push(Statement::new(
                "INSERT INTO game (stream, events, finished_at, result, reason, clock, plies, event, document)
                 VALUES ($1, 9, 0, $2, 'no_moves', '1m+1s', 40, $3, $4)",
                vec![
                    stream.into(),
                    result.into(),
                    event.into(),
                    (&b""[..]).into(),
                ],
            ));
            statements.push(Statement::new(
                "INSERT INTO participant (role, name, finished_at, stream, is_white, result, reason, clock, plies, opponent_bot)
                 VALUES ('player', 'kestrel[bot]', 0, $1, CAST($2 AS bigint) = 1, $3, 'no_moves', '1m+1s', 40, $4)",
                vec![
                    stream.into(),
                    i64::from(is_white).into(),
                    result.into(),
                    level.into(),
                ],
            ));
        }
        tables.transact(statements).await.unwrap();
        let ladder = Ladder::new(tables);
        let results = ladder.against_levels(season, "kestrel[bot]").await.unwrap();
        let [of_level] = &results[..] else {
            panic!("{results:?}");
        };
        assert_eq!((of_level.games, of_level.points), (4.0, 2.5));
        assert!(ladder.for_pairing(season, "kestrel[bot]").await > 1500);
        assert_eq!(ladder.for_pairing(season, "merlin[bot]").await, 1500);
    }
}

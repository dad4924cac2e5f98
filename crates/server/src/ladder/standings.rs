//! The strength of the players, from their games.

use std::collections::BTreeSet;

use checkers_lib::ByColor;
use checkers_lib::protocol::GameResult;
use match_statistics::{Bootstrap, Pool, Rating, RatingInterval, Unrated, Wdl};

use super::regret::Regret;
use crate::names;
use crate::ratings::{Speed, fixed_rating};

/// Replicates for the intervals of ratings, whatever the season.
const BOOTSTRAP: Bootstrap = Bootstrap {
    replicates: 200,
    seed: 0,
};

/// Games of the same players, with the same colours, clock and result.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GroupedGames {
    /// The name; for a bot of the server, its level or specification.
    pub(super) white: String,
    pub(super) black: String,
    pub(super) clock: String,
    pub(super) result: String,
    pub(super) count: i64,
    /// That of all of them together.
    pub(super) regret: ByColor<Regret>,
}

/// The players of a season, the strongest first; then those without a rating, by their scores.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Standings {
    pub(crate) games: u64,
    pub(crate) players: Vec<Standing>,
}

/// A player of a season.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Standing {
    /// The name; for a bot of the server, its level or specification.
    pub(crate) name: String,
    /// Whether the server plays it.
    pub(crate) is_of_server: bool,
    pub(crate) games: Wdl,
    /// In Elo.
    pub(crate) rating: Result<f64, Unrated>,
    /// The interval of the rating; none for a level, whose rating is fixed.
    pub(crate) interval: Option<RatingInterval>,
    pub(crate) regret: Regret,
}

impl Standings {
    /// The ratings that make the games of this class most likely, given those of the levels.
    pub(super) fn of(games: &[GroupedGames], speed: Speed, levels: &[i32]) -> Standings {
        let counted = games
            .iter()
            .filter_map(|games| Some((games, games.counts(speed)?)));
        let counted: Vec<(&GroupedGames, Wdl)> = counted.collect();
        let players = counted
            .iter()
            .flat_map(|(games, _)| [&*games.white, &*games.black]);
        let players = Vec::from_iter(BTreeSet::from_iter(players));
        let place = |name: &str| players.binary_search(&name).unwrap_or_default();
        let mut pool = Pool::new(players.len());
        let mut regret = vec![Regret::default(); players.len()];
        for (games, counts) in &counted {
            regret[place(&games.white)].add(games.regret.white);
            regret[place(&games.black)].add(games.regret.black);
            // Both are in the pool, and they are different.
            let _ = pool.count_games(place(&games.white), place(&games.black), *counts);
        }
        let anchors = players.iter().enumerate();
        let anchors =
            anchors.filter_map(|(place, name)| Some((place, fixed_rating(name, levels)?)));
        let anchors: Vec<(usize, f64)> = anchors.collect();
        // The anchors are in the pool.
        let ratings = pool.ratings_with(&anchors, BOOTSTRAP).unwrap_or_default();
        let standing = |(place, rating): (usize, Result<Rating, Unrated>)| Standing {
            name: players[place].to_owned(),
            is_of_server: !names::is_of_bot_account(players[place]),
            games: total(&pool, place),
            rating: rating.map(|rating| rating.elo),
            interval: rating.ok().and_then(|rating| rating.interval),
            regret: regret[place],
        };
        let mut standings: Vec<Standing> = ratings.into_iter().enumerate().map(standing).collect();
        standings.sort_by(|a, b| {
            let elo = |player: &Standing| player.rating.unwrap_or(f64::NEG_INFINITY);
            let score = |player: &Standing| player.games.points() / player.games.games() as f64;
            let by_rating = elo(b).total_cmp(&elo(a));
            by_rating.then_with(|| score(b).total_cmp(&score(a)))
        });
        Standings {
            games: counted.iter().map(|(_, counts)| counts.games()).sum(),
            players: standings,
        }
    }
}

impl GroupedGames {
    /// The results of White; `None` for games that do not count in this class.
    fn counts(&self, speed: Speed) -> Option<Wdl> {
        let count = u32::try_from(self.count).ok()?;
        let mut counts = Wdl::default();
        match GameResult::from_name(&self.result)? {
            GameResult::WhiteWon => counts.wins = count,
            GameResult::Draw => counts.draws = count,
            GameResult::BlackWon => counts.losses = count,
            GameResult::Interrupted => return None,
        }
        let is_wanted = Speed::of(self.clock.parse().ok()?) == speed && self.white != self.black;
        is_wanted.then_some(counts)
    }
}

/// All games of a player.
fn total(pool: &Pool, place: usize) -> Wdl {
    let meetings = (0..pool.bots()).filter_map(|other| pool.meeting(place, other));
    let mut total = Wdl::default();
    for meeting in meetings {
        total.add(meeting.games);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::LEVELS;

    fn games(white: &str, black: &str, result: &str, count: i64) -> GroupedGames {
        GroupedGames {
            white: white.to_owned(),
            black: black.to_owned(),
            clock: "1m".to_owned(),
            result: result.to_owned(),
            count,
            regret: ByColor {
                white: Regret { moves: 3, lost: 1 },
                black: Regret { moves: 1, lost: 0 },
            },
        }
    }

    #[test]
    fn levels_fix_the_scale() {
        let season = [
            games("kestrel[bot]", "level 5", "white_won", 30),
            games("level 5", "kestrel[bot]", "white_won", 10),
            games("kestrel[bot]", "merlin[bot]", "draw", 20),
            games("merlin[bot]", "minimax:depth=6", "white_won", 3),
            games("kestrel[bot]", "merlin[bot]", "interrupted", 3),
        ];
        let standings = Standings::of(&season, Speed::Blitz, &LEVELS);
        assert_eq!(standings.games, 63);
        let names: Vec<&str> = standings
            .players
            .iter()
            .map(|player| &*player.name)
            .collect();
        assert_eq!(
            names,
            ["kestrel[bot]", "merlin[bot]", "level 5", "minimax:depth=6"]
        );
        let [kestrel, merlin, level, minimax] = &standings.players[..] else {
            panic!("four players")
        };
        // CITE: 400 log10(3) = 190.8 for three points out of four.
        assert!((kestrel.rating.unwrap() - 1690.8).abs() < 0.1);
        let interval = kestrel.interval.unwrap();
        assert!(interval.low.unwrap() < 1690.0 && interval.high.unwrap() > 1691.0);
        assert!((merlin.rating.unwrap() - 1690.8).abs() < 0.1);
        assert_eq!((level.rating, level.interval), (Ok(1500.0), None));
        assert_eq!(minimax.rating, Err(Unrated::AllLost));
        assert_eq!(
            (
                level.is_of_server,
                minimax.is_of_server,
                merlin.is_of_server
            ),
            (true, true, false)
        );
        assert_eq!(
            (
                kestrel.games.wins,
                kestrel.games.draws,
                kestrel.games.losses
            ),
            (30, 20, 10)
        );
        assert_eq!(kestrel.regret, Regret { moves: 7, lost: 2 });
        assert_eq!(
            Standings::of(&season, Speed::Rapid, &LEVELS),
            Standings::default()
        );
    }

    #[test]
    fn players_without_a_rating_are_in_the_order_of_their_scores() {
        let season = [
            games("anna[bot]", "boris[bot]", "black_won", 3),
            games("clara[bot]", "boris[bot]", "white_won", 2),
            games("anna[bot]", "level 5", "black_won", 2),
            games("boris[bot]", "level 5", "black_won", 2),
            games("clara[bot]", "level 5", "black_won", 2),
        ];
        let standings = Standings::of(&season, Speed::Blitz, &LEVELS);
        let players = standings.players.iter();
        let players: Vec<_> = players
            .map(|player| (&*player.name, player.rating.is_ok()))
            .collect();
        let expected = [
            ("level 5", true),
            ("clara[bot]", false),
            ("boris[bot]", false),
            ("anna[bot]", false),
        ];
        assert_eq!(players, expected);
    }
}

//! What the games of a match add up to.

use checkers_lib::protocol::{EndReason, GameResult};
use serde::{Deserialize, Serialize};

use crate::statistics::{Summary, mean};
use crate::{BotId, Clock, GameRecord, MoveRecord};

/// What the games of a match add up to, wins and losses told from the first bot's side.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// Games begun.
    pub games: usize,
    /// Games the first bot won.
    pub wins: usize,
    /// Games the first bot lost.
    pub losses: usize,
    /// Games nobody won.
    pub draws: usize,
    /// Games broken off; they count for nothing.
    pub interrupted: usize,
    /// How many of the finished games are different; see [`GameRecord::evidence`].
    pub distinct: usize,
    /// The first bot's points, a win one and a draw half, out of the finished games.
    pub points: f64,
    /// The points as a share of the finished games, in percent; `None` without any.
    pub percent: Option<f64>,
    /// How the games ended, in the order of first appearance.
    pub ends: Vec<EndCount>,
    /// Each bot's times and searches, in the order of the command line.
    pub bots: Vec<BotTally>,
}

/// How many games ended in one way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndCount {
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: EndReason,
    /// The article of the federation's rules, for a draw that has one.
    pub article: Option<String>,
    /// How many games.
    pub games: usize,
}

/// What one bot's moves add up to, those of games that were broken off included.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BotTally {
    /// Which bot.
    pub bot: BotId,
    /// How many moves it made.
    pub moves: usize,
    /// How many of them the server's clock measured, because the bot told nothing.
    pub server_clocked: usize,
    /// The time per move in microseconds; `None` without moves.
    pub time_us: Option<Summary>,
    /// The mean depth per move in plies, of the moves it told something about.
    pub mean_depth: Option<f64>,
    /// The mean number of positions visited per move, of the moves it told something about.
    pub mean_nodes: Option<f64>,
}

impl Tally {
    /// Adds the games up.
    pub fn of(games: &[GameRecord]) -> Tally {
        let count = |matches: &dyn Fn(&GameRecord) -> bool| {
            games.iter().filter(|game| matches(game)).count()
        };
        let wins = count(&|game| game.winner() == Some(BotId::FIRST));
        let losses = count(&|game| game.winner() == Some(BotId::SECOND));
        let draws = count(&|game| game.result == GameResult::Draw);
        let finished = wins + losses + draws;
        let points = wins as f64 + draws as f64 / 2.0;
        Tally {
            games: games.len(),
            wins,
            losses,
            draws,
            interrupted: count(&GameRecord::is_interrupted),
            distinct: distinct(games),
            points,
            percent: (finished > 0).then(|| 100.0 * points / finished as f64),
            ends: ends(games),
            bots: BotId::BOTH.map(|bot| BotTally::of(bot, games)).to_vec(),
        }
    }

    /// The games that were played to their end.
    pub fn finished(&self) -> usize {
        self.wins + self.losses + self.draws
    }
}

impl BotTally {
    fn of(bot: BotId, games: &[GameRecord]) -> BotTally {
        let moves: Vec<&MoveRecord> = games.iter().flat_map(|game| game.moves_of(bot)).collect();
        let searches = || moves.iter().filter_map(|played| played.search);
        BotTally {
            bot,
            moves: moves.len(),
            server_clocked: (moves.iter())
                .filter(|played| played.clock == Clock::Server)
                .count(),
            time_us: Summary::of(moves.iter().map(|played| played.time_us)),
            mean_depth: mean(searches().map(|search| u64::from(search.depth))),
            mean_nodes: mean(searches().map(|search| search.nodes)),
        }
    }
}

fn distinct(games: &[GameRecord]) -> usize {
    let mut kinds = std::collections::HashSet::new();
    (games.iter())
        .filter(|game| !game.is_interrupted() && kinds.insert(game.evidence()))
        .count()
}

fn ends(games: &[GameRecord]) -> Vec<EndCount> {
    let mut ends: Vec<EndCount> = Vec::new();
    for game in games {
        let known = ends.iter_mut().find(|end| {
            (end.result, end.reason, &end.article) == (game.result, game.reason, &game.article)
        });
        match known {
            Some(end) => end.games += 1,
            None => ends.push(EndCount {
                result: game.result,
                reason: game.reason,
                article: game.article.clone(),
                games: 1,
            }),
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::game;

    #[test]
    fn nothing_played_adds_up_to_nothing() {
        let tally = Tally::of(&[]);
        assert_eq!((tally.games, tally.finished(), tally.percent), (0, 0, None));
        assert_eq!(tally.bots[0].time_us, None);
        assert_eq!(tally.bots[1].mean_depth, None);
    }

    #[test]
    fn wins_are_the_first_bots_whatever_its_colour() {
        let tally = Tally::of(&[
            game(1, true, GameResult::WhiteWon, EndReason::NoMoves),
            game(2, true, GameResult::WhiteWon, EndReason::NoMoves),
            game(3, true, GameResult::Draw, EndReason::Repetition),
            game(4, true, GameResult::Interrupted, EndReason::PlayerLeft),
        ]);
        assert_eq!((tally.wins, tally.losses, tally.draws), (1, 1, 1));
        assert_eq!((tally.interrupted, tally.points), (1, 1.5));
        assert_eq!(tally.percent, Some(50.0));
        assert_eq!(tally.ends.len(), 3);
    }

    #[test]
    fn repeated_games_are_one_distinct_game() {
        let same = |number| game(number, false, GameResult::WhiteWon, EndReason::NoMoves);
        assert_eq!(Tally::of(&[same(1), same(2), same(3)]).distinct, 1);
        let swapped = |number| game(number, true, GameResult::WhiteWon, EndReason::NoMoves);
        assert_eq!(Tally::of(&[swapped(1), swapped(2)]).distinct, 2);
    }

    #[test]
    fn each_bot_has_its_own_moves() {
        let tally = Tally::of(&[game(1, false, GameResult::WhiteWon, EndReason::NoMoves)]);
        let [first, second] = &tally.bots[..] else {
            panic!("two bots");
        };
        assert_eq!((first.moves, second.moves), (2, 1));
        assert_eq!((first.server_clocked, second.server_clocked), (0, 1));
        assert_eq!(first.time_us.unwrap().max, 3000);
        assert_eq!((first.mean_depth, second.mean_depth), (Some(7.0), None));
    }
}

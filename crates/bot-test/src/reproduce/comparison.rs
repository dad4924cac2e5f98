//! All searches on the same positions: games of different bots visit different positions, so
//! that the costs of their moves can be compared only roughly.

use std::time::Duration;

use checkers_engine::{Limits, Stop};
use checkers_lib::openings::Opening;
use checkers_lib::{DrawRules, Game};

use super::duel::{self, Search, Stopped};
use super::published::bot;
use super::{Comparison, SearchCosts, single};

/// How many positions are searched.
const POSITIONS: usize = 300;

/// What plays from the openings to the positions: fast, and no worse than most of the bots.
const PLAYER: &str = "alpha-beta:depth=5";

/// A position `10 * (n % STEPS)` plies after the n-th opening, so that all phases are there.
const STEPS: usize = 6;

/// What is to be searched.
pub(super) struct Searches<'a> {
    /// The bots, each with a depth.
    pub(super) bots: Vec<(&'a str, u32)>,
    /// Their seed.
    pub(super) seed: u64,
    /// How often each search is timed if it does not take long; the fastest counts.
    pub(super) timings: u32,
    /// The positions.
    pub(super) games: Vec<Game>,
}

/// Positions from all phases of games that begin with the openings, at most [`POSITIONS`]: one for
/// each opening, but none where there is nothing to choose.
pub(super) fn positions(
    openings: &[Opening],
    seed: u64,
    stop: &Stop,
) -> Result<Vec<Game>, Stopped> {
    let mut games = Vec::new();
    for (number, opening) in openings.iter().enumerate() {
        let plies = 10 * (number % STEPS);
        games.extend(position(opening, plies, seed, stop)?);
        if games.len() == POSITIONS {
            break;
        }
    }
    Ok(games)
}

fn position(
    opening: &Opening,
    plies: usize,
    seed: u64,
    stop: &Stop,
) -> Result<Option<Game>, Stopped> {
    let mut game = Game::from_position(opening.position().clone(), DrawRules::Study);
    let mut player = bot(PLAYER, None, seed).build();
    while game.ply() < plies && game.outcome().is_none() {
        duel::play_move(&mut game, &mut player, stop)?;
    }
    let has_choice = game.legal_moves().len() > 1;
    // The searches see a position, not how it came about.
    let game = Game::from_position(game.position().clone(), DrawRules::Study);
    Ok(has_choice.then_some(game))
}

impl Searches<'_> {
    /// Searches all positions with all bots, one search at a time. `done` is told after each bot.
    pub(super) fn run(&self, stop: &Stop, done: &dyn Fn(&str, u32)) -> Result<Comparison, Stopped> {
        let mut costs = Vec::new();
        for &(name, depth) in &self.bots {
            costs.push(self.costs(name, depth, stop)?);
            done(name, depth);
        }
        let fens = self.games.iter().map(|game| game.position().to_string());
        Ok(Comparison {
            positions: fens.collect(),
            costs,
        })
    }

    fn costs(&self, name: &str, depth: u32, stop: &Stop) -> Result<SearchCosts, Stopped> {
        let mut fastest = self.pass(name, depth, stop)?;
        for _ in 1..single::affordable(self.timings, fastest.iter()) {
            let again = self.pass(name, depth, stop)?;
            for (search, again) in fastest.iter_mut().zip(again) {
                search.time = search.time.min(again.time);
            }
        }
        Ok(SearchCosts {
            bot: name.to_owned(),
            depth,
            nodes: fastest.iter().map(|search| search.nodes).collect(),
            time_ns: fastest
                .iter()
                .map(|search| nanoseconds(search.time))
                .collect(),
        })
    }

    fn pass(&self, name: &str, depth: u32, stop: &Stop) -> Result<Vec<Search>, Stopped> {
        let mut bot = bot(name, Some(depth), self.seed).build();
        let search = |game: &Game| {
            // No search profits from the one before.
            bot.new_game(0);
            let limits = Limits {
                stop: stop.clone(),
                ..Limits::default()
            };
            let choice = bot.choose(game, &limits);
            if stop.is_set() {
                return Err(Stopped);
            }
            Ok(Search {
                nodes: choice.nodes,
                time: choice.time,
            })
        };
        self.games.iter().map(search).collect()
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use checkers_lib::openings;

    use super::*;

    #[test]
    fn exact_searches_differ_in_cost_alone() {
        let stop = Stop::default();
        let games = positions(&openings::suite()[..7], 1, &stop).unwrap();
        assert!((5..=7).contains(&games.len()));
        let told = Cell::new(0);
        let searches = Searches {
            bots: vec![("minimax", 3), ("alpha-beta", 3)],
            seed: 1,
            timings: 2,
            games,
        };
        let comparison = searches
            .run(&stop, &|_, _| told.set(told.get() + 1))
            .unwrap();
        assert_eq!(told.get(), 2);
        let nodes = |bot| &comparison.costs(bot, 3).unwrap().nodes;
        assert_eq!(nodes("minimax").len(), comparison.positions.len());
        let mut both = nodes("minimax").iter().zip(nodes("alpha-beta"));
        assert!(both.all(|(all, fewer)| fewer <= all));
        assert_eq!(comparison.costs("minimax", 4), None);
    }
}

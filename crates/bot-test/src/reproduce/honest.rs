//! What a single game cannot say: many games between the same two bots, on all cores.
//!
//! Each opening is played twice with colours swapped; both bots keep their seeds. Besides, the
//! game from the start is played with other seeds, to see how much of its result is noise.
//!
//! Here costs do not count, only moves. So each exact search lets the fastest one play for it:
//! with kings on the board, minimax would need hours for moves that it finds in minutes.

use std::collections::HashSet;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use checkers_engine::{Algorithm, BotSpec, Stop};
use checkers_lib::openings::Opening;
use checkers_lib::{Color, DrawRules, Game, Move};

use super::HonestResult;
use super::duel::{self, Bots, Stopped};
use super::published::bot;
use crate::statistics::{GameScore, Pentanomial, Wdl};

/// NegaScout with a table that is small enough to be emptied fast.
const EXACT: &str = "negascout-tt:tt=16,tt-accept=exact";

/// The games of one row.
pub(super) struct HonestGames<'a> {
    /// The bots, the table's White first.
    pub(super) specs: [BotSpec; 2],
    /// The same bots with other seeds, for games from the start.
    pub(super) other_seeds: Vec<[BotSpec; 2]>,
    /// What the pairs begin with.
    pub(super) openings: &'a [Opening],
    /// How many games run at a time.
    pub(super) threads: usize,
}

/// One thing to be played by one thread, and what came of it.
enum Finished {
    OtherSeed(GameScore, Vec<Move>),
    Pair([GameScore; 2]),
}

/// The fastest bot that plays the moves of `spec`: all exact searches find the same move.
pub(super) fn stand_in(spec: &BotSpec) -> BotSpec {
    let options = spec.options();
    match spec.algorithm() {
        Algorithm::Minimax | Algorithm::AlphaBeta | Algorithm::NegaScout => {
            bot(EXACT, Some(options.depth), options.seed)
        }
        Algorithm::Random
        | Algorithm::MinimaxWeak
        | Algorithm::NegaScoutTt
        | Algorithm::SssStar
        | Algorithm::Mtdf
        | Algorithm::NegaScoutId
        | Algorithm::Mcts
        | Algorithm::Champion
        | Algorithm::Level => spec.clone(),
    }
}

impl HonestGames<'_> {
    /// How many games there are.
    pub(super) fn count(&self) -> usize {
        self.other_seeds.len() + 2 * self.openings.len()
    }

    /// Plays them. The result does not depend on the number of threads. `played` is told after
    /// each bunch how many games it had.
    pub(super) fn play(
        &self,
        stop: &Stop,
        played: &(dyn Fn(usize) + Sync),
    ) -> Result<HonestResult, Stopped> {
        let next = AtomicUsize::new(0);
        let work = || self.work(&next, stop, played);
        let finished = thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads).map(|_| scope.spawn(work)).collect();
            let results = workers.into_iter().map(|worker| worker.join());
            // A bug in a search is to be seen as what it is.
            let results = results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)));
            results.collect::<Result<Vec<_>, Stopped>>()
        });
        Ok(add_up(finished?.into_iter().flatten()))
    }

    /// Takes one thing after the other until nothing is left.
    fn work(
        &self,
        next: &AtomicUsize,
        stop: &Stop,
        played: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Finished>, Stopped> {
        let mut bots = duel::build(&self.specs);
        let mut finished = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if let Some(specs) = self.other_seeds.get(place) {
                finished.push(from_the_start(specs, stop)?);
                played(1);
            } else if let Some(opening) = self.openings.get(place - self.other_seeds.len()) {
                finished.push(pair(opening, &mut bots, stop)?);
                played(2);
            } else {
                return Ok(finished);
            }
        }
    }
}

fn from_the_start(specs: &[BotSpec; 2], stop: &Stop) -> Result<Finished, Stopped> {
    let game = Game::new(DrawRules::Study);
    let duel = duel::play(game, &mut duel::build(specs), Color::White, stop)?;
    Ok(Finished::OtherSeed(duel.score, duel.game.moves().to_vec()))
}

fn pair(opening: &Opening, bots: &mut Bots, stop: &Stop) -> Result<Finished, Stopped> {
    let game = opening
        .to_game(DrawRules::Study)
        .expect("an opening is shorter than 200 plies");
    let mut score = |first| Ok(duel::play(game.clone(), bots, first, stop)?.score);
    Ok(Finished::Pair([score(Color::White)?, score(Color::Black)?]))
}

fn add_up(finished: impl Iterator<Item = Finished>) -> HonestResult {
    let (mut other_seeds, mut games) = (Wdl::default(), Wdl::default());
    let (mut pairs, mut distinct) = (Pentanomial::default(), HashSet::new());
    for finished in finished {
        match finished {
            Finished::OtherSeed(score, moves) => {
                other_seeds.count(score);
                distinct.insert(moves);
            }
            Finished::Pair(scores) => {
                pairs.count(scores);
                scores.into_iter().for_each(|score| games.count(score));
            }
        }
    }
    HonestResult::new(other_seeds, distinct.len(), games, pairs)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use checkers_lib::openings;

    use super::*;

    fn games(openings: &[Opening], threads: usize) -> HonestGames<'_> {
        let specs = |seed| {
            let specs = [
                format!("minimax:depth=3,seed={seed}"),
                format!("minimax-weak:depth=1,seed={}", seed + 1),
            ];
            specs.map(|spec| spec.parse().unwrap())
        };
        HonestGames {
            specs: specs(1),
            other_seeds: [3, 5, 7].map(specs).to_vec(),
            openings,
            threads,
        }
    }

    #[test]
    fn a_stand_in_plays_the_same_moves() {
        let game = |specs: [BotSpec; 2], opening: &Opening| {
            let game = opening.to_game(DrawRules::Study).unwrap();
            let mut bots = duel::build(&specs);
            let duel = duel::play(game, &mut bots, Color::White, &Stop::default()).unwrap();
            duel.game.moves().to_vec()
        };
        let pairs = [
            ["minimax:depth=4,seed=1", "alpha-beta:depth=5,seed=2"],
            ["negascout:depth=6,seed=3", "alpha-beta:depth=3,seed=4"],
        ];
        for pair in pairs {
            let specs: [BotSpec; 2] = pair.map(|spec| spec.parse().unwrap());
            let stand_ins = specs.each_ref().map(stand_in);
            assert_ne!(specs, stand_ins);
            for opening in &openings::suite()[..3] {
                assert_eq!(
                    game(specs.clone(), opening),
                    game(stand_ins.clone(), opening)
                );
            }
        }
        let others = ["minimax-weak:depth=4", "negascout-tt:depth=4", "random"];
        for other in others.map(|spec| spec.parse::<BotSpec>().unwrap()) {
            assert_eq!(stand_in(&other), other);
        }
    }

    #[test]
    fn threads_change_nothing() {
        let openings = &openings::suite()[..5];
        let told = Mutex::new(0);
        let play = |threads| {
            let games = games(openings, threads);
            let result = games.play(&Stop::default(), &|count| *told.lock().unwrap() += count);
            assert_eq!(games.count(), 13);
            result.unwrap()
        };
        let [one, many] = [1, 3].map(play);
        assert_eq!(one, many);
        assert_eq!(*told.lock().unwrap(), 26);
        assert_eq!((one.games.games(), one.pairs.pairs()), (10, 5));
        assert_eq!((one.other_seeds.games(), one.distinct), (3, 3));
        assert!(one.score.unwrap().value > 0.5, "{one:?}");
    }

    #[test]
    fn whoever_wants_the_end_gets_it() {
        let stop = Stop::default();
        stop.stop();
        let openings = &openings::suite()[..2];
        assert!(games(openings, 2).play(&stop, &|_| ()).is_err());
    }
}

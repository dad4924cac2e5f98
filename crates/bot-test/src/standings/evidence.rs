//! What the games of a tournament are evidence of: repeats say nothing new and are left out.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::statistics::{GameScore, Pool, PoolError};
use crate::{Evidence, GameRecord, PairRecord};

/// How much was played, and how much of it is evidence.
///
/// A game is a repeat of another if the same bots on the same sides made the same moves from the
/// same position, and a pair if both of its games are repeats of those of another pair. A pair
/// with a void game is no evidence at all, nor is its other game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EvidenceCount {
    /// Games played, void ones included.
    pub games: u64,
    /// Games that count for nothing.
    pub void: u64,
    /// Games that count and repeat no earlier one.
    pub distinct_games: u64,
    /// Pairs without void games.
    pub pairs: u64,
    /// Pairs of two games of which one at least is void.
    pub broken_pairs: u64,
    /// Pairs without void games that repeat no earlier one.
    pub distinct_pairs: u64,
    /// Pairings of one game.
    pub single_games: u64,
}

impl EvidenceCount {
    pub(super) fn of(pairs: &[PairRecord]) -> EvidenceCount {
        let mut count = EvidenceCount::default();
        let mut games = HashSet::new();
        let mut trials = HashSet::new();
        for pair in pairs {
            count.games += pair.games.len() as u64;
            let finished = pair.games.iter().filter(|game| !game.is_void());
            for game in finished {
                count.distinct_games += u64::from(games.insert(game.evidence()));
            }
            count.void += pair.games.iter().filter(|game| game.is_void()).count() as u64;
            match scores(pair).as_deref() {
                Some([_, _]) => {
                    count.pairs += 1;
                    count.distinct_pairs += u64::from(trials.insert(evidence(pair)));
                }
                _ => count.broken_pairs += u64::from(pair.games.len() == 2),
            }
            count.single_games += u64::from(pair.games.len() == 1);
        }
        count
    }

    /// Games that count.
    pub fn finished(&self) -> u64 {
        self.games - self.void
    }
}

/// Every game that counts, in pairs where both games of one do.
pub(super) fn played(bots: usize, pairs: &[PairRecord]) -> Result<Pool, PoolError> {
    let mut pool = Pool::new(bots);
    for pair in pairs {
        if !count(&mut pool, pair)? {
            for game in &pair.games {
                count_game(&mut pool, game)?;
            }
        }
    }
    Ok(pool)
}

/// Each whole pair and each game of no pair that repeats no earlier one.
pub(super) fn distinct(bots: usize, pairs: &[PairRecord]) -> Result<Pool, PoolError> {
    let mut pool = Pool::new(bots);
    let mut known = HashSet::new();
    for pair in pairs {
        if scores(pair).is_some() && known.insert(evidence(pair)) {
            count(&mut pool, pair)?;
        }
    }
    Ok(pool)
}

/// Each game that repeats an earlier one, by number, with the number of the first of its kind.
pub(crate) fn repeats<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> HashMap<u64, u64> {
    let mut firsts: HashMap<Evidence, u64> = HashMap::new();
    let mut repeats = HashMap::new();
    for game in games.into_iter().filter(|game| !game.is_void()) {
        let first = *firsts.entry(game.evidence()).or_insert(game.number);
        if first != game.number {
            repeats.insert(game.number, first);
        }
    }
    repeats
}

/// The results of all games of a pairing for its first bot, if all of them count.
fn scores(pair: &PairRecord) -> Option<Vec<GameScore>> {
    let [bot, _] = pair.pairing.bots;
    let is_whole = pair.games.len() == usize::from(pair.pairing.games);
    let scores = pair.games.iter().map(|game| game.score_of(bot));
    is_whole.then(|| scores.collect()).flatten()
}

/// Counts a whole pairing; false if it is incomplete or void.
fn count(pool: &mut Pool, pair: &PairRecord) -> Result<bool, PoolError> {
    let [bot, opponent] = pair.pairing.bots.map(|bot| bot.0);
    match scores(pair).as_deref() {
        Some(&[first, second]) => pool.count_pair(bot, opponent, [first, second])?,
        Some(&[score]) => pool.count_game(bot, opponent, score)?,
        Some(_) | None => return Ok(false),
    }
    Ok(true)
}

fn count_game(pool: &mut Pool, game: &GameRecord) -> Result<(), PoolError> {
    let [white, black] = [game.seats.white, game.seats.black];
    match game.score_of(white) {
        Some(score) => pool.count_game(white.0, black.0, score),
        None => Ok(()),
    }
}

/// What makes a pair evidence of its own, whichever of its games was played first.
fn evidence(pair: &PairRecord) -> Vec<Evidence> {
    let mut games: Vec<&GameRecord> = pair.games.iter().collect();
    games.sort_by_key(|game| game.seats.white);
    games.into_iter().map(GameRecord::evidence).collect()
}

//! The results of a tournament's pairings so far.

mod points;

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use arrayvec::ArrayVec;

pub use points::Points;

use crate::statistics::{GameScore, Sample};
use crate::{BotId, GameRecord, PairRecord, Pairing};

/// The finished pairings of a tournament, by [`Pairing::id`]. They may arrive in any order; nothing
/// computed from them depends on it.
///
/// A pairing takes about a hundred bytes, however long its games are.
#[derive(Clone, Debug)]
pub struct Results {
    participants: usize,
    /// The pairings from 0 on, without a gap.
    prefix: Vec<RankedBot>,
    /// Those after the first gap.
    ahead: BTreeMap<u64, PairResult>,
    /// The fingerprints of the prefix.
    known: HashSet<u64>,
}

/// A finished pairing: what it counts, without its games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairResult {
    /// The pairing itself.
    pub pairing: Pairing,
    /// How many of its games each bot forfeited, including void ones.
    pub forfeits: [u8; 2],
    /// What each game counts for the first bot of the pairing; `None` is a game that counts for
    /// nothing.
    pub scores: ArrayVec<Option<GameScore>, 2>,
    /// What its games are evidence of, as a hash: see [`GameRecord::evidence`]. The order of the
    /// games does not matter.
    fingerprint: u64,
}

/// A pairing of the prefix.
#[derive(Clone, Debug)]
struct RankedBot {
    result: PairResult,
    is_repeat: bool,
}

/// Why a record cannot be one of the tournament's results.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ResultsError {
    /// There is a result already.
    #[error("pairing {id} was played twice")]
    Twice {
        /// The pairing.
        id: u64,
    },
    /// A bot that does not take part, or that meets itself.
    #[error("pairing {id} is not one of two of the {participants} bots")]
    Bots {
        /// The pairing.
        id: u64,
        /// How many bots take part.
        participants: usize,
    },
    /// Not as many games as the pairing has.
    #[error("pairing {id} has {found} games, not {expected}")]
    Games {
        /// The pairing.
        id: u64,
        /// How many games it should have.
        expected: u8,
        /// How many it has.
        found: usize,
    },
    /// A game between other bots, or with the sides the other way round.
    #[error("game {number} of pairing {id} has the wrong bots or the wrong sides")]
    Seats {
        /// The pairing.
        id: u64,
        /// The game's number.
        number: u64,
    },
}

impl Results {
    /// No results yet of a tournament between this many bots.
    pub fn new(participants: usize) -> Results {
        Results {
            participants,
            prefix: Vec::new(),
            ahead: BTreeMap::new(),
            known: HashSet::new(),
        }
    }

    /// Takes note of a finished pairing.
    ///
    /// # Errors
    /// A record that is not the tournament's, or the second one of its pairing; nothing changes
    /// then.
    pub fn insert(&mut self, record: &PairRecord) -> Result<(), ResultsError> {
        let result = PairResult::new(record, self.participants)?;
        let id = result.pairing.id;
        if self.get(id).is_some() {
            return Err(ResultsError::Twice { id });
        }
        self.ahead.insert(id, result);
        while let Some(result) = self.ahead.remove(&self.prefix()) {
            self.rank(result);
        }
        Ok(())
    }

    /// How many bots take part.
    pub fn participants(&self) -> usize {
        self.participants
    }

    /// The result of a pairing, once it is finished.
    pub fn get(&self, id: u64) -> Option<&PairResult> {
        let ranked = usize::try_from(id).ok().and_then(|id| self.prefix.get(id));
        match ranked {
            Some(ranked) => Some(&ranked.result),
            None => self.ahead.get(&id),
        }
    }

    /// Everything that is finished, in the order of the schedule.
    pub fn iter(&self) -> impl Iterator<Item = &PairResult> {
        (self.prefix.iter().map(|ranked| &ranked.result)).chain(self.ahead.values())
    }

    /// How many pairings are finished.
    pub fn finished(&self) -> u64 {
        self.prefix() + self.ahead.len() as u64
    }

    /// How many pairings from 0 on are finished, without a gap.
    pub fn prefix(&self) -> u64 {
        self.prefix.len() as u64
    }

    /// The number after that of the last pairing that is finished.
    pub fn end(&self) -> u64 {
        let last = self.ahead.keys().next_back();
        last.map_or(self.prefix(), |last| last.saturating_add(1))
    }

    /// Whether the games of a pairing are those of an earlier one once more: the same moves by the
    /// same bots on the same sides from the same positions. Known once all earlier ones are
    /// finished; earlier pairings with a game that counts for nothing are not compared with.
    ///
    /// Two different pairings are taken for the same by mistake with a probability of less than
    /// 10⁻⁷ among a million.
    pub fn is_repeat(&self, id: u64) -> Option<bool> {
        let ranked = self.prefix.get(usize::try_from(id).ok()?)?;
        Some(ranked.is_repeat)
    }

    /// Puts a pairing at the end of the prefix.
    fn rank(&mut self, result: PairResult) {
        let is_repeat = self.known.contains(&result.fingerprint);
        if !result.is_void() {
            self.known.insert(result.fingerprint);
        }
        self.prefix.push(RankedBot { result, is_repeat });
    }
}

/// How many games of a pairing a bot forfeited.
fn forfeits(record: &PairRecord, bot: BotId) -> u8 {
    let by_it = |game: &&GameRecord| game.forfeit().is_some_and(|forfeit| forfeit.bot == bot);
    record.games.iter().filter(by_it).map(|_| 1).sum()
}

impl PairResult {
    fn new(record: &PairRecord, participants: usize) -> Result<PairResult, ResultsError> {
        let pairing = record.pairing;
        let Pairing { id, bots, .. } = pairing;
        if bots[0] == bots[1] || bots.iter().any(|bot| bot.0 >= participants) {
            return Err(ResultsError::Bots { id, participants });
        }
        if !(1..=2).contains(&record.games.len())
            || record.games.len() != usize::from(pairing.games)
        {
            return Err(ResultsError::Games {
                id,
                expected: pairing.games,
                found: record.games.len(),
            });
        }
        check_seats(record)?;
        Ok(PairResult {
            pairing,
            forfeits: bots.map(|bot| forfeits(record, bot)),
            scores: (record.games.iter())
                .map(|game| game.score_of(bots[0]))
                .collect(),
            fingerprint: fingerprint(&record.games),
        })
    }

    /// Whether one of its games, or more, counts for nothing: then the pairing is no evidence.
    pub fn is_void(&self) -> bool {
        self.scores.iter().any(Option::is_none)
    }

    /// Counts the pairing from the side of its first bot, if it is of the sample's kind and all of
    /// its games count; returns whether it did.
    pub fn count_in(&self, sample: &mut Sample) -> bool {
        match (sample, &self.scores[..]) {
            (Sample::Pairs(pairs), &[Some(first), Some(second)]) => pairs.count([first, second]),
            (Sample::Games(games), &[Some(score)]) => games.count(score),
            _ => return false,
        }
        true
    }

    /// How many games a bot of the pairing forfeited in it.
    pub fn forfeits_of(&self, bot: BotId) -> u64 {
        self.forfeits[usize::from(bot != self.pairing.bots[0])].into()
    }

    /// What a bot of the pairing scored in it.
    pub fn points_of(&self, bot: BotId) -> Points {
        let is_first = bot == self.pairing.bots[0];
        (self.scores.iter().flatten())
            .map(|&score| if is_first { score } else { score.swapped() })
            .map(Points::from)
            .sum()
    }
}

/// The first bot of a pairing has White in its first game, the second in its second.
fn check_seats(record: &PairRecord) -> Result<(), ResultsError> {
    let [first, second] = record.pairing.bots;
    let expected = [(first, second), (second, first)];
    let seats = |game: &GameRecord| (game.seats.white, game.seats.black);
    let wrong = (record.games.iter().zip(expected)).find(|(game, bots)| seats(game) != *bots);
    match wrong {
        None => Ok(()),
        Some((game, _)) => Err(ResultsError::Seats {
            id: record.pairing.id,
            number: game.number,
        }),
    }
}

/// A hash of the evidence in these games; their order does not matter.
///
/// It is never written down, so that it may differ from one build of the program to the next.
fn fingerprint(games: &[GameRecord]) -> u64 {
    let mut each: ArrayVec<u64, 2> = games.iter().map(|game| hash(&game.evidence())).collect();
    each.sort_unstable();
    hash(&each)
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

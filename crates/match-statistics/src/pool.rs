//! The results of many bots.

mod bootstrap;
mod fit;
mod ratings;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use ratings::{Bootstrap, Rating, RatingInterval, Unrated};

use super::{GameScore, Pentanomial, Wdl};

/// The results of many bots, each known by its place in a list: 0, 1, 2, …
///
/// Not every two of them have to meet, nor equally often.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pool {
    bots: usize,
    /// By the two bots, the lower place first; its results are the first's.
    meetings: BTreeMap<(usize, usize), Meeting>,
}

/// Everything two bots played against each other, as the first of them sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Meeting {
    /// All games.
    pub games: Wdl,
    /// Those that make pairs.
    pub pairs: Pentanomial,
    /// Those that belong to no pair.
    pub unpaired: Wdl,
}

/// Why a result cannot be that of a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PoolError {
    /// There is no such bot.
    #[error("no bot {bot} in a pool of {bots}")]
    UnknownBot {
        /// The place that was given.
        bot: usize,
        /// How many bots there are.
        bots: usize,
    },
    /// A bot cannot play itself.
    #[error("bot {bot} against itself")]
    SameBot { bot: usize },
}

impl Pool {
    /// A pool without results.
    pub fn new(bots: usize) -> Pool {
        Pool {
            bots,
            meetings: BTreeMap::new(),
        }
    }

    /// How many bots there are.
    pub fn bots(&self) -> usize {
        self.bots
    }

    /// Counts a pair of games: one opening, with colours swapped. The scores are those of `bot`.
    ///
    /// # Errors
    /// When there are no such two bots; nothing is counted then.
    pub fn count_pair(
        &mut self,
        bot: usize,
        opponent: usize,
        pair: [GameScore; 2],
    ) -> Result<(), PoolError> {
        let mut more = Meeting::default();
        more.pairs.count(pair);
        for score in pair {
            more.games.count(score);
        }
        self.count(bot, opponent, more)
    }

    /// Counts a game that belongs to no pair. The score is that of `bot`.
    ///
    /// # Errors
    /// When there are no such two bots; nothing is counted then.
    pub fn count_game(
        &mut self,
        bot: usize,
        opponent: usize,
        score: GameScore,
    ) -> Result<(), PoolError> {
        let mut games = Wdl::default();
        games.count(score);
        self.count_games(bot, opponent, games)
    }

    /// Counts games that belong to no pair. The results are those of `bot`.
    ///
    /// # Errors
    /// When there are no such two bots; nothing is counted then.
    pub fn count_games(
        &mut self,
        bot: usize,
        opponent: usize,
        games: Wdl,
    ) -> Result<(), PoolError> {
        let more = Meeting {
            games,
            pairs: Pentanomial::default(),
            unpaired: games,
        };
        self.count(bot, opponent, more)
    }

    /// What two bots played, as `bot` sees it; `None` if they did not meet.
    pub fn meeting(&self, bot: usize, opponent: usize) -> Option<Meeting> {
        if bot < opponent {
            self.meetings.get(&(bot, opponent)).copied()
        } else {
            let meeting = self.meetings.get(&(opponent, bot))?;
            Some(meeting.swapped())
        }
    }

    fn count(&mut self, bot: usize, opponent: usize, more: Meeting) -> Result<(), PoolError> {
        if let Some(bot) = [bot, opponent].into_iter().find(|&bot| bot >= self.bots) {
            let bots = self.bots;
            return Err(PoolError::UnknownBot { bot, bots });
        }
        if bot == opponent {
            return Err(PoolError::SameBot { bot });
        }
        let (key, more) = if bot < opponent {
            ((bot, opponent), more)
        } else {
            ((opponent, bot), more.swapped())
        };
        self.meetings.entry(key).or_default().add(more);
        Ok(())
    }
}

impl Meeting {
    /// The same games as the other bot sees them.
    #[must_use]
    pub fn swapped(&self) -> Meeting {
        Meeting {
            games: self.games.swapped(),
            pairs: self.pairs.swapped(),
            unpaired: self.unpaired.swapped(),
        }
    }

    fn add(&mut self, more: Meeting) {
        self.games.add(more.games);
        self.pairs.add(more.pairs);
        self.unpaired.add(more.unpaired);
    }
}

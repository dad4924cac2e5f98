//! Finding the balanced ones among openings with several threads.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use checkers_engine::{Bot, BotSpec, Limits, Score, Stop};
use checkers_lib::openings::Opening;
use checkers_lib::{Color, DrawRules, Game};

use super::progress::Progress;
use crate::failure::Failure;

/// What to search, and for what.
pub(crate) struct Search {
    pub(crate) bot: BotSpec,
    /// The greatest advantage of either side.
    pub(crate) margin: u32,
    /// How many to find.
    pub(crate) count: usize,
    pub(crate) threads: usize,
    /// Ends the search early.
    pub(crate) stop: Stop,
}

/// A balanced opening.
pub(crate) struct Scored {
    pub(crate) opening: Opening,
    /// In White's eyes.
    pub(crate) score: Score,
}

impl Search {
    /// The first `count` openings that are balanced, in their order, whatever the threads.
    ///
    /// # Errors
    /// When stopped.
    pub(crate) fn balanced(&self, openings: Vec<Opening>) -> Result<Vec<Scored>, Failure> {
        let desk = Desk::new(openings, self.count);
        thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| self.work(&desk));
            }
        });
        let kept = desk.into_kept();
        if self.stop.is_set() {
            return Err(Failure::Interrupted);
        }
        Ok(kept)
    }

    /// Takes one opening after the other from the desk.
    fn work(&self, desk: &Desk) {
        let mut bot = self.bot.build();
        while let Some((number, opening)) = desk.take() {
            let score = self.score(&mut *bot, &opening);
            if self.stop.is_set() {
                return;
            }
            let is_balanced = score.value().unsigned_abs() <= self.margin;
            desk.put(number, is_balanced.then_some(Scored { opening, score }));
        }
    }

    /// What an opening is worth to White: the mean of searches to the bot's depth and to one ply
    /// less, since a search that ends with a capture does not see the answer, and each move is
    /// worth a row. It depends on nothing that was searched before.
    fn score(&self, bot: &mut dyn Bot, opening: &Opening) -> Score {
        let game = Game::from_position(opening.position().clone(), DrawRules::Fmjd64);
        let depth = self.bot.options().depth;
        let [shallow, deep] = [depth - 1, depth].map(|depth| {
            let limits = Limits {
                depth: Some(depth),
                stop: self.stop.clone(),
                ..Limits::default()
            };
            bot.new_game(0);
            bot.choose(&game, &limits).score.value()
        });
        let score = Score::new((shallow + deep) / 2);
        match game.turn() {
            Color::White => score,
            Color::Black => -score,
        }
    }
}

/// Where openings are handed out in order, and handed in again in any order. All that are handed
/// out are searched to the end; so the first balanced ones do not depend on who is faster.
struct Desk(Mutex<Piles>);

struct Piles {
    openings: Vec<Opening>,
    /// How many are handed out.
    taken: usize,
    /// How many are handed in.
    searched: usize,
    /// The balanced ones and their numbers.
    kept: Vec<(usize, Scored)>,
    /// How many to find.
    count: usize,
    progress: Progress,
}

impl Desk {
    fn new(openings: Vec<Opening>, count: usize) -> Desk {
        Desk(Mutex::new(Piles {
            progress: Progress::new(openings.len(), count),
            openings,
            taken: 0,
            searched: 0,
            kept: Vec::new(),
            count,
        }))
    }

    /// The next opening and its number, unless enough are found.
    fn take(&self) -> Option<(usize, Opening)> {
        let mut piles = self.lock();
        if piles.kept.len() >= piles.count {
            return None;
        }
        let number = piles.taken;
        let opening = piles.openings.get(number)?.clone();
        piles.taken += 1;
        Some((number, opening))
    }

    fn put(&self, number: usize, balanced: Option<Scored>) {
        let mut piles = self.lock();
        piles.searched += 1;
        piles.kept.extend(balanced.map(|scored| (number, scored)));
        let (searched, kept) = (piles.searched, piles.kept.len());
        piles.progress.show(searched, kept);
    }

    fn into_kept(self) -> Vec<Scored> {
        let mut piles = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        piles.progress.finish(piles.searched, piles.kept.len());
        piles.kept.sort_unstable_by_key(|(number, _)| *number);
        let kept = piles.kept.into_iter().take(piles.count);
        kept.map(|(_, scored)| scored).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Piles> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

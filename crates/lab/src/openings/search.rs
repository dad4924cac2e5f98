//! Finding the balanced ones among openings with several threads.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use checkers_engine::{Bot, BotSpec, Limits, Score, Stop};
use checkers_lib::openings::Opening;
use checkers_lib::{Color, DrawRules, Game};

use super::progress::OpeningsProgress;
use crate::failure::LabFailure;

/// What to search, and for what.
pub(crate) struct OpeningSearch {
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

impl OpeningSearch {
    /// The first `count` openings that are balanced, in their order, for any number of threads.
    ///
    /// # Errors
    /// When stopped.
    pub(crate) fn balanced(&self, openings: Vec<Opening>) -> Result<Vec<Scored>, LabFailure> {
        let queue = WorkQueue::new(openings, self.count);
        thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| self.work(&queue));
            }
        });
        let kept = queue.into_kept();
        if self.stop.is_set() {
            return Err(LabFailure::Interrupted);
        }
        Ok(kept)
    }

    /// Takes one opening after the other from the queue.
    fn work(&self, queue: &WorkQueue) {
        let mut bot = self.bot.build();
        while let Some((number, opening)) = queue.take() {
            let score = self.score(&mut *bot, &opening);
            if self.stop.is_set() {
                return;
            }
            let is_balanced = score.value().unsigned_abs() <= self.margin;
            queue.put(number, is_balanced.then_some(Scored { opening, score }));
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

/// Openings are handed out in order and returned in any order. All that are handed out are searched
/// to the end; so the first balanced ones do not depend on the threads' speed.
struct WorkQueue(Mutex<Work>);

struct Work {
    openings: Vec<Opening>,
    /// How many are handed out.
    taken: usize,
    /// How many are handed in.
    searched: usize,
    /// The balanced ones and their numbers.
    kept: Vec<(usize, Scored)>,
    /// How many to find.
    count: usize,
    progress: OpeningsProgress,
}

impl WorkQueue {
    fn new(openings: Vec<Opening>, count: usize) -> WorkQueue {
        WorkQueue(Mutex::new(Work {
            progress: OpeningsProgress::new(openings.len(), count),
            openings,
            taken: 0,
            searched: 0,
            kept: Vec::new(),
            count,
        }))
    }

    /// The next opening and its number, unless enough are found.
    fn take(&self) -> Option<(usize, Opening)> {
        let mut work = self.lock();
        if work.kept.len() >= work.count {
            return None;
        }
        let number = work.taken;
        let opening = work.openings.get(number)?.clone();
        work.taken += 1;
        Some((number, opening))
    }

    fn put(&self, number: usize, balanced: Option<Scored>) {
        let mut work = self.lock();
        work.searched += 1;
        work.kept.extend(balanced.map(|scored| (number, scored)));
        let (searched, kept) = (work.searched, work.kept.len());
        work.progress.show(searched, kept);
    }

    fn into_kept(self) -> Vec<Scored> {
        let mut work = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        work.progress.finish(work.searched, work.kept.len());
        work.kept.sort_unstable_by_key(|(number, _)| *number);
        let kept = work.kept.into_iter().take(work.count);
        kept.map(|(_, scored)| scored).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Work> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

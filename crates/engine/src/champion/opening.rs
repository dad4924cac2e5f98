//! The first moves, which come from the book.

use checkers_lib::Game;

use crate::book::Book;
use crate::clock::Instant;
use crate::spec::Evaluator;
use crate::{Choice, Options, Score};

/// The book of a champion.
pub(super) struct Opening {
    book: &'static Book,
    seed: u64,
}

impl Opening {
    /// The book of these options; `None` if they want none. It holds what the network thinks, so
    /// that other evaluations have none.
    pub(super) fn of(options: &Options) -> Option<Opening> {
        let is_wanted = options.book && options.evaluator == Evaluator::Network;
        is_wanted.then(|| Opening {
            book: Book::embedded(),
            seed: options.seed,
        })
    }

    /// The move from the book, if it has one, with the best play after it.
    pub(super) fn choose(&self, game: &Game) -> Option<Choice> {
        let begin = Instant::now();
        let known = self.book.choose(game, self.seed)?;
        let mut after = game.position().clone();
        after.play_unchecked(known.m);
        let pv = [known.m].into_iter().chain(self.book.line(&after));
        Some(Choice {
            best: Some(known.m),
            score: Score::new(known.score),
            depth: 0,
            nodes: 0,
            pv: pv.collect(),
            time: begin.elapsed(),
            complete: true,
            from_book: true,
        })
    }
}

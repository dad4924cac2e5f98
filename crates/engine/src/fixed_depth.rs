//! The bot around any search to a fixed depth.

use std::time::Instant;

use checkers_lib::{Game, Move, Position};

use crate::budget::Stopped;
use crate::trace::Trace;
use crate::{Bot, BotSpec, Choice, Limits};

/// The deepest search in plies.
pub(crate) const MAX_DEPTH: u32 = 64;

/// A search to a fixed depth.
pub(crate) trait Search: Send {
    /// Walks the tree `depth` plies deep and leaves the best line from the root in the trace.
    ///
    /// # Errors
    /// When the search was stopped; the line is then the best that is known, perhaps empty.
    fn search(&mut self, root: &Position, depth: u32) -> Result<(), Stopped>;

    /// What the search keeps on its way.
    fn trace(&mut self) -> &mut Trace;

    /// Forgets the previous game.
    fn forget(&mut self) {}
}

/// The bot around a search.
pub(crate) struct FixedDepth<S> {
    spec: BotSpec,
    search: S,
}

impl<S: Search> FixedDepth<S> {
    pub(crate) fn new(spec: &BotSpec, search: S) -> FixedDepth<S> {
        FixedDepth {
            spec: spec.clone(),
            search,
        }
    }
}

impl<S: Search> Bot for FixedDepth<S> {
    fn spec(&self) -> &BotSpec {
        &self.spec
    }

    fn new_game(&mut self, _number: u64) {
        self.search.forget();
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Choice {
        let start = Instant::now();
        let Some(&first) = game.legal_moves().first() else {
            return Choice::none(game);
        };
        let depth = limits.depth.unwrap_or(self.spec.options().depth);
        let depth = depth.clamp(1, MAX_DEPTH);
        self.search.trace().begin(limits, limits.most_time());
        let complete = self.search.search(game.position(), depth).is_ok();
        let trace = self.search.trace();
        let line = trace.line();
        if line.moves.is_empty() {
            line.moves.push(first);
        }
        Choice {
            best: line.moves.first().copied(),
            score: line.score,
            pv: line.moves.to_vec(),
            depth,
            nodes: trace.nodes(),
            time: start.elapsed(),
            complete,
            from_book: false,
        }
    }
}

/// The position after a move from its own list.
#[inline]
pub(crate) fn after(position: &Position, m: Move) -> Position {
    let mut child = position.clone();
    child.play_unchecked(m);
    child
}

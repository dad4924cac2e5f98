//! What every search keeps while it walks the tree.

use std::time::Duration;

use arrayvec::ArrayVec;
use checkers_lib::Move;

use crate::budget::{Budget, Stopped};
use crate::limits::MAX_DEPTH;
use crate::tree::{Observer, Purpose, VisitEnd};
use crate::{Limits, Score};

/// How many nodes pass between two looks at the stop flag and the clock.
pub(crate) const NODES_BETWEEN_LOOKS: u64 = 1024;

/// The longest line in plies: the deepest search, and after it captures until a side has lost all
/// of its pieces. Each takes at least one of at most 24.
pub(crate) const LONGEST_LINE: usize = MAX_DEPTH as usize + 24;

/// The best play found from one node on.
#[derive(Clone, Default)]
pub(crate) struct PrincipalVariation {
    /// What it is worth to the side to move at the node.
    pub(crate) score: Score,
    pub(crate) moves: ArrayVec<Move, LONGEST_LINE>,
}

/// The budget of nodes and time, the best line of each ply, which make the triangular table of
/// principal variations, and who observes the search.
pub(crate) struct SearchState<O> {
    budget: Budget,
    lines: Vec<PrincipalVariation>,
    observer: O,
}

impl<O: Observer> SearchState<O> {
    pub(crate) fn new(observer: &O) -> SearchState<O> {
        SearchState {
            budget: Budget::new(&Limits::default(), None, NODES_BETWEEN_LOOKS),
            lines: vec![PrincipalVariation::default(); LONGEST_LINE + 1],
            observer: observer.clone(),
        }
    }

    /// Begins a new search, which ends by `limits` and after at most `time`.
    pub(crate) fn begin(&mut self, limits: &Limits, time: Option<Duration>) {
        self.budget = Budget::new(limits, time, NODES_BETWEEN_LOOKS);
        self.lines[0] = PrincipalVariation::default();
    }

    /// Enters a node `ply` plies below the root, with its window and the depth that remains.
    ///
    /// # Errors
    /// When the search is to end.
    #[inline]
    pub(crate) fn enter(
        &mut self,
        ply: u32,
        alpha: Score,
        beta: Score,
        depth: u32,
    ) -> Result<(), Stopped> {
        self.budget.spend()?;
        self.lines[ply as usize].moves.clear();
        self.observer.enter(alpha, beta, depth as i32);
        Ok(())
    }

    /// Says that the next node is the one after `m`.
    #[inline]
    pub(crate) fn announce(&mut self, m: Move, purpose: Purpose) {
        self.observer.announce(Some(m), purpose);
    }

    /// Reports a root whose value the endgame tables know, so that nothing is searched.
    pub(crate) fn report_known(&mut self, value: Score) {
        self.observer.enter(-Score::WIN, Score::WIN, 0);
        self.observer.leave(value, VisitEnd::Tablebase);
    }

    /// Leaves the node entered last with its value.
    #[inline]
    pub(crate) fn leave(&mut self, value: Score, end: VisitEnd) -> Score {
        self.observer.leave(value, end);
        value
    }

    /// Notes that `m` is the best move so far at a node and worth `score`; the best play after it
    /// is that of the child visited last.
    #[inline]
    pub(crate) fn record(&mut self, ply: u32, m: Move, score: Score) {
        if let [line, after, ..] = &mut self.lines[ply as usize..] {
            line.score = score;
            line.moves.clear();
            line.moves.push(m);
            line.moves.extend(after.moves.iter().copied());
        }
    }

    /// The positions visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    /// The best line from the root.
    pub(crate) fn line(&mut self) -> &mut PrincipalVariation {
        &mut self.lines[0]
    }
}

//! Minimax: every line to the end of the search.

use checkers_lib::{MoveList, Position};

use super::fixed_depth::{FixedDepthSearch, after};
use super::search_state::SearchState;
use crate::Score;
use crate::budget::Stopped;
use crate::evaluation::textbook::{Evaluation, Material};
use crate::tree::{Observer, Purpose, VisitEnd};

/// Plain minimax in its negated form, without any cut.
///
/// CITE: C. E. Shannon, "Programming a Computer for Playing Chess", 1950; the negated form after
/// D. E. Knuth, R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975.
pub(crate) struct Minimax<M, O> {
    evaluation: Evaluation<M>,
    state: SearchState<O>,
}

impl<M: Material, O: Observer> Minimax<M, O> {
    pub(crate) fn new(seed: u64, observer: &O) -> Minimax<M, O> {
        Minimax {
            evaluation: Evaluation::new(seed),
            state: SearchState::new(observer),
        }
    }

    /// What `position` is worth to its side to move when both sides play their best for `depth`
    /// plies.
    fn value(&mut self, position: &Position, depth: u32, ply: u32) -> Result<Score, Stopped> {
        self.state.enter(ply, -Score::WIN, Score::WIN, depth)?;
        if depth == 0 {
            let value = self.evaluation.leaf(position, ply);
            return Ok(self.state.leave(value, VisitEnd::Leaf));
        }
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        let mut best = Score::lost_in(ply);
        for &m in &moves {
            self.state.announce(m, Purpose::Move);
            let score = -self.value(&after(position, m), depth - 1, ply + 1)?;
            if score > best {
                best = score;
                self.state.record(ply, m, best);
            }
        }
        Ok(self.state.leave(best, VisitEnd::Searched))
    }
}

impl<M: Material, O: Observer> FixedDepthSearch for Minimax<M, O> {
    type Observer = O;

    fn search(&mut self, root: &Position, depth: u32) -> Result<(), Stopped> {
        self.value(root, depth, 0).map(drop)
    }

    fn state(&mut self) -> &mut SearchState<O> {
        &mut self.state
    }
}

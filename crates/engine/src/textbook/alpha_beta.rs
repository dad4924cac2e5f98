//! Alpha-beta: minimax without the lines that cannot matter.

use checkers_lib::{MoveList, Position};

use super::fixed_depth::{FixedDepthSearch, after};
use super::move_order::Tries;
use super::search_state::SearchState;
use crate::budget::Stopped;
use crate::evaluation::textbook::{Evaluation, PieceRows};
use crate::tree::{Observer, Purpose, VisitEnd};
use crate::{MoveOrder, Score};

/// Alpha-beta in its fail-soft form: a score outside the window is still a bound, and the
/// tightest one the searched lines prove.
///
/// CITE: D. E. Knuth, R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975; fail-soft after
/// J. P. Fishburn, "Another Optimization of Alpha-Beta Search", 1983.
pub(crate) struct AlphaBeta<O> {
    evaluation: Evaluation<PieceRows>,
    state: SearchState<O>,
    tries: Tries,
}

impl<O: Observer> AlphaBeta<O> {
    pub(crate) fn new(seed: u64, order: MoveOrder, observer: &O) -> AlphaBeta<O> {
        AlphaBeta {
            evaluation: Evaluation::new(seed),
            state: SearchState::new(observer),
            tries: Tries::new(order, seed),
        }
    }

    /// What `position` is worth to its side to move after `depth` plies. Between `alpha` and
    /// `beta` the answer is exact; at or below `alpha` it is an upper bound, at or above `beta` a
    /// lower one.
    fn value(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        depth: u32,
        ply: u32,
    ) -> Result<Score, Stopped> {
        self.state.enter(ply, alpha, beta, depth)?;
        if depth == 0 {
            let value = self.evaluation.leaf(position, ply);
            return Ok(self.state.leave(value, VisitEnd::Leaf));
        }
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        self.tries.sort(position, &mut moves, None, depth, ply)?;
        let mut best = Score::lost_in(ply);
        for &m in &moves {
            self.state.announce(m, Purpose::Move);
            let score = -self.value(&after(position, m), -beta, -alpha, depth - 1, ply + 1)?;
            if score > best {
                best = score;
                if best >= beta {
                    self.tries.learn(position.turn(), m, depth, ply);
                    break;
                }
                if best > alpha {
                    alpha = best;
                    self.state.record(ply, m, best);
                }
            }
        }
        Ok(self.state.leave(best, VisitEnd::Searched))
    }
}

impl<O: Observer> FixedDepthSearch for AlphaBeta<O> {
    type Observer = O;

    fn search(&mut self, root: &Position, depth: u32) -> Result<(), Stopped> {
        self.value(root, -Score::WIN, Score::WIN, depth, 0)
            .map(drop)
    }

    fn state(&mut self) -> &mut SearchState<O> {
        &mut self.state
    }

    fn tries(&mut self) -> Option<&mut Tries> {
        Some(&mut self.tries)
    }
}

//! NegaScout: alpha-beta that first asks whether a move is better at all.

use checkers_lib::{MoveList, Position};

use super::fixed_depth::{FixedDepthSearch, after};
use super::move_order::Tries;
use super::search_state::SearchState;
use crate::budget::Stopped;
use crate::evaluation::textbook::{Evaluation, PieceRows};
use crate::tree::{Observer, Purpose, VisitEnd};
use crate::{MoveOrder, Score};

/// NegaScout: the first move is searched with the whole window, each later one with a window of
/// no width that only asks whether it is better; one that is gets searched again for its score.
///
/// CITE: A. Reinefeld, "An Improvement to the Scout Tree Search Algorithm", ICCA Journal 6(4),
/// 1983; here in its fail-soft form.
pub(crate) struct NegaScout<O> {
    evaluation: Evaluation<PieceRows>,
    state: SearchState<O>,
    tries: Tries,
}

impl<O: Observer> NegaScout<O> {
    pub(crate) fn new(seed: u64, order: MoveOrder, observer: &O) -> NegaScout<O> {
        NegaScout {
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
        let mut scout = beta;
        for (i, &m) in moves.iter().enumerate() {
            let child = after(position, m);
            self.state.announce(m, Purpose::Move);
            let mut score = -self.value(&child, -scout, -alpha, depth - 1, ply + 1)?;
            let is_exact = i == 0 || depth == 1;
            if !is_exact && alpha < score && score < beta {
                // From one below the score on, so that a value equal to it comes with its line.
                let floor = score.previous();
                self.state.announce(m, Purpose::ReSearch);
                score = -self.value(&child, -beta, -floor, depth - 1, ply + 1)?;
            }
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
            scout = alpha.next();
        }
        Ok(self.state.leave(best, VisitEnd::Searched))
    }
}

impl<O: Observer> FixedDepthSearch for NegaScout<O> {
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

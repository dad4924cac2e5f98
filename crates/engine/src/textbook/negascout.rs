//! NegaScout: alpha-beta that first asks whether a move is better at all.

use checkers_lib::{MoveList, Position};

use super::fixed_depth::{Search, after};
use super::move_order::Tries;
use super::search_state::SearchState;
use crate::Score;
use crate::budget::Stopped;
use crate::evaluation::textbook::{Evaluation, PieceRows};

/// NegaScout: the first move is searched with the whole window, each later one with a window of
/// no width that only asks whether it is better; one that is gets searched again for its score.
///
/// CITE: A. Reinefeld, "An Improvement to the Scout Tree Search Algorithm", ICCA Journal 6(4),
/// 1983; here in its fail-soft form.
pub(crate) struct NegaScout {
    evaluation: Evaluation<PieceRows>,
    state: SearchState,
    tries: Tries,
}

impl NegaScout {
    pub(crate) fn new(seed: u64, is_ordered: bool) -> NegaScout {
        NegaScout {
            evaluation: Evaluation::new(seed),
            state: SearchState::new(),
            tries: Tries::new(is_ordered),
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
        self.state.visit(ply)?;
        if depth == 0 {
            return Ok(self.evaluation.leaf(position, ply));
        }
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        self.tries.sort(position, &mut moves, None, ply);
        let mut best = Score::lost_in(ply);
        let mut scout = beta;
        for (i, &m) in moves.iter().enumerate() {
            let child = after(position, m);
            let mut score = -self.value(&child, -scout, -alpha, depth - 1, ply + 1)?;
            let is_exact = i == 0 || depth == 1;
            if !is_exact && alpha < score && score < beta {
                // From one below the score on, so that a value equal to it comes with its line.
                let floor = score.previous();
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
        Ok(best)
    }
}

impl Search for NegaScout {
    fn search(&mut self, root: &Position, depth: u32) -> Result<(), Stopped> {
        self.value(root, -Score::WIN, Score::WIN, depth, 0)
            .map(drop)
    }

    fn state(&mut self) -> &mut SearchState {
        &mut self.state
    }

    fn tries(&mut self) -> Option<&mut Tries> {
        Some(&mut self.tries)
    }
}

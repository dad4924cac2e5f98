//! NegaScout with a transposition table.

use checkers_lib::{Move, MoveList, Position};

use super::fixed_depth::{FixedDepthSearch, after};
use super::move_order::Tries;
use super::search_state::SearchState;
use super::table::{TwoDeepEntry, TwoDeepTable};
use crate::budget::Stopped;
use crate::evaluation::textbook::{Evaluation, PieceRows};
use crate::score::Bound;
use crate::tree::{Observer, Purpose, VisitEnd};
use crate::{Accept, Options, Score};

/// The least depth for which the table is asked and told: searching a position one ply deep is
/// faster than looking it up.
const SHALLOWEST: u32 = 2;

/// NegaScout that looks every position up before it searches it. An entry settles a node when its
/// bound closes the window; the stored best move serves the principal variation
/// alone, so that the moves keep their order, unless `order=on`.
///
/// With [`Accept::Exact`] an entry counts only for exactly the depth it was searched to, and then
/// the score and the move are those of minimax: a position's value at a depth depends on nothing
/// else, because noise is a function of the position and wins are stored relative to it. With
/// [`Accept::AtLeast`] deeper entries count too; what is found may then be better founded than
/// minimax's answer, and different.
///
/// CITE: A. Reinefeld, "An Improvement to the Scout Tree Search Algorithm", 1983; the table after
/// R. D. Greenblatt, D. E. Eastlake, S. D. Crocker, "The Greenblatt Chess Program", 1967, and
/// T. A. Marsland, "A Review of Game-Tree Pruning", 1986.
pub(crate) struct NegaScoutTt<O> {
    evaluation: Evaluation<PieceRows>,
    table: TwoDeepTable<TwoDeepEntry>,
    accept: Accept,
    state: SearchState<O>,
    tries: Tries,
}

impl<O: Observer> NegaScoutTt<O> {
    /// The table's memory is taken at the first search.
    pub(crate) fn new(options: &Options, observer: &O) -> NegaScoutTt<O> {
        NegaScoutTt {
            evaluation: Evaluation::new(options.seed),
            table: TwoDeepTable::new(options.tt),
            accept: options.tt_accept,
            state: SearchState::new(observer),
            tries: Tries::new(options.order, options.seed),
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
        // The root needs a move, not just a score.
        if ply > 0
            && let Some((score, bound)) = self.look_up(position, alpha, beta, depth, ply)
        {
            return Ok(self.state.leave(score, VisitEnd::TableHit(bound)));
        }
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        // The table keeps places in the generator's order.
        let generated = self.tries.is_ordered().then(|| moves.clone());
        if generated.is_some() {
            let hint = self.hint(position, &moves, depth, ply);
            self.tries.sort(position, &mut moves, hint, depth, ply)?;
        }
        let (mut best, mut best_place) = (Score::lost_in(ply), 0);
        let mut bound = Bound::Upper;
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
                (best, best_place) = (score, i);
                if best >= beta {
                    bound = Bound::Lower;
                    self.tries.learn(position.turn(), m, depth, ply);
                    break;
                }
                if best > alpha {
                    alpha = best;
                    bound = Bound::Exact;
                    self.state.record(ply, m, best);
                }
            }
            scout = alpha.next();
        }
        if let Some(generated) = generated {
            let best_move = moves.get(best_place);
            let place = generated.iter().position(|m| Some(m) == best_move);
            best_place = place.unwrap_or(0);
        }
        let score = best.seen_from_node(ply);
        self.store(
            position,
            TwoDeepEntry {
                depth,
                bound,
                score,
                best: best_place,
            },
        );
        Ok(self.state.leave(best, VisitEnd::Searched))
    }

    /// The score of an entry that settles the node, and which bound it is.
    #[inline]
    fn look_up(
        &self,
        position: &Position,
        alpha: Score,
        beta: Score,
        depth: u32,
        ply: u32,
    ) -> Option<(Score, Bound)> {
        let entry = self.probe(position, depth)?;
        let score = entry.score.seen_from_root(ply);
        let settles = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        settles.then_some((score, entry.bound))
    }

    /// The best move of an entry of any depth, which is tried first where moves are ordered.
    fn hint(&self, position: &Position, moves: &[Move], depth: u32, ply: u32) -> Option<Move> {
        if ply == 0 || depth < SHALLOWEST {
            return None;
        }
        let entry = self.table.probe(position.key(), |_| true)?;
        moves.get(entry.best).copied()
    }

    #[inline]
    fn probe(&self, position: &Position, depth: u32) -> Option<TwoDeepEntry> {
        if depth < SHALLOWEST {
            return None;
        }
        let accept = self.accept;
        self.table
            .probe(position.key(), |known| accept.accepts(known, depth))
    }

    #[inline]
    fn store(&mut self, position: &Position, entry: TwoDeepEntry) {
        if entry.depth >= SHALLOWEST {
            self.table.store(position.key(), entry);
        }
    }

    /// Goes on with the best line, which ends where the table had the answer, by the table's best
    /// moves.
    fn lengthen_line(&mut self, root: &Position, depth: u32) {
        let line = &self.state.line().moves.clone();
        let mut position = line
            .iter()
            .fold(root.clone(), |position, &m| after(&position, m));
        for depth_left in (1..=depth).rev().skip(line.len()) {
            let known = self.probe(&position, depth_left);
            let Some(entry) = known.filter(|entry| entry.bound == Bound::Exact) else {
                return;
            };
            let Some(&m) = position.legal_moves().get(entry.best) else {
                return;
            };
            self.state.line().moves.push(m);
            position = after(&position, m);
        }
    }
}

impl<O: Observer> FixedDepthSearch for NegaScoutTt<O> {
    type Observer = O;

    fn search(&mut self, root: &Position, depth: u32) -> Result<(), Stopped> {
        self.table.prepare();
        self.value(root, -Score::WIN, Score::WIN, depth, 0)?;
        self.lengthen_line(root, depth);
        Ok(())
    }

    fn state(&mut self) -> &mut SearchState<O> {
        &mut self.state
    }

    fn tries(&mut self) -> Option<&mut Tries> {
        Some(&mut self.tries)
    }

    fn forget(&mut self) {
        self.table.clear();
    }
}

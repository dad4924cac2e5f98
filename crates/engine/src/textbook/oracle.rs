//! What the moves of a position are truly worth, for a search that tries them in that order: the
//! best first, so that every cut-off is by the first move, or the worst first.
//!
//! CITE: D. E. Knuth, R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975: with the best moves
//! first alpha-beta visits the critical positions alone.

use std::collections::HashMap;

use checkers_lib::{Move, MoveList, Position};

use super::fixed_depth::after;
use super::move_order::Ordered;
use super::search_state::NODES_BETWEEN_LOOKS;
use crate::budget::{Budget, Stopped};
use crate::evaluation::textbook::{Evaluation, PieceRows};
use crate::{Limits, Score};

/// The least depth whose values are kept: one ply is searched again faster than it is looked up.
const SHALLOWEST: u32 = 2;

/// The most values that are kept, in about 50 MB: as many as a hash map holds before it doubles. A
/// search that needs more is stopped: a limit of its own nodes does not bound those of the oracle.
const MOST_VALUES: usize = (1 << 21) / 8 * 7;

/// Plain minimax that keeps its values for one choice. Its nodes are neither counted nor observed.
pub(crate) struct Oracle {
    worst_first: bool,
    evaluation: Evaluation<PieceRows>,
    budget: Budget,
    /// The values of positions by key and depth. Plies to a win or a loss count from the position.
    values: HashMap<(u64, u32), Score>,
    most_values: usize,
}

impl Oracle {
    pub(crate) fn new(seed: u64, worst_first: bool) -> Oracle {
        Oracle {
            worst_first,
            evaluation: Evaluation::new(seed),
            budget: Budget::new(&Limits::default(), None, NODES_BETWEEN_LOOKS),
            values: HashMap::new(),
            most_values: MOST_VALUES,
        }
    }

    /// Gets ready for one choice, which ends by `limits`. Their nodes are the search's own.
    pub(crate) fn begin(&mut self, limits: &Limits) {
        let without_nodes = Limits {
            nodes: None,
            ..limits.clone()
        };
        self.budget = Budget::new(&without_nodes, limits.most_time(), NODES_BETWEEN_LOOKS);
    }

    /// Frees the memory.
    pub(crate) fn forget(&mut self) {
        self.values = HashMap::new();
    }

    /// Puts the moves of a position that is searched `depth` plies deep into their order. Equally
    /// good moves keep the generator's.
    ///
    /// # Errors
    /// When the search is to end.
    pub(crate) fn sort(
        &mut self,
        position: &Position,
        moves: &[Move],
        depth: u32,
        ordered: &mut Ordered,
    ) -> Result<(), Stopped> {
        ordered.sort_by_ranks(moves.iter().map(|&m| {
            let reply = self.value(&after(position, m), depth - 1)?;
            let score = reply.before_the_move();
            let rank = if self.worst_first { -score } else { score };
            Ok((Score::WIN.value() + rank.value()) as u32)
        }))
    }

    /// What `position` is worth to its side to move after `depth` plies, seen from there.
    fn value(&mut self, position: &Position, depth: u32) -> Result<Score, Stopped> {
        self.budget.spend()?;
        if depth == 0 {
            return Ok(self.evaluation.leaf(position, 0));
        }
        let is_kept = depth >= SHALLOWEST;
        let key = (position.key(), depth);
        if is_kept && let Some(&value) = self.values.get(&key) {
            return Ok(value);
        }
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        let mut best = Score::lost_in(0);
        for &m in &moves {
            let reply = self.value(&after(position, m), depth - 1)?;
            best = best.max(reply.before_the_move());
        }
        if is_kept {
            if self.values.len() == self.most_values {
                return Err(Stopped);
            }
            self.values.insert(key, best);
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(oracle: &mut Oracle, position: &Position, depth: u32) -> Option<Vec<String>> {
        let moves = position.legal_moves();
        let mut ordered = Ordered::new();
        oracle.sort(position, &moves, depth, &mut ordered).ok()?;
        let places = ordered.places();
        Some(
            places
                .map(|place| position.notation(moves[place]))
                .collect(),
        )
    }

    #[test]
    fn nearer_wins_come_before_later_ones() {
        // The king on b2 takes the man its only move.
        let position: Position = "W:WKd4,c1:Ba3".parse().unwrap();
        for depth in 1..=6 {
            let best = sorted(&mut Oracle::new(3, false), &position, depth).unwrap();
            assert_eq!(best[0], "d4-b2", "depth {depth}");
            let worst = sorted(&mut Oracle::new(3, true), &position, depth).unwrap();
            assert_eq!(worst.last(), best.first(), "depth {depth}");
        }
    }

    #[test]
    fn it_stops_when_it_is_full() {
        let start = Position::start();
        let mut oracle = Oracle {
            most_values: 100,
            ..Oracle::new(0, false)
        };
        assert!(sorted(&mut oracle, &start, 4).is_some());
        assert_eq!(sorted(&mut oracle, &start, 6), None);
        assert_eq!(oracle.values.len(), 100);
        oracle.forget();
        assert_eq!(oracle.values.capacity(), 0);
        assert!(sorted(&mut oracle, &start, 4).is_some());
    }

    #[test]
    fn it_stops_when_it_is_told() {
        let limits = Limits {
            nodes: Some(1),
            ..Limits::default()
        };
        let mut oracle = Oracle::new(0, true);
        oracle.begin(&limits);
        assert!(sorted(&mut oracle, &Position::start(), 6).is_some());
        oracle.forget();
        limits.stop.stop();
        assert_eq!(sorted(&mut oracle, &Position::start(), 6), None);
    }
}

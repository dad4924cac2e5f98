//! A null-window search with memory.

use checkers_lib::{Move, MoveList, Position};

use crate::Score;
use crate::budget::Stopped;
use crate::evaluation::textbook::{Evaluation, PieceRows};
use crate::score::Bound;
use crate::textbook::fixed_depth::after;
use crate::textbook::search_state::{PrincipalVariation, SearchState};
use crate::textbook::table::{ScoreBounds, TwoDeepTable};
use crate::tree::{Observer, Purpose, VisitEnd};

/// The least depth for which the table is asked and told: searching a position one ply deep is
/// faster than looking it up.
const SHALLOWEST: u32 = 2;

/// Pearl's Test, which asks whether a position is worth at least so much, with a table that keeps
/// both bounds of every position for the next pass.
///
/// CITE: J. Pearl, "Asymptotic properties of minimax trees and game-searching procedures",
/// Artificial Intelligence 14, 1980; with memory as MT in Plaat et al., 1996.
pub(super) struct Mt<O> {
    evaluation: Evaluation<PieceRows>,
    table: TwoDeepTable<ScoreBounds>,
    state: SearchState<O>,
}

impl<O: Observer> Mt<O> {
    pub(super) fn new(seed: u64, mebibytes: u32, observer: &O) -> Mt<O> {
        Mt {
            evaluation: Evaluation::new(seed),
            table: TwoDeepTable::new(mebibytes),
            state: SearchState::new(observer),
        }
    }

    /// Takes the table's memory, unless that was done before.
    pub(super) fn prepare(&mut self) {
        self.table.prepare();
    }

    pub(super) fn forget(&mut self) {
        self.table.clear();
    }

    pub(super) fn state(&mut self) -> &mut SearchState<O> {
        &mut self.state
    }

    /// Whether `position` is worth `beta` or more to its side to move after `depth` plies. An
    /// answer of `beta` or more is a lower bound of its worth, an answer below `beta` an upper one.
    pub(super) fn value(
        &mut self,
        position: &Position,
        beta: Score,
        depth: u32,
        ply: u32,
    ) -> Result<Score, Stopped> {
        self.state.enter(ply, beta.previous(), beta, depth)?;
        if depth == 0 {
            let value = self.evaluation.leaf(position, ply);
            return Ok(self.state.leave(value, VisitEnd::Leaf));
        }
        let known = self.probe(position, depth);
        // The root needs a move, not just a score.
        if ply > 0
            && let Some((score, bound)) = known.and_then(|bounds| settle(bounds, beta, ply))
        {
            return Ok(self.state.leave(score, VisitEnd::TableHit(bound)));
        }
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        let (mut best, mut best_place) = (Score::lost_in(ply), 0);
        for (i, &m) in moves.iter().enumerate() {
            // A child is worth at most -beta where it is not worth the next score or more.
            let child_beta = (-beta).next();
            self.state.announce(m, Purpose::Move);
            let score = -self.value(&after(position, m), child_beta, depth - 1, ply + 1)?;
            if score > best {
                (best, best_place) = (score, i);
                if best >= beta {
                    self.state.record(ply, m, best);
                    break;
                }
            }
        }
        let mut bounds = known.unwrap_or(unbounded(depth));
        if best >= beta {
            (bounds.lower, bounds.best) = (best.seen_from_node(ply), best_place);
        } else {
            bounds.upper = best.seen_from_node(ply);
        }
        self.store(position, bounds);
        Ok(self.state.leave(best, VisitEnd::Searched))
    }

    #[inline]
    fn probe(&self, position: &Position, depth: u32) -> Option<ScoreBounds> {
        if depth < SHALLOWEST {
            return None;
        }
        self.table.probe(position.key(), |known| known == depth)
    }

    #[inline]
    fn store(&mut self, position: &Position, bounds: ScoreBounds) {
        if bounds.depth >= SHALLOWEST {
            self.table.store(position.key(), bounds);
        }
    }

    /// The best play from `root` on, where `best` is the best move and the score is known: where
    /// both bounds of a position meet, the move that proves the lower one is the best. It ends
    /// where the table forgot.
    pub(super) fn line(
        &self,
        root: &Position,
        best: Option<Move>,
        score: Score,
        depth: u32,
    ) -> PrincipalVariation {
        let mut line = PrincipalVariation {
            score,
            ..PrincipalVariation::default()
        };
        let (mut position, mut next) = (root.clone(), best);
        for depth_left in (0..depth).rev() {
            let Some(m) = next else { break };
            line.moves.push(m);
            position = after(&position, m);
            let known = self.probe(&position, depth_left);
            let exact = known.filter(|bounds| bounds.lower == bounds.upper);
            next = exact.and_then(|bounds| position.legal_moves().get(bounds.best).copied());
        }
        line
    }
}

/// What is known about a position before it was searched.
fn unbounded(depth: u32) -> ScoreBounds {
    ScoreBounds {
        depth,
        lower: -Score::WIN,
        upper: Score::WIN,
        best: 0,
    }
}

/// The score that answers the question, if one does, and which bound it is.
#[inline]
fn settle(bounds: ScoreBounds, beta: Score, ply: u32) -> Option<(Score, Bound)> {
    let [lower, upper] = [bounds.lower, bounds.upper].map(|score| score.seen_from_root(ply));
    if lower >= beta {
        Some((lower, Bound::Lower))
    } else if upper < beta {
        Some((upper, Bound::Upper))
    } else {
        None
    }
}

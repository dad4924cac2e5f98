//! Values under the articles that count moves to a draw, if they begin to count at the position.
//!
//! With 4 to 7 pieces a count ends with a capture or a promotion, which lead out of the two slices that are solved
//! together. A position is decided if the winner can force such a change, or the end, before the count does. The slices
//! in which a count goes on through a change are left to [`counted`](super::counted).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::counted::Counted;
use super::pair::{LosingChange, TooLong, solve};
use super::slice_set::{Slice, SliceSet};
use super::solved::Solved;
use crate::tablebase::material::Material;
use crate::tablebase::value::{Distance, Wdl};

/// Solves slices under the articles that count moves ([`DrawRules::Fmjd64`](checkers_lib::DrawRules), 7.2.4 to 7.2.8),
/// and keeps them in memory, a byte for each place.
#[derive(Debug)]
pub struct ArticleSolver {
    finished: SliceSet,
    counted: Counted,
    threads: usize,
}

/// What a slice holds under the articles, positions with a capture included.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnderArticles {
    /// How many positions the side to move wins.
    pub wins: u64,
    /// How many it loses.
    pub losses: u64,
    /// The count of plies at which an article declares a draw, if one does.
    pub limit: Option<u8>,
    /// The most plies that the side to move needs in a won position until its own last move before a capture, a
    /// promotion or the end; where a count goes on through these, before the end. Nothing if no position is won.
    pub longest: Option<u8>,
}

/// A slice under the articles.
pub(crate) struct Decided {
    pub(crate) slice: Slice,
    /// As in [`UnderArticles`].
    pub(crate) longest: Option<u8>,
}

/// All wins: how long they take does not matter once a count has ended.
pub(crate) const WIN: Distance = Distance::LOST.before();

impl ArticleSolver {
    /// A solver without slices that uses `threads` threads.
    pub fn new(threads: usize) -> ArticleSolver {
        ArticleSolver {
            finished: SliceSet::new(),
            counted: Counted::default(),
            threads: threads.max(1),
        }
    }

    /// Solves a slice and its mirror image, which are in memory then. Those that
    /// [captures and promotions](super::Generator::needs) lead to must be there. Takes about twice as long as
    /// [`Generator::make`](super::Generator::make).
    ///
    /// # Errors
    /// When a change can be delayed for more plies than a byte holds.
    pub fn solve(&mut self, material: Material) -> Result<Vec<(Material, UnderArticles)>, TooLong> {
        let limit = limit(material);
        let solved = if Counted::has(material) {
            let limit = limit.unwrap_or_default();
            (self.counted).solve(material, limit, &self.finished, self.threads)
        } else {
            self.solve_to_change(material, limit.unwrap_or(Distance::LONGEST))?
        };
        let mut found = Vec::new();
        for Decided { slice, longest } in solved {
            let material = slice.layout.material;
            let count = |value: Distance| {
                let values = slice.values.iter();
                values.filter(|&&found| found == value.0).count() as u64
            };
            let under = UnderArticles {
                wins: count(WIN),
                losses: count(Distance::LOST),
                limit,
                longest,
            };
            found.push((material, under));
            self.finished.add(Arc::new(slice));
        }
        Ok(found)
    }

    /// Solves slices in which every change ends the count.
    ///
    /// Of a won position the winner has the odd plies and of a lost one the even ones, and the last ply before the draw
    /// is even. So a loser whose changes all lose may make the last one if the position is won, but not if it is lost:
    /// a loss by a change counts as no ply in the search for wins and as two in that for losses.
    fn solve_to_change(&self, material: Material, limit: u8) -> Result<Vec<Decided>, TooLong> {
        let solve = |losing_change| solve(material, &self.finished, losing_change, self.threads);
        let wins = solve(LosingChange::IsTheEnd)?;
        let losses = solve(LosingChange::Counts)?;
        let halves = wins.into_iter().zip(losses);
        Ok(halves
            .map(|(wins, losses)| merge(wins, &losses, limit))
            .collect())
    }
}

/// The wins of one search and the losses of the other, as far as they are within a limit.
fn merge(wins: Solved, losses: &Solved, limit: u8) -> Decided {
    let mut slice = wins.slice;
    let mut longest = None;
    for (slot, &loss) in slice.values.iter_mut().zip(&losses.slice.values) {
        let (win, loss) = (Distance(*slot), Distance(loss));
        let is = |distance: Distance, wdl| distance.wdl() == wdl && distance.0 <= limit;
        let value = if is(win, Wdl::Win) {
            longest = longest.max(win.plies());
            WIN
        } else if is(loss, Wdl::Loss) {
            Distance::LOST
        } else {
            Distance::DRAW
        };
        *slot = value.0;
    }
    Decided { slice, longest }
}

/// The count of plies at which an article declares a draw, if one does.
pub(super) fn limit(material: Material) -> Option<u8> {
    if material.mover.kings == 0 || material.other.kings == 0 {
        None
    } else if material.pieces() <= 3 {
        Some(10)
    } else if material.men() == 0 && has_lone_king(material) {
        Some(30)
    } else if material.pieces() <= 5 {
        Some(60)
    } else {
        Some(120)
    }
}

/// Whether both sides have a king, and one of them nothing else.
pub(super) fn has_lone_king(material: Material) -> bool {
    let Material { mover, other } = material;
    mover.kings > 0 && other.kings > 0 && (mover.pieces() == 1 || other.pieces() == 1)
}

#[cfg(test)]
mod tests {
    use checkers_lib::{Bitboard, DrawClock};

    use super::*;
    use crate::tablebase::generation::places::Places;

    /// How many plies the game counts in a slice until it declares a draw, away from the main road.
    fn counted_by_the_game(material: Material) -> Option<u8> {
        let places = Places::new(material);
        let positions = (0..places.layout.len()).filter_map(|place| places.position(place));
        let off_the_road = positions.filter(|p| (p.occupied() & Bitboard::MAIN_ROAD).is_empty());
        let (before, m, after) = off_the_road
            .filter_map(|placement| placement.position())
            .find_map(|before| {
                let moves = before.legal_moves();
                let mut quiet = moves.iter().filter(|m| !m.is_capture() && !m.promotes());
                let m = *quiet.find(|m| !Bitboard::MAIN_ROAD.contains(m.to()))?;
                let mut after = before.clone();
                after.play_unchecked(m);
                Some((before, m, after))
            })
            .unwrap();
        let mut clock = DrawClock::default();
        (1..=u8::MAX).find(|_| {
            clock.advance(&before, m, &after);
            clock.due(&after).is_some()
        })
    }

    #[test]
    fn limits_are_those_of_the_game() {
        for material in (2..=6).flat_map(Material::all) {
            assert_eq!(limit(material), counted_by_the_game(material), "{material}");
        }
    }

    /// What is compared: slices with two pieces a side, whose moves lead to no others of four pieces.
    fn is_compared(pair: &Material) -> bool {
        pair.pieces() < 4 || pair.mover.pieces() == 2
    }

    #[test]
    fn counting_ply_by_ply_gives_the_same_also_where_time_is_short() {
        let mut solver = ArticleSolver::new(2);
        let mut changed = 0;
        let pairs = (2..=4).flat_map(Material::pairs);
        for pair in pairs.filter(is_compared) {
            solver.solve(pair).unwrap();
            if limit(pair) != Some(60) {
                continue;
            }
            for limit in [2, 4, 60] {
                let found = solver.solve_to_change(pair, limit).unwrap();
                let mut counted = Counted::default();
                let counted = counted.solve(pair, limit, &solver.finished, 2);
                for (one, other) in found.iter().zip(counted) {
                    let material = one.slice.layout.material;
                    assert!(one.slice.values == other.slice.values, "{material}");
                    assert_eq!(one.longest, other.longest, "{material}");
                    let all = solver.finished.get(material).unwrap();
                    let is_changed = one.slice.values != all.values;
                    changed += usize::from(is_changed);
                    assert!(!is_changed || limit < 60, "{material}");
                }
            }
        }
        assert!(changed > 5, "{changed}");
    }
}

//! The criteria of a bracket as digits of one number, the most important first.

use std::ops::Range;

use crate::matching::Weight;

/// Bits of a part of a weight that are used. The rest is for sums in the matching.
const BITS: u32 = 54;

/// Players moved down have at most this many different scores; lower ones count as the last of these.
const LEVELS: usize = 40;

/// The digits of the weight of a pair. Those with levels have one for each number of points of the higher player.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    levels: usize,
}

impl Digits {
    pub(super) const PAIRED: usize = 0;
    pub(super) const BYE: usize = 1;
    pub(super) const C1: usize = 2;
    pub(super) const C3: usize = 3;
    pub(super) const C6: usize = 4;

    /// For a bracket with this many different points, at least one.
    pub(super) fn new(scores: usize) -> Digits {
        Digits {
            levels: scores.min(LEVELS),
        }
    }

    pub(super) fn c7(self, level: usize) -> usize {
        Self::C6 + 1 + self.level(level)
    }

    pub(super) fn c8(self) -> usize {
        Self::C6 + 1 + self.levels
    }

    pub(super) fn c8_score(self, level: usize) -> usize {
        self.c8() + 1 + self.level(level)
    }

    pub(super) fn c9(self) -> usize {
        self.c8() + 1 + self.levels
    }

    /// A criterion from C10 to C17.
    pub(super) fn criterion(self, number: usize) -> usize {
        self.c9() + number - 9
    }

    /// A criterion from C18 to C21.
    pub(super) fn criterion_score(self, number: usize, level: usize) -> usize {
        self.c9() + 9 + (number - 18) * self.levels + self.level(level)
    }

    /// Whether a moved player must stay paired.
    pub(super) fn lock(self) -> usize {
        self.c9() + 9 + 4 * self.levels
    }

    /// Whether the higher player of a pair is in the upper half.
    pub(super) fn exchanges(self) -> usize {
        self.lock() + 1
    }

    /// The place of the higher player.
    pub(super) fn places(self) -> usize {
        self.lock() + 2
    }

    /// A preference while a choice is made.
    pub(super) fn nudge(self) -> usize {
        self.lock() + 3
    }

    /// How near an opponent is to the one that the rules try first. No rule; it saves most choices.
    pub(super) fn distance(self) -> usize {
        self.lock() + 4
    }

    pub(super) fn count(self) -> usize {
        self.lock() + 5
    }

    /// The digits of each criterion with levels.
    pub(super) fn of_levels(self) -> impl Iterator<Item = Range<usize>> {
        let others = (18..=21).map(move |number| self.criterion_score(number, 0));
        let begins = [self.c7(0), self.c8_score(0)].into_iter().chain(others);
        // The last level may hold several scores.
        begins.map(move |begin| begin..begin + self.levels - 1)
    }

    fn level(self, level: usize) -> usize {
        level.min(self.levels - 1)
    }
}

/// Where each digit is in a weight.
pub(super) struct Layout {
    /// The part, counted from the last, and the lowest bit in it; `None` where the digit is always 0.
    places: Vec<Option<(usize, u32)>>,
}

impl Layout {
    /// For digits whose sums over all pairs are at most these. The last one has the lowest bits.
    pub(super) fn new(sums: &[i64]) -> Layout {
        let (mut part, mut used) = (0, 0);
        let mut place = |&sum: &i64| {
            let bits = (sum > 0).then(|| i64::BITS - sum.leading_zeros() + 1)?;
            if used + bits > BITS {
                part += 1;
                used = 0;
            }
            used += bits;
            Some((part, used - bits))
        };
        let mut places: Vec<_> = sums.iter().rev().map(&mut place).collect();
        places.reverse();
        Layout { places }
    }

    pub(super) fn parts(&self) -> usize {
        let parts = self.places.iter().flatten().map(|(part, _)| part + 1);
        parts.max().unwrap_or(1)
    }

    pub(super) fn add<const N: usize>(&self, weight: &mut Weight<N>, digit: usize, value: i64) {
        if let Some((part, bit)) = self.places[digit]
            && let Some(part) = weight.0.iter_mut().rev().nth(part)
        {
            *part += value << bit;
        }
    }
}

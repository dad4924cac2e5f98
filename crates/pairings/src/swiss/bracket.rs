//! A bracket: the players of one score and those who were moved down to them.
//!
//! The criteria are weights of pairs, and the best pairs have the maximum weight.

use std::ops::Range;

use super::entry::{Float, RoundEntry};
use super::field::Field;
use super::pairing::SwissPairing;
use super::weights::{Digits, Layout};
use crate::matching::Weight;

/// A bracket before it is paired.
pub(super) struct Bracket<'a> {
    field: &'a Field,
    /// Indices in the field, in its order: players moved down, those of the score, those of the next score, all others.
    members: Vec<usize>,
    /// Where the players of the score begin among the members.
    pub(super) begin: usize,
    /// Where those of the next score begin.
    pub(super) end: usize,
    /// Where all others begin.
    next_end: usize,
    /// For each member the number of different scores above its own in the bracket.
    levels: Vec<usize>,
}

/// A bracket after it was paired, as indices in the field.
#[derive(Default)]
pub(super) struct PairedBracket {
    pub(super) pairs: Vec<[usize; 2]>,
    /// The players who have to be moved down.
    pub(super) moved: Vec<usize>,
    /// The players without an opponent in this bracket or the next.
    unpaired: Vec<usize>,
}

/// What the pairs of a bracket depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BracketScope {
    /// This bracket and the next.
    Near,
    /// The whole rest of the round.
    Whole,
    /// The same, where only the player with the bye stays without an opponent in this bracket.
    WholeWithBye,
}

impl<'a> Bracket<'a> {
    /// `moved` and `score` are indices in the field: the players moved down and those of one score.
    pub(super) fn new(field: &'a Field, moved: &[usize], score: Range<usize>) -> Bracket<'a> {
        let entries = &field.entries;
        let rest = &entries[score.end..];
        let next = rest.first().map_or(0, |first| {
            rest.partition_point(|entry| entry.score == first.score)
        });
        let end = moved.len() + score.len();
        let members: Vec<usize> = moved
            .iter()
            .copied()
            .chain(score.start..entries.len())
            .collect();
        let mut levels = Vec::with_capacity(members.len());
        for (member, &index) in members.iter().enumerate() {
            let above = member
                .checked_sub(1)
                .map(|above| (levels[above], entries[members[above]].score));
            levels.push(above.map_or(0, |(level, score)| {
                level + usize::from(score != entries[index].score)
            }));
        }
        Bracket {
            field,
            members,
            begin: moved.len(),
            end,
            next_end: end + next,
            levels,
        }
    }

    /// Pairs the bracket so that the rest of the round can be paired too (C4).
    pub(super) fn pair(&self) -> PairedBracket {
        let last = self.field.entries[self.members[self.end - 1]].score;
        let has_bye = self.field.bye_score.is_some_and(|score| score >= last);
        if !self.field.is_impossible && !has_bye {
            // If the rest can be completed after the best pairs of these two brackets, they are the best of all.
            let outcome = self.pair_in(BracketScope::Near);
            let others = &self.members[self.next_end..];
            let rest: Vec<usize> = outcome.unpaired.iter().chain(others).copied().collect();
            if self.field.can_be_completed(&rest) {
                return outcome;
            }
        }
        let outcome = self.pair_in(BracketScope::Whole);
        let is_bye = |moved: &usize| outcome.unpaired.contains(moved);
        if has_bye && outcome.moved.len() < 2 && outcome.moved.iter().all(is_bye) {
            return self.pair_in(BracketScope::WholeWithBye);
        }
        outcome
    }

    fn pair_in(&self, scope: BracketScope) -> PairedBracket {
        let graph = Graph::new(self, scope);
        match graph.layout.parts() {
            0..=2 => SwissPairing::<2>::new(graph).pair(),
            3..=4 => SwissPairing::<4>::new(graph).pair(),
            5..=8 => SwissPairing::<8>::new(graph).pair(),
            9..=16 => SwissPairing::<16>::new(graph).pair(),
            _ => SwissPairing::<48>::new(graph).pair(),
        }
    }

    /// Whether two members have the same score.
    pub(super) fn is_level(&self, a: usize, b: usize) -> bool {
        self.levels[a] == self.levels[b]
    }

    /// Indices in the field instead of members. `mate` is what the last matching says.
    pub(super) fn outcome(
        &self,
        pairs: &[[usize; 2]],
        is_paired: &[bool],
        mate: impl Fn(usize) -> Option<usize>,
    ) -> PairedBracket {
        let index = |member: usize| self.members[member];
        let moved = (0..self.end).filter(|&member| !is_paired[member]);
        let unpaired =
            (0..self.next_end).filter(|&member| !is_paired[member] && mate(member).is_none());
        PairedBracket {
            pairs: pairs.iter().map(|pair| pair.map(index)).collect(),
            moved: moved.map(index).collect(),
            unpaired: unpaired.map(index).collect(),
        }
    }
}

/// What the rules have decided so far of a player in the bracket who does not meet one moved down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Any,
    /// Is the higher one of a pair.
    Upper,
    /// Is the lower one of a pair, or is moved down.
    Lower,
}

/// The possible pairs of a bracket, with their weights in the current state of its choices.
pub(super) struct Graph<'a> {
    pub(super) bracket: &'a Bracket<'a>,
    scope: BracketScope,
    digits: Digits,
    layout: Layout,
    pub(super) size: usize,
    /// Moved players who have to stay paired.
    pub(super) locked: Vec<bool>,
    /// Players who are out.
    pub(super) is_paired: Vec<bool>,
    pub(super) halves: Vec<Half>,
    /// How many pairs those make who do not meet a moved player.
    pub(super) upper: usize,
    /// Whether players should stay in their halves.
    pub(super) counts_exchanges: bool,
    /// The places in the order of those who do not meet a moved player.
    pub(super) places: Vec<usize>,
}

impl<'a> Graph<'a> {
    fn new(bracket: &'a Bracket<'a>, scope: BracketScope) -> Graph<'a> {
        let size = if scope == BracketScope::Near {
            bracket.next_end
        } else {
            bracket.members.len()
        };
        let mut graph = Graph {
            bracket,
            scope,
            digits: Digits::new(bracket.levels[bracket.end - 1] + 1),
            layout: Layout::new(&[]),
            size,
            locked: vec![false; size],
            is_paired: vec![false; size],
            halves: vec![Half::Any; size],
            upper: 0,
            counts_exchanges: false,
            places: vec![0; size],
        };
        graph.layout = Layout::new(&graph.sums());
        graph
    }

    /// For each digit a bound on its sum over all pairs.
    fn sums(&self) -> Vec<i64> {
        let pairs = (self.size / 2) as i64;
        let mut sums = vec![0; self.digits.count()];
        for a in 0..self.size {
            for b in a + 1..self.size {
                self.criteria([a, b], |digit, value| {
                    sums[digit] = value.abs().max(sums[digit]);
                });
            }
        }
        sums.iter_mut().for_each(|sum| *sum *= pairs);
        let levels = &self.bracket.levels[..self.bracket.begin];
        for digit in self.digits.of_levels() {
            let scores = levels.chunk_by(|a, b| a == b);
            for (digit, members) in digit.zip(scores) {
                sums[digit] = sums[digit].min(members.len() as i64);
            }
        }
        sums[self.digits.lock()] = self.bracket.begin as i64;
        sums[self.digits.exchanges()] = pairs;
        sums[self.digits.places()] = pairs * self.bracket.end as i64;
        sums[self.digits.nudge()] = self.size as i64;
        sums[self.digits.distance()] = pairs * self.bracket.end as i64;
        sums
    }

    /// How good a pair of members is.
    pub(super) fn value<const N: usize>(&self, pair: [usize; 2]) -> Weight<N> {
        let mut weight = Weight::ZERO;
        let may_meet = self.criteria(pair, |digit, value| {
            self.layout.add(&mut weight, digit, value);
        });
        if may_meet { weight } else { Weight::NONE }
    }

    /// The weight of a pair: how good it is, and then how early the rules try it.
    pub(super) fn weight<const N: usize>(&self, a: usize, b: usize) -> Weight<N> {
        let [a, b] = [a.min(b), a.max(b)];
        if a == b || self.is_paired[a] || self.is_paired[b] || !self.fits_halves(a, b) {
            return Weight::NONE;
        }
        let mut weight = self.value([a, b]);
        if weight.is_some() && b < self.bracket.end {
            self.order([a, b], |digit, value| {
                self.layout.add(&mut weight, digit, value);
            });
        }
        weight
    }

    /// The digits that lead to the first ones of equally good pairs.
    fn order(&self, [a, b]: [usize; 2], mut add: impl FnMut(usize, i64)) {
        let digits = self.digits;
        if a < self.bracket.begin {
            add(digits.lock(), i64::from(self.locked[a]));
            add(
                digits.distance(),
                -(b.abs_diff(self.bracket.begin + a) as i64),
            );
            return;
        }
        let [high, low] = [a, b].map(|member| self.places[member]);
        if self.counts_exchanges {
            add(digits.exchanges(), i64::from(high < self.upper));
            add(digits.places(), -(high as i64));
        }
        add(digits.distance(), -(low.abs_diff(high + self.upper) as i64));
    }

    /// A weight with a small preference.
    pub(super) fn nudge<const N: usize>(
        &self,
        mut weight: Weight<N>,
        preference: i64,
    ) -> Weight<N> {
        if weight.is_some() {
            self.layout
                .add(&mut weight, self.digits.nudge(), preference);
        }
        weight
    }

    fn fits_halves(&self, a: usize, b: usize) -> bool {
        let Bracket { begin, end, .. } = *self.bracket;
        if b >= end {
            return self.halves[a] != Half::Upper;
        }
        a < begin || (self.halves[a] != Half::Lower && self.halves[b] != Half::Upper)
    }

    /// Passes the digits of a pair to `add`, except for those that are 0. Returns whether the two may be paired.
    fn criteria(&self, [a, b]: [usize; 2], mut add: impl FnMut(usize, i64)) -> bool {
        let Graph {
            bracket, digits, ..
        } = *self;
        let field = bracket.field;
        let [high, low] = [a, b].map(|member| bracket.members[member]);
        if b < bracket.begin || !field.may_meet(high, low) {
            return false;
        }
        let mut add = |digit: usize, value: i64| {
            if value != 0 {
                add(digit, value);
            }
        };
        if self.scope != BracketScope::Near {
            let without_bye = |index: usize| i64::from(!field.is_candidate(index));
            add(Digits::PAIRED, 1);
            add(Digits::BYE, without_bye(high) + without_bye(low));
            if field.is_impossible {
                add(Digits::C1, -i64::from(field.have_met(high, low)));
                add(Digits::C3, -i64::from(field.colors_conflict(high, low)));
            }
        }
        let entries = [high, low].map(|index| &field.entries[index]);
        if self.scope == BracketScope::WholeWithBye {
            // C9: the fewest rounds without a game.
            let unplayed = entries.map(|entry| {
                if field.bye_score == Some(entry.score) {
                    entry.unplayed
                } else {
                    0
                }
            });
            add(digits.c9(), unplayed[0] + unplayed[1]);
        }
        let level = bracket.levels[a];
        if b < bracket.end {
            self.criteria_of_current(entries, (a < bracket.begin).then_some(level), add);
        } else if b < bracket.next_end {
            // C8: the most pairs in the next bracket, then the most points there.
            add(digits.c8(), 1);
            if a < bracket.end {
                add(digits.c8_score(level), 1);
            }
        }
        true
    }

    /// The digits of a pair in this bracket. `level` is that of the higher player, if it was moved down.
    fn criteria_of_current(
        &self,
        [high, low]: [&RoundEntry; 2],
        level: Option<usize>,
        mut add: impl FnMut(usize, i64),
    ) {
        let digits = self.digits;
        let broken = |is_broken: bool| -i64::from(is_broken);
        // C6: the most pairs; C7: of the players with the most points.
        add(Digits::C6, 1);
        if let Some(level) = level {
            add(digits.c7(level), 1);
        }
        add(digits.criterion(10), broken(high.exceeds_balance(low)));
        add(digits.criterion(11), broken(high.exceeds_row(low)));
        add(digits.criterion(12), broken(high.wants_same(low)));
        add(digits.criterion(13), broken(high.exceeds_strength(low)));
        for (ago, criterion) in [14, 16].into_iter().enumerate() {
            // Players who floated down are paired rather than moved down: C14 and C16 those of the score, C18 and C20
            // those with more points.
            let is_down = |entry: &RoundEntry| entry.floats[ago] == Float::Down;
            let residents = i64::from(is_down(low)) + i64::from(level.is_none() && is_down(high));
            add(digits.criterion(criterion), residents);
            // Players who floated up do not meet those with more points: C15 and C17, and C19 and C21 if they have to.
            let is_up = level.is_some() && low.floats[ago] == Float::Up;
            add(digits.criterion(criterion + 1), broken(is_up));
            if let Some(level) = level {
                add(
                    digits.criterion_score(criterion + 4, level),
                    i64::from(is_down(high)),
                );
                add(digits.criterion_score(criterion + 5, level), broken(is_up));
            }
        }
    }
}

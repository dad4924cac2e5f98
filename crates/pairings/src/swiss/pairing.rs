//! The choices of a bracket, from the first to the last.
//!
//! Where several sets of pairs are equally good, the rules take the first one in the order of their alterations:
//! transpositions before exchanges. It is found by one choice after the other: a small preference in the weights of one
//! player shows whether the best pairs leave that choice.

use super::bracket::{Graph, Half, PairedBracket};
use crate::matching::{Matching, Weight};

/// A bracket while it is paired.
pub(super) struct SwissPairing<'a, const N: usize> {
    graph: Graph<'a>,
    matching: Matching<N>,
    pairs: Vec<[usize; 2]>,
}

impl<'a, const N: usize> SwissPairing<'a, N> {
    pub(super) fn new(mut graph: Graph<'a>) -> SwissPairing<'a, N> {
        if graph.bracket.begin == 0 {
            // Only a guess, to try the likely opponents first.
            graph.upper = graph.bracket.end / 2;
            graph.places = (0..graph.size).collect();
        }
        let matching = matching(&graph);
        SwissPairing {
            graph,
            matching,
            pairs: Vec::new(),
        }
    }

    pub(super) fn pair(mut self) -> PairedBracket {
        for member in self.choose_moved() {
            self.pair_moved(member);
        }
        self.pair_others();
        self.graph
            .bracket
            .outcome(&self.pairs, &self.graph.is_paired, |member| {
                self.matching.mate(member)
            })
    }

    /// Which players moved down are paired here: of those with the same score the first ones, if possible.
    fn choose_moved(&mut self) -> Vec<usize> {
        let mut chosen = Vec::new();
        let moved: Vec<usize> = (0..self.graph.bracket.begin).collect();
        for level in moved.chunk_by(|&a, &b| self.graph.bracket.is_level(a, b)) {
            let is_paired = |member: &&usize| self.is_paired_here(**member);
            let mut open = level.iter().filter(is_paired).count();
            for (index, &member) in level.iter().enumerate() {
                if open == level.len() - index {
                    chosen.extend(&level[index..]);
                    break;
                }
                if open > 0 && self.try_to_pair(member) {
                    chosen.push(member);
                    open -= 1;
                }
            }
        }
        chosen
    }

    /// Keeps a player moved down paired here from now on, if possible. Returns whether it is.
    fn try_to_pair(&mut self, member: usize) -> bool {
        if !self.is_paired_here(member) {
            let end = self.graph.bracket.end;
            self.prefer(member, |other| i64::from(other < end));
        }
        let is_paired = self.is_paired_here(member);
        if is_paired {
            self.graph.locked[member] = true;
        }
        self.prefer(member, |_| 0);
        is_paired
    }

    fn is_paired_here(&self, member: usize) -> bool {
        let mate = self.matching.mate(member);
        mate.is_some_and(|mate| (self.graph.bracket.begin..self.graph.bracket.end).contains(&mate))
    }

    /// Finds the opponent of a player moved down: the first possible one.
    fn pair_moved(&mut self, member: usize) {
        let (begin, end) = (self.graph.bracket.begin, self.graph.bracket.end);
        let first = (begin..end).find(|&other| self.graph.weight::<N>(member, other).is_some());
        if first != self.matching.mate(member) {
            self.prefer(member, |other| end.saturating_sub(other) as i64);
        }
        self.fix(member);
    }

    /// Pairs those who do not meet players moved down: the upper half meets the lower half.
    fn pair_others(&mut self) {
        let bracket = self.graph.bracket;
        let members = bracket.begin..bracket.end;
        let others: Vec<usize> = members
            .filter(|&other| !self.graph.is_paired[other])
            .collect();
        let upper = self.uppers(&others).len();
        let best = self.value();
        self.graph.upper = upper;
        for (place, &member) in others.iter().enumerate() {
            self.graph.places[member] = place;
        }
        self.split(&others, &others[..upper]);
        if self.value() < best {
            self.exchange(&others);
        }
        let uppers = self.uppers(&others);
        for &member in &uppers {
            self.pair_upper(member, &others);
        }
    }

    /// Finds the opponent of a player of the upper half: the first possible one.
    fn pair_upper(&mut self, member: usize, others: &[usize]) {
        let end = self.graph.bracket.end;
        let mut lowers = others.iter().copied().filter(|&other| other > member);
        let first = lowers.find(|&other| self.graph.weight::<N>(member, other).is_some());
        if first != self.matching.mate(member) {
            self.prefer(member, |other| end.saturating_sub(other) as i64);
        }
        self.fix(member);
    }

    /// Which of these are the higher ones of pairs of this bracket.
    fn uppers(&self, members: &[usize]) -> Vec<usize> {
        members
            .iter()
            .copied()
            .filter(|&member| self.is_upper(member))
            .collect()
    }

    /// Allows only pairs between the upper half and the lower half.
    fn split(&mut self, others: &[usize], uppers: &[usize]) {
        for &member in others {
            self.graph.halves[member] = Half::Lower;
        }
        for &member in uppers {
            self.graph.halves[member] = Half::Upper;
        }
        self.matching = matching(&self.graph);
    }

    /// How good the pairs of the matching are.
    fn value(&self) -> Weight<N> {
        let members = 0..self.graph.size;
        let pairs =
            members.filter_map(|member| self.matching.mate(member).map(|mate| [member, mate]));
        let values = pairs
            .filter(|[member, mate]| member < mate)
            .map(|pair| self.graph.value(pair));
        values.fold(Weight::ZERO, |sum, value| sum + value)
    }

    /// Whether a player is the higher one of a pair of this bracket.
    fn is_upper(&self, member: usize) -> bool {
        let mate = self.matching.mate(member);
        mate.is_some_and(|mate| mate > member && mate < self.graph.bracket.end)
    }

    /// Exchanges players between the halves: as few as possible, then those with the nearest places, then the last ones
    /// of the upper half, then the first ones of the lower half.
    fn exchange(&mut self, others: &[usize]) {
        let (uppers, lowers) = others.split_at(self.graph.upper);
        self.graph.halves.fill(Half::Any);
        self.graph.counts_exchanges = true;
        self.matching = matching(&self.graph);
        let exchanges = uppers.len() - self.uppers(uppers).len();
        self.choose_exchanged(uppers.iter().rev(), Half::Lower, exchanges);
        // The sum of the places is known, so that the last one needs no choice.
        self.choose_exchanged(lowers.iter(), Half::Upper, exchanges.saturating_sub(1));
        self.graph.counts_exchanges = false;
        let uppers = self.uppers(others);
        self.split(others, &uppers);
    }

    /// Chooses those who go to the other `half`, the first ones if possible.
    fn choose_exchanged<'b>(
        &mut self,
        members: impl Iterator<Item = &'b usize>,
        half: Half,
        mut open: usize,
    ) {
        let end = self.graph.bracket.end;
        let is_wish = half == Half::Upper;
        for &member in members {
            if open == 0 {
                break;
            }
            if self.is_upper(member) != is_wish {
                let value = if is_wish { 1 } else { -1 };
                let is_lower = |other: usize| other > member && other < end;
                self.prefer(member, |other| if is_lower(other) { value } else { 0 });
            }
            if self.is_upper(member) == is_wish {
                self.graph.halves[member] = half;
                open -= 1;
            }
            self.prefer(member, |_| 0);
        }
    }

    /// Gives the pairs of a player small preferences.
    fn prefer(&mut self, member: usize, preference: impl Fn(usize) -> i64) {
        let graph = &self.graph;
        self.matching.update(member, |other| {
            graph.nudge(graph.weight(member, other), preference(other))
        });
        self.matching.solve();
    }

    /// Makes the pair of a player final.
    fn fix(&mut self, member: usize) {
        let Some(mate) = self.matching.mate(member) else {
            return;
        };
        self.pairs.push([member, mate]);
        for member in [member, mate] {
            self.graph.is_paired[member] = true;
            self.matching.remove(member);
        }
        self.matching.solve();
    }
}

fn matching<const N: usize>(graph: &Graph) -> Matching<N> {
    let mut weights = vec![Weight::NONE; graph.size * graph.size];
    for a in 0..graph.size {
        for b in a + 1..graph.size {
            let weight = graph.weight(a, b);
            weights[a * graph.size + b] = weight;
            weights[b * graph.size + a] = weight;
        }
    }
    Matching::new(graph.size, weights)
}

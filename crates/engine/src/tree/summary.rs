//! What is in a tree, in numbers.

use std::collections::BTreeMap;

use super::lines::TreeLines;
use super::{NodeId, OutcomeKind, Purpose, Tree};

/// The nodes of a tree, counted. What was dropped is not in any number but [`TreeSummary::dropped`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TreeSummary {
    /// How many nodes there are.
    pub nodes: u64,
    /// How many more were visited and not kept.
    pub dropped: u64,
    /// How many different lines of play they belong to.
    pub lines: u64,
    /// By distance from the root.
    pub levels: Vec<Level>,
    /// By how they ended.
    pub outcomes: BTreeMap<OutcomeKind, u64>,
    /// Those in which a move was searched again.
    pub re_searches: u64,
    /// Those in which a move was searched less deep.
    pub reduced: u64,
    /// Moves tried at nodes that ended by their moves, on average.
    pub tried: Option<f64>,
    /// Legal moves of these nodes, on average.
    pub legal: Option<f64>,
    /// Cut-offs by the first move tried.
    pub first_move_cut_offs: u64,
    /// The depth of the deepest search of the root that was finished.
    pub depth: Option<u32>,
    /// Leaves of all searches of that depth; unknown if nodes were dropped.
    pub leaves: Option<u64>,
    /// The fewest leaves that prove the value of a uniform tree with as many moves at each node as
    /// this one has on average, at [`TreeSummary::depth`].
    ///
    /// CITE: D. E. Knuth, R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975: b moves and depth d
    /// take b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
    pub fewest_leaves: Option<f64>,
}

/// The nodes at one distance from the root.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Level {
    /// How many there are.
    pub nodes: u64,
    /// By how they ended.
    pub outcomes: BTreeMap<OutcomeKind, u64>,
    /// Moves tried at nodes that ended by their moves.
    pub tried: u64,
    /// Legal moves of these nodes.
    pub legal: u64,
    /// Cut-offs by the first move tried.
    pub first_move_cut_offs: u64,
}

impl Level {
    /// How many nodes ended so.
    pub fn count(&self, kind: OutcomeKind) -> u64 {
        self.outcomes.get(&kind).copied().unwrap_or(0)
    }
}

/// Legal moves of nodes.
#[derive(Default)]
struct Mean {
    sum: u64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: u64) {
        self.sum += value;
        self.count += 1;
    }

    fn get(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

impl TreeSummary {
    /// Counts a tree. O(nodes), with the legal moves of each.
    pub fn of(tree: &Tree) -> TreeSummary {
        let mut summary = TreeSummary {
            nodes: tree.len() as u64,
            dropped: tree.dropped(),
            lines: TreeLines::of(tree, u32::MAX).len() as u64,
            ..TreeSummary::default()
        };
        let deepest = summary.add_deepest_search(tree);
        let (mut tried, mut legal, mut width) = (Mean::default(), Mean::default(), Mean::default());
        let mut is_deepest = false;
        tree.walk(|id, position| {
            let node = tree.node(id);
            if node.level == 0 {
                is_deepest = deepest.contains(&id);
            }
            summary.add(tree, id);
            if !node.outcome.kind().is_searched() || node.dropped > 0 {
                return;
            }
            let moves = position.legal_moves().len() as u64;
            let tries = tree.scores(id).len() as u64;
            tried.add(tries);
            legal.add(moves);
            if is_deepest && node.depth > 0 {
                width.add(moves);
            }
            let level = &mut summary.levels[node.level as usize];
            level.tried += tries;
            level.legal += moves;
        });
        summary.tried = tried.get();
        summary.legal = legal.get();
        if let (Some(depth), Some(width)) = (summary.depth, width.get()) {
            summary.fewest_leaves = Some(fewest_leaves(width, depth));
        }
        summary
    }

    /// Finds the deepest searches of the root, and counts their leaves.
    fn add_deepest_search(&mut self, tree: &Tree) -> Vec<NodeId> {
        let depth_of = |&root: &NodeId| tree.node(root).depth;
        let is_finished = |&root: &NodeId| tree.node(root).outcome.kind().is_searched();
        let finished: Vec<NodeId> = tree.roots().filter(is_finished).collect();
        let Some(depth) = finished.iter().map(depth_of).max() else {
            return Vec::new();
        };
        let deepest = finished.into_iter().filter(|root| depth_of(root) == depth);
        let deepest: Vec<NodeId> = deepest.collect();
        let is_leaf = |id: &NodeId| {
            let kind = tree.node(*id).outcome.kind();
            matches!(kind, OutcomeKind::Leaf | OutcomeKind::Lost)
        };
        let leaves = deepest.iter().map(|&root| tree.subtree(root));
        let leaves: usize = leaves.map(|subtree| subtree.filter(is_leaf).count()).sum();
        self.depth = Some(depth.max(0) as u32);
        self.leaves = (self.dropped == 0).then_some(leaves as u64);
        deepest
    }

    fn add(&mut self, tree: &Tree, id: NodeId) {
        let node = tree.node(id);
        let (kind, place) = (node.outcome.kind(), node.level as usize);
        if self.levels.len() <= place {
            self.levels.resize(place + 1, Level::default());
        }
        let level = &mut self.levels[place];
        level.nodes += 1;
        *level.outcomes.entry(kind).or_default() += 1;
        *self.outcomes.entry(kind).or_default() += 1;
        match node.purpose {
            Purpose::ReSearch => self.re_searches += 1,
            Purpose::Reduced(_) => self.reduced += 1,
            Purpose::Root | Purpose::Move | Purpose::Shallow | Purpose::Captures => {}
        }
        if node.outcome == (super::NodeOutcome::CutOff { by: 0 }) {
            self.first_move_cut_offs += 1;
            level.first_move_cut_offs += 1;
        }
    }

    /// How many nodes ended so.
    pub fn count(&self, kind: OutcomeKind) -> u64 {
        self.outcomes.get(&kind).copied().unwrap_or(0)
    }
}

/// The leaves of the smallest tree that proves a value, with `width` moves everywhere.
fn fewest_leaves(width: f64, depth: u32) -> f64 {
    // The last digit of `powf` is not the same on every machine.
    let power = |exponent: u32| (0..exponent).fold(1.0, |product, _| product * width);
    power(depth.div_ceil(2)) + power(depth / 2) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_tree_has_the_leaves_of_knuth_and_moore() {
        for (width, depth, leaves) in [(3.0, 1, 3.0), (3.0, 2, 5.0), (10.0, 3, 109.0)] {
            assert_eq!(fewest_leaves(width, depth), leaves);
        }
    }
}

//! The tree of simulations.

use std::ops::Range;

use checkers_lib::{Move, Position};

use super::playout::{Playouts, Reward};
use crate::Score;
use crate::budget::Budget;
use crate::tree::{Observer, Purpose, VisitEnd};

/// The most nodes a tree grows to, about 80 MiB of them. Simulations then end at the leaves there
/// are.
const LARGEST_TREE: usize = 1 << 21;

/// The root's place.
const ROOT: usize = 0;

/// The positions met so far, each with what its simulations were worth.
pub(super) struct MctsTree {
    nodes: Vec<MctsNode>,
    exploration: f64,
    /// The nodes of the simulation under way, the root first.
    path: Vec<usize>,
    /// The longest path so far, in plies.
    height: usize,
}

const _: () = assert!(size_of::<MctsNode>() == 40); // what the size of the largest tree stands on

/// A position of the tree.
struct MctsNode {
    /// The move that leads here; none to the root.
    m: Option<Move>,
    /// Where the positions after its moves are, in generation order; nowhere while it is a leaf.
    children: Range<u32>,
    visits: u64,
    /// What its simulations were worth to the side that moved here, added up.
    rewards: f64,
    /// The forced end for the side to move, counted from here, once it is proven.
    proof: Option<Score>,
}

impl MctsNode {
    fn new(m: Option<Move>) -> MctsNode {
        MctsNode {
            m,
            children: 0..0,
            visits: 0,
            rewards: 0.0,
            proof: None,
        }
    }

    fn mean(&self) -> Reward {
        match self.visits {
            0 => Reward::DRAW,
            visits => Reward(self.rewards / visits as f64),
        }
    }

    fn is_proven_win(&self) -> bool {
        self.proof.is_some_and(Score::is_win)
    }
}

impl MctsTree {
    /// An empty tree. `exploration` is the factor of UCB1's second term.
    pub(super) fn new(exploration: f64) -> MctsTree {
        MctsTree {
            nodes: Vec::new(),
            exploration,
            path: Vec::new(),
            height: 0,
        }
    }

    /// Begins anew with the root alone and its moves.
    pub(super) fn plant(&mut self, root: &Position) {
        self.nodes.clear();
        self.nodes.push(MctsNode::new(None));
        self.height = 0;
        self.expand(ROOT, root);
    }

    /// Makes simulations until the root is proven or the budget spent. `root` must be the position
    /// the tree was planted with.
    pub(super) fn grow(&mut self, root: &Position, playouts: &mut Playouts, budget: &mut Budget) {
        while !self.is_proven() && budget.spend().is_ok() {
            self.simulate(root, playouts);
        }
    }

    /// One simulation: goes down to a leaf, plays it out, and carries the result up. The root must
    /// not be proven yet.
    fn simulate(&mut self, root: &Position, playouts: &mut Playouts) {
        let mut position = root.clone();
        let leaf = self.descend(&mut position);
        self.height = self.height.max(self.path.len() - 1);
        let reward = if position.is_lost() {
            self.nodes[leaf].proof = Some(Score::lost_in(0));
            self.carry_proof_up();
            Reward::LOSS
        } else {
            playouts.reward(&position)
        };
        self.carry_up(reward);
    }

    /// Goes from the root to a leaf, which is new or grows no further.
    fn descend(&mut self, position: &mut Position) -> usize {
        let mut at = ROOT;
        self.path.clear();
        self.path.push(at);
        loop {
            let node = &self.nodes[at];
            if node.children.is_empty() && node.visits > 0 {
                self.expand(at, position);
            }
            let Some(child) = self.select(at) else {
                return at;
            };
            at = child;
            self.path.push(at);
            if let Some(m) = self.nodes[at].m {
                position.play_unchecked(m);
            }
        }
    }

    /// Adds the positions after every move, as far as the tree may still grow.
    fn expand(&mut self, at: usize, position: &Position) {
        let moves = position.legal_moves();
        let first = self.nodes.len();
        if first + moves.len() > LARGEST_TREE {
            return;
        }
        self.nodes
            .extend(moves.iter().map(|&m| MctsNode::new(Some(m))));
        self.nodes[at].children = first as u32..self.nodes.len() as u32;
    }

    /// The child to go on with: one not yet visited, else the one that UCB1 makes look best. One
    /// that the opponent wins is out of the question.
    fn select(&self, at: usize) -> Option<usize> {
        let children = self.children(at);
        let open = children.filter(|&child| !self.nodes[child].is_proven_win());
        let log_visits = (self.nodes[at].visits.max(1) as f64).ln();
        let bound = |child: &usize| self.upper_bound(*child, log_visits);
        open.map(|child| (child, bound(&child)))
            .reduce(|best, other| if other.1 > best.1 { other } else { best })
            .map(|(child, _)| child)
    }

    /// How good a child may yet turn out to be.
    fn upper_bound(&self, child: usize, log_visits: f64) -> f64 {
        let node = &self.nodes[child];
        if node.visits == 0 {
            return f64::INFINITY;
        }
        node.mean().0 + self.exploration * (log_visits / node.visits as f64).sqrt()
    }

    /// Adds the reward, which is that of the side to move at the leaf, to all nodes of the path.
    fn carry_up(&mut self, mut reward: Reward) {
        for &at in self.path.iter().rev() {
            reward = reward.other();
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.rewards += reward.0;
        }
    }

    /// Proves what follows from the proof at the leaf, as far up as something does.
    fn carry_proof_up(&mut self) {
        let above_leaf = self.path.len() - 1;
        for &at in self.path[..above_leaf].iter().rev() {
            let proof = self.proof_from_children(at);
            if proof.is_none() {
                break;
            }
            self.nodes[at].proof = proof;
        }
    }

    /// A win if one child is lost, a loss if all are won.
    fn proof_from_children(&self, at: usize) -> Option<Score> {
        let children = self.children(at).map(|child| &self.nodes[child]);
        let proofs = children.map(|child| child.proof.map(one_ply_up));
        let best = proofs.clone().flatten().max()?;
        (best.is_win() || proofs.clone().all(|proof| proof.is_some())).then_some(best)
    }

    fn children(&self, at: usize) -> Range<usize> {
        let Range { start, end } = self.nodes[at].children;
        start as usize..end as usize
    }

    /// What the root is worth to its side to move: the proof if there is one, else the mean of its
    /// best move.
    pub(super) fn score(&self) -> Score {
        let best = self.best_child(ROOT);
        let mean = best.map_or(Reward::DRAW, |best| self.nodes[best].mean());
        self.nodes[ROOT].proof.unwrap_or(mean.score())
    }

    /// Whether the root is proven, and more simulations would tell nothing.
    pub(super) fn is_proven(&self) -> bool {
        self.nodes[ROOT].proof.is_some()
    }

    /// The best play from the root on, as far as it was looked at; at least one move.
    pub(super) fn line(&self) -> Vec<Move> {
        let best = |&at: &usize| {
            self.best_child(at)
                .filter(|&best| self.nodes[best].visits > 0)
        };
        let first = self.best_child(ROOT);
        let line = std::iter::successors(first, best);
        line.filter_map(|at| self.nodes[at].m).collect()
    }

    /// Reports the positions that simulations went through, those below a position in the order of
    /// their first visits: that is generation order.
    pub(super) fn report(&self, observer: &mut impl Observer) {
        if self.nodes[ROOT].visits == 0 {
            return;
        }
        let mut open = vec![self.enter(ROOT, observer)];
        while let Some((at, rest)) = open.last_mut() {
            let Some(child) = rest.find(|&child| self.nodes[child].visits > 0) else {
                let node = &self.nodes[*at];
                let mean = node.mean().other().score();
                let ply = open.len() as u32 - 1;
                let value = node.proof.map_or(mean, |proof| proof.seen_from_root(ply));
                observer.leave(value, VisitEnd::Simulated(node.visits));
                open.pop();
                continue;
            };
            observer.announce(self.nodes[child].m, Purpose::Move);
            open.push(self.enter(child, observer));
        }
    }

    /// Reports a position as entered; returns it with the positions after it.
    fn enter(&self, at: usize, observer: &mut impl Observer) -> (usize, Range<usize>) {
        observer.enter(-Score::WIN, Score::WIN, 0);
        (at, self.children(at))
    }

    /// The longest path in plies.
    pub(super) fn height(&self) -> usize {
        self.height
    }

    /// The child to play: the nearest proven win, else the one visited most, else the farthest
    /// loss; of equal ones the first in generation order.
    fn best_child(&self, at: usize) -> Option<usize> {
        let rank = |&child: &usize| {
            let node = &self.nodes[child];
            (node.proof.map_or(Score::ZERO, one_ply_up), node.visits)
        };
        self.children(at).rev().max_by_key(rank)
    }
}

/// What a child's proof is worth to the side to move at its parent.
fn one_ply_up(proof: Score) -> Score {
    (-proof).seen_from_root(1)
}

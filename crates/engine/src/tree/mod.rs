//! The tree that a search visited, node by node in the order of the search.
//!
//! [`record()`] lets a bot choose a move and keeps what it visited: for each node the move that led to
//! it, its window, the depth that remained, its value, and how it ended. A [`Tree`] is walked from
//! its [roots](Tree::roots) by [`Tree::children`], is [written](Tree::to_bytes) to a file and
//! [read](Tree::read) again. [`TreeSummary`] counts what is in it, and [`Difference`] compares it with
//! another.
//!
//! A node is what [`Choice::nodes`] counts. An algorithm that searches the root several times has
//! several roots: one for each iteration, each pass of MTD(f) and SSS*, each window of an aspiration
//! search. `mcts` counts simulations instead. There a node is a position that a simulation went
//! through, in the order of first visits, with the number of simulations that did.
//!
//! # Examples
//! ```
//! use checkers_engine::tree::{NodeOutcome, record};
//! use checkers_engine::{BotSpec, Limits};
//! use checkers_lib::{DrawRules, Game};
//!
//! let spec: BotSpec = "alpha-beta:depth=5".parse()?;
//! let tree = record(&spec, &Game::new(DrawRules::Fmjd64), &Limits::default(), 100_000)?;
//! assert_eq!(tree.len() as u64, tree.choice().nodes);
//! let root = tree.roots().next().expect("one search of the root");
//! assert_eq!(tree.node(root).outcome, NodeOutcome::Exact);
//! assert_eq!(tree.children(root).count(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod difference;
mod format;
mod lines;
mod node;
mod observer;
mod origin;
mod record;
mod recorder;
mod soundness;
mod summary;

use std::ops::Range;

use checkers_lib::{Game, Move, Position};

pub use self::difference::{Difference, OnlyIn, SharedLine};
pub use self::format::TreeError;
pub use self::node::{Node, NodeId, NodeOutcome, OutcomeKind, Purpose, Technique};
pub(crate) use self::observer::{Observer, VisitEnd};
pub use self::origin::Origin;
pub use self::record::{Bounds, RecordError, record};
pub use self::summary::{Level, TreeSummary};
pub use crate::score::Bound;
use crate::{BotSpec, Choice, Score};

/// What a search visited, with what it was asked and what it answered.
#[derive(Clone, Debug)]
pub struct Tree {
    spec: BotSpec,
    game: Game,
    bounds: Bounds,
    choice: Choice,
    /// The level below which nodes are counted and not kept; `None` if all are kept.
    deepest_level: Option<u32>,
    /// In the order of the search: a node, then all below it.
    nodes: Vec<Node>,
}

impl Tree {
    /// The bot that searched.
    pub fn spec(&self) -> &BotSpec {
        &self.spec
    }

    /// The game whose present position was searched.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What bounded the search.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// What the bot answered.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// Nodes farther from their root than this were counted and not kept; `None` if all were kept.
    /// A root is at level 0.
    pub fn deepest_level(&self) -> Option<u32> {
        self.deepest_level
    }

    /// How many nodes are kept.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was searched.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many nodes were visited and not kept.
    pub fn dropped(&self) -> u64 {
        let dropped = self.nodes.iter().map(|node| node.dropped);
        dropped.fold(0, u64::saturating_add)
    }

    /// All nodes in the order of the search.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The id of the node at a place in the order of the search; `None` if there are fewer.
    pub fn id(&self, index: usize) -> Option<NodeId> {
        (index < self.nodes.len()).then_some(NodeId(index as u32))
    }

    /// The node of an id of this tree.
    ///
    /// # Panics
    /// If the id is of another tree, and this one has fewer nodes.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The searches of the root, in their order.
    pub fn roots(&self) -> impl Iterator<Item = NodeId> {
        self.siblings(0..self.nodes.len() as u32)
    }

    /// The nodes that were entered from this one, in the order in which they were. A move that was
    /// searched again has several.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.siblings(id.0 + 1..self.node(id).end)
    }

    /// A node and all below it.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.node(id).end).map(NodeId)
    }

    /// The nodes from a root to this one, both included.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(id), |&id| self.node(id).parent).collect();
        path.reverse();
        path
    }

    /// The position of a node. O(level).
    pub fn position(&self, id: NodeId) -> Position {
        let mut position = self.game.position().clone();
        for m in self.path(id).into_iter().filter_map(|id| self.node(id).m) {
            position.play_unchecked(m);
        }
        position
    }

    /// Visits all nodes with their positions, in the order of the search.
    pub fn walk(&self, mut visit: impl FnMut(NodeId, &Position)) {
        let mut walk = LinePositions::new(self.game.position());
        for id in self.ids() {
            let node = self.node(id);
            visit(id, walk.enter(node.level as usize, node.m));
        }
    }

    /// The nodes that begin in a range and are in no other node that does.
    fn siblings(&self, range: Range<u32>) -> impl Iterator<Item = NodeId> {
        let Range { start, end } = range;
        let after = move |&NodeId(id): &NodeId| {
            let next = self.nodes[id as usize].end;
            (next < end).then_some(NodeId(next))
        };
        std::iter::successors((start < end).then_some(NodeId(start)), after)
    }

    /// The score of each move tried at a node: the negated value of the last search of it.
    pub(crate) fn scores(&self, id: NodeId) -> Vec<(Move, Score)> {
        let mut scores: Vec<(Move, Score)> = Vec::new();
        for child in self.children(id).map(|child| self.node(child)) {
            if let (Some(m), Some(value)) = (child.m, child.value()) {
                match scores.last_mut().filter(|(last, _)| *last == m) {
                    Some((_, score)) => *score = -value,
                    None => scores.push((m, -value)),
                }
            }
        }
        scores
    }
}

/// The positions from the root to a node, kept from node to node.
struct LinePositions(Vec<Position>);

impl LinePositions {
    fn new(root: &Position) -> LinePositions {
        LinePositions(vec![root.clone()])
    }

    /// Goes to a node at `level` whose parent is the last node entered at the level above.
    fn enter(&mut self, level: usize, m: Option<Move>) -> &Position {
        self.0.truncate(level.max(1));
        let mut position = self.0[self.0.len() - 1].clone();
        if let Some(m) = m {
            position.play_unchecked(m);
        }
        if level > 0 {
            self.0.push(position);
        }
        &self.0[self.0.len() - 1]
    }
}

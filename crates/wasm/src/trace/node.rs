//! One node, and what explains it.

use checkers_engine::tree::{Node, NodeId, NodeOutcome, Origin, Purpose, SharedLine, Tree};
use checkers_lib::protocol::{PlayedMove, WireColor};
use checkers_lib::{Color, Game, Move, Position};
use position_api::{Mistake, MistakeCode};
use serde::Serialize;

use super::terms::{PURPOSES, bound, purpose_of, whites, window};

/// A node with what explains it.
#[derive(Serialize)]
pub(crate) struct NodeReport {
    node: usize,
    /// From the root to the node, both included.
    path: Vec<NodeStep>,
    fen: String,
    turn: WireColor,
    /// The move that leads here, with the squares that it visits.
    played: Option<PlayedMove>,
    purpose: &'static str,
    /// By how many plies the search was made less deep.
    reduced: Option<u8>,
    depth: i32,
    low: Option<i32>,
    high: Option<i32>,
    #[serde(flatten)]
    end: TraceEnd,
    nodes: u64,
    dropped: u64,
    /// The searches of moves, in their order.
    children: Vec<Child>,
    /// The legal moves that were not searched.
    unsearched: Vec<String>,
    /// What made the bound that a cut-off reached, or where the table knows the answer from.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<Because>,
    /// What the other search has of this line.
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<Other>,
}

/// How a node ended.
#[derive(Serialize)]
struct TraceEnd {
    end: &'static str,
    value: Option<i32>,
    bound: Option<&'static str>,
    /// The place of the move that cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulations: Option<u64>,
}

#[derive(Serialize)]
struct NodeStep {
    node: usize,
    #[serde(rename = "move")]
    m: Option<String>,
    low: Option<i32>,
    high: Option<i32>,
    value: Option<i32>,
}

#[derive(Serialize)]
struct Child {
    node: usize,
    #[serde(rename = "move")]
    m: Option<String>,
    purpose: &'static str,
    #[serde(flatten)]
    end: TraceEnd,
    nodes: u64,
}

#[derive(Serialize)]
struct Because {
    kind: &'static str,
    /// The node above, or the earlier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<usize>,
    /// How many plies above this one it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    m: Option<String>,
}

#[derive(Serialize)]
struct Other {
    /// Whether it visited the line too.
    visited: bool,
    /// Where: else the last node of the line that it visited.
    node: usize,
}

/// A tree, and what another has of its lines.
pub(crate) struct Trace {
    pub(crate) tree: Tree,
    pub(crate) shared: Vec<SharedLine>,
}

impl Trace {
    pub(crate) fn new(tree: Tree) -> Trace {
        Trace {
            tree,
            shared: Vec::new(),
        }
    }

    /// A node of the tree.
    ///
    /// # Errors
    /// When there is none of this number.
    pub(crate) fn node(&self, index: usize) -> Result<NodeReport, Mistake> {
        let tree = &self.tree;
        let id = tree.id(index).ok_or_else(|| {
            Mistake::new(
                MistakeCode::BadQuery,
                format!("no node {index}: there are {}", tree.len()),
            )
        })?;
        let (node, position) = (tree.node(id), tree.position(id));
        let turn = position.turn();
        let children: Vec<Child> = tree
            .children(id)
            .map(|child| self.child(child, &position))
            .collect();
        let tried: Vec<Move> = tree
            .children(id)
            .filter_map(|child| tree.node(child).m)
            .collect();
        let is_searched = node.outcome.kind().is_searched() || node.outcome == NodeOutcome::Stopped;
        let legal = position.legal_moves();
        let untried = legal.iter().filter(|m| !tried.contains(m));
        let is_whole = node.dropped == 0;
        let (low, high) = window(node, turn);
        Ok(NodeReport {
            node: index,
            path: self.steps(id),
            fen: position.to_string(),
            turn: turn.into(),
            played: self.played(id),
            purpose: PURPOSES[purpose_of(node.purpose)],
            reduced: match node.purpose {
                Purpose::Reduced(plies) => Some(plies),
                _ => None,
            },
            depth: node.depth,
            low,
            high,
            end: TraceEnd::of(node, turn),
            nodes: self.size(id),
            dropped: node.dropped,
            children,
            unsearched: untried
                .filter(|_| is_searched && is_whole)
                .map(|&m| position.notation(m))
                .collect(),
            because: self.because(id),
            other: self.other(id),
        })
    }

    fn size(&self, id: NodeId) -> u64 {
        let below = self
            .tree
            .subtree(id)
            .map(|id| 1 + self.tree.node(id).dropped);
        below.sum()
    }

    fn steps(&self, id: NodeId) -> Vec<NodeStep> {
        let mut position = self.tree.game().position().clone();
        let step = |id: NodeId| {
            let node = self.tree.node(id);
            let m = node.m.map(|m| {
                let text = position.notation(m);
                position.play_unchecked(m);
                text
            });
            let (low, high) = window(node, position.turn());
            NodeStep {
                node: id.index(),
                m,
                low,
                high,
                value: node.value().map(|value| whites(value, position.turn())),
            }
        };
        self.tree.path(id).into_iter().map(step).collect()
    }

    /// The move that leads to a node.
    fn played(&self, id: NodeId) -> Option<PlayedMove> {
        let node = self.tree.node(id);
        let before = self.tree.position(node.parent?);
        let (m, route) = before.parse_route(&before.notation(node.m?)).ok()?;
        let game = Game::from_position(before, self.tree.game().rules());
        Some(PlayedMove::new(&game, m, &route, 0))
    }

    /// A child, whose parent stands in `position`.
    fn child(&self, id: NodeId, position: &Position) -> Child {
        let node = self.tree.node(id);
        let turn = if node.m.is_some() {
            !position.turn()
        } else {
            position.turn()
        };
        Child {
            node: id.index(),
            m: node.m.map(|m| position.notation(m)),
            purpose: PURPOSES[purpose_of(node.purpose)],
            end: TraceEnd::of(node, turn),
            nodes: self.size(id),
        }
    }

    fn because(&self, id: NodeId) -> Option<Because> {
        let node = self.tree.node(id);
        let none = Because {
            kind: "other",
            node: None,
            plies: None,
            m: None,
        };
        let at = |kind, at: NodeId| Because {
            kind,
            node: Some(at.index()),
            plies: Some(node.level - self.tree.node(at).level),
            m: None,
        };
        match node.outcome {
            NodeOutcome::TableHit(_) => {
                let earlier = self.tree.remembered_at(id)?;
                Some(Because {
                    kind: "earlier",
                    node: Some(earlier.index()),
                    ..none
                })
            }
            NodeOutcome::CutOff { .. } => Some(match self.tree.origin_of_beta(id) {
                Origin::Move { at: above, better } => {
                    let position = self.tree.position(above);
                    let m = self.tree.node(better).m.map(|m| position.notation(m));
                    Because {
                        m,
                        ..at("move", above)
                    }
                }
                Origin::ReSearch { at: above, first } => {
                    let position = self.tree.position(above);
                    let m = self.tree.node(first).m.map(|m| position.notation(m));
                    Because {
                        m,
                        ..at("re-search", above)
                    }
                }
                Origin::Root => Because {
                    kind: "root",
                    ..none
                },
                Origin::NullWindow { at: above } => at("null-window", above),
                Origin::Other => none,
            }),
            _ => None,
        }
    }

    fn other(&self, id: NodeId) -> Option<Other> {
        match *self.shared.get(id.index())? {
            SharedLine::Visited(node) => Some(Other {
                visited: true,
                node: node.index(),
            }),
            SharedLine::Missing(last) => last.map(|node| Other {
                visited: false,
                node: node.index(),
            }),
            SharedLine::Unknown => None,
        }
    }
}

impl TraceEnd {
    /// The end of a node in which `turn` moves.
    fn of(node: &Node, turn: Color) -> TraceEnd {
        let (by, simulations) = match node.outcome {
            NodeOutcome::CutOff { by } => (Some(by), None),
            NodeOutcome::Simulated { simulations } => (None, Some(simulations)),
            _ => (None, None),
        };
        TraceEnd {
            end: node.outcome.kind().name(),
            value: node.value().map(|value| whites(value, turn)),
            bound: bound(node, turn),
            by,
            simulations,
        }
    }
}

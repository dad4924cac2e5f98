//! Recorded searches, and what a page shows of them.

use std::collections::BTreeMap;
use std::fmt::Write;

use checkers_engine::tree::{
    Bound, Node, NodeId, Origin, Outcome, OutcomeKind, Purpose, Shared, Summary, Tree,
};
use checkers_engine::{Algorithm, Score};
use checkers_lib::protocol::PlayedMove;
use checkers_lib::{Color, Game, Move, Position};
use position_api::{Mistake, MistakeCode};
use serde::Serialize;

/// Values and windows are White's: what is better for White is higher.
fn whites(score: Score, turn: Color) -> i32 {
    match turn {
        Color::White => score.value(),
        Color::Black => -score.value(),
    }
}

/// What was searched, and what it took.
#[derive(Serialize)]
pub(crate) struct TraceReport {
    bot: String,
    fen: String,
    turn: checkers_lib::protocol::WireColor,
    #[serde(rename = "move")]
    best: Option<String>,
    value: i32,
    depth: u32,
    complete: bool,
    nodes: u64,
    recorded: usize,
    dropped: u64,
    lines: u64,
    roots: usize,
    re_searches: u64,
    outcomes: BTreeMap<&'static str, u64>,
    first_move_cut_offs: u64,
    moves_tried: Option<f64>,
    legal_moves: Option<f64>,
    leaves: Option<u64>,
    fewest_leaves: Option<f64>,
    is_simulated: bool,
}

impl TraceReport {
    pub(crate) fn of(tree: &Tree) -> TraceReport {
        let summary = Summary::of(tree);
        let choice = tree.choice();
        let position = tree.game().position();
        let outcomes = summary.outcomes.iter();
        TraceReport {
            bot: tree.spec().to_string(),
            fen: position.to_string(),
            turn: position.turn().into(),
            best: choice.best.map(|m| position.notation(m)),
            value: whites(choice.score, position.turn()),
            depth: choice.depth,
            complete: choice.complete,
            nodes: choice.nodes,
            recorded: tree.len(),
            dropped: tree.dropped(),
            lines: summary.lines,
            roots: tree.roots().count(),
            re_searches: summary.re_searches,
            outcomes: outcomes
                .map(|(kind, &count)| (kind.name(), count))
                .collect(),
            first_move_cut_offs: summary.first_move_cut_offs,
            moves_tried: summary.tried,
            legal_moves: summary.legal,
            leaves: summary.leaves,
            fewest_leaves: summary.fewest_leaves,
            is_simulated: tree.spec().algorithm() == Algorithm::Mcts,
        }
    }
}

/// The kinds of ends and the purposes, whose places are their numbers in the columns.
const KINDS: [OutcomeKind; 12] = [
    OutcomeKind::Leaf,
    OutcomeKind::Lost,
    OutcomeKind::Exact,
    OutcomeKind::FailLow,
    OutcomeKind::CutOff,
    OutcomeKind::TableHit,
    OutcomeKind::Tablebase,
    OutcomeKind::Drawn,
    OutcomeKind::Futility,
    OutcomeKind::ProbCut,
    OutcomeKind::Simulated,
    OutcomeKind::Stopped,
];
const PURPOSES: [&str; 6] = [
    "root",
    "move",
    "reduced",
    "re-search",
    "shallow",
    "captures",
];

fn number_of(kind: OutcomeKind) -> usize {
    KINDS.iter().position(|&other| other == kind).unwrap_or(0)
}

fn purpose_of(purpose: Purpose) -> usize {
    match purpose {
        Purpose::Root => 0,
        Purpose::Move => 1,
        Purpose::Reduced(_) => 2,
        Purpose::ReSearch => 3,
        Purpose::Shallow => 4,
        Purpose::Captures => 5,
    }
}

/// Four columns of little-endian 32-bit integers, with a row for each node in the order of the search: where the nodes
/// below it end; its level; how it ended, why it was entered, who moves and the move that leads to it, from the lowest
/// bit 4 bits, 3, 1 and 12; its value. A move is its squares, 5 bits each, whether it captures, and 1 for a move at all.
pub(crate) fn columns(tree: &Tree) -> Vec<u8> {
    let count = tree.len();
    let mut columns = vec![0_u8; count * 16];
    let mut put = |column: usize, row: usize, value: i32| {
        let at = (column * count + row) * 4;
        columns[at..at + 4].copy_from_slice(&value.to_le_bytes());
    };
    tree.walk(|id, position| {
        let (node, row, turn) = (tree.node(id), id.index(), position.turn());
        let m = node.m.map_or(0, |m| {
            1 << 11 | usize::from(m.is_capture()) << 10 | m.to().index() << 5 | m.from().index()
        });
        let side = usize::from(turn == Color::Black);
        let flags =
            number_of(node.outcome.kind()) | purpose_of(node.purpose) << 4 | side << 7 | m << 8;
        put(0, row, node.end() as i32);
        put(1, row, node.level as i32);
        put(2, row, flags as i32);
        put(
            3,
            row,
            node.value().map_or(i32::MIN, |value| whites(value, turn)),
        );
    });
    columns
}

/// A byte for each node: 0 if the other tree has its line, 255 if that is unknown, and else 1 more than the number of
/// the end of the last node that they share.
pub(crate) fn marks(shared: &[Shared], other: &Tree) -> Vec<u8> {
    let mark = |shared: &Shared| match *shared {
        Shared::Visited(_) => 0,
        Shared::Unknown => u8::MAX,
        Shared::Missing(last) => {
            let kind = last.map_or(OutcomeKind::Stopped, |last| other.node(last).outcome.kind());
            number_of(kind) as u8 + 1
        }
    };
    shared.iter().map(mark).collect()
}

/// A table for programs, with a line for each node.
pub(crate) fn csv(tree: &Tree) -> String {
    let mut text =
        "node,parent,level,move,purpose,alpha,beta,depth,value,bound,end,nodes\n".to_owned();
    tree.walk(|id, position| {
        let node = tree.node(id);
        let m = node.m.map_or(String::new(), short);
        let parent = node
            .parent
            .map_or(String::new(), |parent| parent.index().to_string());
        let value = node.value().map_or(String::new(), |value| {
            whites(value, position.turn()).to_string()
        });
        let (low, high) = window(node, position.turn());
        let [low, high] = [low, high].map(|end| end.map_or(String::new(), |end| end.to_string()));
        let written = writeln!(
            text,
            "{},{parent},{},{m},{},{low},{high},{},{value},{},{},{}",
            id.index(),
            node.level,
            PURPOSES[purpose_of(node.purpose)],
            node.depth,
            bound(node, position.turn()).unwrap_or(""),
            node.outcome.kind().name(),
            node.end() - id.index(),
        );
        debug_assert!(written.is_ok(), "a string grows");
    });
    text
}

/// A move by its squares: every tree has millions.
fn short(m: Move) -> String {
    let sign = if m.is_capture() { ':' } else { '-' };
    format!("{}{sign}{}", m.from(), m.to())
}

/// The ends of a node's window for White, the lower first; none is infinite.
fn window(node: &Node, turn: Color) -> (Option<i32>, Option<i32>) {
    let finite =
        |score: Score| (score > -Score::WIN && score < Score::WIN).then(|| whites(score, turn));
    match turn {
        Color::White => (finite(node.alpha), finite(node.beta)),
        Color::Black => (finite(node.beta), finite(node.alpha)),
    }
}

/// What a node's value is of its true one, for White.
fn bound(node: &Node, turn: Color) -> Option<&'static str> {
    node.bound().map(|bound| match (bound, turn) {
        (Bound::Exact, _) => "exact",
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "at least",
        (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => "at most",
    })
}

/// A node with what explains it.
#[derive(Serialize)]
pub(crate) struct NodeReport {
    node: usize,
    /// From the root to the node, both included.
    path: Vec<Step>,
    fen: String,
    turn: checkers_lib::protocol::WireColor,
    /// The move that leads here, with the squares that it visits.
    played: Option<PlayedMove>,
    purpose: &'static str,
    /// By how many plies the search was made less deep.
    reduced: Option<u8>,
    depth: i32,
    low: Option<i32>,
    high: Option<i32>,
    #[serde(flatten)]
    end: End,
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
struct End {
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
struct Step {
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
    end: End,
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
    pub(crate) shared: Vec<Shared>,
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
        let is_searched = node.outcome.kind().is_searched() || node.outcome == Outcome::Stopped;
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
            end: End::of(node, turn),
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

    fn steps(&self, id: NodeId) -> Vec<Step> {
        let mut position = self.tree.game().position().clone();
        let step = |id: NodeId| {
            let node = self.tree.node(id);
            let m = node.m.map(|m| {
                let text = position.notation(m);
                position.play_unchecked(m);
                text
            });
            let (low, high) = window(node, position.turn());
            Step {
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
            end: End::of(node, turn),
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
            Outcome::TableHit(_) => {
                let earlier = self.tree.remembered_at(id)?;
                Some(Because {
                    kind: "earlier",
                    node: Some(earlier.index()),
                    ..none
                })
            }
            Outcome::CutOff { .. } => Some(match self.tree.origin_of_beta(id) {
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
            Shared::Visited(node) => Some(Other {
                visited: true,
                node: node.index(),
            }),
            Shared::Missing(last) => last.map(|node| Other {
                visited: false,
                node: node.index(),
            }),
            Shared::Unknown => None,
        }
    }
}

impl End {
    /// The end of a node in which `turn` moves.
    fn of(node: &Node, turn: Color) -> End {
        let (by, simulations) = match node.outcome {
            Outcome::CutOff { by } => (Some(by), None),
            Outcome::Simulated { simulations } => (None, Some(simulations)),
            _ => (None, None),
        };
        End {
            end: node.outcome.kind().name(),
            value: node.value().map(|value| whites(value, turn)),
            bound: bound(node, turn),
            by,
            simulations,
        }
    }
}

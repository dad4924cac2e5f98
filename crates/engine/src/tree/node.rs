//! One node of a recorded tree.

use checkers_lib::Move;

use crate::Score;
use crate::score::Bound;

/// The number of a node in its tree, in the order of the search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The number, counted from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A visit of a search to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The node it was entered from; none for a root.
    pub parent: Option<NodeId>,
    /// How many nodes lead to it; 0 for a root.
    pub level: u32,
    /// The move that leads here; none where the position is that of the parent, and for a root.
    pub m: Option<Move>,
    /// Why it was entered.
    pub purpose: Purpose,
    /// The lower end of the window: the side to move already has this much.
    pub alpha: Score,
    /// The upper end of the window: the opponent does not let it have more.
    pub beta: Score,
    /// The depth that remained, in plies. Where captures are searched to their end it is 0.
    pub depth: i32,
    /// How it ended.
    pub outcome: NodeOutcome,
    /// How many nodes below it were visited and not kept.
    pub dropped: u64,
    pub(super) value: Score,
    /// The number of the first node after all nodes below it.
    pub(super) end: u32,
}

impl Node {
    /// What the position is worth to its side to move, as far as the search found out; `None` if it
    /// was stopped before that. [`Node::bound`] says what that is of the true value.
    pub fn value(&self) -> Option<Score> {
        (self.outcome != NodeOutcome::Stopped).then_some(self.value)
    }

    /// How many nodes there are in the tree up to the last one below this node.
    pub fn end(&self) -> usize {
        self.end as usize
    }

    /// Whether the value is the true one, to the depth that remained, or a bound.
    pub fn bound(&self) -> Option<Bound> {
        match self.outcome {
            NodeOutcome::Leaf | NodeOutcome::Lost | NodeOutcome::Exact => Some(Bound::Exact),
            NodeOutcome::Tablebase | NodeOutcome::Drawn | NodeOutcome::Simulated { .. } => {
                Some(Bound::Exact)
            }
            NodeOutcome::CutOff { .. } | NodeOutcome::Pruned(_) => Some(Bound::Lower),
            NodeOutcome::FailLow => Some(Bound::Upper),
            NodeOutcome::TableHit(bound) => Some(bound),
            NodeOutcome::Stopped => None,
        }
    }
}

/// Why a node was entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// To search the root: an iteration or a pass.
    Root,
    /// To search a move.
    Move,
    /// To search a move so many plies less deep than others.
    Reduced(u8),
    /// To search the same move again, deeper or with a wider window, because it is better than
    /// expected.
    ReSearch,
    /// To search the same position less deep without the table's move (singular extension).
    Shallow,
    /// To search captures from the same position, where lines must not get longer.
    Captures,
}

/// How a node ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeOutcome {
    /// The search ends here: the evaluation, or a lost position.
    Leaf,
    /// The side to move has no move.
    Lost,
    /// All moves were searched, and the best of them is worth a value inside the window.
    Exact,
    /// All moves were searched, and none is better than alpha: an upper bound.
    FailLow,
    /// A move is worth beta or more, so that the others were not searched: a lower bound.
    CutOff {
        /// The place of that move in the order of the search, from 0.
        by: u32,
    },
    /// The transposition table has the answer.
    TableHit(Bound),
    /// The endgame tables have the answer.
    Tablebase,
    /// The position repeats, or an article declares a draw.
    Drawn,
    /// A technique decided that the value is beta or more: a bound that is not proven.
    Pruned(Technique),
    /// So many simulations went through it, and the value is that of their mean result or proven.
    Simulated {
        /// How many.
        simulations: u64,
    },
    /// The search was stopped before the node had a value.
    Stopped,
}

/// What takes a node's worth for granted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Technique {
    /// The evaluation is far above the window (reverse futility pruning).
    Futility,
    /// The table's move and another one seem to be worth beta (multi-cut).
    MultiCut,
}

/// A kind of [`NodeOutcome`], for counting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OutcomeKind {
    /// [`NodeOutcome::Leaf`]
    Leaf,
    /// [`NodeOutcome::Lost`]
    Lost,
    /// [`NodeOutcome::Exact`]
    Exact,
    /// [`NodeOutcome::FailLow`]
    FailLow,
    /// [`NodeOutcome::CutOff`]
    CutOff,
    /// [`NodeOutcome::TableHit`]
    TableHit,
    /// [`NodeOutcome::Tablebase`]
    Tablebase,
    /// [`NodeOutcome::Drawn`]
    Drawn,
    /// [`NodeOutcome::Pruned`] by [`Technique::Futility`]
    Futility,
    /// [`NodeOutcome::Pruned`] by [`Technique::MultiCut`]
    MultiCut,
    /// [`NodeOutcome::Simulated`]
    Simulated,
    /// [`NodeOutcome::Stopped`]
    Stopped,
}

impl OutcomeKind {
    /// A name of one word.
    pub fn name(self) -> &'static str {
        match self {
            OutcomeKind::Leaf => "leaf",
            OutcomeKind::Lost => "lost",
            OutcomeKind::Exact => "exact",
            OutcomeKind::FailLow => "fail-low",
            OutcomeKind::CutOff => "cut-off",
            OutcomeKind::TableHit => "table-hit",
            OutcomeKind::Tablebase => "tablebase",
            OutcomeKind::Drawn => "drawn",
            OutcomeKind::Futility => "futility",
            OutcomeKind::MultiCut => "multicut",
            OutcomeKind::Simulated => "simulated",
            OutcomeKind::Stopped => "stopped",
        }
    }

    /// Whether moves were searched to find the value.
    pub fn is_searched(self) -> bool {
        match self {
            OutcomeKind::Exact | OutcomeKind::FailLow | OutcomeKind::CutOff => true,
            OutcomeKind::Leaf
            | OutcomeKind::Lost
            | OutcomeKind::TableHit
            | OutcomeKind::Tablebase
            | OutcomeKind::Drawn
            | OutcomeKind::Futility
            | OutcomeKind::MultiCut
            | OutcomeKind::Simulated
            | OutcomeKind::Stopped => false,
        }
    }
}

impl NodeOutcome {
    /// Which kind it is.
    pub fn kind(self) -> OutcomeKind {
        match self {
            NodeOutcome::Leaf => OutcomeKind::Leaf,
            NodeOutcome::Lost => OutcomeKind::Lost,
            NodeOutcome::Exact => OutcomeKind::Exact,
            NodeOutcome::FailLow => OutcomeKind::FailLow,
            NodeOutcome::CutOff { .. } => OutcomeKind::CutOff,
            NodeOutcome::TableHit(_) => OutcomeKind::TableHit,
            NodeOutcome::Tablebase => OutcomeKind::Tablebase,
            NodeOutcome::Drawn => OutcomeKind::Drawn,
            NodeOutcome::Pruned(Technique::Futility) => OutcomeKind::Futility,
            NodeOutcome::Pruned(Technique::MultiCut) => OutcomeKind::MultiCut,
            NodeOutcome::Simulated { .. } => OutcomeKind::Simulated,
            NodeOutcome::Stopped => OutcomeKind::Stopped,
        }
    }
}

//! How nodes are reported: for White, and by the names that a page knows.

use checkers_engine::Score;
use checkers_engine::tree::{Bound, Node, OutcomeKind, Purpose};
use checkers_lib::Color;

/// Values and windows are White's: what is better for White is higher.
pub(super) fn whites(score: Score, turn: Color) -> i32 {
    match turn {
        Color::White => score.value(),
        Color::Black => -score.value(),
    }
}

/// The kinds of ends and the purposes, whose places are their numbers in the columns.
pub(super) const KINDS: [OutcomeKind; 12] = [
    OutcomeKind::Leaf,
    OutcomeKind::Lost,
    OutcomeKind::Exact,
    OutcomeKind::FailLow,
    OutcomeKind::CutOff,
    OutcomeKind::TableHit,
    OutcomeKind::Tablebase,
    OutcomeKind::Drawn,
    OutcomeKind::Futility,
    OutcomeKind::MultiCut,
    OutcomeKind::Simulated,
    OutcomeKind::Stopped,
];
pub(super) const PURPOSES: [&str; 6] = [
    "root",
    "move",
    "reduced",
    "re-search",
    "shallow",
    "captures",
];

pub(super) fn number_of(kind: OutcomeKind) -> usize {
    KINDS.iter().position(|&other| other == kind).unwrap_or(0)
}

pub(super) fn purpose_of(purpose: Purpose) -> usize {
    match purpose {
        Purpose::Root => 0,
        Purpose::Move => 1,
        Purpose::Reduced(_) => 2,
        Purpose::ReSearch => 3,
        Purpose::Shallow => 4,
        Purpose::Captures => 5,
    }
}

/// The ends of a node's window for White, the lower first; none is infinite.
pub(super) fn window(node: &Node, turn: Color) -> (Option<i32>, Option<i32>) {
    let finite =
        |score: Score| (score > -Score::WIN && score < Score::WIN).then(|| whites(score, turn));
    match turn {
        Color::White => (finite(node.alpha), finite(node.beta)),
        Color::Black => (finite(node.beta), finite(node.alpha)),
    }
}

/// What a node's value is of its true one, for White.
pub(super) fn bound(node: &Node, turn: Color) -> Option<&'static str> {
    node.bound().map(|bound| match (bound, turn) {
        (Bound::Exact, _) => "exact",
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "at least",
        (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => "at most",
    })
}

//! How a search reports its nodes.

use checkers_lib::Move;

use super::node::{Purpose, Technique};
use crate::Score;
use crate::score::Bound;

/// Follows a search. Every node is entered and left, unless the search is stopped: then the nodes
/// that were not left ended there.
///
/// Searches have the observer as a type parameter; `()` observes nothing and compiles to nothing.
pub(crate) trait Observer: Clone + Send + 'static {
    /// Whether anything is done with what is reported.
    const IS_ON: bool;

    /// Says how and why the next node is entered: after `m`, or without a move from its parent's
    /// position. A root needs no announcement.
    fn announce(&mut self, m: Option<Move>, purpose: Purpose);

    /// Enters a node, which is a child of the node entered last and not left.
    fn enter(&mut self, alpha: Score, beta: Score, depth: i32);

    /// Leaves the node entered last.
    fn leave(&mut self, value: Score, end: VisitEnd);
}

/// How a node ends, as far as its value and its children do not say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VisitEnd {
    /// Evaluated.
    Leaf,
    /// By its moves.
    Searched,
    TableHit(Bound),
    Tablebase,
    Drawn,
    Pruned(Technique),
    Simulated(u64),
}

impl Observer for () {
    const IS_ON: bool = false;

    #[inline(always)]
    fn announce(&mut self, _m: Option<Move>, _purpose: Purpose) {}

    #[inline(always)]
    fn enter(&mut self, _alpha: Score, _beta: Score, _depth: i32) {}

    #[inline(always)]
    fn leave(&mut self, _value: Score, _end: VisitEnd) {}
}

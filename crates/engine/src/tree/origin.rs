//! Where the bound comes from that a cut-off reached.

use super::{Node, NodeId, NodeOutcome, Purpose, Tree};

/// What made beta of a node what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// An earlier move at a node above: the side that moves there has this much already.
    Move {
        /// The node above.
        at: NodeId,
        /// The node that the earlier move led to.
        better: NodeId,
    },
    /// The window with which the root was searched.
    Root,
    /// A null window: the node above asks only whether a move is better than the best so far.
    NullWindow {
        /// The node above.
        at: NodeId,
    },
    /// The first search of a move that is searched again: it found this much, less one.
    ReSearch {
        /// The node above, at which the move is tried.
        at: NodeId,
        /// The node that the first search of it led to.
        first: NodeId,
    },
    /// The technique of the search.
    Other,
}

impl Tree {
    /// Where beta of a node comes from. O(level and moves tried above).
    pub fn origin_of_beta(&self, id: NodeId) -> Origin {
        // A beta is the negated alpha of the parent when the move was tried. If no move of the parent
        // raised that alpha, it is the negated beta of the parent's parent, and so on.
        let mut child = id;
        loop {
            let Some(parent) = self.parent_by_move(child) else {
                return Origin::Root;
            };
            let reached = -self.node(child).beta;
            let has_reached =
                |node: &Node, score| node.value().is_some_and(|value| -value == score);
            let raises = |node: &Node| node.m.is_some() && has_reached(node, reached);
            if let Some(better) = self.last_sibling_before(child, raises) {
                return Origin::Move { at: parent, better };
            }
            let m = self.node(child).m;
            let is_first = |node: &Node| node.m == m && has_reached(node, reached.next());
            if let Some(first) = self.last_sibling_before(child, is_first) {
                return Origin::ReSearch { at: parent, first };
            }
            if self.node(parent).alpha != reached {
                return Origin::Other;
            }
            let Some(above) = self.parent_by_move(parent) else {
                return Origin::Root;
            };
            if self.node(above).beta != -reached {
                return Origin::NullWindow { at: above };
            }
            child = above;
        }
    }

    /// The node from whose position a move leads to that of this node; none if that is the root's.
    fn parent_by_move(&self, id: NodeId) -> Option<NodeId> {
        let mut node = self.node(id);
        while node.m.is_none() {
            node = self.node(node.parent?);
        }
        node.parent
    }

    /// The last child before `child` of the same parent that is as wanted.
    fn last_sibling_before(
        &self,
        child: NodeId,
        is_wanted: impl Fn(&Node) -> bool,
    ) -> Option<NodeId> {
        let siblings = self.children(self.node(child).parent?);
        let before = siblings.take_while(|&id| id < child);
        before.filter(|&id| is_wanted(self.node(id))).last()
    }

    /// The last node before this one that was searched in the same position, and at least as deep:
    /// what the transposition table remembers. O(nodes).
    pub fn remembered_at(&self, id: NodeId) -> Option<NodeId> {
        let wanted = self.position(id);
        let (depth, mut found) = (self.node(id).depth, None);
        self.walk(|other, position| {
            let node = self.node(other);
            let is_searched =
                node.outcome.kind().is_searched() || node.outcome == NodeOutcome::Leaf;
            let is_whole = node.purpose != Purpose::Captures && node.end <= id.0;
            if is_searched && is_whole && node.depth >= depth && *position == wanted {
                found = Some(other);
            }
        });
        found
    }
}

//! What is true of every recorded tree: the values follow from each other, and the windows justify
//! every cut-off.

use checkers_lib::{Move, Position};

use super::{Node, NodeId, NodeOutcome, Purpose, Tree};
use crate::score::Bound;
use crate::{Algorithm, Score};

impl Tree {
    /// The first node that no search leaves behind, if there is one.
    pub(super) fn first_unsound(&self) -> Option<NodeId> {
        let is_counted = self.counted_nodes() == Some(self.choice.nodes);
        let mut unsound = (!is_counted).then_some(NodeId(0));
        self.walk(|id, position| {
            if unsound.is_none() && !self.is_sound(id, position) {
                unsound = Some(id);
            }
        });
        unsound
    }

    /// The nodes that the bot must have reported.
    fn counted_nodes(&self) -> Option<u64> {
        if self.spec.algorithm() != Algorithm::Mcts {
            return (self.len() as u64).checked_add(self.dropped());
        }
        match self.nodes.first().map(|root| root.outcome) {
            Some(NodeOutcome::Simulated { simulations }) => Some(simulations),
            _ => Some(0),
        }
    }

    fn is_sound(&self, id: NodeId, position: &Position) -> bool {
        let node = self.node(id);
        let is_value_sound = is_in_range(node.alpha)
            && is_in_range(node.beta)
            && is_in_range(node.value)
            && node.alpha < node.beta
            && agrees_with_window(node);
        let is_place_sound = match node.purpose {
            Purpose::Root => node.level == 0 && node.m.is_none(),
            Purpose::Shallow | Purpose::Captures => node.level > 0 && node.m.is_none(),
            Purpose::Move | Purpose::Reduced(_) | Purpose::ReSearch => node.m.is_some(),
        };
        let is_cut = self.deepest_level == Some(node.level);
        let is_dropping_sound = node.dropped == 0 || is_cut;
        let is_end_sound = match node.outcome {
            NodeOutcome::Exact | NodeOutcome::FailLow | NodeOutcome::CutOff { .. } => {
                is_cut || self.follows_from_children(id, position)
            }
            NodeOutcome::Lost => self.is_alone(id) && position.is_lost(),
            NodeOutcome::TableHit(_) | NodeOutcome::Tablebase | NodeOutcome::Drawn => {
                self.is_alone(id)
            }
            NodeOutcome::Pruned(super::Technique::Futility) => self.is_alone(id),
            NodeOutcome::Leaf | NodeOutcome::Pruned(super::Technique::MultiCut) => true,
            NodeOutcome::Simulated { simulations } => self.are_simulations_sound(id, simulations),
            // The search ended here, and in all nodes above.
            NodeOutcome::Stopped => {
                let parent = node.parent.map(|parent| self.node(parent).outcome);
                node.end as usize == self.len()
                    && parent.is_none_or(|end| end == NodeOutcome::Stopped)
            }
        };
        is_value_sound
            && is_place_sound
            && is_dropping_sound
            && is_end_sound
            && self.are_windows_sound(id)
    }

    /// Whether nothing is below a node.
    fn is_alone(&self, id: NodeId) -> bool {
        self.node(id).dropped == 0 && self.children(id).next().is_none()
    }

    /// Whether the value of a node is the best score of its moves, and these are all or the last of
    /// them cuts off.
    fn follows_from_children(&self, id: NodeId, position: &Position) -> bool {
        let node = self.node(id);
        let scores = self.scores(id);
        let Some((last, before)) = scores.split_last() else {
            return false;
        };
        let best = scores.iter().map(|(_, score)| *score).max();
        let is_best = best.is_some_and(|best| {
            // Whoever has only losing moves loses, and not before the next ply.
            node.value == best || (node.value.is_loss() && node.value > best)
        });
        let cuts = |(_, score): &(Move, Score)| *score >= node.beta;
        let is_complete = match node.outcome {
            NodeOutcome::CutOff { by } => by as usize == before.len() && cuts(last),
            // The endgame tables may leave some of the root's moves out.
            _ if node.level == 0 => true,
            // The table's move is left out.
            _ if node.purpose == Purpose::Shallow => {
                scores.len() + 1 == position.legal_moves().len()
            }
            _ => scores.len() == position.legal_moves().len(),
        };
        is_best && is_complete && !before.iter().any(cuts)
    }

    /// Whether what cuts off below a node is worth less than the node has already.
    fn are_windows_sound(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let mut floor = node.alpha;
        self.children(id).all(|child| {
            let child = self.node(child);
            if child.m.is_none() {
                return true;
            }
            let is_justified = -child.beta <= floor;
            if let Some(value) = child.value() {
                floor = floor.max(-value);
            }
            is_justified
        })
    }

    fn are_simulations_sound(&self, id: NodeId, simulations: u64) -> bool {
        let below = self
            .children(id)
            .map(|child| match self.node(child).outcome {
                NodeOutcome::Simulated { simulations } => simulations,
                _ => u64::MAX,
            });
        let below = below.fold(0_u64, u64::saturating_add);
        self.spec.algorithm() == Algorithm::Mcts && simulations > 0 && below <= simulations
    }
}

fn is_in_range(score: Score) -> bool {
    score >= Score::lost_in(0).previous() && score <= Score::WIN.next()
}

/// Whether a value is on the side of the window on which its outcome says that it is.
fn agrees_with_window(node: &Node) -> bool {
    let (is_above, is_below) = (node.value >= node.beta, node.value <= node.alpha);
    match node.outcome {
        NodeOutcome::CutOff { .. }
        | NodeOutcome::Pruned(_)
        | NodeOutcome::TableHit(Bound::Lower) => is_above,
        NodeOutcome::FailLow | NodeOutcome::TableHit(Bound::Upper) => is_below,
        NodeOutcome::Exact => !is_above && !is_below,
        NodeOutcome::Lost => node.value.is_loss(),
        NodeOutcome::Leaf | NodeOutcome::TableHit(Bound::Exact) | NodeOutcome::Tablebase => true,
        NodeOutcome::Drawn | NodeOutcome::Simulated { .. } => true,
        NodeOutcome::Stopped => node.value == Score::ZERO,
    }
}

//! The observer that keeps what it sees.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use checkers_lib::Move;

use super::node::{Node, NodeId, NodeOutcome, Purpose};
use super::observer::{Observer, VisitEnd};
use crate::Score;

/// Keeps the nodes of a search. Clones share what they keep.
#[derive(Clone)]
pub(super) struct Recorder(Arc<Mutex<Recording>>);

/// The nodes of a search so far.
struct Recording {
    most_nodes: usize,
    /// Nodes at greater levels are counted at the node of this level that they are below.
    deepest_level: u32,
    nodes: Vec<Node>,
    /// The nodes entered and not left, the root first.
    open: Vec<Open>,
    announced: (Option<Move>, Purpose),
}

/// A node that is being searched.
struct Open {
    /// Its place, if it is kept.
    place: Option<u32>,
    /// How many moves were tried.
    tried: u32,
}

/// What was recorded.
pub(super) struct Recorded {
    pub(super) nodes: Vec<Node>,
    /// Nodes at greater levels were counted and not kept.
    pub(super) deepest_level: Option<u32>,
}

impl Recorder {
    /// Keeps at most `most_nodes` nodes, and all roots.
    pub(super) fn new(most_nodes: usize) -> Recorder {
        Recorder(Arc::new(Mutex::new(Recording {
            most_nodes: most_nodes.min(u32::MAX as usize - 1),
            deepest_level: u32::MAX,
            nodes: Vec::new(),
            open: Vec::new(),
            announced: (None, Purpose::Root),
        })))
    }

    fn recording(&self) -> MutexGuard<'_, Recording> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was recorded, once the search is over.
    pub(super) fn finish(&self) -> Recorded {
        let mut recording = self.recording();
        recording.open.clear();
        let mut nodes = std::mem::take(&mut recording.nodes);
        close_subtrees(&mut nodes);
        let deepest_level = recording.deepest_level;
        Recorded {
            nodes,
            deepest_level: (deepest_level != u32::MAX).then_some(deepest_level),
        }
    }
}

impl Observer for Recorder {
    const IS_ON: bool = true;

    fn announce(&mut self, m: Option<Move>, purpose: Purpose) {
        self.recording().announced = (m, purpose);
    }

    fn enter(&mut self, alpha: Score, beta: Score, depth: i32) {
        self.recording().enter(alpha, beta, depth);
    }

    fn leave(&mut self, value: Score, end: VisitEnd) {
        self.recording().leave(value, end);
    }
}

impl Recording {
    fn enter(&mut self, alpha: Score, beta: Score, depth: i32) {
        let (m, purpose) = match self.open.last_mut() {
            None => (None, Purpose::Root),
            Some(parent) => {
                let is_new_move = matches!(self.announced.1, Purpose::Move | Purpose::Reduced(_));
                parent.tried += u32::from(is_new_move);
                self.announced
            }
        };
        let level = self.open.len() as u32;
        if level > self.deepest_level {
            self.count();
        } else {
            self.keep(Node {
                parent: None,
                level,
                m,
                purpose,
                alpha,
                beta,
                depth,
                outcome: NodeOutcome::Stopped,
                dropped: 0,
                value: Score::ZERO,
                end: 0,
            });
        }
        if self.nodes.len() > self.most_nodes && self.deepest_level > 0 {
            self.drop_deepest_levels();
        }
    }

    fn keep(&mut self, mut node: Node) {
        let parent = self.open.last().and_then(|parent| parent.place);
        node.parent = parent.map(NodeId);
        self.open.push(Open {
            place: Some(self.nodes.len() as u32),
            tried: 0,
        });
        self.nodes.push(node);
    }

    /// Counts a node that is not kept.
    fn count(&mut self) {
        let kept = self.open.get(self.deepest_level as usize);
        if let Some(place) = kept.and_then(|open| open.place) {
            self.nodes[place as usize].dropped += 1;
        }
        self.open.push(Open {
            place: None,
            tried: 0,
        });
    }

    fn leave(&mut self, value: Score, end: VisitEnd) {
        let Some(Open { place, tried }) = self.open.pop() else {
            return;
        };
        let Some(place) = place else { return };
        let node = &mut self.nodes[place as usize];
        node.value = value;
        node.outcome = match end {
            VisitEnd::Leaf => NodeOutcome::Leaf,
            VisitEnd::TableHit(bound) => NodeOutcome::TableHit(bound),
            VisitEnd::Tablebase => NodeOutcome::Tablebase,
            VisitEnd::Drawn => NodeOutcome::Drawn,
            VisitEnd::Pruned(technique) => NodeOutcome::Pruned(technique),
            VisitEnd::Simulated(simulations) => NodeOutcome::Simulated { simulations },
            VisitEnd::Searched if tried == 0 => NodeOutcome::Lost,
            VisitEnd::Searched if value >= node.beta => NodeOutcome::CutOff { by: tried - 1 },
            VisitEnd::Searched if value > node.alpha => NodeOutcome::Exact,
            VisitEnd::Searched => NodeOutcome::FailLow,
        };
    }

    /// Drops so many of the deepest levels that the rest is within the limit; the roots stay.
    fn drop_deepest_levels(&mut self) {
        let levels = self.nodes.iter().map(|node| node.level as usize);
        let mut counts = vec![0_usize; levels.max().map_or(0, |level| level + 1)];
        for node in &self.nodes {
            counts[node.level as usize] += 1;
        }
        let mut kept = 0;
        let fits = |count: &&usize| {
            kept += **count;
            kept <= self.most_nodes
        };
        let levels = counts.iter().take_while(fits).count().max(1);
        self.deepest_level = levels as u32 - 1;
        self.drop_below_deepest_level();
    }

    fn drop_below_deepest_level(&mut self) {
        let deepest = self.deepest_level;
        let mut places = vec![None; self.nodes.len()];
        let mut kept: Vec<Node> = Vec::with_capacity(self.most_nodes.min(self.nodes.len()) + 1);
        for (place, mut node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            if node.level > deepest {
                // The last node kept at the deepest level is the one that this is below.
                if let Some(above) = kept.last_mut() {
                    above.dropped += 1 + node.dropped;
                }
                continue;
            }
            let parent = node.parent.and_then(|parent| places[parent.index()]);
            node.parent = parent.map(NodeId);
            places[place] = Some(kept.len() as u32);
            kept.push(node);
        }
        for open in &mut self.open {
            open.place = open.place.and_then(|place| places[place as usize]);
        }
        self.nodes = kept;
    }
}

/// Notes where the nodes below each node end.
pub(super) fn close_subtrees(nodes: &mut [Node]) {
    let mut open: Vec<usize> = Vec::new();
    for place in 0..=nodes.len() {
        let level = nodes.get(place).map_or(0, |node| node.level as usize);
        for &closed in &open[level.min(open.len())..] {
            nodes[closed].end = place as u32;
        }
        open.truncate(level);
        open.push(place);
    }
}

//! Two nodes that poll the database once in each round, and declare each other dead when a heartbeat seems to have
//! stopped.

use super::explorer::Model;

/// How a node judges the heartbeat of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Judge {
    /// By a counter that has not changed in several successful polls, one after the other.
    Counters,
    /// By the time of the last heartbeat in the database.
    Timestamps,
}

/// For how many rounds a heartbeat may stand still, and how often the database is away. A short outage between two
/// polls of one node may take two heartbeats of the other, and a third may come late.
const LIMIT: u8 = 2 * OUTAGES + 1;
const OUTAGES: u8 = 2;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct DetectionState {
    is_up: bool,
    outages: u8,
    nodes: [DetectionNode; 2],
    defect: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct DetectionNode {
    /// Whether it has polled in this round.
    has_polled: bool,
    /// Whether it has ever missed a round.
    was_frozen: bool,
    is_dead: bool,
    /// Rounds since its last heartbeat.
    age: u8,
    /// Whether the other has not yet seen its last heartbeat.
    is_news: bool,
    /// Successful polls, one after the other, that have not seen a heartbeat of the other.
    unchanged: u8,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum DetectionStep {
    Poll(usize),
    /// The node misses this round.
    Freeze(usize),
    NextRound,
    StopDatabase,
    StartDatabase,
}

pub(super) const MISTAKEN: &str = "a node is declared dead that has missed no poll";

impl Model for Judge {
    type State = DetectionState;
    type Step = DetectionStep;

    fn first(&self) -> DetectionState {
        let node = DetectionNode {
            is_news: true,
            ..DetectionNode::default()
        };
        DetectionState {
            is_up: true,
            outages: 0,
            nodes: [node; 2],
            defect: None,
        }
    }

    fn steps(&self, state: &DetectionState) -> Vec<(DetectionStep, DetectionState)> {
        let steps = [
            DetectionStep::Poll(0),
            DetectionStep::Poll(1),
            DetectionStep::Freeze(0),
            DetectionStep::Freeze(1),
            DetectionStep::NextRound,
            DetectionStep::StopDatabase,
            DetectionStep::StartDatabase,
        ];
        let next = |step: DetectionStep| Some((step, self.next(step, state.clone())?));
        steps.into_iter().filter_map(next).collect()
    }

    fn defect(&self, state: &DetectionState) -> Option<&'static str> {
        state.defect
    }
}

impl Judge {
    fn next(self, step: DetectionStep, mut state: DetectionState) -> Option<DetectionState> {
        let nodes = &mut state.nodes;
        match step {
            DetectionStep::Poll(place) | DetectionStep::Freeze(place)
                if nodes[place].has_polled || nodes[place].is_dead =>
            {
                return None;
            }
            DetectionStep::Poll(place) => {
                nodes[place].has_polled = true;
                self.poll(&mut state, place);
            }
            DetectionStep::Freeze(place) => {
                nodes[place].has_polled = true;
                nodes[place].was_frozen = true;
            }
            DetectionStep::NextRound => {
                if !nodes.iter().all(|node| node.has_polled || node.is_dead) {
                    return None;
                }
                for node in nodes {
                    node.has_polled = false;
                    node.age = (node.age + 1).min(LIMIT + 1);
                }
            }
            DetectionStep::StopDatabase if state.is_up && state.outages < OUTAGES => {
                state.is_up = false;
                state.outages += 1;
            }
            DetectionStep::StartDatabase if !state.is_up => state.is_up = true,
            DetectionStep::StopDatabase | DetectionStep::StartDatabase => return None,
        }
        Some(state)
    }

    fn poll(self, state: &mut DetectionState, place: usize) {
        let [mut node, mut other] = [state.nodes[place], state.nodes[1 - place]];
        if state.is_up {
            (node.age, node.is_news) = (0, true);
            node.unchanged = if other.is_news {
                0
            } else {
                (node.unchanged + 1).min(LIMIT + 1)
            };
            other.is_news = false;
            let has_stopped = match self {
                Judge::Counters => node.unchanged > LIMIT,
                Judge::Timestamps => other.age > LIMIT,
            };
            if has_stopped && !other.is_dead {
                other.is_dead = true;
                state.defect = (!other.was_frozen).then_some(MISTAKEN);
            }
        } else {
            // What was observed before is discarded.
            (node.unchanged, other.is_news) = (0, true);
        }
        state.nodes[place] = node;
        state.nodes[1 - place] = other;
    }
}

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
pub(super) struct State {
    is_up: bool,
    outages: u8,
    nodes: [Node; 2],
    defect: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Node {
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
pub(super) enum Step {
    Poll(usize),
    /// The node misses this round.
    Freeze(usize),
    NextRound,
    StopDatabase,
    StartDatabase,
}

pub(super) const MISTAKEN: &str = "a node is declared dead that has missed no poll";

impl Model for Judge {
    type State = State;
    type Step = Step;

    fn first(&self) -> State {
        let node = Node {
            is_news: true,
            ..Node::default()
        };
        State {
            is_up: true,
            outages: 0,
            nodes: [node; 2],
            defect: None,
        }
    }

    fn steps(&self, state: &State) -> Vec<(Step, State)> {
        let steps = [
            Step::Poll(0),
            Step::Poll(1),
            Step::Freeze(0),
            Step::Freeze(1),
            Step::NextRound,
            Step::StopDatabase,
            Step::StartDatabase,
        ];
        let next = |step: Step| Some((step, self.next(step, state.clone())?));
        steps.into_iter().filter_map(next).collect()
    }

    fn defect(&self, state: &State) -> Option<&'static str> {
        state.defect
    }
}

impl Judge {
    fn next(self, step: Step, mut state: State) -> Option<State> {
        let nodes = &mut state.nodes;
        match step {
            Step::Poll(place) | Step::Freeze(place)
                if nodes[place].has_polled || nodes[place].is_dead =>
            {
                return None;
            }
            Step::Poll(place) => {
                nodes[place].has_polled = true;
                self.poll(&mut state, place);
            }
            Step::Freeze(place) => {
                nodes[place].has_polled = true;
                nodes[place].was_frozen = true;
            }
            Step::NextRound => {
                if !nodes.iter().all(|node| node.has_polled || node.is_dead) {
                    return None;
                }
                for node in nodes {
                    node.has_polled = false;
                    node.age = (node.age + 1).min(LIMIT + 1);
                }
            }
            Step::StopDatabase if state.is_up && state.outages < OUTAGES => {
                state.is_up = false;
                state.outages += 1;
            }
            Step::StartDatabase if !state.is_up => state.is_up = true,
            Step::StopDatabase | Step::StartDatabase => return None,
        }
        Some(state)
    }

    fn poll(self, state: &mut State, place: usize) {
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

//! What is left of the limits while a search runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::Instant;
use crate::{Limits, Ponder, Stop};

/// The order to stop: it unwinds the search through `?`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// Counts nodes and looks at the clock and the flag now and then.
pub(crate) struct Budget {
    nodes: u64,
    most_nodes: u64,
    /// The count of nodes at which to look next.
    next_look: u64,
    /// How many nodes pass between two looks at the flag and the clock.
    interval: u64,
    deadline: Option<Instant>,
    /// What there is to think once it is the side's turn.
    waiting: Option<(Ponder, Option<Duration>)>,
    stop: Stop,
    /// Another flag that ends it.
    caller: Option<Stop>,
    /// Where others can read how many nodes were spent at the last look.
    tally: Option<Arc<AtomicU64>>,
}

impl Budget {
    /// Begins to count: nodes and the flag are bounded by `limits`, the time by `time`.
    pub(crate) fn new(limits: &Limits, time: Option<Duration>, interval: u64) -> Budget {
        let most_nodes = limits.nodes.unwrap_or(u64::MAX);
        Budget {
            nodes: 0,
            most_nodes,
            next_look: most_nodes.min(interval),
            interval,
            deadline: match limits.ponder {
                None => deadline(Instant::now(), time),
                Some(_) => None,
            },
            waiting: limits.ponder.clone().map(|ponder| (ponder, time)),
            stop: limits.stop.clone(),
            caller: None,
            tally: None,
        }
    }

    /// The same with a place where others can read the nodes now and then.
    pub(crate) fn with_tally(self, tally: Arc<AtomicU64>) -> Budget {
        Budget {
            tally: Some(tally),
            ..self
        }
    }

    /// The same for a thread that helps another: it ends as well when `caller` is set, whom the
    /// other obeys, rather than one look later.
    pub(crate) fn with_caller(self, caller: Stop) -> Budget {
        Budget {
            caller: Some(caller),
            ..self
        }
    }

    /// Spends a node.
    ///
    /// # Errors
    /// When there is none left, the time is over or the flag is set; the node is not counted.
    #[inline]
    pub(crate) fn spend(&mut self) -> Result<(), Stopped> {
        if self.nodes == self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        if let Some(tally) = &self.tally {
            tally.store(self.nodes, Ordering::Relaxed);
        }
        if let Some((ponder, time)) = &self.waiting
            && let Some(turn) = ponder.turn()
        {
            self.deadline = deadline(turn, *time);
            self.waiting = None;
        }
        let is_late = || self.deadline.is_some_and(|at| Instant::now() >= at);
        let is_told = || self.stop.is_set() || self.caller.as_ref().is_some_and(Stop::is_set);
        if self.nodes >= self.most_nodes || is_told() || is_late() {
            return Err(Stopped);
        }
        self.next_look = (self.nodes + self.interval).min(self.most_nodes);
        Ok(())
    }

    /// The nodes spent.
    #[inline]
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// A time too long for the system's clock bounds nothing.
fn deadline(begin: Instant, time: Option<Duration>) -> Option<Instant> {
    time.and_then(|time| begin.checked_add(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(limits: &Limits, time: Option<Duration>) -> u64 {
        let mut budget = Budget::new(limits, time, 16);
        while budget.nodes() < 1000 && budget.spend().is_ok() {}
        budget.nodes()
    }

    fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    #[test]
    fn nodes_are_bounded_exactly() {
        for bound in [0, 1, 15, 16, 17, 32, 999] {
            assert_eq!(spent(&nodes(bound), None), bound);
        }
        assert_eq!(spent(&Limits::default(), None), 1000);
    }

    #[test]
    fn time_begins_with_the_turn() {
        let ponder = Ponder::default();
        let limits = Limits {
            ponder: Some(ponder.clone()),
            ..Limits::default()
        };
        assert_eq!(spent(&limits, Some(Duration::ZERO)), 1000);
        ponder.hit();
        assert_eq!(spent(&limits, Some(Duration::ZERO)), 16);
        assert_eq!(spent(&limits, None), 1000);
    }

    #[test]
    fn time_and_flag_end_it_at_the_next_look() {
        assert_eq!(spent(&Limits::default(), Some(Duration::ZERO)), 16);
        assert_eq!(spent(&nodes(5), Some(Duration::ZERO)), 5);
        assert_eq!(spent(&Limits::default(), Some(Duration::MAX)), 1000);
        let limits = Limits::default();
        limits.stop.stop();
        assert_eq!(spent(&limits, None), 16);
    }

    #[test]
    fn a_helper_ends_with_its_caller() {
        let caller = Stop::default();
        let mut budget = Budget::new(&Limits::default(), None, 16).with_caller(caller.clone());
        let mut spend = |nodes| (0..nodes).take_while(|_| budget.spend().is_ok()).count();
        assert_eq!(spend(16), 16);
        caller.stop();
        assert_eq!(spend(16), 0);
    }
}

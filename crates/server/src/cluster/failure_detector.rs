//! Which nodes of a cluster have stopped.
//!
//! A node has stopped when its heartbeat has not changed for some time while it was read all along. No clock but
//! the own monotonic one counts: after a pause of the database every heartbeat looks old, so that all that was
//! observed before the pause is discarded.

use std::collections::HashMap;
use std::mem;
use std::time::{Duration, Instant};

use event_store::ClusterView;

/// Observes the heartbeats of nodes. It has no clock: time is an argument.
///
/// A mistake costs the other node its shards, but nothing that it has acknowledged: the rows that appends lock
/// decide who writes.
#[derive(Debug)]
pub(crate) struct FailureDetector {
    ttl: Duration,
    /// When the last view was observed; `None` after an interruption.
    last: Option<Instant>,
    /// For each living session: its heartbeat, and when it was first observed.
    beats: HashMap<i32, (i64, Instant)>,
}

impl FailureDetector {
    /// For nodes whose heartbeat changes at least once in a third of `ttl`.
    pub(crate) fn new(ttl: Duration) -> FailureDetector {
        FailureDetector {
            ttl,
            last: None,
            beats: HashMap::new(),
        }
    }

    /// Observes a view, which came at `now`. Returns the sessions to be declared dead, with their heartbeats:
    /// these have not changed for the whole time. More than a third of it between two views is an interruption.
    pub(crate) fn observe(&mut self, now: Instant, view: &ClusterView) -> Vec<(i32, i64)> {
        let pause = self.last.map(|last| now.saturating_duration_since(last));
        if pause.is_some_and(|pause| pause > self.ttl / 3) {
            self.interrupted();
        }
        self.last = Some(now);
        let earlier = mem::take(&mut self.beats);
        let mut stopped = Vec::new();
        for session in &view.sessions {
            let since = match earlier.get(&session.id) {
                Some((beat, since)) if *beat == session.beat => *since,
                _ => now,
            };
            if now.saturating_duration_since(since) >= self.ttl {
                stopped.push((session.id, session.beat));
            }
            self.beats.insert(session.id, (session.beat, since));
        }
        stopped
    }

    /// Discards what was observed: for some time, heartbeats could not be read, and perhaps not be written.
    pub(crate) fn interrupted(&mut self) {
        self.last = None;
        self.beats.clear();
    }
}

#[cfg(test)]
mod tests {
    use event_store::SessionView;

    use super::*;

    const TTL: Duration = Duration::from_secs(3);
    const STEP: Duration = Duration::from_millis(500);

    fn view(beats: &[(i32, i64)]) -> ClusterView {
        let session = |(id, beat): &(i32, i64)| SessionView {
            id: *id,
            name: format!("n{id}"),
            address: "10.0.0.1:1".to_owned(),
            beat: *beat,
            draining: false,
            surplus: 0,
        };
        ClusterView {
            sessions: beats.iter().map(session).collect(),
            shards: Vec::new(),
        }
    }

    #[test]
    fn a_heartbeat_that_stands_still_for_the_whole_time_is_that_of_a_stopped_node() {
        let (mut detector, start) = (FailureDetector::new(TTL), Instant::now());
        for i in 0..6 {
            let beats = view(&[(1, i), (2, 7), (3, 7 + i / 5)]);
            assert_eq!(detector.observe(start + STEP * i as u32, &beats), []);
        }
        let almost = start + TTL - Duration::from_nanos(1);
        assert_eq!(
            detector.observe(almost, &view(&[(1, 6), (2, 7), (3, 8)])),
            []
        );
        let beats = view(&[(1, 7), (2, 7), (3, 8)]);
        assert_eq!(detector.observe(start + TTL, &beats), [(2, 7)]);
        // As long as it has not been declared dead.
        let beats = view(&[(1, 8), (2, 7), (3, 8)]);
        assert_eq!(detector.observe(start + TTL + STEP, &beats), [(2, 7)]);
        let beats = view(&[(1, 9), (3, 8)]);
        assert_eq!(detector.observe(start + TTL + STEP * 2, &beats), []);
    }

    #[test]
    fn any_change_is_a_sign_of_life() {
        let (mut detector, start) = (FailureDetector::new(TTL), Instant::now());
        for i in 0..40 {
            // A crash of the database takes back heartbeats that it had not written.
            let beat = if i < 20 { i / 5 } else { i / 5 - 3 };
            let now = start + STEP * i as u32;
            assert_eq!(detector.observe(now, &view(&[(1, beat)])), []);
        }
    }

    #[test]
    fn an_interruption_discards_all_observations() {
        let beats = view(&[(1, 0), (2, 0)]);
        for pause in [None, Some(TTL / 3 + Duration::from_nanos(1)), Some(TTL * 9)] {
            let (mut detector, mut now) = (FailureDetector::new(TTL), Instant::now());
            for _ in 0..6 {
                assert_eq!(detector.observe(now, &beats), []);
                now += STEP;
            }
            match pause {
                None => detector.interrupted(),
                Some(pause) => now += pause - STEP,
            }
            for _ in 0..6 {
                assert_eq!(detector.observe(now, &beats), [], "{pause:?}");
                now += STEP;
            }
            assert_eq!(detector.observe(now, &beats).len(), 2, "{pause:?}");
        }
    }

    #[test]
    fn a_poll_at_the_limit_is_no_interruption() {
        let (mut detector, start) = (FailureDetector::new(TTL), Instant::now());
        for i in 0..3 {
            assert_eq!(detector.observe(start + TTL / 3 * i, &view(&[(1, 0)])), []);
        }
        let beats = view(&[(1, 0)]);
        assert_eq!(detector.observe(start + TTL, &beats), [(1, 0)]);
    }
}

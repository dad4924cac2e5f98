//! Numbers about the work of a store.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What a store has done since it was opened.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StoreStats {
    /// Groups that were committed.
    pub commits: u64,
    /// Groups that failed.
    pub failures: u64,
    /// Events that were committed.
    pub events: u64,
    /// Writes that were refused: conflicts, closed streams, taken names.
    pub refused: u64,
    /// Writes that wait in the queue at this moment.
    pub queued: u64,
    /// What the queue holds at most.
    pub queue_limit: u64,
    /// Microseconds from the begin of a transaction to its durable end.
    pub commit_micros: HistogramSnapshot,
    /// Writes in one commit.
    pub group_sizes: HistogramSnapshot,
}

/// Values counted by size.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HistogramSnapshot {
    /// `buckets[i]` counts the values above 2^(i-1) and up to 2^i; the last one counts larger
    /// ones too.
    pub buckets: Vec<u64>,
    /// All values together.
    pub sum: u64,
    /// How many there are.
    pub count: u64,
}

impl HistogramSnapshot {
    /// The upper bounds of the buckets but for the last one, which has none.
    pub fn bounds(&self) -> impl Iterator<Item = u64> {
        (0..self.buckets.len().saturating_sub(1)).map(|i| 1 << i)
    }
}

/// The counters behind [`StoreStats`].
#[derive(Debug, Default)]
pub(super) struct Counters {
    commits: AtomicU64,
    failures: AtomicU64,
    events: AtomicU64,
    refused: AtomicU64,
    commit_micros: Histogram,
    group_sizes: Histogram,
}

impl Counters {
    pub(super) fn committed(&self, writes: usize, refused: usize, events: usize, took: Duration) {
        self.commits.fetch_add(1, Relaxed);
        self.events.fetch_add(events as u64, Relaxed);
        self.refused.fetch_add(refused as u64, Relaxed);
        self.group_sizes.record(writes as u64);
        self.commit_micros
            .record(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    }

    pub(super) fn failed(&self) {
        self.failures.fetch_add(1, Relaxed);
    }

    pub(super) fn snapshot(&self, queued: usize, queue_limit: usize) -> StoreStats {
        StoreStats {
            commits: self.commits.load(Relaxed),
            failures: self.failures.load(Relaxed),
            events: self.events.load(Relaxed),
            refused: self.refused.load(Relaxed),
            queued: queued as u64,
            queue_limit: queue_limit as u64,
            commit_micros: self.commit_micros.snapshot(),
            group_sizes: self.group_sizes.snapshot(),
        }
    }
}

/// Up to 2^23, which is eight seconds in microseconds, and one bucket for what is beyond.
const BUCKETS: usize = 25;

#[derive(Debug, Default)]
struct Histogram {
    buckets: [AtomicU64; BUCKETS],
    sum: AtomicU64,
}

impl Histogram {
    fn record(&self, value: u64) {
        self.buckets[bucket(value)].fetch_add(1, Relaxed);
        self.sum.fetch_add(value, Relaxed);
    }

    fn snapshot(&self) -> HistogramSnapshot {
        let buckets: Vec<u64> = self
            .buckets
            .iter()
            .map(|bucket| bucket.load(Relaxed))
            .collect();
        let count = buckets.iter().sum();
        HistogramSnapshot {
            buckets,
            sum: self.sum.load(Relaxed),
            count,
        }
    }
}

fn bucket(value: u64) -> usize {
    let bits = u64::BITS - value.saturating_sub(1).leading_zeros();
    (bits as usize).min(BUCKETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_ends_at_its_power_of_two() {
        assert_eq!([0, 1, 2, 3, 4, 5].map(bucket), [0, 0, 1, 2, 2, 3]);
        assert_eq!(bucket(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn a_snapshot_counts_what_was_recorded() {
        let counters = Counters::default();
        counters.committed(3, 1, 7, Duration::from_micros(900));
        let stats = counters.snapshot(2, 10);
        assert_eq!(
            (stats.commits, stats.events, stats.refused, stats.queued),
            (1, 7, 1, 2)
        );
        assert_eq!(stats.commit_micros.buckets[10], 1);
        assert_eq!(stats.commit_micros.bounds().nth(10), Some(1024));
        assert_eq!((stats.group_sizes.sum, stats.group_sizes.count), (3, 1));
    }
}

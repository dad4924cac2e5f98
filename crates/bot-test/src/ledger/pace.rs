//! How many pairings a worker claims at one time.

use std::time::{Duration, Instant};

/// What a worker claims at one time takes about this long.
const BATCH: Duration = Duration::from_secs(2);

/// How fast a worker plays.
#[derive(Debug)]
pub(super) struct Pace {
    since: Instant,
    finished: usize,
    /// Pairings in a batch.
    batch: usize,
}

impl Pace {
    pub(super) fn new(now: Instant) -> Pace {
        Pace {
            since: now,
            finished: 0,
            batch: 0,
        }
    }

    /// Pairings that take as long as a batch should; 0 while that is not known.
    pub(super) fn batch(&self) -> usize {
        self.batch
    }

    pub(super) fn count(&mut self, finished: usize, now: Instant) {
        self.finished += finished;
        let elapsed = now - self.since;
        if elapsed >= BATCH / 20 {
            let batch = self.finished as f64 * BATCH.as_secs_f64() / elapsed.as_secs_f64();
            *self = Pace {
                batch: batch as usize,
                ..Pace::new(now)
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_takes_as_long_however_fast_games_are() {
        let began = Instant::now();
        for (finished, each, batch) in [(1000, 1, 2000), (10, 500, 4), (1, 60_000, 0)] {
            let mut pace = Pace::new(began);
            let took = Duration::from_millis(each) * finished;
            pace.count(finished as usize, began + took);
            assert_eq!(pace.batch(), batch);
        }
    }
}

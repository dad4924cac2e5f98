//! Pauses between attempts.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Pauses that grow from one attempt to the next, each of them chosen at random from its upper half: many machines do
/// not come at the same moment.
#[derive(Debug)]
pub struct Pauses {
    shortest: Duration,
    longest: Duration,
    next: Duration,
    random: Pcg64Mcg,
}

impl Pauses {
    /// Pauses between these.
    pub fn new(shortest: Duration, longest: Duration) -> Pauses {
        let seed = u64::from(std::process::id());
        Pauses {
            shortest,
            longest,
            next: shortest,
            random: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    /// The next pause.
    #[expect(clippy::should_implement_trait, reason = "pauses never end")]
    pub fn next(&mut self) -> Duration {
        let pause = self.next.mul_f64(self.random.random_range(0.5..=1.0));
        self.next = (self.next * 2).min(self.longest);
        pause
    }

    /// The next pause is the shortest again.
    pub fn reset(&mut self) {
        self.next = self.shortest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_the_longest_and_begin_again() {
        let (shortest, longest) = (Duration::from_millis(100), Duration::from_secs(1));
        let mut pauses = Pauses::new(shortest, longest);
        for expected in [100, 200, 400, 800, 1000, 1000] {
            let expected = Duration::from_millis(expected);
            let pause = pauses.next();
            assert!(pause >= expected / 2 && pause <= expected, "{pause:?}");
        }
        pauses.reset();
        assert!(pauses.next() <= shortest);
    }
}

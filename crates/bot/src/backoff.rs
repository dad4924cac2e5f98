//! How long to wait before the next attempt to connect.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// The first pause, at most.
const SHORTEST: Duration = Duration::from_millis(500);

/// Pauses grow up to this.
const LONGEST: Duration = Duration::from_secs(30);

/// Pauses that double, each cut by up to a half at random, so that the clients of a server that
/// comes back do not all come at once.
pub(crate) struct Backoff {
    next: Duration,
    /// What the server has asked for, once.
    hint: Option<Duration>,
}

impl Backoff {
    pub(crate) fn new() -> Backoff {
        Backoff {
            next: SHORTEST,
            hint: None,
        }
    }

    /// Begins again from the shortest pause: the server is there.
    pub(crate) fn reset(&mut self) {
        self.next = SHORTEST;
    }

    /// The server wants the client to stay away for so long.
    pub(crate) fn ask_for(&mut self, pause: Duration) {
        self.hint = Some(pause.min(LONGEST));
    }

    /// The next pause.
    pub(crate) fn pause(&mut self) -> Duration {
        self.pause_by(RandomState::new().build_hasher().finish())
    }

    /// The next pause, cut by as much as `word` is of all words.
    fn pause_by(&mut self, word: u64) -> Duration {
        let pause = self.next;
        self.next = (self.next * 2).min(LONGEST);
        let half = pause / 2;
        let cut = half.mul_f64(word as f64 / u64::MAX as f64);
        match self.hint.take() {
            // At the time that was named, or a little later.
            Some(hint) => hint + half - cut,
            None => pause - cut,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_begin_again() {
        let mut backoff = Backoff::new();
        let pauses: Vec<u128> = (0..8).map(|_| backoff.pause_by(0).as_millis()).collect();
        assert_eq!(
            pauses,
            [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]
        );
        backoff.reset();
        assert_eq!(backoff.pause_by(u64::MAX), SHORTEST / 2);
    }

    #[test]
    fn what_the_server_asks_for_counts_once() {
        let mut backoff = Backoff::new();
        backoff.ask_for(Duration::from_secs(5));
        let pause = backoff.pause_by(u64::MAX / 2);
        assert!((5000..5500).contains(&pause.as_millis()), "{pause:?}");
        assert_eq!(backoff.pause_by(0), 2 * SHORTEST);
        backoff.ask_for(Duration::MAX);
        assert!(backoff.pause_by(0) <= LONGEST + SHORTEST * 4);
    }

    #[test]
    fn every_pause_is_at_least_half_of_its_length() {
        for _ in 0..100 {
            let pause = Backoff::new().pause();
            assert!((SHORTEST / 2..=SHORTEST).contains(&pause), "{pause:?}");
        }
    }
}

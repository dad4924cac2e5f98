//! The round-trip time of a client, measured with WebSocket pings. Payloads are checked, so that a
//! client cannot answer early.

use std::time::{Duration, Instant};

/// A new measurement has a weight of 1 in this many.
const WEIGHT: u32 = 5;

/// The minimum time between two pings. A ping costs about as much as a move, and round-trip times
/// change slowly.
const PAUSE: Duration = Duration::from_secs(5);

/// The measurements of one connection.
#[derive(Debug, Default)]
pub(super) struct RoundTrip {
    /// The unanswered ping: its number and the time it was sent.
    sent: Option<(u64, Instant)>,
    /// No ping is sent before this time.
    pause: Option<Instant>,
    pings: u64,
    mean: Option<Duration>,
}

impl RoundTrip {
    /// The payload of a ping to send now; `None` if one is unanswered or was sent recently.
    pub(super) fn ping(&mut self, now: Instant) -> Option<Vec<u8>> {
        if self.sent.is_some() || self.pause.is_some_and(|end| now < end) {
            return None;
        }
        self.pause = Some(now + PAUSE);
        self.pings += 1;
        self.sent = Some((self.pings, now));
        Some(self.pings.to_be_bytes().to_vec())
    }

    /// Handles a pong; `false` if it does not answer the last ping.
    pub(super) fn pong(&mut self, payload: &[u8], now: Instant) -> bool {
        let Some((ping, sent)) = self.sent else {
            return false;
        };
        if payload != ping.to_be_bytes() {
            return false;
        }
        self.sent = None;
        let measured = now.saturating_duration_since(sent);
        self.mean = Some(match self.mean {
            Some(mean) => (mean * (WEIGHT - 1) + measured) / WEIGHT,
            None => measured,
        });
        true
    }

    /// The moving average.
    pub(super) fn mean(&self) -> Option<Duration> {
        self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn the_mean_is_a_moving_average() {
        let (mut trip, now) = (RoundTrip::default(), Instant::now());
        assert_eq!(trip.mean(), None);
        let ping = trip.ping(now).unwrap();
        assert_eq!(trip.ping(now), None, "one at a time");
        assert!(trip.pong(&ping, now + ms(100)));
        assert_eq!(trip.mean(), Some(ms(100)));
        assert_eq!(trip.ping(now + ms(999)), None, "so soon");
        let now = now + PAUSE;
        let ping = trip.ping(now).unwrap();
        trip.pong(&ping, now + ms(600));
        assert_eq!(trip.mean(), Some(ms(200)));
    }

    #[test]
    fn unsolicited_pongs_are_ignored() {
        let (mut trip, now) = (RoundTrip::default(), Instant::now());
        assert!(!trip.pong(b"", now));
        let first = trip.ping(now).unwrap();
        assert!(!trip.pong(b"", now));
        assert!(!trip.pong(&[0; 8], now));
        assert_eq!(trip.mean(), None);
        trip.pong(&first, now + ms(5));
        trip.pong(&first, now + ms(500));
        let now = now + PAUSE;
        let second = trip.ping(now).unwrap();
        trip.pong(&first, now);
        assert_eq!(trip.mean(), Some(ms(5)));
        trip.pong(&second, now + ms(5));
        assert_eq!(trip.mean(), Some(ms(5)));
    }
}

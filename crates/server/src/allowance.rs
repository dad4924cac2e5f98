//! How many messages a client may send: a token bucket that answers asked for do not draw on.

use std::time::{Duration, Instant};

/// What to do with a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Take it.
    Take,
    /// Drop it and say that messages come too fast.
    Warn,
    /// Drop it; the client has been told.
    Drop,
    /// Close the connection.
    Close,
}

/// A client's allowance.
#[derive(Debug)]
pub(crate) struct Allowance {
    tokens: f64,
    burst: f64,
    per_second: f64,
    updated: Instant,
    refused: u32,
}

impl Allowance {
    /// Messages refused in a row before the connection is closed.
    const PATIENCE: u32 = 50;

    pub(crate) fn new(burst: u32, per_second: u32, now: Instant) -> Allowance {
        let (burst, per_second) = (f64::from(burst), f64::from(per_second));
        Allowance {
            tokens: burst,
            burst,
            per_second,
            updated: now,
            refused: 0,
        }
    }

    /// Charges one message.
    pub(crate) fn charge(&mut self, now: Instant) -> Verdict {
        let elapsed: Duration = now.saturating_duration_since(self.updated);
        self.updated = now;
        self.grant(elapsed.as_secs_f64() * self.per_second);
        if self.tokens >= 1.0 {
            self.tokens -= 1.0;
            self.refused = 0;
            return Verdict::Take;
        }
        self.refused += 1;
        match self.refused {
            1 => Verdict::Warn,
            2..=Self::PATIENCE => Verdict::Drop,
            _ => Verdict::Close,
        }
    }

    /// Adds what the server asked the client for, such as a move.
    pub(crate) fn grant(&mut self, messages: f64) {
        self.tokens = (self.tokens + messages).min(self.burst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_told_once_then_closed() {
        let now = Instant::now();
        let mut allowance = Allowance::new(3, 1, now);
        let verdicts: Vec<Verdict> = (0..60).map(|_| allowance.charge(now)).collect();
        assert_eq!(
            verdicts[..5],
            [
                Verdict::Take,
                Verdict::Take,
                Verdict::Take,
                Verdict::Warn,
                Verdict::Drop
            ]
        );
        let refused = verdicts.iter().filter(|&&verdict| verdict != Verdict::Take);
        assert_eq!(refused.clone().count(), 57);
        assert_eq!(
            refused
                .filter(|&&verdict| verdict == Verdict::Close)
                .count(),
            7
        );
    }

    #[test]
    fn time_and_requests_fill_it_up_to_the_burst() {
        let now = Instant::now();
        let mut allowance = Allowance::new(2, 1, now);
        allowance.charge(now);
        allowance.charge(now);
        assert_eq!(allowance.charge(now), Verdict::Warn);
        assert_eq!(
            allowance.charge(now + Duration::from_secs(1)),
            Verdict::Take
        );
        assert_eq!(
            allowance.charge(now + Duration::from_secs(1)),
            Verdict::Warn
        );
        allowance.grant(1.0);
        assert_eq!(
            allowance.charge(now + Duration::from_secs(1)),
            Verdict::Take
        );
        let much_later = now + Duration::from_secs(3600);
        let taken = (0..5)
            .filter(|_| allowance.charge(much_later) == Verdict::Take)
            .count();
        assert_eq!(taken, 2);
    }
}

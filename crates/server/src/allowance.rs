//! How many messages a client may send: token buckets that answers asked for do not draw on.

use std::sync::{Arc, Mutex, PoisonError};
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

/// A bucket of tokens that fills up with time.
#[derive(Debug)]
pub(crate) struct Bucket {
    tokens: f64,
    burst: f64,
    per_second: f64,
    updated: Instant,
}

impl Bucket {
    /// A full bucket.
    pub(crate) fn new(burst: u32, per_second: u32, now: Instant) -> Bucket {
        let (burst, per_second) = (f64::from(burst), f64::from(per_second));
        Bucket {
            tokens: burst,
            burst,
            per_second,
            updated: now,
        }
    }

    /// Takes a token if there is one.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        let elapsed: Duration = now.saturating_duration_since(self.updated);
        self.updated = now;
        self.add(elapsed.as_secs_f64() * self.per_second);
        let has_one = self.tokens >= 1.0;
        if has_one {
            self.tokens -= 1.0;
        }
        has_one
    }

    fn add(&mut self, tokens: f64) {
        self.tokens = (self.tokens + tokens).min(self.burst);
    }
}

/// A bucket that several clients draw on.
pub(crate) type SharedBucket = Arc<Mutex<Bucket>>;

/// A client's allowance.
#[derive(Debug)]
pub(crate) struct Allowance {
    own: Bucket,
    /// What the clients of its address have together.
    shared: Option<SharedBucket>,
    refused: u32,
}

impl Allowance {
    /// Messages refused in a row before the connection is closed.
    const PATIENCE: u32 = 50;

    pub(crate) fn new(own: Bucket, shared: Option<SharedBucket>) -> Allowance {
        Allowance {
            own,
            shared,
            refused: 0,
        }
    }

    /// Charges one message.
    pub(crate) fn charge(&mut self, now: Instant) -> Verdict {
        if self.own.take(now) && self.with_shared(true, |shared| shared.take(now)) {
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
    pub(crate) fn grant(&mut self, messages: u32) {
        if messages > 0 {
            let tokens = f64::from(messages);
            self.own.add(tokens);
            self.with_shared((), |shared| shared.add(tokens));
        }
    }

    fn with_shared<T>(&self, otherwise: T, act: impl FnOnce(&mut Bucket) -> T) -> T {
        match &self.shared {
            Some(shared) => act(&mut shared.lock().unwrap_or_else(PoisonError::into_inner)),
            None => otherwise,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance(burst: u32, per_second: u32, now: Instant) -> Allowance {
        Allowance::new(Bucket::new(burst, per_second, now), None)
    }

    #[test]
    fn a_flood_is_told_once_then_closed() {
        let now = Instant::now();
        let mut allowance = allowance(3, 1, now);
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
        let mut allowance = allowance(2, 1, now);
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
        allowance.grant(1);
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

    #[test]
    fn clients_of_an_address_draw_on_one_bucket() {
        let now = Instant::now();
        let shared = Arc::new(Mutex::new(Bucket::new(3, 1, now)));
        let client = || Allowance::new(Bucket::new(100, 1, now), Some(Arc::clone(&shared)));
        let (mut anna, mut boris) = (client(), client());
        assert_eq!(anna.charge(now), Verdict::Take);
        assert_eq!(boris.charge(now), Verdict::Take);
        assert_eq!(anna.charge(now), Verdict::Take);
        assert_eq!(boris.charge(now), Verdict::Warn);
        assert_eq!(anna.charge(now), Verdict::Warn);
        boris.grant(1);
        assert_eq!(boris.charge(now), Verdict::Take);
    }
}

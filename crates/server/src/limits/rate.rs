//! Rate limits on messages: token buckets, with credit for messages that the server asked for.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What to do with a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RateVerdict {
    Accept,
    /// Drop it and say that messages come too fast.
    Warn,
    /// Drop it without another warning.
    Drop,
    /// Close the connection.
    Close,
}

/// A token bucket, which refills over time.
#[derive(Debug)]
pub(crate) struct TokenBucket {
    tokens: f64,
    burst: f64,
    per_second: f64,
    updated: Instant,
}

impl TokenBucket {
    /// A full bucket.
    pub(crate) fn new(burst: u32, per_second: u32, now: Instant) -> TokenBucket {
        let (burst, per_second) = (f64::from(burst), f64::from(per_second));
        TokenBucket {
            tokens: burst,
            burst,
            per_second,
            updated: now,
        }
    }

    /// A bucket that always has a token.
    pub(crate) fn unlimited(now: Instant) -> TokenBucket {
        TokenBucket {
            tokens: f64::INFINITY,
            burst: f64::INFINITY,
            per_second: 0.0,
            updated: now,
        }
    }

    /// Takes a token; `false` if there is none.
    pub(crate) fn try_acquire(&mut self, now: Instant) -> bool {
        let elapsed: Duration = now.saturating_duration_since(self.updated);
        self.updated = now;
        self.add(elapsed.as_secs_f64() * self.per_second);
        let has_one = self.tokens >= 1.0;
        if has_one {
            self.tokens -= 1.0;
        }
        has_one
    }

    pub(super) fn add(&mut self, tokens: f64) {
        self.tokens = (self.tokens + tokens).min(self.burst);
    }
}

/// A bucket that several clients share.
pub(crate) type SharedBucket = Arc<Mutex<TokenBucket>>;

/// The limit on a client's messages.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    own: TokenBucket,
    /// The bucket of the address.
    shared: Option<SharedBucket>,
    rejected: u32,
}

impl RateLimiter {
    /// Messages rejected in a row before the connection is closed.
    const MAX_REJECTED: u32 = 50;

    pub(crate) fn new(own: TokenBucket, shared: Option<SharedBucket>) -> RateLimiter {
        RateLimiter {
            own,
            shared,
            rejected: 0,
        }
    }

    /// Takes a token for one message.
    pub(crate) fn try_acquire(&mut self, now: Instant) -> RateVerdict {
        if self.own.try_acquire(now) && self.with_shared(true, |shared| shared.try_acquire(now)) {
            self.rejected = 0;
            return RateVerdict::Accept;
        }
        self.rejected += 1;
        match self.rejected {
            1 => RateVerdict::Warn,
            2..=Self::MAX_REJECTED => RateVerdict::Drop,
            _ => RateVerdict::Close,
        }
    }

    /// Adds tokens for messages that the server asked for, such as a move.
    pub(crate) fn credit(&mut self, messages: u32) {
        if messages > 0 {
            let tokens = f64::from(messages);
            self.own.add(tokens);
            self.with_shared((), |shared| shared.add(tokens));
        }
    }

    fn with_shared<T>(&self, otherwise: T, act: impl FnOnce(&mut TokenBucket) -> T) -> T {
        match &self.shared {
            Some(shared) => act(&mut shared.lock().unwrap_or_else(PoisonError::into_inner)),
            None => otherwise,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter(burst: u32, per_second: u32, now: Instant) -> RateLimiter {
        RateLimiter::new(TokenBucket::new(burst, per_second, now), None)
    }

    #[test]
    fn a_flood_is_warned_once_then_closed() {
        let now = Instant::now();
        let mut limiter = limiter(3, 1, now);
        let verdicts: Vec<RateVerdict> = (0..60).map(|_| limiter.try_acquire(now)).collect();
        assert_eq!(
            verdicts[..5],
            [
                RateVerdict::Accept,
                RateVerdict::Accept,
                RateVerdict::Accept,
                RateVerdict::Warn,
                RateVerdict::Drop
            ]
        );
        let rejected = verdicts
            .iter()
            .filter(|&&verdict| verdict != RateVerdict::Accept);
        assert_eq!(rejected.clone().count(), 57);
        assert_eq!(
            rejected
                .filter(|&&verdict| verdict == RateVerdict::Close)
                .count(),
            7
        );
    }

    #[test]
    fn time_and_credit_fill_it_up_to_the_burst() {
        let now = Instant::now();
        let mut limiter = limiter(2, 1, now);
        limiter.try_acquire(now);
        limiter.try_acquire(now);
        assert_eq!(limiter.try_acquire(now), RateVerdict::Warn);
        assert_eq!(
            limiter.try_acquire(now + Duration::from_secs(1)),
            RateVerdict::Accept
        );
        assert_eq!(
            limiter.try_acquire(now + Duration::from_secs(1)),
            RateVerdict::Warn
        );
        limiter.credit(1);
        assert_eq!(
            limiter.try_acquire(now + Duration::from_secs(1)),
            RateVerdict::Accept
        );
        let much_later = now + Duration::from_secs(3600);
        let taken = (0..5)
            .filter(|_| limiter.try_acquire(much_later) == RateVerdict::Accept)
            .count();
        assert_eq!(taken, 2);
    }

    #[test]
    fn an_unlimited_bucket_never_runs_dry() {
        let now = Instant::now();
        let mut bucket = TokenBucket::unlimited(now);
        assert!((0..100_000).all(|_| bucket.try_acquire(now + Duration::from_secs(9))));
    }

    #[test]
    fn clients_of_an_address_share_one_bucket() {
        let now = Instant::now();
        let shared = Arc::new(Mutex::new(TokenBucket::new(3, 1, now)));
        let client = || RateLimiter::new(TokenBucket::new(100, 1, now), Some(Arc::clone(&shared)));
        let (mut anna, mut boris) = (client(), client());
        assert_eq!(anna.try_acquire(now), RateVerdict::Accept);
        assert_eq!(boris.try_acquire(now), RateVerdict::Accept);
        assert_eq!(anna.try_acquire(now), RateVerdict::Accept);
        assert_eq!(boris.try_acquire(now), RateVerdict::Warn);
        assert_eq!(anna.try_acquire(now), RateVerdict::Warn);
        boris.credit(1);
        assert_eq!(boris.try_acquire(now), RateVerdict::Accept);
    }
}

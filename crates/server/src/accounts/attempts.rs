//! Limits on attempts to sign in, and on new accounts.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::error::AccountError;

/// The time after which a count starts again from 0.
const WINDOW: Duration = Duration::from_secs(15 * 60);

/// Passwords tried for one name.
const PER_NAME: u32 = 10;

/// Attempts to sign in from one address: high enough for a class that shares it.
const PER_ADDRESS: u32 = 100;

/// New accounts from one address in that time.
const REGISTRATIONS: u32 = 60;

/// The most names and addresses with a count. When it is reached, attempts of others are refused.
const MOST: usize = 20_000;

/// What is counted for an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum AttemptKind {
    SignIn,
    Registration,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum AttemptKey {
    Name(String),
    Address(AttemptKind, IpAddr),
}

/// The attempts of the last minutes.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    counts: Mutex<HashMap<AttemptKey, (u32, Instant)>>,
}

impl Attempts {
    /// Counts an attempt from an address. No limit applies to `None`.
    pub(super) fn admit_address(
        &self,
        kind: AttemptKind,
        from: Option<IpAddr>,
    ) -> Result<(), AccountError> {
        let most = match kind {
            AttemptKind::SignIn => PER_ADDRESS,
            AttemptKind::Registration => REGISTRATIONS,
        };
        match from {
            Some(address) => self.count(AttemptKey::Address(kind, address), most, Instant::now()),
            None => Ok(()),
        }
    }

    /// Counts a password for a name.
    pub(super) fn admit_name(&self, skeleton: &str) -> Result<(), AccountError> {
        self.count(
            AttemptKey::Name(skeleton.to_owned()),
            PER_NAME,
            Instant::now(),
        )
    }

    /// Forgets the attempts for a name, after the right password.
    pub(super) fn forget_name(&self, skeleton: &str) {
        self.lock().remove(&AttemptKey::Name(skeleton.to_owned()));
    }

    fn count(&self, key: AttemptKey, most: u32, now: Instant) -> Result<(), AccountError> {
        let mut counts = self.lock();
        if counts.len() >= MOST && !counts.contains_key(&key) {
            counts.retain(|_, (_, since)| now.saturating_duration_since(*since) <= WINDOW);
            if counts.len() >= MOST {
                return Err(AccountError::TooManyAttempts);
            }
        }
        let (count, since) = counts.entry(key).or_insert((0, now));
        if now.saturating_duration_since(*since) > WINDOW {
            (*count, *since) = (0, now);
        }
        if *count >= most {
            return Err(AccountError::TooManyAttempts);
        }
        *count += 1;
        Ok(())
    }

    /// A map of counts cannot be left half changed.
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<AttemptKey, (u32, Instant)>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_counted_for_a_while() {
        let attempts = Attempts::default();
        let now = Instant::now();
        let try_at = |now| {
            attempts
                .count(AttemptKey::Name("anna".into()), 2, now)
                .is_ok()
        };
        assert!(try_at(now) && try_at(now) && !try_at(now));
        assert!(!try_at(now + WINDOW));
        assert!(try_at(now + WINDOW + Duration::from_secs(1)));
        attempts.forget_name("anna");
        assert!(try_at(now) && try_at(now) && !try_at(now));
    }

    #[test]
    fn the_right_password_of_another_name_does_not_help() {
        let attempts = Attempts::default();
        for _ in 0..PER_NAME {
            attempts.admit_name("anna").unwrap();
        }
        attempts.forget_name("boris");
        assert!(attempts.admit_name("anna").is_err());
        assert!(attempts.admit_name("boris").is_ok());
    }
}

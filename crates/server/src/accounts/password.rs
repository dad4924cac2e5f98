//! Password hashes, computed off the runtime, a few at a time.

use std::sync::{Arc, LazyLock};

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::error::AccountError;

/// Characters of the shortest and the longest password.
pub(super) const SHORTEST: usize = 8;
pub(super) const LONGEST: usize = 128;

/// The number of hashes computed at a time. Each takes 19 MiB.
const AT_ONCE: usize = 2;

/// The number of passwords that may wait. Further ones are refused as [`AccountError::Busy`].
const QUEUE: usize = 32;

/// A hash to verify against for unknown names, so that they take as long.
static NOBODY: LazyLock<String> = LazyLock::new(|| hash("").unwrap_or_default());

/// Hashes and verifies passwords by Argon2id with 19 MiB of memory, two passes and one lane.
///
/// CITE: OWASP Password Storage Cheat Sheet (the least that it recommends); RFC 9106.
#[derive(Debug)]
pub(super) struct Passwords {
    waiting: Arc<Semaphore>,
    running: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Passwords {
        Passwords {
            waiting: Arc::new(Semaphore::new(AT_ONCE + QUEUE)),
            running: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }
}

impl Passwords {
    /// The hash of a new password, as a PHC string.
    pub(super) async fn hash(&self, password: &str) -> Result<String, AccountError> {
        if !(SHORTEST..=LONGEST).contains(&password.chars().count()) {
            return Err(AccountError::BadPassword);
        }
        let password = password.to_owned();
        self.run(move || hash(&password)).await?
    }

    /// Whether a password is the one with this hash. Takes as long if there is no hash.
    pub(super) async fn verify(
        &self,
        password: &str,
        stored: Option<String>,
    ) -> Result<bool, AccountError> {
        if password.chars().count() > LONGEST {
            return Ok(false);
        }
        let password = password.to_owned();
        let stored = stored.filter(|hash| !hash.is_empty());
        self.run(move || {
            let is_somebody = stored.is_some();
            let stored = stored.unwrap_or_else(|| NOBODY.clone());
            let is_right = PasswordHash::new(&stored).is_ok_and(|hash| {
                let verified = Argon2::default().verify_password(password.as_bytes(), &hash);
                verified.is_ok()
            });
            is_right && is_somebody
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AccountError> {
        let waiting = Arc::clone(&self.waiting).try_acquire_owned();
        let _waiting = waiting.map_err(|_| AccountError::Busy)?;
        let running = Arc::clone(&self.running).acquire_owned().await;
        let running = running.map_err(|_| AccountError::Busy)?;
        let task = spawn_blocking(move || {
            let done = work();
            drop(running);
            done
        });
        task.await.map_err(|_| AccountError::Busy)
    }
}

fn hash(password: &str) -> Result<String, AccountError> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    Ok(hash.map_err(|_| AccountError::BadPassword)?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_is_verified() {
        let passwords = Passwords::default();
        let hash = passwords.hash("correct horse").await.unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        let verify = async |password, stored| passwords.verify(password, stored).await.unwrap();
        assert!(verify("correct horse", Some(hash.clone())).await);
        assert!(!verify("correct horsf", Some(hash)).await);
        for stored in [None, Some(String::new()), Some("$argon2id$nonsense".into())] {
            assert!(!verify("", stored.clone()).await, "{stored:?}");
        }
    }

    #[tokio::test]
    async fn passwords_have_a_length() {
        let passwords = Passwords::default();
        for password in ["", "1234567", &"x".repeat(129)] {
            let refused = passwords.hash(password).await;
            assert!(matches!(refused, Err(AccountError::BadPassword)));
        }
        assert!(passwords.hash("12345678").await.is_ok());
    }

    #[tokio::test]
    async fn a_storm_of_passwords_is_refused() {
        let passwords = Passwords::default();
        let attempts = (0..AT_ONCE + QUEUE + 5).map(|_| passwords.verify("wrong", None));
        let answers = futures::future::join_all(attempts).await;
        let refused = answers.iter().filter(|answer| answer.is_err()).count();
        assert_eq!(refused, 5);
    }
}

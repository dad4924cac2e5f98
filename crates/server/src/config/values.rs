//! Parsers for the values of settings.

use crate::director::DirectorToken;
use crate::secret::Secret;

/// More connections than any machine has descriptors for.
const MOST_CONNECTIONS: usize = 1 << 20;

/// More threads than any machine searches on.
const MOST_THREADS: usize = 1024;

/// A number of threads.
pub(super) fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok();
    let threads = threads.filter(|threads| (1..=MOST_THREADS).contains(threads));
    threads.ok_or_else(|| format!("expected a whole number from 1 to {MOST_THREADS}"))
}

pub(super) fn parse_token(text: &str) -> Result<DirectorToken, String> {
    not_empty(text).map(DirectorToken::new)
}

/// A token that is sent in a header, which allows no other characters.
pub(super) fn parse_secret(text: &str) -> Result<Secret, String> {
    let text = not_empty(text)?;
    if text.trim() != text || !text.chars().all(|c| matches!(c, ' '..='~')) {
        let expected = "expected a token of visible ASCII characters without a space at either end";
        return Err(expected.to_owned());
    }
    Ok(Secret::new(text))
}

fn not_empty(text: &str) -> Result<&str, String> {
    if text.is_empty() {
        return Err("expected a token that is not empty".to_owned());
    }
    Ok(text)
}

pub(super) fn parse_connections(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    number
        .filter(|number| (1..=MOST_CONNECTIONS).contains(number))
        .ok_or_else(|| format!("expected a whole number from 1 to {MOST_CONNECTIONS}"))
}

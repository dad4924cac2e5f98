//! Parsers for the values of settings.

use checkers_lib::protocol::Registration;

use crate::director::DirectorToken;
use crate::secret::Secret;

/// More connections than any machine has file descriptors.
const MAX_CONNECTIONS: usize = 1 << 20;

/// More threads than any machine has cores.
const MAX_THREADS: usize = 1024;

pub(super) fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok();
    let threads = threads.filter(|threads| (1..=MAX_THREADS).contains(threads));
    threads.ok_or_else(|| format!("expected a whole number from 1 to {MAX_THREADS}"))
}

pub(super) fn parse_registration(text: &str) -> Result<Registration, String> {
    match text {
        "open" => Ok(Registration::Open),
        "invitation" => Ok(Registration::Invitation),
        "closed" => Ok(Registration::Closed),
        _ => Err("expected open, invitation or closed".to_owned()),
    }
}

pub(super) fn parse_token(text: &str) -> Result<DirectorToken, String> {
    not_empty(text).map(DirectorToken::new)
}

/// A token of characters that are allowed in a header.
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
        .filter(|number| (1..=MAX_CONNECTIONS).contains(number))
        .ok_or_else(|| format!("expected a whole number from 1 to {MAX_CONNECTIONS}"))
}

//! Shared secrets.

use std::fmt;

use subtle::ConstantTimeEq;

/// A secret text. It is never logged, and comparison takes constant time for texts of the same
/// length.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// The secret itself.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Whether `text` is the secret.
    pub fn matches(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Secret) -> bool {
        self.matches(&other.0)
    }
}

impl Eq for Secret {}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_matches_itself_and_is_not_printed() {
        let secret = Secret::new("word");
        assert!(secret.matches("word"));
        assert!(!secret.matches("wor") && !secret.matches("Word") && !secret.matches(""));
        assert!(!format!("{secret:?}").contains("word"));
    }
}

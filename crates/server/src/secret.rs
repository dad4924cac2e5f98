//! Secrets that clients show.

use std::fmt;

use subtle::ConstantTimeEq;

/// A text that shows who somebody is. It is never printed, and comparing it takes a time that
/// tells nothing but its length.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// A secret as it is given.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// Whether this text is the secret.
    pub fn is(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Secret) -> bool {
        self.is(&other.0)
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
    fn a_secret_is_known_and_not_printed() {
        let secret = Secret::new("word");
        assert!(secret.is("word"));
        assert!(!secret.is("wor") && !secret.is("Word") && !secret.is(""));
        assert!(!format!("{secret:?}").contains("word"));
    }
}

//! The secrets that sign in.

use std::fmt;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::lobby::secrets::draw_letters;

/// Letters of a link: 130 random bits.
const LINK_LETTERS: usize = 26;

/// Letters of a recovery code, which people copy by hand: 100 random bits.
const RECOVERY_LETTERS: usize = 20;

/// Letters between two hyphens of a recovery code.
const GROUP: usize = 5;

/// Bytes of a session's secret.
const SESSION_BYTES: usize = 32;

/// A secret that signs in. Only its hash is stored, and `Debug` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SecretCode(String);

impl SecretCode {
    /// Draws the secret of a session: 256 random bits in hexadecimal.
    ///
    /// # Errors
    /// The system has no randomness.
    pub(crate) fn session() -> Result<SecretCode, getrandom::Error> {
        let mut bytes = [0; SESSION_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(SecretCode(HEXLOWER.encode(&bytes)))
    }

    /// Draws the code of a link or an invitation.
    ///
    /// # Errors
    /// The system has no randomness.
    pub(crate) fn link() -> Result<SecretCode, getrandom::Error> {
        draw_letters(LINK_LETTERS).map(SecretCode)
    }

    /// Draws a recovery code.
    ///
    /// # Errors
    /// The system has no randomness.
    pub(crate) fn recovery() -> Result<SecretCode, getrandom::Error> {
        draw_letters(RECOVERY_LETTERS).map(SecretCode)
    }

    /// Parses a code as typed by a person: case, spaces and hyphens are ignored.
    pub(crate) fn parse(text: &str) -> SecretCode {
        let letters = text.chars().filter(|c| !c.is_whitespace() && *c != '-');
        SecretCode(letters.flat_map(char::to_lowercase).collect())
    }

    /// The secret for its owner; a recovery code in groups.
    pub(crate) fn to_text(&self) -> String {
        if self.0.len() != RECOVERY_LETTERS {
            return self.0.clone();
        }
        let letters: Vec<char> = self.0.chars().collect();
        let groups: Vec<String> = letters
            .chunks(GROUP)
            .map(|group| group.iter().collect())
            .collect();
        groups.join("-")
    }

    /// What the server stores.
    pub(crate) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl fmt::Debug for SecretCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretCode(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_people_type_them() {
        let code = SecretCode::recovery().unwrap();
        let text = code.to_text();
        assert_eq!(text.len(), 23, "{text}");
        for typed in [
            text.to_uppercase(),
            text.replace('-', " "),
            format!(" {text}\n"),
        ] {
            assert_eq!(SecretCode::parse(&typed), code, "{typed}");
        }
        assert!(!format!("{code:?}").contains(&text[..5]));
    }
}

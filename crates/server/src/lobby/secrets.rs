//! Random values: clients' secrets, ids of tables, colours.

use std::fmt;

use checkers_lib::Color;
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use event_store::TokenHash;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The letters of ids and codes, without similar ones.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The length of a table's id.
pub(crate) const ID_LENGTH: usize = 8;

const TOKEN_BYTES: usize = 16;

/// A client's secret: 128 random bits. It is never logged; only its hash is stored.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ClientToken([u8; TOKEN_BYTES]);

impl ClientToken {
    /// Draws a token.
    ///
    /// # Errors
    /// The system has no randomness.
    pub(crate) fn draw() -> Result<ClientToken, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(ClientToken(bytes))
    }

    /// Parses the form of [`ClientToken::to_text`].
    pub(crate) fn parse(text: &str) -> Option<ClientToken> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?;
        bytes.try_into().ok().map(ClientToken)
    }

    /// The token for its owner.
    pub(crate) fn to_text(&self) -> String {
        HEXLOWER.encode(&self.0)
    }

    /// The hash, which is what the server stores.
    pub(crate) fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0).into())
    }
}

impl fmt::Debug for ClientToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientToken(…)")
    }
}

/// What the text of an account's key begins with.
const ACCOUNT: &str = "account:";

/// How the lobby identifies a client. Between nodes it is a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum Identity {
    /// The secret of a guest.
    Guest(ClientToken),
    /// The key of an account. Only a server that has checked another secret makes one; no client sends it.
    Account(TokenHash),
}

impl TryFrom<String> for Identity {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Identity, &'static str> {
        let identity = match text.strip_prefix(ACCOUNT) {
            Some(key) => TokenHash::from_hex(key).map(Identity::Account),
            None => ClientToken::parse(&text).map(Identity::Guest),
        };
        identity.ok_or("expected a token, or the key of an account")
    }
}

impl From<Identity> for String {
    fn from(identity: Identity) -> String {
        match identity {
            Identity::Guest(token) => token.to_text(),
            Identity::Account(key) => format!("{ACCOUNT}{}", key.to_hex()),
        }
    }
}

impl Identity {
    /// The key by which tables know the client.
    pub(crate) fn hash(&self) -> TokenHash {
        match self {
            Identity::Guest(token) => token.hash(),
            Identity::Account(key) => *key,
        }
    }

    /// Whether the client owns an account, and with it the name.
    pub(crate) fn is_account(&self) -> bool {
        matches!(self, Identity::Account(_))
    }
}

/// Draws the id of a table, which cannot be guessed.
///
/// # Errors
/// The system has no randomness.
pub(crate) fn draw_table_id() -> Result<String, getrandom::Error> {
    draw_letters(ID_LENGTH)
}

/// Draws letters and digits, five random bits each, without similar ones.
///
/// # Errors
/// The system has no randomness.
pub(crate) fn draw_letters(count: usize) -> Result<String, getrandom::Error> {
    let mut bytes = vec![0; count];
    getrandom::fill(&mut bytes)?;
    let letter = |byte| char::from(LETTERS[usize::from(byte) % LETTERS.len()]);
    Ok(bytes.into_iter().map(letter).collect())
}

/// Draws a colour.
pub(crate) fn draw_color() -> Color {
    let mut coin = [0];
    // Without randomness it is always the first one.
    let _ = getrandom::fill(&mut coin);
    Color::ALL[usize::from(coin[0] % 2)]
}

pub(crate) fn draw_number() -> u32 {
    let mut bytes = [0; 4];
    // Without randomness it is always 0.
    let _ = getrandom::fill(&mut bytes);
    u32::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_round_trip_and_are_not_printed() {
        let token = ClientToken::draw().unwrap();
        let text = token.to_text();
        assert_eq!(text.len(), 32);
        assert_eq!(ClientToken::parse(&text), Some(token.clone()));
        assert!(!format!("{token:?}{:?}", token.hash()).contains(&text[..8]));
        for bad in ["", "00", &"g".repeat(32), &"0".repeat(33), &"é".repeat(16)] {
            assert_eq!(ClientToken::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_identity_is_a_guest_s_token_or_an_account_s_key() {
        let guest = Identity::Guest(ClientToken::draw().unwrap());
        let account = Identity::Account(guest.hash());
        for identity in [&guest, &account] {
            let text = String::from(identity.clone());
            assert_eq!(Identity::try_from(text).as_ref(), Ok(identity));
        }
        assert_eq!(account.hash(), guest.hash());
        assert_eq!((guest.is_account(), account.is_account()), (false, true));
        assert!(Identity::try_from("account:00".to_owned()).is_err());
    }

    #[test]
    fn random_values_differ() {
        let hashes = [ClientToken::draw(), ClientToken::draw()].map(|token| token.unwrap().hash());
        assert_ne!(hashes[0], hashes[1]);
        let ids = [draw_table_id(), draw_table_id()].map(Result::unwrap);
        assert_ne!(ids[0], ids[1]);
        assert!(ids[0].chars().all(|c| c.is_ascii_alphanumeric()), "{ids:?}");
        let colors: Vec<Color> = (0..64).map(|_| draw_color()).collect();
        assert!(Color::ALL.iter().all(|color| colors.contains(color)));
    }
}

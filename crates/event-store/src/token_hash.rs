//! By what a player is known again.

use std::fmt;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The hash of a player's secret token. It is never printed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl TokenHash {
    /// 64 hexadecimal digits.
    pub fn to_hex(&self) -> String {
        HEXLOWER.encode(&self.0)
    }

    /// Parses 64 hexadecimal digits.
    pub fn from_hex(digits: &str) -> Option<TokenHash> {
        let bytes = HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok()?;
        bytes.try_into().ok().map(TokenHash)
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}

impl Serialize for TokenHash {
    /// Writes it in hexadecimal digits.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_hex())
    }
}

impl<'de> Deserialize<'de> for TokenHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TokenHash, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let hash = TokenHash::from_hex(&digits);
        hash.ok_or_else(|| de::Error::custom("expected 64 hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_hash_is_not_printed() {
        assert_eq!(format!("{:?}", TokenHash([1; 32])), "TokenHash(…)");
    }
}

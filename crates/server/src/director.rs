//! The token of a table's director.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::secret::Secret;

/// The secret of a table's director: a client that has it is the director. It is never logged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DirectorToken(Secret);

impl DirectorToken {
    /// Wraps a configured or received token.
    pub fn new(text: impl Into<String>) -> DirectorToken {
        DirectorToken(Secret::new(text))
    }
}

impl Serialize for DirectorToken {
    /// Writes the secret, for another node of the cluster.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.expose())
    }
}

impl<'de> Deserialize<'de> for DirectorToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DirectorToken, D::Error> {
        String::deserialize(deserializer).map(DirectorToken::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_not_printed() {
        let token = DirectorToken::new("secret");
        assert!(!format!("{token:?}").contains("secret"));
    }
}

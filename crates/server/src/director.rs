//! The token of a table's director.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_not_printed() {
        let token = DirectorToken::new("secret");
        assert!(!format!("{token:?}").contains("secret"));
    }
}

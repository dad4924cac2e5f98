//! Who may direct a table.

use crate::secret::Secret;

/// What the director of a table shows: whoever knows it is the director. It is never printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DirectorToken(Secret);

impl DirectorToken {
    /// A token as it is given or shown.
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

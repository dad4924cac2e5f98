//! Who may direct a table.

use std::fmt;

use crate::secret::Secret;

/// What the director of a table shows: whoever knows it is the director. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct DirectorToken(Secret);

impl DirectorToken {
    /// A token as it is given or shown.
    pub fn new(text: impl Into<String>) -> DirectorToken {
        DirectorToken(Secret::new(text))
    }
}

impl fmt::Debug for DirectorToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DirectorToken(…)")
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

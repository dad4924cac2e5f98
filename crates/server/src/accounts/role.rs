//! What an account may do.

/// What an account is, and may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A person who plays.
    Person,
    /// A program, which is marked as one.
    Bot,
    /// A person who looks after the conversations and reports of others.
    Moderator,
    /// A person who may change every account.
    Administrator,
    /// Nobody: the account is being deleted, and its name is still in games.
    Leaving,
}

impl Role {
    const ALL: [Role; 5] = [
        Role::Person,
        Role::Bot,
        Role::Moderator,
        Role::Administrator,
        Role::Leaving,
    ];

    /// Its name in the store.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Role::Person => "person",
            Role::Bot => "bot",
            Role::Moderator => "moderator",
            Role::Administrator => "administrator",
            Role::Leaving => "leaving",
        }
    }

    /// The role with a name; a person for one that this version does not know.
    pub(crate) fn from_text(text: &str) -> Role {
        let mut roles = Role::ALL.into_iter();
        roles
            .find(|role| role.text() == text)
            .unwrap_or(Role::Person)
    }
}

//! What it takes to come back after the connection was lost. Pure.

use checkers_lib::protocol::{Join, ServerMessage, Since};

/// What the server has given and said that a client has to show and to name when it comes back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ResumeState {
    /// The secret by which the server knows the client again.
    token: Option<String>,
    /// The table where the client plays.
    table: Option<String>,
    /// The last event that it has had of it.
    since: Option<Since>,
}

impl ResumeState {
    /// For joining this table, perhaps with the token of an account.
    pub(crate) fn to(table: Option<String>, token: Option<String>) -> ResumeState {
        ResumeState {
            table,
            token,
            ..ResumeState::default()
        }
    }

    /// Whether the server would know the client again.
    pub(crate) fn is_valid(&self) -> bool {
        self.token.is_some()
    }

    /// The table to go to; `None` for the one at which everybody arrives.
    pub(crate) fn table(&self) -> Option<&str> {
        self.table.as_deref()
    }

    /// Forgets the client's table, and returns it.
    pub(crate) fn leave_table(&mut self) -> Option<String> {
        self.since = None;
        self.table.take()
    }

    /// How to come in, or back.
    pub(crate) fn join(&self, name: &str) -> Join {
        Join {
            token: self.token.clone(),
            since: self.since.filter(|_| self.is_valid()),
            ..Join::new(name)
        }
    }

    /// Handles a message of the server.
    pub(crate) fn note(&mut self, message: &ServerMessage) {
        let (game, seq) = match message {
            ServerMessage::Joined(joined) => {
                self.token.clone_from(&joined.token);
                if !joined.resumed {
                    self.since = None;
                }
                return;
            }
            ServerMessage::TableCreated { table } | ServerMessage::Paired { table, .. } => {
                *self = ResumeState {
                    token: self.token.take(),
                    table: Some(table.clone()),
                    since: None,
                };
                return;
            }
            ServerMessage::GameStarted(state) | ServerMessage::GameState(state) => {
                (state.game, state.seq)
            }
            ServerMessage::TableState(table) => match &table.state {
                Some(state) => (state.game, state.seq),
                None => return,
            },
            ServerMessage::Moved { game, seq, .. }
            | ServerMessage::TookBack { game, seq, .. }
            | ServerMessage::GameOver { game, seq, .. } => (*game, *seq),
            ServerMessage::Offered {
                game,
                seq: Some(seq),
                ..
            }
            | ServerMessage::Declined {
                game,
                seq: Some(seq),
                ..
            } => (*game, *seq),
            _ => return,
        };
        self.since = Some(Since { game, seq });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkers_lib::protocol::{Joined, Offer, WireColor};

    fn joined(token: &str, resumed: bool) -> ServerMessage {
        ServerMessage::Joined(Joined {
            token: Some(token.to_owned()),
            resumed,
            ..Joined::default()
        })
    }

    fn declined(seq: Option<u32>) -> ServerMessage {
        ServerMessage::Declined {
            table: "main".to_owned(),
            game: 3,
            seq,
            offer: Offer::Draw,
            by: WireColor::White,
        }
    }

    #[test]
    fn a_client_comes_back_to_where_it_was() {
        let mut resume = ResumeState::to(Some("k3x".to_owned()), None);
        assert!(!resume.is_valid());
        assert_eq!(resume.join("b1"), Join::new("b1"));
        resume.note(&joined("secret", false));
        resume.note(&declined(Some(9)));
        resume.note(&declined(None));
        assert_eq!(resume.table(), Some("k3x"));
        let join = resume.join("b1");
        assert_eq!(join.token.as_deref(), Some("secret"));
        assert_eq!(join.since, Some(Since { game: 3, seq: 9 }));
        resume.note(&joined("secret", true));
        assert_eq!(resume.join("b1"), join);
    }

    #[test]
    fn a_server_that_has_forgotten_the_client_has_forgotten_its_game() {
        let mut resume = ResumeState::default();
        resume.note(&joined("one", false));
        resume.note(&declined(Some(9)));
        resume.note(&joined("two", false));
        let join = resume.join("b1");
        assert_eq!((join.token.as_deref(), join.since), (Some("two"), None));
    }

    #[test]
    fn a_table_of_its_own_is_where_it_goes() {
        let mut resume = ResumeState::default();
        resume.note(&joined("one", false));
        let table = "k3x".to_owned();
        resume.note(&ServerMessage::TableCreated { table });
        assert_eq!(resume.table(), Some("k3x"));
        assert!(resume.is_valid());
    }
}

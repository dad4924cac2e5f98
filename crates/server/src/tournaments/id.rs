//! The ids of tournaments.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayString;

use crate::lobby::secrets::ID_LENGTH;

/// What the events of tournaments begin with.
const EVENT: &str = "tournament-";

/// The id of a tournament, such as `k3x9w2ab`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TournamentId(ArrayString<ID_LENGTH>);

/// A text that is no id.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected the id of a tournament: {ID_LENGTH} letters and digits")]
pub(crate) struct TournamentIdError;

impl TournamentId {
    /// The event that its games belong to.
    pub(crate) fn event(self) -> String {
        format!("{EVENT}{self}")
    }
}

/// The tournament that an event is, if it is one.
pub(crate) fn of_event(event: &str) -> Option<TournamentId> {
    event.strip_prefix(EVENT)?.parse().ok()
}

/// Whether an event is a tournament.
pub(crate) fn is_tournament(event: &str) -> bool {
    event.starts_with(EVENT)
}

impl fmt::Display for TournamentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for TournamentId {
    type Err = TournamentIdError;

    fn from_str(text: &str) -> Result<TournamentId, TournamentIdError> {
        let is_id =
            text.len() == ID_LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let id = ArrayString::from(text).map_err(|_| TournamentIdError)?;
        is_id.then_some(TournamentId(id)).ok_or(TournamentIdError)
    }
}

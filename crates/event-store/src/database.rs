//! What the writer asks of a database.

use super::error::WriteError;
use super::event::{Append, NewEvent, Seq};

/// What the writer asks of the database; tests put one that fails in its place.
pub(super) trait Database: Send + 'static {
    /// Writes `appends` in one transaction: all that are not refused, or nothing.
    fn commit(&mut self, appends: &[Append]) -> Result<Vec<AppendResult>, CommitFailure>;

    /// Takes what is to be called when a commit takes long; it goes on all the same.
    fn on_slow(&mut self, _report: SlowReport) {}

    /// Tries to write again after a failure. Returns for certain, and for good, which of `unknown` were
    /// written. `unknown` is what the last call of [`Database::commit`] was given, or empty.
    fn recover(&mut self, unknown: &[Append]) -> Result<Vec<bool>, CommitFailure>;
}

/// Reports that a commit takes long.
pub(super) type SlowReport = Box<dyn Fn() + Send>;

/// The answer to an append of a committed transaction.
pub(super) type AppendResult = Result<Seq, WriteError>;

/// Why a transaction was not committed.
#[derive(Debug)]
pub(super) struct CommitFailure {
    pub(super) cause: String,
    /// Whether it may be in the database all the same.
    pub(super) is_unknown: bool,
    /// Whether the database can never be written again.
    pub(super) is_final: bool,
}

/// Refuses an append that says nothing, or something that no event may be.
pub(super) fn check_form(append: &Append) -> Result<(), WriteError> {
    if append.events.is_empty() && !append.closes() {
        return Err(WriteError::Empty);
    }
    match append
        .events
        .iter()
        .position(|event| !is_well_formed(event))
    {
        Some(i) => Err(WriteError::Malformed {
            stream: append.stream.clone(),
            seq: append.after.plus(i + 1),
        }),
        None => Ok(()),
    }
}

fn is_well_formed(event: &NewEvent) -> bool {
    event.kind.len() <= NewEvent::MAX_KIND
        && !event.kind.contains('\0')
        && event.payload.len() <= NewEvent::MAX_PAYLOAD
        && str::from_utf8(&event.payload).is_ok_and(|payload| !payload.contains('\0'))
}

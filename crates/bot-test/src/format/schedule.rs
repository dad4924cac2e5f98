//! What a scheduler asks of a format.

use serde::Serialize;

use super::{Bracket, SprtReport, SwissTable};
use crate::Pairing;
use crate::results::Results;

/// The pairings of a tournament, as its format yields them: one after the other, the later ones
/// as the results of the earlier ones come in.
///
/// A pairing depends only on its number and the results of pairings with lower numbers: not on the
/// order in which results arrived, on how many pairings ran at the same time, or on how often it
/// was asked for. So an interrupted tournament resumes when a new schedule is asked for all its
/// pairings again, with the results so far.
pub trait Schedule: Send {
    /// What to do about the pairing of this number. To be asked for 0, 1, 2, … in this order, and
    /// again for the same one after [`Next::Wait`] and another result.
    fn next(&mut self, id: u64, results: &Results) -> Next;

    /// How many pairings the tournament has, where that is known at the last call of
    /// [`Schedule::next`].
    fn total(&self) -> Option<u64>;

    /// The first pairing that does not count, once that is known at the last call of
    /// [`Schedule::next`]: it and all later ones were begun before the others had decided the
    /// tournament. `None` while everything counts.
    fn counted(&self) -> Option<u64>;

    /// What the format adds to the table of all results.
    fn report(&self, results: &Results) -> FormatReport;
}

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Play this pairing, unless it is finished already.
    Play(Pairing),
    /// Ask again when another pairing is finished.
    Wait,
    /// There is no such pairing: all that count are finished.
    Done,
}

/// What a format adds to the table of all results.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FormatReport {
    /// Nothing.
    Plain,
    Knockout(Bracket),
    /// The rounds of a Swiss tournament and its standings.
    Swiss(SwissTable),
    /// What the sequential test says.
    Sprt(SprtReport),
}

//! What a scheduler asks of a format.

use serde::Serialize;

use super::{Bracket, SprtReport, SwissTable};
use crate::Pairing;
use crate::results::Results;

/// The pairings of a tournament, as its format yields them: one after the other, the later ones
/// as the results of the earlier ones come in.
///
/// What pairing a number has follows from the results of pairings with lower numbers alone: not
/// from the order in which they came in, nor from how many were under way at the same time, nor
/// from how often anybody asked. So a tournament that was broken off goes on where it was when a
/// new schedule is asked for all its pairings once more, with the results there are.
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

    /// What there is to tell beyond the table of all results.
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

/// What a format tells beyond the table of all results.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FormatReport {
    /// Nothing.
    Plain,
    /// Who knocked out whom.
    Knockout(Bracket),
    /// The rounds of a Swiss tournament and its standings.
    Swiss(SwissTable),
    /// What the sequential test says.
    Sprt(SprtReport),
}

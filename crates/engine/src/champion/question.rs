//! What a search is asked, and what it answers.

use std::time::Duration;

use checkers_lib::Move;

use crate::{Limits, Score};

/// What is to be found out about a position.
#[derive(Clone, Debug)]
pub struct Question {
    /// What bounds the search. Without any bound it goes on to the greatest depth there is, or
    /// until it is stopped.
    pub limits: Limits,
    /// The number of best moves to report, each with its line; at least 1.
    pub lines: usize,
    /// The moves to choose from; empty for all legal moves.
    pub moves: Vec<Move>,
    /// Whether a move is to be played, so that [`Options::contempt`](crate::Options::contempt) counts.
    /// Whoever wants to know what a position is worth does without.
    pub is_to_play: bool,
}

impl Default for Question {
    /// The best move, without bounds.
    fn default() -> Question {
        Question {
            limits: Limits::default(),
            lines: 1,
            moves: Vec::new(),
            is_to_play: false,
        }
    }
}

/// What is known after an iteration.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchReport {
    /// How many plies deep the iteration was.
    pub depth: u32,
    /// The nodes of all threads so far.
    pub nodes: u64,
    /// The time so far.
    pub time: Duration,
    /// How much of the transposition table this search has filled, in permille.
    pub full: u32,
    /// The best moves with their lines, the best first.
    pub lines: Vec<Variation>,
}

/// A line of best play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// What it is worth to the side to move, in centi-logits; [`win_chance`](crate::win_chance)
    /// makes a chance of it.
    pub score: Score,
    /// The moves, legal to the end; one at least.
    pub pv: Vec<Move>,
}

/// The end of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchAnswer {
    /// What is known at the end. Its depth is that of the last iteration that was finished.
    pub report: SearchReport,
    /// Whether the search came to its end; if not, the limits ended it.
    pub complete: bool,
}

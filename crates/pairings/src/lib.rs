//! Who plays whom in a tournament, and who leads it.
//!
//! Pure functions of the results so far: no input or output, no clock, no randomness. Players are numbers from 0, in the
//! order of their seeding.

pub mod arena;
pub mod knockout;
mod matching;
pub mod round_robin;
pub mod rounds;
pub mod swiss;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// White won.
    White,
    /// A draw.
    Draw,
    /// Black won.
    Black,
}

/// A finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Game {
    /// White and Black.
    pub players: [usize; 2],
    /// Its result.
    pub outcome: Outcome,
}

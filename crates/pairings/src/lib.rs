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
pub enum GameOutcome {
    /// White won.
    White,
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
    pub outcome: GameOutcome,
}

/// Players in the order of their places, each with its place from 1. Those with equal keys share a place; smaller keys
/// come first.
fn places<K: Ord>(keys: &[K]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|&player| (&keys[player], player));
    let mut places: Vec<(usize, usize)> = Vec::with_capacity(order.len());
    for (at, player) in order.into_iter().enumerate() {
        let shared = places
            .last()
            .filter(|(_, last)| keys[*last] == keys[player]);
        let place = shared.map_or(at + 1, |(place, _)| *place);
        places.push((place, player));
    }
    places
}

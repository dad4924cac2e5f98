//! Counting the leaves of the game tree: the usual proof that a move generator is right.

use std::collections::HashSet;

use crate::{Move, MoveList, Position, Route, Square};

/// The number of move sequences of `depth` plies, each move counted once by its effect. The last
/// ply is counted, not made.
///
/// # Examples
/// ```
/// use checkers_lib::{Position, perft};
/// assert_eq!(perft::effects(&Position::start(), 5), 7482);
/// ```
pub fn effects(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves() as u64,
        // By itself, so that the compiler drops what only deeper plies read, the keys above all.
        2 => sum_over_children(position, |child| child.count_moves() as u64),
        _ => sum_over_children(position, |child| effects(child, depth - 1)),
    }
}

#[inline]
fn sum_over_children(position: &Position, leaves_after: impl Fn(&Position) -> u64) -> u64 {
    let mut moves = MoveList::new();
    position.legal_moves_into(&mut moves);
    let play = |&m: &Move| {
        let mut child = position.clone();
        child.play_unchecked(m);
        child
    };
    moves.iter().map(|m| leaves_after(&play(m))).sum()
}

/// Like [`effects`], but every landing square on the way makes a move of its own.
pub fn routes(position: &Position, depth: u32) -> u64 {
    count_ways(position, depth, ways_by_route)
}

/// Like [`effects`], but two captures that take the same pieces in another order are two moves.
pub fn orders(position: &Position, depth: u32) -> u64 {
    count_ways(position, depth, ways_by_order)
}

/// As how many moves [`routes`] counts the legal move `m`.
pub fn ways_by_route(position: &Position, m: Move) -> u64 {
    ways(position, m, |route| route.squares)
}

/// As how many moves [`orders`] counts the legal move `m`.
pub fn ways_by_order(position: &Position, m: Move) -> u64 {
    ways(position, m, |route| route.captures)
}

fn ways(position: &Position, m: Move, tell_apart: fn(Route) -> Vec<Square>) -> u64 {
    if !m.is_capture() {
        return 1;
    }
    let routes = m.routes(position).into_iter();
    routes.map(tell_apart).collect::<HashSet<_>>().len() as u64
}

fn count_ways(position: &Position, depth: u32, ways: fn(&Position, Move) -> u64) -> u64 {
    if depth == 0 {
        return 1;
    }
    let leaves_after = |&m: &Move| {
        let mut child = position.clone();
        child.play_unchecked(m);
        ways(position, m) * count_ways(&child, depth - 1, ways)
    };
    position.legal_moves().iter().map(leaves_after).sum()
}

//! Counting the leaves of the game tree: the usual proof that a move generator is right.

use std::collections::HashSet;

use crate::{Move, MoveList, Position};

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
    count_ways(position, depth, |route| route.squares.clone())
}

/// Like [`effects`], but two captures that take the same pieces in another order are two moves.
pub fn orders(position: &Position, depth: u32) -> u64 {
    count_ways(position, depth, |route| route.captures.clone())
}

/// Counts as separate moves the ways that `tell_apart` tells apart within one effect.
fn count_ways(
    position: &Position,
    depth: u32,
    tell_apart: fn(&crate::Route) -> Vec<crate::Square>,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for &m in &position.legal_moves() {
        let ways = if m.is_capture() {
            m.routes(position)
                .iter()
                .map(tell_apart)
                .collect::<HashSet<_>>()
                .len()
        } else {
            1
        };
        let mut child = position.clone();
        child.play_unchecked(m);
        count += ways as u64 * count_ways(&child, depth - 1, tell_apart);
    }
    count
}

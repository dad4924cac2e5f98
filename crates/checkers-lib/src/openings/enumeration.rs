//! Every quiet way to begin.

use std::collections::HashSet;

use super::Opening;
use crate::{Move, Position};

/// All positions that `plies` quiet moves from the start lead to, each once, and in none of which
/// the side to move must capture. So nothing is captured on the way, nothing hangs at the end.
///
/// Of the ways to a position its opening has the first, and the openings come in order, by square
/// of departure, then of arrival, move for move: an order that depends on the game alone.
///
/// O(the result) in time and memory. There are
///
/// | plies | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |
/// |---|---|---|---|---|---|---|---|---|---|---|---|
/// | positions | 1 | 7 | 38 | 118 | 354 | 1,010 | 2,481 | 4,799 | 8,566 | 14,568 | 23,494 |
pub fn enumerate(plies: usize) -> Vec<Opening> {
    let mut openings = vec![Opening::new(Position::start())];
    for _ in 0..plies {
        openings = one_ply_on(&openings);
    }
    openings
}

fn one_ply_on(openings: &[Opening]) -> Vec<Opening> {
    let mut seen = HashSet::new();
    let continuations = openings.iter().flat_map(|opening| {
        let moves = sorted_moves(&opening.position).into_iter();
        moves.filter_map(|m| quietly_after(opening, m))
    });
    continuations
        .filter(|opening| seen.insert(opening.position.clone()))
        .collect()
}

fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable_by_key(|m| (m.from(), m.to()));
    moves
}

/// The opening and one more of its quiet moves, unless the answer to it must be a capture.
fn quietly_after(opening: &Opening, m: Move) -> Option<Opening> {
    let mut longer = opening.clone();
    longer.position.play_unchecked(m);
    longer.moves.push(m);
    (!longer.position.must_capture()).then_some(longer)
}

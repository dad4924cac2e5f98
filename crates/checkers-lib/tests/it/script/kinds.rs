//! Kinds of moves, the same for both colours.

use checkers_lib::{Bitboard, Color, Position};

use super::Ply;

/// A king moves, takes nothing and leaves the opponent a move.
pub(crate) fn king_moves(ply: &Ply) -> bool {
    let is_king = ply.before.kings(ply.before.turn()).contains(ply.m.from());
    is_king && !ply.m.is_capture() && !ply.after.is_lost()
}

/// A man moves and stays a man.
pub(crate) fn man_moves(ply: &Ply) -> bool {
    let is_man = ply.before.men(ply.before.turn()).contains(ply.m.from());
    is_man && !ply.m.is_capture() && !ply.m.promotes()
}

/// A man becomes a king without a capture.
pub(crate) fn promotes(ply: &Ply) -> bool {
    ply.m.promotes() && !ply.m.is_capture()
}

/// One piece is captured, and both sides still have a king.
pub(crate) fn captures_a_single_piece(ply: &Ply) -> bool {
    let both_have_kings = Color::ALL.map(|side| !ply.after.kings(side).is_empty());
    ply.m.captured().len() == 1 && both_have_kings == [true, true]
}

/// The capture leaves the opponent a lone king.
pub(crate) fn strong_side_captures(ply: &Ply) -> bool {
    captures_a_single_piece(ply) && lone_king(ply.after) == Some(ply.after.turn())
}

/// The lone king captures one piece and stays the lone king.
pub(crate) fn lone_king_captures(ply: &Ply) -> bool {
    captures_a_single_piece(ply) && lone_king(ply.after) == Some(ply.before.turn())
}

/// The same, and the king is alone on the main road afterwards.
pub(crate) fn lone_king_captures_on_the_road(ply: &Ply) -> bool {
    lone_king_captures(ply) && road_is_the_lone_kings(ply.after)
}

/// Nothing is captured, nobody promotes, and a lone king has the main road for itself.
pub(crate) fn on_the_road(ply: &Ply) -> bool {
    !ply.m.is_capture() && !ply.m.promotes() && road_is_the_lone_kings(ply.after)
}

/// The same, by a king.
pub(crate) fn on_the_road_by_kings(ply: &Ply) -> bool {
    king_moves(ply) && road_is_the_lone_kings(ply.after)
}

/// A king moves, and no lone king has the main road for itself.
pub(crate) fn off_the_road(ply: &Ply) -> bool {
    king_moves(ply) && !road_is_the_lone_kings(ply.after)
}

/// A king moves, and a lone king shares the main road with one other piece.
pub(crate) fn king_moves_on_a_shared_road(ply: &Ply) -> bool {
    let on_road = ply.after.occupied() & Bitboard::MAIN_ROAD;
    let lone_king = lone_king(ply.after).map(|side| ply.after.pieces(side));
    king_moves(ply) && on_road.len() == 2 && lone_king.is_some_and(|king| king & on_road == king)
}

/// The lone king's only answer is to go on in its cage.
pub(crate) fn keeps_the_cage_shut(ply: &Ply) -> bool {
    let is_caged = lone_king(ply.after) == Some(ply.after.turn());
    king_moves(ply) && (!is_caged || ply.after.count_moves() == 1 && !ply.after.must_capture())
}

/// The opponent is left without a move.
pub(crate) fn wins(ply: &Ply) -> bool {
    ply.after.is_lost()
}

/// Whether a lone king stands on the main road and nothing else does.
fn road_is_the_lone_kings(position: &Position) -> bool {
    let on_road = position.occupied() & Bitboard::MAIN_ROAD;
    lone_king(position).is_some_and(|side| position.pieces(side) == on_road)
}

/// The side whose only piece is a king.
fn lone_king(position: &Position) -> Option<Color> {
    Color::ALL
        .into_iter()
        .find(|&side| position.pieces(side).len() == 1 && position.kings(side).len() == 1)
}

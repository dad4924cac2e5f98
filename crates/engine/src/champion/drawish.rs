//! Positions in which a side is ahead and can hardly win.

use checkers_lib::{Bitboard, Color, Position};

/// Whether the side that is ahead by `value`, in the eyes of the side to move, has too little left
/// to win with: two pieces against a side with a king, or three against a king on the main road,
/// where three kings do not win.
///
/// CITE: the endings "Petrov's triangle" and the main road, in every book on the game; the scaling
/// after F. Letouzey's Scan, which divides by 8 (idea alone).
#[inline]
pub(super) fn is_drawish(position: &Position, value: i32) -> bool {
    let ahead = if value > 0 {
        position.turn()
    } else {
        !position.turn()
    };
    let behind: Color = !ahead;
    let kings = position.kings(behind);
    if kings.is_empty() {
        return false;
    }
    match position.pieces(ahead).len() {
        0..=2 => true,
        3 => !(kings & Bitboard::MAIN_ROAD).is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_king_on_the_main_road_holds_against_three() {
        for (fen, drawish) in [
            ("W:WKa7,Kc7,Ke7:BKa1", true),
            ("W:WKa7,Kc7,Ke7:BKa3", false),
            ("W:WKa7,Kc7:BKa3", true),
            ("W:WKa7,Kc7,Ke7,Kg1:BKa1", false),
            ("W:WKa7,Kc7:Ba3", false),
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(is_drawish(&position, 100), drawish, "{fen}");
        }
        let position: Position = "B:WKa7,Kc7:BKa3".parse().unwrap();
        assert!(is_drawish(&position, -100));
        assert!(is_drawish(&position, 100));
    }
}

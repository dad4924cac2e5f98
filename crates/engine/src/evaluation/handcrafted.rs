//! An evaluation made by hand: what the books on the game tell a beginner, as numbers.
//!
//! It is the first generation of training, which has nothing to learn from yet, and the measure of
//! what training brings.

use checkers_lib::{Bitboard, Color, Move, Position, Square};

/// Men, kings, rows and centre as sums over squares in White's view, kept move by move for an opening and an
/// ending and mixed by the number of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Phases {
    opening: i32,
    ending: i32,
}

/// What a man is worth in the opening and in the ending, before rows and centre.
const MAN: [i32; 2] = [130, 150];
/// What a king is worth; the fewer pieces, the less stands in its way.
const KING: [i32; 2] = [380, 420];
/// For each row that a man has advanced from its first.
const ROW: [[i32; 8]; 2] = [[6, 0, 0, 3, 6, 10, 30, 0], [-4, 0, 4, 10, 20, 34, 60, 0]];
/// A man in the centre, which reaches both wings.
const CENTRE: [i32; 2] = [8, 5];
/// A man on the edge, which can go one way only.
const EDGE: [i32; 2] = [-5, -3];
/// A king on the main road rules the board.
const KING_ON_ROAD: i32 = 30;
/// The two men of the first row that leave an enemy no square to become a king on without loss.
const GUARD: i32 = 12;
/// The right to move.
const MOVE: i32 = 6;

const CENTRE_SQUARES: Bitboard = Bitboard::of(&[
    Square::C3,
    Square::E3,
    Square::D4,
    Square::F4,
    Square::C5,
    Square::E5,
    Square::D6,
    Square::F6,
]);

const EDGE_SQUARES: Bitboard = Bitboard::of(&[
    Square::A3,
    Square::A5,
    Square::A7,
    Square::H2,
    Square::H4,
    Square::H6,
]);

/// White's; Black's are the same squares seen from the other side.
const GUARDS: Bitboard = Bitboard::of(&[Square::C1, Square::E1]);

/// What a piece of White is worth on a square: men, then kings; in the opening, then in the ending.
static WORTH: [[[i32; 2]; 32]; 2] = {
    let mut worth = [[[0; 2]; 32]; 2];
    let mut i = 0;
    while i < 32 {
        let set = Bitboard(1 << i);
        let mut phase = 0;
        while phase < 2 {
            let mut man = MAN[phase] + ROW[phase][i / 4];
            if set.0 & CENTRE_SQUARES.0 != 0 {
                man += CENTRE[phase];
            }
            if set.0 & EDGE_SQUARES.0 != 0 {
                man += EDGE[phase];
            }
            worth[0][i][phase] = man;
            worth[1][i][phase] = KING[phase];
            phase += 1;
        }
        i += 1;
    }
    worth
};

impl Phases {
    #[inline]
    fn add(&mut self, side: Color, is_king: bool, squares: Bitboard, sign: i32) {
        let (squares, sign) = match side {
            Color::White => (squares, sign),
            Color::Black => (squares.rotated(), -sign),
        };
        for square in squares {
            let [opening, ending] = WORTH[usize::from(is_king)][square.index()];
            self.opening += sign * opening;
            self.ending += sign * ending;
        }
    }

    /// The sums of a position. O(pieces).
    pub(super) fn of(position: &Position) -> Phases {
        let mut state = Phases::default();
        for side in Color::ALL {
            state.add(side, false, position.men(side), 1);
            state.add(side, true, position.kings(side), 1);
        }
        state
    }

    /// The sums after the legal move `m` from the position `before`.
    #[inline]
    pub(super) fn after(&self, before: &Position, m: Move) -> Phases {
        let (us, them) = (before.turn(), !before.turn());
        let is_king = before.kings(us).contains(m.from());
        let mut child = *self;
        child.add(us, is_king, m.from().into(), -1);
        child.add(us, is_king || m.promotes(), m.to().into(), 1);
        if m.is_capture() {
            child.add(them, false, m.captured() & before.men(them), -1);
            child.add(them, true, m.captured() & before.kings(them), -1);
        }
        child
    }

    /// What the position is worth to its side to move, with what depends on several pieces at once.
    #[inline]
    pub(super) fn value(&self, position: &Position) -> i32 {
        let pieces = position.occupied().len() as i32;
        let mixed = (self.opening * pieces + self.ending * (24 - pieces)) / 24;
        let white = mixed + guards(position) + road(position);
        MOVE + match position.turn() {
            Color::White => white,
            Color::Black => -white,
        }
    }
}

/// Worth something as long as the enemy has men that want to become kings.
#[inline]
fn guards(position: &Position) -> i32 {
    let keeps = |side: Color, men: Bitboard| {
        let is_kept = (GUARDS - men).is_empty() && !position.men(!side).is_empty();
        i32::from(is_kept) * GUARD
    };
    let [white, black] = Color::ALL.map(|side| position.men(side));
    keeps(Color::White, white) - keeps(Color::Black, black.rotated())
}

#[inline]
fn road(position: &Position) -> i32 {
    let [white, black] =
        Color::ALL.map(|side| !(position.kings(side) & Bitboard::MAIN_ROAD).is_empty());
    KING_ON_ROAD * (i32::from(white) - i32::from(black))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(position: &Position) -> i32 {
        Phases::of(position).value(position)
    }

    #[test]
    fn updates_agree_with_starting_anew_all_along_games() {
        let mut rng = crate::random::Rng::new(1);
        for _ in 0..50 {
            let mut position = Position::start();
            let mut state = Phases::of(&position);
            while !position.is_lost() && position.occupied().len() > 3 {
                let moves = position.legal_moves();
                let m = moves[rng.below(moves.len())];
                let after = position.clone().play(m).unwrap();
                let child = state.after(&position, m);
                assert_eq!(child, Phases::of(&after), "{position} to {after}");
                (position, state) = (after, child);
            }
        }
    }

    #[test]
    fn more_is_better_and_nobody_is_ahead_at_the_start() {
        assert_eq!(value(&Position::start()), MOVE);
        for (better, worse) in [
            ("W:Wc3,e3:Ba7", "W:Wc3:Ba7"),
            ("W:WKc3:Ba7", "W:Wc3:Ba7"),
            ("W:Wd6:Ba7,h8", "W:Wd2:Ba7,h8"),
            ("W:WKd4:BKa3", "W:WKd2:BKa3"),
        ] {
            let [better, worse] = [better, worse].map(|fen| value(&fen.parse().unwrap()));
            assert!(better > worse);
        }
    }
}

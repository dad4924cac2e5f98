//! Pieces on a board, before anybody has asked whether they make sense.

use crate::{Bitboard, ByColor, Color, Square};

/// Pieces on a board, possibly nonsense: what parsers and editors produce.
///
/// [`Position::from_setup`](crate::Position::from_setup) turns it into a legal position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Men of each side.
    pub men: ByColor<Bitboard>,
    /// Kings of each side.
    pub kings: ByColor<Bitboard>,
    /// The side to move.
    pub turn: Color,
}

impl Setup {
    /// An empty board with White to move.
    pub const EMPTY: Setup = Setup {
        men: ByColor {
            white: Bitboard::EMPTY,
            black: Bitboard::EMPTY,
        },
        kings: ByColor {
            white: Bitboard::EMPTY,
            black: Bitboard::EMPTY,
        },
        turn: Color::White,
    };

    /// Twelve men a side, White to move.
    pub const START: Setup = Setup {
        men: ByColor {
            white: Bitboard(0x0000_0fff),
            black: Bitboard(0xfff0_0000),
        },
        kings: ByColor {
            white: Bitboard::EMPTY,
            black: Bitboard::EMPTY,
        },
        turn: Color::White,
    };

    /// Says which rule of the board is broken, if any.
    ///
    /// # Errors
    /// The first of: a square taken twice, a man on its last row, more than twelve pieces a side.
    pub fn check(&self) -> Result<(), SetupError> {
        let mut taken = Bitboard::EMPTY;
        for pieces in [
            self.men.white,
            self.men.black,
            self.kings.white,
            self.kings.black,
        ] {
            if let Some(square) = (taken & pieces).first() {
                return Err(SetupError::TakenTwice { square });
            }
            taken |= pieces;
        }
        for side in Color::ALL {
            if let Some(square) = (self.men[side] & Bitboard::promotion_row(side)).first() {
                return Err(SetupError::ManOnLastRow { side, square });
            }
            let count = (self.men[side] | self.kings[side]).len();
            if count > 12 {
                return Err(SetupError::TooMany { side, count });
            }
        }
        Ok(())
    }
}

/// Why a [`Setup`] is not a position of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// Two pieces share a square.
    #[error("two pieces on {square}")]
    TakenTwice {
        /// The shared square.
        square: Square,
    },
    /// A man stands where it would have become a king.
    #[error("{side} man on its last row at {square}")]
    ManOnLastRow {
        /// Whose man it is.
        side: Color,
        /// Where it stands.
        square: Square,
    },
    /// More than twelve pieces of one side.
    #[error("{count} {side} pieces, at most 12 are allowed")]
    TooMany {
        /// Whose pieces.
        side: Color,
        /// How many there are.
        count: u32,
    },
}

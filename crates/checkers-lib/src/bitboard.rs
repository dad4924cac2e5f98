//! Sets of squares in one machine word.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use crate::{Color, Square};

/// A set of [`Square`]s; the operators are set operations and `-` is difference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u32);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const FULL: Bitboard = Bitboard(!0);
    /// The main road a1–h8.
    pub const MAIN_ROAD: Bitboard = Bitboard::of(&[
        Square::A1,
        Square::B2,
        Square::C3,
        Square::D4,
        Square::E5,
        Square::F6,
        Square::G7,
        Square::H8,
    ]);

    /// The set of the listed squares.
    pub const fn of(squares: &[Square]) -> Bitboard {
        let mut set = 0;
        let mut i = 0;
        while i < squares.len() {
            set |= 1 << squares[i] as u32;
            i += 1;
        }
        Bitboard(set)
    }

    /// The four squares of a row, 0 = row 1.
    pub const fn row(row: u8) -> Bitboard {
        Bitboard(0xf << (4 * (row & 7)))
    }

    /// The row on which men of `side` become kings.
    #[inline]
    pub const fn promotion_row(side: Color) -> Bitboard {
        match side {
            Color::White => Bitboard::row(7),
            Color::Black => Bitboard::row(0),
        }
    }

    /// Whether `square` belongs to the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & (1 << square as u32) != 0
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The square with the lowest number.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::wrapping(self.0.trailing_zeros()))
        }
    }

    /// The set seen from the other side: the board turned by half a turn.
    #[inline]
    pub const fn rotated(self) -> Bitboard {
        Bitboard(self.0.reverse_bits())
    }
}

/// The sizes of two sets together, for the price of one population count.
#[inline]
pub(crate) const fn len_of_both(a: Bitboard, b: Bitboard) -> u32 {
    ((a.0 as u64) << 32 | b.0 as u64).count_ones()
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Bitboard {
        Bitboard(1 << square as u32)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | square.into())
    }
}

/// The squares of a set in numerical order.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

macro_rules! set_operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Bitboard) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}
set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl Sub for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.into_iter().map(|square| square.to_string()))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_behave_like_sets() {
        let road = Bitboard::MAIN_ROAD;
        assert_eq!(road.len(), 8);
        assert!(road.contains(Square::D4) && !road.contains(Square::B4));
        assert_eq!(road.into_iter().collect::<Bitboard>(), road);
        assert_eq!((Bitboard::FULL - road).len(), 24);
        assert_eq!(road.rotated(), road);
        assert_eq!(
            Bitboard::row(0).rotated(),
            Bitboard::promotion_row(Color::White)
        );
        assert_eq!(Bitboard::EMPTY.first(), None);
    }
}

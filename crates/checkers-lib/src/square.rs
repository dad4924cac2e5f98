//! The 32 playable squares.

use std::fmt;
use std::str::FromStr;

use crate::Color;

/// A playable (dark) square, numbered 0–31 from a1 by rows. Light squares cannot be named.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "each variant is its own name")]
pub enum Square {
    A1, C1, E1, G1,
    B2, D2, F2, H2,
    A3, C3, E3, G3,
    B4, D4, F4, H4,
    A5, C5, E5, G5,
    B6, D6, F6, H6,
    A7, C7, E7, G7,
    B8, D8, F8, H8,
}

use Square::*;

impl Square {
    /// All squares in numerical order: a1, c1, … h8.
    #[rustfmt::skip]
    pub const ALL: [Square; 32] = [
        A1, C1, E1, G1,
        B2, D2, F2, H2,
        A3, C3, E3, G3,
        B4, D4, F4, H4,
        A5, C5, E5, G5,
        B6, D6, F6, H6,
        A7, C7, E7, G7,
        B8, D8, F8, H8,
    ];

    /// The square with this number, or `None` from 32 on.
    #[inline]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 32 {
            Some(Square::wrapping(index as u32))
        } else {
            None
        }
    }

    /// The square numbered `index` modulo 32; for bit numbers, which are below 32 already.
    #[inline]
    pub(crate) const fn wrapping(index: u32) -> Square {
        Square::ALL[(index & 31) as usize]
    }

    /// The square on this file (0 = a) and row (0 = row 1), or `None` off the board or on a
    /// light square.
    pub const fn at(file: u8, row: u8) -> Option<Square> {
        if file < 8 && row < 8 && (file + row).is_multiple_of(2) {
            Square::new(row * 4 + file / 2)
        } else {
            None
        }
    }

    /// The number of this square, 0–31.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name, such as `c3`.
    #[inline]
    pub const fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// The letter of its file and the digit of its row, which are its [name](Square::name).
    #[inline]
    pub(crate) const fn letters(self) -> [u8; 2] {
        [b'a' + self.file(), b'1' + self.row()]
    }

    /// The row counted from White's side, 0–7.
    #[inline]
    pub const fn row(self) -> u8 {
        self as u8 / 4
    }

    /// The file counted from White's left, 0–7.
    #[inline]
    pub const fn file(self) -> u8 {
        let row = self as u8 / 4;
        2 * (self as u8 % 4) + row % 2
    }

    /// The row counted from the given side, 0–7; a man of that side promotes on 7.
    #[inline]
    pub const fn row_from(self, side: Color) -> u8 {
        match side {
            Color::White => self.row(),
            Color::Black => 7 - self.row(),
        }
    }
}

/// The names of the squares, in the order of their numbers.
#[rustfmt::skip]
const NAMES: [&str; 32] = [
    "a1", "c1", "e1", "g1",  "b2", "d2", "f2", "h2",  "a3", "c3", "e3", "g3",  "b4", "d4", "f4", "h4",
    "a5", "c5", "e5", "g5",  "b6", "d6", "f6", "h6",  "a7", "c7", "e7", "g7",  "b8", "d8", "f8", "h8",
];

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a text is not the name of a playable square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SquareError {
    /// Neither a file letter a–h followed by a row digit 1–8.
    #[error("expected a square such as c3")]
    NotASquare,
    /// A square of the board that no piece ever stands on.
    #[error("a light square")]
    Light,
}

impl FromStr for Square {
    type Err = SquareError;

    /// Reads `c3`; only lower-case files.
    fn from_str(text: &str) -> Result<Square, SquareError> {
        let &[file @ b'a'..=b'h', row @ b'1'..=b'8'] = text.as_bytes() else {
            return Err(SquareError::NotASquare);
        };
        Square::at(file - b'a', row - b'1').ok_or(SquareError::Light)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_coordinates_agree() {
        for (i, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), i);
            assert_eq!(Square::at(square.file(), square.row()), Some(square));
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(format!("{square:?}").to_lowercase(), square.to_string());
        }
        assert_eq!(Square::new(32), None);
        assert_eq!("a2".parse::<Square>(), Err(SquareError::Light));
        assert_eq!("i1".parse::<Square>(), Err(SquareError::NotASquare));
    }
}

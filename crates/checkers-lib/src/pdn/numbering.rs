//! Squares as numbers, for those who know which numbers they have.

use crate::Square;

/// How numbers name squares, row by row. Both habits exist for this game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numbering {
    /// 1 is b8, 4 is h8, 32 is g1.
    FromB8,
    /// 1 is a1, 4 is g1, 32 is h8.
    FromA1,
}

impl Numbering {
    /// The square with this number, 1–32.
    pub fn square(self, number: u8) -> Option<Square> {
        let index = number.checked_sub(1)?;
        match self {
            Numbering::FromA1 => Square::new(index),
            Numbering::FromB8 => Square::at(
                2 * (index % 4) + (index / 4 + 1) % 2,
                7_u8.checked_sub(index / 4)?,
            ),
        }
    }

    /// The number of a square, 1–32.
    pub fn number(self, square: Square) -> u8 {
        let place = match self {
            Numbering::FromA1 => 4 * square.row() + square.file() / 2,
            Numbering::FromB8 => 4 * (7 - square.row()) + square.file() / 2,
        };
        place + 1
    }

    /// The text with each number that is not the row of a square (`c3`) replaced by its square.
    pub(super) fn to_algebraic(self, text: &str) -> String {
        let mut algebraic = String::new();
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, from_digit) = rest.split_at(start);
            let end = from_digit.find(|c: char| !c.is_ascii_digit());
            let (digits, after) = from_digit.split_at(end.unwrap_or(from_digit.len()));
            algebraic += before;
            let is_row = before.ends_with(|file| matches!(file, 'a'..='h'));
            match digits.parse().ok().and_then(|number| self.square(number)) {
                Some(square) if !is_row => algebraic += &square.to_string(),
                _ => algebraic += digits,
            }
            rest = after;
        }
        algebraic + rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numberings_name_all_squares() {
        for (numbering, names) in [
            (
                Numbering::FromB8,
                ["b8", "h8", "a7", "g7", "b6", "a1", "g1"],
            ),
            (
                Numbering::FromA1,
                ["a1", "g1", "b2", "h2", "a3", "b8", "h8"],
            ),
        ] {
            let named = [1, 4, 5, 8, 9, 29, 32].map(|n| numbering.square(n).unwrap().to_string());
            assert_eq!(named, names);
            let mut squares: Vec<_> = (0..=255).filter_map(|n| numbering.square(n)).collect();
            squares.sort();
            assert_eq!(squares, Square::ALL);
            for square in Square::ALL {
                assert_eq!(numbering.square(numbering.number(square)), Some(square));
            }
        }
    }

    #[test]
    fn only_numbers_are_replaced() {
        for (text, algebraic) in [
            ("21-17", "b3-17"),
            ("W:WK1,c3:B32,33", "W:WKb8,c3:Bg1,33"),
            ("9999999999x22", "9999999999xc3"),
            ("", ""),
        ] {
            let algebraic = algebraic.replace("b3-17", "a3-b4");
            assert_eq!(Numbering::FromB8.to_algebraic(text), algebraic);
        }
    }
}

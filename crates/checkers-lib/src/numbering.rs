//! Squares as numbers, for those who know which numbers they have.

use crate::Square;

/// How numbers name squares, row by row from a corner of the board as White sees it. PDN's game
/// types say which corner, as in `[GameType "25,W,8,8,N2,0"]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Numbering {
    /// 1 is a1, 4 is g1, 32 is h8: from the bottom left, PDN's `N0`.
    FromA1,
    /// 1 is g1, 4 is a1, 32 is b8: from the bottom right, PDN's `N1`.
    FromG1,
    /// 1 is b8, 4 is h8, 32 is g1: from the top left, PDN's `N2`; most programs count so.
    FromB8,
    /// 1 is h8, 4 is b8, 32 is a1: from the top right, PDN's `N3`.
    FromH8,
}

impl Numbering {
    /// In the order of PDN's `N0` to `N3`.
    pub const ALL: [Numbering; 4] = [
        Numbering::FromA1,
        Numbering::FromG1,
        Numbering::FromB8,
        Numbering::FromH8,
    ];

    /// Those in use for this game that need no word; the other two are read when a text or a
    /// caller names them.
    pub(crate) const USUAL: [Numbering; 2] = [Numbering::FromB8, Numbering::FromA1];

    /// The square with this number, 1–32.
    pub fn square(self, number: u8) -> Option<Square> {
        let index = number.checked_sub(1).filter(|&index| index < 32)?;
        Square::new(self.turned(index))
    }

    /// The number of a square, 1–32.
    pub fn number(self, square: Square) -> u8 {
        self.turned(square as u8) + 1
    }

    /// A place counted from this corner as one counted from a1, and the other way round.
    fn turned(self, index: u8) -> u8 {
        match self {
            Numbering::FromA1 => index,
            Numbering::FromG1 => 4 * (index / 4) + 3 - index % 4,
            Numbering::FromB8 => 4 * (7 - index / 4) + index % 4,
            Numbering::FromH8 => 31 - index,
        }
    }

    /// What a game type says of its squares; `None` if they are not numbers.
    pub(crate) fn of_game_type(value: &str) -> Option<Numbering> {
        match value.split(',').nth(4)?.trim() {
            "N0" => Some(Numbering::FromA1),
            "N1" => Some(Numbering::FromG1),
            "N2" => Some(Numbering::FromB8),
            "N3" => Some(Numbering::FromH8),
            _ => None,
        }
    }

    /// The one numbering among the usual ones under which a text can be read.
    ///
    /// # Errors
    /// The numberings' errors if none will do, and none if several do and do not agree.
    pub(crate) fn detect<T: PartialEq, E>(
        read: impl Fn(Numbering) -> Result<T, E>,
    ) -> Result<T, Option<[E; 2]>> {
        match Numbering::USUAL.map(read) {
            [Ok(one), Ok(other)] if one == other => Ok(one),
            [Ok(_), Ok(_)] => Err(None),
            [Ok(one), Err(_)] | [Err(_), Ok(one)] => Ok(one),
            [Err(one), Err(other)] => Err(Some([one, other])),
        }
    }

    /// The text with each number that is not the row of a square (`c3`) replaced by its square.
    pub(crate) fn to_algebraic(self, text: &str) -> String {
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
    fn every_numbering_names_all_squares() {
        for (numbering, names) in [
            (
                Numbering::FromG1,
                ["g1", "a1", "h2", "b2", "g3", "h8", "b8"],
            ),
            (
                Numbering::FromH8,
                ["h8", "b8", "g7", "a7", "h6", "g1", "a1"],
            ),
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
    fn game_types_say_where_numbers_begin() {
        for (value, numbering) in [
            ("25,W,8,8,N0,0", Some(Numbering::FromA1)),
            ("25, W, 8, 8, N1, 0", Some(Numbering::FromG1)),
            ("25,W,8,8,N2,1", Some(Numbering::FromB8)),
            ("25,W,8,8,N3", Some(Numbering::FromH8)),
            ("25,W,8,8,A0,0", None),
            ("25", None),
        ] {
            assert_eq!(Numbering::of_game_type(value), numbering, "{value}");
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

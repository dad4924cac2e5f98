//! Positions as text: `W:Wa1,c1,Kd4:Ba7,Kb8`.
//!
//! Strict in writing: the side to move, White's pieces, Black's pieces, in the order a1, c1, …
//! h8, a `K` before each king, no spaces, no final dot.
//!
//! Lenient in reading: spaces anywhere between the parts, a final dot, the pieces in any order,
//! the sides in either order, either case of the side letters, an empty side, a missing side, the
//! move counters `:H0:F1` of some programs at the end.
//! Squares may be numbers and ranges of them (`W:W21-32:B1-12`). Several ways to count exist, see
//! [`Numbering`]: the one is taken under which the position is possible, of b8 and a1 as first
//! squares. Numbers that fit both are refused, unless the caller says which they are.

use std::fmt;
use std::str::FromStr;

use crate::{
    Bitboard, ByColor, Color, Numbering, Position, Setup, SetupError, Square, SquareError,
};

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text has another form.
    #[error("column {column}: expected {expected}")]
    Syntax {
        /// Where reading stopped, counted in characters from 1.
        column: usize,
        /// What would have been right there.
        expected: &'static str,
    },
    /// A square on which no piece ever stands.
    #[error("column {column}: {name} is a light square")]
    LightSquare {
        /// Where the square is named, counted in characters from 1.
        column: usize,
        /// Its name.
        name: String,
    },
    /// A square named twice.
    #[error("column {column}: {square} is taken already")]
    TakenTwice {
        /// Where the square is named for the second time, counted in characters from 1.
        column: usize,
        /// The square.
        square: Square,
    },
    /// Squares are numbers that fit more than one numbering.
    #[error(
        "column {column}: expected a square such as c3: the numbers can be counted from b8 or from a1"
    )]
    Numbers {
        /// Where the first number begins, counted in characters from 1.
        column: usize,
        /// The number.
        name: String,
    },
    /// The pieces break a rule of the board.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FenError {
    /// Where in the text the error is, counted in characters from 1.
    pub fn column(&self) -> Option<usize> {
        match self {
            FenError::Syntax { column, .. }
            | FenError::LightSquare { column, .. }
            | FenError::TakenTwice { column, .. }
            | FenError::Numbers { column, .. } => Some(*column),
            FenError::Setup(_) => None,
        }
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        let error = match Position::read_fen(text, None) {
            Err(error @ FenError::Numbers { .. }) => error,
            known => return known,
        };
        let read = |numbering| Position::from_numbered_fen(text, numbering);
        Numbering::detect(read).map_err(|errors| match errors {
            Some([usual, _]) => usual,
            None => error,
        })
    }
}

impl Position {
    /// Reads a FEN whose numbers are counted so.
    ///
    /// # Errors
    /// A text that is no FEN, and pieces that break a rule of the board.
    ///
    /// # Examples
    /// ```
    /// use checkers_lib::{Numbering, Position};
    ///
    /// let fen = "W:W22,K18:B9";
    /// assert!(fen.parse::<Position>().is_err(), "the numbers fit two numberings");
    /// let position = Position::from_numbered_fen(fen, Numbering::FromB8)?;
    /// assert_eq!(position.to_string(), "W:Wc3,Kd4:Bb6");
    /// # Ok::<(), checkers_lib::FenError>(())
    /// ```
    pub fn from_numbered_fen(text: &str, numbering: Numbering) -> Result<Position, FenError> {
        Position::read_fen(text, Some(numbering))
    }

    /// Reads a FEN with numbers only if it is known how they are counted.
    pub(crate) fn read_fen(text: &str, numbering: Option<Numbering>) -> Result<Position, FenError> {
        Ok(Position::from_setup(setup(text, numbering)?)?)
    }
}

impl fmt::Display for Position {
    /// Writes the FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

impl fmt::Display for Setup {
    /// Writes the FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

impl Position {
    /// The FEN, sooner than by way of [`Display`](fmt::Display): servers write positions all the time.
    pub fn fen(&self) -> String {
        self.setup().fen()
    }
}

/// Bytes that a FEN has room in from its beginning on, which few need.
const USUAL: usize = 128;

impl Setup {
    /// The FEN.
    fn fen(&self) -> String {
        let mut text = Vec::with_capacity(USUAL);
        text.push(letter(self.turn));
        for side in Color::ALL {
            text.extend_from_slice(&[b':', letter(side)]);
            for square in self.men[side] | self.kings[side] {
                if self.kings[side].contains(square) {
                    text.push(b'K');
                }
                let [file, row] = square.letters();
                text.extend_from_slice(&[file, row, b',']);
            }
            // A comma less than there are pieces.
            text.pop_if(|last| *last == b',');
        }
        String::from_utf8(text).expect("a FEN is ASCII")
    }
}

fn letter(side: Color) -> u8 {
    match side {
        Color::White => b'W',
        Color::Black => b'B',
    }
}

impl FromStr for Setup {
    type Err = FenError;

    /// Reads a FEN that need not be a possible position; only of numbers that fit several
    /// numberings, the possible one is taken.
    fn from_str(text: &str) -> Result<Setup, FenError> {
        match setup(text, None) {
            Err(FenError::Numbers { .. }) => Ok(text.parse::<Position>()?.setup()),
            known => known,
        }
    }
}

fn setup(text: &str, numbering: Option<Numbering>) -> Result<Setup, FenError> {
    let mut reader = FenReader {
        rest: text.chars().collect(),
        at: 0,
        numbering,
    };
    let setup = reader.setup()?;
    reader.take_if(|c| c == '.');
    match reader.peek() {
        None => Ok(setup),
        Some(_) => Err(reader.expected("the end")),
    }
}

struct FenReader {
    rest: Vec<char>,
    at: usize,
    numbering: Option<Numbering>,
}

impl FenReader {
    fn setup(&mut self) -> Result<Setup, FenError> {
        let mut setup = Setup {
            turn: self.side("W or B, the side to move")?,
            ..Setup::EMPTY
        };
        let mut read = ByColor {
            white: false,
            black: false,
        };
        while self.take_if(|c| c == ':').is_some() {
            if self.take_if(|c| matches!(c, 'H' | 'F')).is_some() {
                self.digits();
                continue;
            }
            let column = self.skip_spaces();
            let side = self.side("W or B and that side's pieces")?;
            if std::mem::replace(&mut read[side], true) {
                return Err(FenError::Syntax {
                    column,
                    expected: "the other side's pieces",
                });
            }
            self.pieces(side, &mut setup)?;
        }
        if read
            == (ByColor {
                white: false,
                black: false,
            })
        {
            return Err(self.expected("`:` and a side's pieces"));
        }
        Ok(setup)
    }

    fn pieces(&mut self, side: Color, setup: &mut Setup) -> Result<(), FenError> {
        if matches!(self.peek(), None | Some(':' | '.')) {
            return Ok(());
        }
        loop {
            self.piece(side, setup)?;
            if self.take_if(|c| c == ',').is_none() {
                break;
            }
        }
        match self.peek() {
            None | Some(':' | '.') => Ok(()),
            Some(_) => Err(self.expected("`,`, `:` or the end")),
        }
    }

    fn piece(&mut self, side: Color, setup: &mut Setup) -> Result<(), FenError> {
        let is_king = self.take_if(|c| c == 'K').is_some();
        let column = self.skip_spaces();
        if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return self.numbered(side, is_king, column, setup);
        }
        let name: String = self.rest[self.at..].iter().take(2).collect();
        let square: Square = name.parse().map_err(|error| match error {
            SquareError::Light => FenError::LightSquare { column, name },
            SquareError::NotASquare => self.expected("a square such as c3, or K and a square"),
        })?;
        self.at += 2;
        put(side, is_king, square, column, setup)
    }

    /// A number, or two with all between them.
    fn numbered(
        &mut self,
        side: Color,
        is_king: bool,
        column: usize,
        setup: &mut Setup,
    ) -> Result<(), FenError> {
        let name = self.digits();
        let Some(numbering) = self.numbering else {
            return Err(FenError::Numbers { column, name });
        };
        let last = match self.take_if(|c| c == '-') {
            Some(_) => {
                self.skip_spaces();
                self.digits()
            }
            None => name.clone(),
        };
        let expected = FenError::Syntax {
            column,
            expected: "a square's number from 1 to 32",
        };
        let bounds = (name.parse().ok()).zip(last.parse().ok());
        let (first, last): (u8, u8) = bounds.ok_or_else(|| expected.clone())?;
        if first > last || last > 32 {
            return Err(expected);
        }
        for number in first..=last {
            let square = numbering.square(number).ok_or_else(|| expected.clone())?;
            put(side, is_king, square, column, setup)?;
        }
        Ok(())
    }

    /// The digits that come next.
    fn digits(&mut self) -> String {
        let digits = self.rest[self.at..].iter().copied();
        let digits: String = digits.take_while(char::is_ascii_digit).collect();
        self.at += digits.len();
        digits
    }

    fn side(&mut self, expected: &'static str) -> Result<Color, FenError> {
        match self.take_if(|c| matches!(c, 'W' | 'w' | 'B' | 'b')) {
            Some('W' | 'w') => Ok(Color::White),
            Some(_) => Ok(Color::Black),
            None => Err(self.expected(expected)),
        }
    }

    /// Takes the next character that is not a space, if it is wanted.
    fn take_if(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let next = self.peek().filter(|&c| wanted(c))?;
        self.at += 1;
        Some(next)
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_spaces();
        self.rest.get(self.at).copied()
    }

    /// Skips spaces and returns the column of what follows.
    fn skip_spaces(&mut self) -> usize {
        while self.rest.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.at + 1
    }

    fn expected(&mut self, expected: &'static str) -> FenError {
        FenError::Syntax {
            column: self.skip_spaces(),
            expected,
        }
    }
}

fn put(
    side: Color,
    is_king: bool,
    square: Square,
    column: usize,
    setup: &mut Setup,
) -> Result<(), FenError> {
    let Setup { men, kings, .. } = *setup;
    if (men.white | men.black | kings.white | kings.black).contains(square) {
        return Err(FenError::TakenTwice { column, square });
    }
    let pieces = if is_king {
        &mut setup.kings
    } else {
        &mut setup.men
    };
    pieces[side] |= Bitboard::from(square);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_start() {
        assert_eq!(
            Position::start().to_string(),
            "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"
        );
    }

    #[test]
    fn reads_leniently() {
        for text in [
            "W:Wa1,c1,Kd4:Ba7,Kb8",
            " w : w a1 , Kd4,c1 : b Kb8,a7 . ",
            "W:BKb8,a7:WKd4,a1,c1.",
        ] {
            let setup: Setup = text.parse().unwrap();
            assert_eq!(setup.to_string(), "W:Wa1,c1,Kd4:Ba7,Kb8", "{text}");
        }
        for text in ["B:Wa1:B", "B:W a1:B.", "b:wa1"] {
            assert_eq!(
                text.parse::<Setup>().unwrap().to_string(),
                "B:Wa1:B",
                "{text}"
            );
        }
    }

    #[test]
    fn numbers_are_read_where_one_numbering_fits() {
        for (text, fen) in [
            ("W:W21-32:B1-12", "start"),
            (
                "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12:H0:F1",
                "start",
            ),
            ("W:W1-12:B21-32", "start"),
            ("W:W1,2,3:B30", "W:Wa1,c1,e1:Bd8"),
            ("B:W 31 , K1:B2.", "B:We1,Kb8:Bd8"),
        ] {
            let position: Position = text.parse().unwrap();
            let start = Position::start().to_string();
            let fen = if fen == "start" { &start } else { fen };
            assert_eq!(position.to_string(), fen, "{text}");
            assert_eq!(text.parse::<Setup>().unwrap(), position.setup());
        }
        let text = "B:WK1:BK5";
        for (numbering, fen) in [
            (Numbering::FromA1, "B:WKa1:BKb2"),
            (Numbering::FromG1, "B:WKg1:BKh2"),
            (Numbering::FromB8, "B:WKb8:BKa7"),
            (Numbering::FromH8, "B:WKh8:BKg7"),
        ] {
            let position = Position::from_numbered_fen(text, numbering).unwrap();
            assert_eq!(position.to_string(), fen);
        }
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, error) in [
            ("", "column 1: expected W or B, the side to move"),
            ("X:Wa1:B", "column 1: expected W or B, the side to move"),
            ("W", "column 2: expected `:` and a side's pieces"),
            ("W:Wa1:Wc1", "column 7: expected the other side's pieces"),
            ("W:Wa1,b1:B", "column 7: b1 is a light square"),
            ("W:Wa1,a1:B", "column 7: a1 is taken already"),
            ("W:Wa1:BKa1", "column 9: a1 is taken already"),
            (
                "W:WK21,22:B9",
                "column 5: expected a square such as c3: the numbers can be counted from b8 or \
                 from a1",
            ),
            (
                "W:W21,33:B1",
                "column 7: expected a square's number from 1 to 32",
            ),
            (
                "W:W21-:B1",
                "column 4: expected a square's number from 1 to 32",
            ),
            (
                "W:W22-21:B1",
                "column 4: expected a square's number from 1 to 32",
            ),
            ("W:W1,32:B", "white man on its last row at b8"),
            (
                "W:Wa1,:B",
                "column 7: expected a square such as c3, or K and a square",
            ),
            ("W:Wa1 c1:B", "column 7: expected `,`, `:` or the end"),
            ("W:Wa1:Bb8 . x", "column 13: expected the end"),
            ("W:Wb8:B", "white man on its last row at b8"),
            ("W:W:Bc1", "black man on its last row at c1"),
            (
                "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3,b4:B",
                "13 white pieces, at most 12 are allowed",
            ),
        ] {
            assert_eq!(
                text.parse::<Position>().unwrap_err().to_string(),
                error,
                "{text}"
            );
        }
    }
}

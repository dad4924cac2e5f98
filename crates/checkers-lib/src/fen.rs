//! Positions as text: `W:Wa1,c1,Kd4:Ba7,Kb8`.
//!
//! Strict in writing: the side to move, White's pieces, Black's pieces, in the order a1, c1, …
//! h8, a `K` before each king, no spaces, no final dot.
//!
//! Lenient in reading: spaces anywhere between the parts, a final dot, the pieces in any order,
//! the sides in either order, either case of the side letters, an empty side, a missing side.
//! Squares are algebraic; numbers have two meanings in this game and are refused.

use std::fmt;
use std::str::FromStr;

use crate::{Bitboard, ByColor, Color, Position, Setup, SetupError, Square, SquareError};

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
    /// The pieces break a rule of the board.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        Ok(Position::from_setup(text.parse()?)?)
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

    /// Reads a FEN without asking whether it is a legal position.
    fn from_str(text: &str) -> Result<Setup, FenError> {
        let mut reader = Reader {
            rest: text.chars().collect(),
            at: 0,
        };
        let setup = reader.setup()?;
        reader.take_if(|c| c == '.');
        match reader.peek() {
            None => Ok(setup),
            Some(_) => Err(reader.expected("the end")),
        }
    }
}

struct Reader {
    rest: Vec<char>,
    at: usize,
}

impl Reader {
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
        let name: String = self.rest[self.at..].iter().take(2).collect();
        let square: Square = name.parse().map_err(|error| match error {
            SquareError::Light => FenError::LightSquare { column, name },
            SquareError::NotASquare => self.expected("a square such as c3, or K and a square"),
        })?;
        self.at += 2;
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
                "W:W21,22:B1",
                "column 4: expected a square such as c3, or K and a square",
            ),
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

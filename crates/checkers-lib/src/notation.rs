//! Moves as text: `c3-d4`, `c3:e5`, `c3:e5:g3`.
//!
//! Strict in writing: first and last square with `-` for a quiet move and `:` for a capture, or
//! every square of a route where first and last square fit several moves.
//!
//! Lenient in reading: one of `-`, `:`, `x` and `×` or nothing between the squares (`c3d4`),
//! whatever the move is, spaces around them, upper case, every legal route, and any part of a route
//! that begins and ends like it; the first square may be its file alone (`cd4`, `c:e5`). A text that
//! fits several moves is an error that lists them.

use crate::{Move, MoveList, Position, Route, Square, SquareError};

/// Why a text does not name a move of the position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveTextError {
    /// The text is not squares with separators between them.
    #[error("column {column}: expected {expected}")]
    Syntax {
        /// Where reading stopped, counted in characters from 1.
        column: usize,
        /// What would have been right there.
        expected: &'static str,
    },
    /// No legal move has such a route.
    #[error("{text} is not a legal move here")]
    Illegal {
        /// The text that was read.
        text: String,
    },
    /// Several legal moves have such a route.
    #[error("{text} is ambiguous: {}", candidates.join(", "))]
    Ambiguous {
        /// The text that was read.
        text: String,
        /// The moves it could mean, each in its unambiguous form.
        candidates: Vec<String>,
    },
}

impl Position {
    /// A legal move as its first and last square, or as [`Position::full_notation`] where several
    /// moves share these. [`Position::parse_move`] reads it back as `m`.
    pub fn notation(&self, m: Move) -> String {
        let ends = |separator| {
            let mut text = String::with_capacity(5);
            text.push_str(m.from().name());
            text.push(separator);
            text.push_str(m.to().name());
            text
        };
        if !m.is_capture() {
            return ends('-');
        }
        let moves = self.legal_moves();
        let same_ends = |other: &&Move| other.from() == m.from() && other.to() == m.to();
        if moves.iter().filter(same_ends).count() <= 1 {
            return ends(':');
        }
        self.full_notation(m)
    }

    /// A legal move with every square of one of its routes.
    pub fn full_notation(&self, m: Move) -> String {
        match m.routes(self).first() {
            Some(route) => route.to_string(),
            None => format!("{}:{}", m.from(), m.to()),
        }
    }

    /// The legal move that `text` names.
    ///
    /// # Errors
    /// A text that is no move, fits no legal move, or fits several.
    ///
    /// # Examples
    /// ```
    /// use checkers_lib::Position;
    /// let position = Position::start();
    /// let m = position.parse_move("c3-d4")?;
    /// assert_eq!(position.notation(m), "c3-d4");
    /// # Ok::<(), checkers_lib::MoveTextError>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        Ok(self.read_move(text)?.0)
    }

    /// The legal move that `text` names, and the first of its routes that goes as `text` says.
    ///
    /// # Errors
    /// As [`Position::parse_move`].
    pub fn parse_route(&self, text: &str) -> Result<(Move, Route), MoveTextError> {
        let (m, squares) = self.read_move(text)?;
        if !m.is_capture() {
            // There is one way to go.
            let captures = Vec::new();
            return Ok((m, Route { squares, captures }));
        }
        let routes = m.routes(self);
        let route = (routes.iter().find(|route| route.squares == squares))
            .or_else(|| routes.iter().find(|route| passes(route, &squares)))
            .cloned()
            .unwrap_or_else(|| Route {
                squares,
                captures: m.captured().into_iter().collect(),
            });
        Ok((m, route))
    }

    /// The legal move, and its squares as far as `text` names them.
    fn read_move(&self, text: &str) -> Result<(Move, Vec<Square>), MoveTextError> {
        let squares = if let Some(ends) = parse_ends(text) {
            ends.to_vec()
        } else if let Some((file, to)) = parse_short(text) {
            let found = self.find_from_file(file, &to);
            return found.map_err(|found| self.explain(text.trim(), &found));
        } else {
            parse_squares(text)?
        };
        match self.find_move(&squares) {
            Ok(m) => Ok((m, squares)),
            Err(found) => Err(self.explain(text.trim(), &found)),
        }
    }

    /// The only legal move from this file through these squares, with all of its squares.
    fn find_from_file(&self, file: u8, to: &[Square]) -> Result<(Move, Vec<Square>), Vec<Move>> {
        let mut found = None;
        let mut candidates = Vec::new();
        for from in Square::ALL.into_iter().filter(|from| from.file() == file) {
            let squares = [&[from], to].concat();
            match self.find_move(&squares) {
                Ok(m) => {
                    candidates.push(m);
                    found = Some((m, squares));
                }
                Err(several) => candidates.extend(several),
            }
        }
        match (candidates.len(), found) {
            (1, Some(found)) => Ok(found),
            _ => Err(candidates),
        }
    }

    fn explain(&self, text: &str, candidates: &[Move]) -> MoveTextError {
        let text = text.to_owned();
        if candidates.is_empty() {
            return MoveTextError::Illegal { text };
        }
        let candidates = candidates.iter().map(|&m| self.full_notation(m)).collect();
        MoveTextError::Ambiguous { text, candidates }
    }

    /// The legal move with a route through exactly these squares, or else the only one with a
    /// route that begins, ends and passes there.
    ///
    /// # Errors
    /// The moves that fit, when there is not exactly one.
    pub fn find_move(&self, squares: &[Square]) -> Result<Move, Vec<Move>> {
        let (Some(&from), Some(&to)) = (squares.first(), squares.last()) else {
            return Err(Vec::new());
        };
        let mut moves = MoveList::new();
        self.legal_moves_into(&mut moves);
        let fits = |m: &&Move| squares.len() >= 2 && m.from() == from && m.to() == to;
        let mut fitting_ends = moves.iter().filter(fits).copied();
        if squares.len() == 2
            && let (Some(m), None) = (fitting_ends.next(), fitting_ends.next())
        {
            return Ok(m);
        }
        let mut candidates = Vec::new();
        for m in moves.iter().filter(fits).copied() {
            for route in m.routes(self) {
                if route.squares == squares {
                    return Ok(m);
                }
                if passes(&route, squares) && !candidates.contains(&m) {
                    candidates.push(m);
                }
            }
        }
        if let [m] = candidates[..] {
            Ok(m)
        } else {
            Err(candidates)
        }
    }
}

/// Whether the route visits `squares` in this order, from its first square to its last.
fn passes(route: &Route, squares: &[Square]) -> bool {
    let [_, between @ .., _] = squares else {
        return false;
    };
    let Some(inner) = route.squares.get(1..route.squares.len() - 1) else {
        return false;
    };
    let mut inner = inner.iter();
    between
        .iter()
        .all(|square| inner.any(|visited| visited == square))
}

/// The squares of a move text, two or more.
fn parse_squares(text: &str) -> Result<Vec<Square>, MoveTextError> {
    let mut reader = NotationReader::new(text);
    let mut squares = Vec::new();
    while squares.len() < 2 || !reader.is_at_end() {
        if !squares.is_empty() {
            reader.skip_separator();
        }
        let is_cut_short = squares.len() < 2 && reader.is_at_end();
        match reader.square() {
            Ok(square) => squares.push(square),
            Err(_) if is_cut_short => {
                return Err(reader.expected("a move such as c3-d4 or c3:e5"));
            }
            Err(SquareError::Light) => return Err(reader.expected("a dark square")),
            Err(SquareError::NotASquare) => return Err(reader.expected("a square such as c3")),
        }
    }
    Ok(squares)
}

/// The file and the other squares of a text whose first square is its file alone.
fn parse_short(text: &str) -> Option<(u8, Vec<Square>)> {
    let mut reader = NotationReader::new(text);
    let file = reader.rest.chars().next()?.to_ascii_lowercase();
    let file = u8::try_from(file)
        .ok()?
        .checked_sub(b'a')
        .filter(|&f| f < 8)?;
    reader.skip(1);
    let mut squares = Vec::new();
    while squares.is_empty() || !reader.is_at_end() {
        reader.skip_separator();
        squares.push(reader.square().ok()?);
    }
    Some((file, squares))
}

/// The squares of a text that is written as moves mostly are: two, and a separator between them.
fn parse_ends(text: &str) -> Option<[Square; 2]> {
    let (from, rest) = text.split_at_checked(2)?;
    let to = rest.strip_prefix(['-', ':'])?;
    Some([from.parse().ok()?, to.parse().ok()?])
}

/// Reads from one thing to the next; never stands before a space.
struct NotationReader<'a> {
    rest: &'a str,
    /// Characters that have been passed.
    at: usize,
}

impl NotationReader<'_> {
    fn new(text: &str) -> NotationReader<'_> {
        let mut reader = NotationReader { rest: text, at: 0 };
        reader.skip(0);
        reader
    }

    /// Takes the square that comes next; takes nothing if none does.
    fn square(&mut self) -> Result<Square, SquareError> {
        let mut next = self.rest.chars();
        let (Some(file), Some(row)) = (next.next(), next.next()) else {
            return Err(SquareError::NotASquare);
        };
        let name = [file.to_ascii_lowercase(), row].map(|c| u8::try_from(c).unwrap_or_default());
        let name = str::from_utf8(&name).map_err(|_| SquareError::NotASquare)?;
        let square = name.parse()?;
        self.skip(2);
        Ok(square)
    }

    fn skip_separator(&mut self) {
        let next = self.rest.chars().next();
        if next.is_some_and(|c| matches!(c, '-' | ':' | 'x' | 'X' | '×')) {
            self.skip(1);
        }
    }

    /// Passes so many characters and the spaces after them.
    fn skip(&mut self, count: usize) {
        let mut rest = self.rest.char_indices().skip(count);
        let next = rest.find(|(_, c)| !c.is_whitespace());
        let end = next.map_or(self.rest.len(), |(end, _)| end);
        self.at += self.rest[..end].chars().count();
        self.rest = &self.rest[end..];
    }

    fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    fn expected(&self, expected: &'static str) -> MoveTextError {
        MoveTextError::Syntax {
            column: self.at + 1,
            expected,
        }
    }
}

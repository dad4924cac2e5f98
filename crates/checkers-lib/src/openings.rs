//! Openings: the positions that the games of a match begin from, and how they came about.
//!
//! They come from a text ([`parse`]), from all quiet beginnings of a length ([`enumerate`]), or
//! from the built-in suite ([`suite`]). A text has one of two [`Format`]s:
//!
//! * **Lines**, each an opening: moves from the start (`c3-d4 b6-a5`, with or without move
//!   numbers), a FEN (`W:Wc3:Bd4`), or a FEN and moves from there (`W:Wg1,c3:Bd4,h8 moves c3:e5`).
//!   Blank lines, and what follows a `#`, are skipped. Moves are read as movetext of
//!   [`pdn`](crate::pdn), so that its comments and annotations are fine too. In front of them may
//!   stand what the opening is called, between quotation marks: `"Edge" a3-b4 b6-a5`.
//! * **PDN**: each game is an opening; [`Reader::plies`] cuts it off in time.
//!
//! An [`Opening`] prints as such a line, in one form only: moves without numbers, a FEN only for
//! another start than the game's or where there are no moves, and never a name, which is not what
//! is played.
//!
//! ```
//! use checkers_lib::openings;
//!
//! let openings = openings::parse("# two ways to begin\n1. c3-d4 d6-c5 2. b2-c3\ng3-f4\n")?;
//! assert_eq!(openings[0].to_string(), "c3-d4 d6-c5 b2-c3");
//! assert_eq!(openings[1].position().turn(), checkers_lib::Color::Black);
//! # Ok::<(), openings::OpeningsError>(())
//! ```

mod enumeration;
mod reader;

use std::collections::HashSet;
use std::fmt;

use crate::pdn::ReplayError;
use crate::{DrawRules, Game, Move, PlayError, Position, zobrist};

pub use enumeration::enumerate;
pub use reader::{Format, OpeningsError, Reader, parse};

/// The text of the built-in suite. Its first lines say what it holds and which command made it.
pub const SUITE: &str = include_str!("../data/openings.txt");

/// A position to begin from, and the moves that lead there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Opening {
    start: Position,
    moves: Vec<Move>,
    /// The position after the last move.
    position: Position,
    name: Option<String>,
}

impl Opening {
    /// An opening without moves and without a name.
    pub fn new(start: Position) -> Opening {
        Opening {
            position: start.clone(),
            start,
            moves: Vec::new(),
            name: None,
        }
    }

    /// Adds a move.
    ///
    /// # Errors
    /// A move that is not legal after the last one; the opening is as it was then.
    pub fn push(&mut self, m: Move) -> Result<(), PlayError> {
        self.position = self.position.clone().play(m)?;
        self.moves.push(m);
        Ok(())
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after the last move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What it is called, if it is called anything.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether this is what it is called, in large letters or small ones.
    ///
    /// # Examples
    /// ```
    /// use checkers_lib::openings::Opening;
    ///
    /// let opening: Opening = "\"Тычок\" c3-b4 b6-a5".parse()?;
    /// assert!(opening.is_called(" ТЫЧОК "));
    /// assert!(!opening.is_called("кол"));
    /// # Ok::<(), checkers_lib::openings::OpeningsError>(())
    /// ```
    pub fn is_called(&self, name: &str) -> bool {
        let own = self.name.as_ref().map(|own| own.to_lowercase());
        own.is_some_and(|own| own == name.trim().to_lowercase())
    }

    /// A game in which the opening has been played. Its history counts for the draw rules.
    ///
    /// # Errors
    /// When these rules end the game before the opening's last move.
    pub fn to_game(&self, rules: DrawRules) -> Result<Game, ReplayError> {
        let mut game = Game::from_position(self.start.clone(), rules);
        for (i, &m) in self.moves.iter().enumerate() {
            game.play(m)
                .map_err(|source| ReplayError { ply: i + 1, source })?;
        }
        Ok(game)
    }
}

impl fmt::Display for Opening {
    /// Writes `c3-d4 d6-c5`, `W:Wc3:Bd4`, or `W:Wg1,c3:Bd4,h8 moves c3:e5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut position = self.start.clone();
        let is_usual = position == Position::start();
        if !is_usual || self.moves.is_empty() {
            write!(f, "{position}")?;
        }
        if !is_usual && !self.moves.is_empty() {
            write!(f, " {MOVES} ")?;
        }
        for (i, &m) in self.moves.iter().enumerate() {
            let space = if i > 0 { " " } else { "" };
            write!(f, "{space}{}", position.notation(m))?;
            position.play_unchecked(m);
        }
        Ok(())
    }
}

/// What stands between a FEN and the moves from there.
const MOVES: &str = "moves";

/// The built-in suite: balanced openings, no two of which lead to the same position, in an order
/// without a pattern, so that its first ones are a fair sample. Reads [`SUITE`]: O(its length).
///
/// # Examples
/// ```
/// use checkers_lib::openings;
///
/// assert!(openings::suite().len() >= 500);
/// ```
pub fn suite() -> Vec<Opening> {
    parse(SUITE).expect("a text that is part of the program and of its tests")
}

/// Drops every opening that leads to the position of an earlier one.
pub fn drop_transpositions(openings: &mut Vec<Opening>) {
    let mut seen = HashSet::new();
    openings.retain(|opening| seen.insert(opening.position.clone()));
}

/// Puts items into an order without a pattern that depends on their number and the seed alone: it
/// is the same in every build and on every machine. Each seed gives another order, and 0 is a seed
/// like any other.
///
/// CITE: R. Durstenfeld, "Algorithm 235: Random Permutation", 1964, after R. A. Fisher and
/// F. Yates; the random words are SplitMix64's (S. Vigna, public domain), from a place in its
/// sequence that depends on the seed.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
    let place = zobrist::split_mix(seed);
    for last in (1..items.len()).rev() {
        let word = zobrist::split_mix(place.wrapping_add(last as u64));
        items.swap(last, below(word, last + 1));
    }
}

/// Where a random word falls among `count` equal parts of all words: a number below `count`.
fn below(word: u64, count: usize) -> usize {
    ((u128::from(word) * count as u128) >> 64) as usize
}

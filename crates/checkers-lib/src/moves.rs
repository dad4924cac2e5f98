//! Moves as what they do, and the routes by which they do it.

use std::fmt;

use arrayvec::ArrayVec;

use crate::{Bitboard, Square};

/// A move, identified by its effect: from, to, the set of captured squares, whether a man becomes
/// a king. Two capture routes with one effect are one move; the squares visited on the way belong
/// to [`Route`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    from: Square,
    to: Square,
    promotes: bool,
    captured: Bitboard,
}

const _: () = assert!(size_of::<Option<Move>>() == 8); // copied at every node

impl Move {
    #[inline]
    pub(crate) const fn new(from: Square, to: Square, promotes: bool, captured: Bitboard) -> Move {
        Move {
            from,
            to,
            promotes,
            captured,
        }
    }

    /// The square the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        self.from
    }

    /// The square the piece ends on; after a circular capture the one it started from.
    #[inline]
    pub const fn to(self) -> Square {
        self.to
    }

    /// Whether a man becomes a king on the way or at the end.
    #[inline]
    pub const fn promotes(self) -> bool {
        self.promotes
    }

    /// The squares of the captured pieces.
    #[inline]
    pub const fn captured(self) -> Bitboard {
        self.captured
    }

    /// Whether anything is captured.
    #[inline]
    pub const fn is_capture(self) -> bool {
        !self.captured.is_empty()
    }
}

/// The most moves a [`MoveList`] holds. The richest legal set-ups found have 68, quiet or
/// capturing: the best of every run of simulated annealing, each with many restarts. No bound is
/// proven.
pub const MAX_MOVES: usize = 128;

/// The legal moves of one position, in generation order, without heap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveList(ArrayVec<Move, MAX_MOVES>);

impl MoveList {
    /// An empty list.
    #[inline]
    pub fn new() -> MoveList {
        MoveList(ArrayVec::new())
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Appends a move; one beyond [`MAX_MOVES`] is left out.
    #[inline]
    pub(crate) fn push(&mut self, m: Move) {
        let _ = self.0.try_push(m);
    }

    /// The moves as a slice to sort or permute.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = arrayvec::IntoIter<Move, MAX_MOVES>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// One way to carry out a move on the board.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Route {
    /// Every square the piece stands on, the start and the end included: two or more.
    pub squares: Vec<Square>,
    /// The captured squares in the order of capture; `captures[i]` lies between `squares[i]` and
    /// `squares[i + 1]`. Empty for a quiet move.
    pub captures: Vec<Square>,
}

impl Route {
    /// `c3-d4`, or `c3:e5:g3` with every square of a capture.
    pub fn text(&self) -> String {
        // A square's name and what is before it.
        const LENGTH: usize = 3;
        let separator = if self.captures.is_empty() { "-" } else { ":" };
        let mut text = String::with_capacity(LENGTH * self.squares.len());
        for (i, square) in self.squares.iter().enumerate() {
            text.push_str(if i > 0 { separator } else { "" });
            text.push_str(square.name());
        }
        text
    }
}

impl fmt::Display for Route {
    /// Writes its [text](Route::text).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

//! Which pieces are which inputs.

use std::ops::Deref;

use arrayvec::ArrayVec;
use checkers_lib::{Color, Move, Position, Square};

use super::super::view::SideView;

/// Own men, on the 28 squares of rows 1 to 7; enemy men, on those of rows 2 to 8; own kings; enemy
/// kings.
pub const INPUTS: usize = 28 + 28 + 32 + 32;

/// The input of a piece on square 0: own and enemy men, own and enemy kings.
const FIRST: [u8; 4] = [0, 24, 56, 88];

/// Some inputs of a side, at most as many as there can be pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs(ArrayVec<u8, 24>);

impl Inputs {
    /// The inputs that are 1 in a view.
    pub(super) fn of(view: &SideView) -> Inputs {
        let sets = [view.men[0], view.men[1], view.kings[0], view.kings[1]];
        let mut inputs = Inputs::default();
        for (set, first) in sets.into_iter().zip(FIRST) {
            for square in set {
                inputs.push(first + square as u8);
            }
        }
        inputs
    }

    #[inline]
    fn push(&mut self, input: u8) {
        // There are never more pieces than this has room for.
        let _ = self.0.try_push(input);
    }
}

impl Deref for Inputs {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl IntoIterator for Inputs {
    type Item = u8;
    type IntoIter = arrayvec::IntoIter<u8, 24>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// An input as White sees it, and as Black does.
type Seen = [u8; 2];

/// What a move does to the inputs: a piece leaves a square and comes to another, and enemies may
/// vanish.
#[derive(Clone, Debug)]
pub(super) struct InputChange {
    pub(super) added: Seen,
    pub(super) removed: Seen,
    pub(super) captured: ArrayVec<Seen, 12>,
}

impl InputChange {
    /// What `m` does in a position where it is legal.
    #[inline(always)] // So that it is never put together in memory.
    pub(super) fn new(before: &Position, m: Move) -> InputChange {
        let (us, them) = (before.turn(), !before.turn());
        let is_king = before.kings(us).contains(m.from());
        let mut change = InputChange {
            added: seen(us, is_king || m.promotes(), m.to()),
            removed: seen(us, is_king, m.from()),
            captured: ArrayVec::new(),
        };
        for square in m.captured() {
            // There are never more pieces than this has room for.
            let is_king = before.kings(them).contains(square);
            let _ = change.captured.try_push(seen(them, is_king, square));
        }
        change
    }
}

/// The board is turned by half a turn for Black.
#[inline]
fn seen(color: Color, is_king: bool, square: Square) -> Seen {
    let kind = 2 * usize::from(is_king);
    let (by_white, by_black) = match color {
        Color::White => (kind, kind + 1),
        Color::Black => (kind + 1, kind),
    };
    [
        FIRST[by_white] + square as u8,
        FIRST[by_black] + (31 - square as u8),
    ]
}

//! Which pieces are which inputs.

use std::ops::Deref;

use arrayvec::ArrayVec;
use checkers_lib::{Bitboard, ByColor, Color, Position, Square};

use super::super::View;

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
    pub(super) fn of(view: &View) -> Inputs {
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

/// What a move does to the inputs of each side.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) added: ByColor<Inputs>,
    pub(super) removed: ByColor<Inputs>,
}

impl Changes {
    #[inline]
    pub(super) fn between(before: &Position, after: &Position) -> Changes {
        let mut changes = Changes::default();
        for color in Color::ALL {
            changes.add(color, 0, before.men(color), after.men(color));
            changes.add(color, 2, before.kings(color), after.kings(color));
        }
        changes
    }

    /// Adds what becomes of the men (kind 0) or kings (2) of a colour.
    #[inline]
    fn add(&mut self, color: Color, kind: usize, before: Bitboard, after: Bitboard) {
        push_all(&mut self.removed, color, kind, before - after);
        push_all(&mut self.added, color, kind, after - before);
    }
}

#[inline]
fn push_all(inputs: &mut ByColor<Inputs>, color: Color, kind: usize, squares: Bitboard) {
    for square in squares {
        inputs.white.push(seen_by_white(color, kind, square));
        inputs.black.push(seen_by_black(color, kind, square));
    }
}

#[inline]
fn seen_by_white(color: Color, kind: usize, square: Square) -> u8 {
    FIRST[kind + usize::from(color == Color::Black)] + square as u8
}

/// The board is turned by half a turn.
#[inline]
fn seen_by_black(color: Color, kind: usize, square: Square) -> u8 {
    FIRST[kind + usize::from(color == Color::White)] + (31 - square as u8)
}

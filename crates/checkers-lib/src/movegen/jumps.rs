//! Captures of adjacent pieces, found for all men at once.
//!
//! The sets take the board as it stands: the jumping man is still on its square, and so are the
//! pieces it has taken. That is right for the first three jumps, for a man comes back to a square
//! where it stood, or to a piece it took, with its fourth jump at the earliest; except straight
//! back, which [`Jumps`] leaves out.

use super::Board;
use crate::bitboard::len_of_both;
use crate::geometry::{Direction, step, step_twice};
use crate::{Bitboard, Square};

/// One set for each direction, in the order of [`Direction::ALL`].
pub(super) type Sets = [Bitboard; 4];

/// From where an adjacent enemy can be jumped.
pub(super) struct Jumps {
    /// The squares from which a jump in the direction is possible.
    starts: Sets,
    /// The squares from which a man that came along the direction can jump on. It does not turn
    /// back: there stands the piece it has just taken.
    onward: Sets,
}

impl Jumps {
    #[inline]
    pub(super) fn new(board: &Board) -> Jumps {
        let empty = !board.occupied();
        let starts = Direction::each(|direction| {
            let back = direction.opposite();
            step(board.theirs, back) & step_twice(empty, back)
        });
        Jumps {
            starts,
            onward: all_but_opposite(starts),
        }
    }

    /// The squares from which there is a jump.
    #[inline]
    pub(super) fn starts(&self) -> Bitboard {
        union(self.starts)
    }

    /// The squares from which a jump in `direction` is possible.
    #[inline]
    pub(super) fn starts_along(&self, direction: Direction) -> Bitboard {
        self.starts[direction as usize]
    }

    /// Whether a man that has jumped along `heading` for the first time can jump on from `at`.
    #[inline]
    pub(super) fn goes_on(&self, at: Square, heading: Direction) -> bool {
        self.onward[heading as usize].contains(at)
    }

    /// The number of captures by men, or `None` if sets cannot tell: when a man takes more than two
    /// pieces or becomes a king, or when two that jump on come by the same square.
    #[inline(always)]
    pub(super) fn count(&self, men: Bitboard, last_row: Bitboard) -> Option<u32> {
        let once = self.land([men; 4]);
        if !(union(once) & last_row).is_empty() {
            return None;
        }
        let on = self.going_on(once);
        if union(on).is_empty() {
            return Some(total(once));
        }
        let twice = self.land(all_but_opposite(on));
        let unsure = (union(twice) & last_row) | union(self.going_on(twice)) | shared(on);
        let ends_early = total(once) - union(on).len();
        unsure.is_empty().then(|| ends_early + total(twice))
    }

    /// Where men land that jump once more, if they can, each set in its direction.
    #[inline]
    fn land(&self, men: Sets) -> Sets {
        Direction::each(|direction| {
            let d = direction as usize;
            step_twice(men[d] & self.starts[d], direction)
        })
    }

    /// Those of the men that have just landed that can jump on.
    #[inline]
    fn going_on(&self, landed: Sets) -> Sets {
        Direction::each(|direction| {
            let d = direction as usize;
            landed[d] & self.onward[d]
        })
    }
}

#[inline]
pub(super) fn union([a, b, c, d]: Sets) -> Bitboard {
    a | b | c | d
}

/// The squares that are in more than one of the sets.
#[inline]
fn shared([a, b, c, d]: Sets) -> Bitboard {
    (a & b) | (c & d) | ((a | b) & (c | d))
}

/// The sizes of all sets together.
#[inline]
pub(super) fn total([a, b, c, d]: Sets) -> u32 {
    len_of_both(a, b) + len_of_both(c, d)
}

/// For each direction what the sets of all directions but the opposite one contain.
#[inline]
fn all_but_opposite([up_left, up_right, down_left, down_right]: Sets) -> Sets {
    let (up, down) = (up_left | up_right, down_left | down_right);
    [
        up | down_left,
        up | down_right,
        down | up_left,
        down | up_right,
    ]
}

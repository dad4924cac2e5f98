//! Positions as the tables see them.

use checkers_lib::{Bitboard, Board, Color, Move, Position};

use super::material::{Force, Material};

/// Where the pieces stand, seen by the side to move: its men walk up the board, whatever its
/// colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Placement {
    pub(crate) men: Bitboard,
    pub(crate) kings: Bitboard,
    pub(crate) other_men: Bitboard,
    pub(crate) other_kings: Bitboard,
}

impl Placement {
    pub(crate) fn of(position: &Position) -> Placement {
        let turn = position.turn();
        let placement = Placement {
            men: position.men(turn),
            kings: position.kings(turn),
            other_men: position.men(!turn),
            other_kings: position.kings(!turn),
        };
        match turn {
            Color::White => placement,
            Color::Black => Placement {
                men: placement.men.rotated(),
                kings: placement.kings.rotated(),
                other_men: placement.other_men.rotated(),
                other_kings: placement.other_kings.rotated(),
            },
        }
    }

    /// The same position seen by the other side.
    #[inline(always)]
    pub(crate) fn turned(&self) -> Placement {
        Placement {
            men: self.other_men.rotated(),
            kings: self.other_kings.rotated(),
            other_men: self.men.rotated(),
            other_kings: self.kings.rotated(),
        }
    }

    #[inline(always)]
    pub(crate) fn material(&self) -> Material {
        let force = |men: Bitboard, kings: Bitboard| Force {
            men: men.len() as u8,
            kings: kings.len() as u8,
        };
        Material {
            mover: force(self.men, self.kings),
            other: force(self.other_men, self.other_kings),
        }
    }

    /// For the moves of the side to move.
    #[inline(always)]
    pub(crate) fn board(&self) -> Board {
        Board {
            us: Color::White,
            men: self.men,
            kings: self.kings,
            theirs: self.other_men | self.other_kings,
        }
    }

    /// After a move of the side to move, still seen by it. To be looked up as turned.
    #[inline(always)]
    pub(crate) fn after(&self, m: Move) -> Placement {
        let (from, to) = (Bitboard::from(m.from()), Bitboard::from(m.to()));
        let is_king = !(self.kings & from).is_empty();
        let mut after = *self;
        if is_king {
            after.kings = self.kings ^ from ^ to;
        } else if m.promotes() {
            after.men = self.men ^ from;
            after.kings |= to;
        } else {
            after.men = self.men ^ from ^ to;
        }
        after.other_men = self.other_men - m.captured();
        after.other_kings = self.other_kings - m.captured();
        after
    }
}

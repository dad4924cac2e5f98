//! The board as one side sees it.

use checkers_lib::{Bitboard, Color, Position};

/// The pieces as one side sees them: its own first, its men walking up. For Black the board is
/// turned by half a turn, so that an evaluation need not know colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideView {
    /// Men: own and enemy.
    pub men: [Bitboard; 2],
    /// Kings: own and enemy.
    pub kings: [Bitboard; 2],
}

impl SideView {
    /// What `side` sees.
    #[inline]
    pub fn of(position: &Position, side: Color) -> SideView {
        let view = SideView {
            men: [position.men(side), position.men(!side)],
            kings: [position.kings(side), position.kings(!side)],
        };
        match side {
            Color::White => view,
            Color::Black => SideView {
                men: view.men.map(Bitboard::rotated),
                kings: view.kings.map(Bitboard::rotated),
            },
        }
    }

    /// What the other side sees.
    #[inline]
    #[must_use]
    pub fn turned(&self) -> SideView {
        let [ours, theirs] = self.men.map(Bitboard::rotated);
        let [our_kings, their_kings] = self.kings.map(Bitboard::rotated);
        SideView {
            men: [theirs, ours],
            kings: [their_kings, our_kings],
        }
    }

    /// All pieces of both sides.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.men[0] | self.men[1] | self.kings[0] | self.kings[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_sees_what_the_other_sees_turned() {
        let position: Position = "B:Wa1,Kd4:Bc7,Kh8".parse().unwrap();
        let black = SideView::of(&position, Color::Black);
        let seen: Position = "W:Wf2,Ka1:Bh8,Ke5".parse().unwrap();
        assert_eq!(black, SideView::of(&seen, Color::White));
        assert_eq!(black.turned(), SideView::of(&position, Color::White));
        assert_eq!(black.occupied().len(), 4);
    }
}

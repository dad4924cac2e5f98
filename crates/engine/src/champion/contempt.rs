//! What a draw is worth, which depends on who searches.

use checkers_lib::Color;

use crate::Score;
use crate::random::mix;

/// By how much less than an even game a draw is worth to the side to move at the root, and what of
/// that is true of a position below it.
///
/// CITE: R. M. Hyatt's Crafty, whose command `drawscore` sets it (idea alone).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Contempt {
    centi_logits: i32,
    /// What tells the entries of the table apart: those of one side are wrong for the other.
    salt: u64,
}

impl Contempt {
    /// Of `centi_logits` for a search in which `side` is to move at the root.
    pub(super) fn new(centi_logits: u32, side: Color) -> Contempt {
        if centi_logits == 0 {
            return Contempt::default();
        }
        let side = match side {
            Color::White => 0,
            Color::Black => 1,
        };
        Contempt {
            centi_logits: centi_logits as i32,
            salt: mix(2 * u64::from(centi_logits) + side),
        }
    }

    /// What a draw is worth to the side to move `ply` plies below the root.
    #[inline]
    pub(super) fn draw(self, ply: usize) -> Score {
        Score::new(if ply.is_multiple_of(2) {
            -self.centi_logits
        } else {
            self.centi_logits
        })
    }

    /// The key in the table of the position with this key.
    #[inline]
    pub(super) fn key(self, key: u64) -> u64 {
        key ^ self.salt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_worth_less_to_the_root_and_more_to_the_other() {
        let contempt = Contempt::new(20, Color::Black);
        assert_eq!(contempt.draw(0), Score::new(-20));
        assert_eq!(contempt.draw(3), Score::new(20));
    }

    #[test]
    fn each_side_and_each_value_has_its_own_entries() {
        let none = Contempt::new(0, Color::Black);
        assert_eq!(none, Contempt::new(0, Color::White));
        assert_eq!((none.draw(1), none.key(77)), (Score::ZERO, 77));
        let keys = [10, 20].map(|value| Color::ALL.map(|side| Contempt::new(value, side).key(77)));
        let mut keys: Vec<u64> = keys.into_iter().flatten().chain([77]).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 5);
    }
}

//! Positions of men in a word.

use checkers_lib::{Bitboard, ByColor, Color, Position, Setup, SetupError};

use crate::evaluation::SideView;

/// A position without kings as its side to move sees it: a position and the one with colours
/// exchanged have the same key, no others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MenKey(u64);

impl MenKey {
    /// The key of a position; `None` if there is a king.
    #[inline]
    pub fn of(position: &Position) -> Option<MenKey> {
        let SideView { men, kings } = SideView::of(position, position.turn());
        let [ours, theirs] = men;
        let has_kings = !(kings[0] | kings[1]).is_empty();
        (!has_kings).then_some(MenKey(u64::from(ours.0) << 32 | u64::from(theirs.0)))
    }

    /// The position of the key, `turn` being to move.
    pub fn position(self, turn: Color) -> Position {
        let setup = self.setup(turn);
        Position::from_setup(setup).expect("keys are of legal positions")
    }

    /// The men of the side to move in the upper half, those of the other in the lower, square by
    /// square from the lowest bit on.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The key of such a word.
    ///
    /// # Errors
    /// When it is that of no legal position.
    pub fn from_bits(bits: u64) -> Result<MenKey, SetupError> {
        let key = MenKey(bits);
        key.setup(Color::White).check()?;
        Ok(key)
    }

    fn setup(self, turn: Color) -> Setup {
        let ours = Bitboard((self.0 >> 32) as u32);
        let theirs = Bitboard(self.0 as u32);
        let men = match turn {
            Color::White => ByColor {
                white: ours,
                black: theirs,
            },
            Color::Black => ByColor {
                white: theirs.rotated(),
                black: ours.rotated(),
            },
        };
        Setup {
            men,
            turn,
            ..Setup::EMPTY
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_back_for_both_sides() {
        let white: Position = "W:Wa1,d4:Bc7,f6,h8".parse().unwrap();
        let black: Position = "B:Wa1,c3,f2:Be5,h8".parse().unwrap();
        let key = MenKey::of(&white).unwrap();
        assert_eq!(MenKey::of(&black), Some(key));
        assert_eq!(key.position(Color::White), white);
        assert_eq!(key.position(Color::Black), black);
        assert_eq!(MenKey::from_bits(key.to_bits()), Ok(key));
    }

    #[test]
    fn kings_and_nonsense_have_no_key() {
        let king: Position = "W:Wa1,Kd4:Bc7".parse().unwrap();
        assert_eq!(MenKey::of(&king), None);
        // A man of the side to move on its last row, two men on one square.
        assert!(MenKey::from_bits(1 << 63).is_err());
        assert!(MenKey::from_bits(1 << 36 | 1 << 4).is_err());
    }
}

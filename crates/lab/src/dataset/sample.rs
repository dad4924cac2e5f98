//! One position of a game.

use checkers_engine::evaluation::SideView;
use checkers_lib::Bitboard;

use super::SAMPLE_LEN;

/// How a game ended for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SampleOutcome {
    Loss,
    Draw,
    Win,
}

impl SampleOutcome {
    /// The points for it: 0, ½ or 1.
    pub(crate) fn points(self) -> f32 {
        match self {
            SampleOutcome::Loss => 0.0,
            SampleOutcome::Draw => 0.5,
            SampleOutcome::Win => 1.0,
        }
    }
}

/// A quiet position, its search score, and the result of its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sample {
    /// What the side to move sees.
    pub(crate) view: SideView,
    /// What it is worth to the side to move, in centi-logits; decided scores are at
    /// [`Sample::DECIDED`].
    pub(crate) score: i16,
    /// How the game ended for the side to move.
    pub(crate) outcome: SampleOutcome,
    /// Whether it is the first sample of its game.
    pub(crate) begins_game: bool,
    /// Whether Black is to move.
    pub(crate) is_blacks: bool,
    /// The plies played before it, 255 at most.
    pub(crate) ply: u8,
}

impl Sample {
    /// The greatest score, which stands for a proven win.
    pub(crate) const DECIDED: i16 = 2_000;

    const BEGINS_GAME: u8 = 4;
    const IS_BLACKS: u8 = 8;

    pub(super) fn to_bytes(self) -> [u8; SAMPLE_LEN] {
        let SideView { men, kings } = self.view;
        let mut bytes = [0; SAMPLE_LEN];
        bytes[0..4].copy_from_slice(&(men[0] | kings[0]).0.to_le_bytes());
        bytes[4..8].copy_from_slice(&(men[1] | kings[1]).0.to_le_bytes());
        bytes[8..12].copy_from_slice(&(kings[0] | kings[1]).0.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.score.to_le_bytes());
        bytes[14] = self.outcome as u8;
        if self.begins_game {
            bytes[14] |= Sample::BEGINS_GAME;
        }
        if self.is_blacks {
            bytes[14] |= Sample::IS_BLACKS;
        }
        bytes[15] = self.ply;
        bytes
    }

    /// What the bytes say; `None` if they are no sample.
    pub(super) fn from_bytes(bytes: &[u8; SAMPLE_LEN]) -> Option<Sample> {
        let word = |at: usize| {
            let word = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            Bitboard(u32::from_le_bytes(word))
        };
        let (ours, theirs, kings) = (word(0), word(4), word(8));
        let men = [ours - kings, theirs - kings];
        let is_position = (ours & theirs).is_empty()
            && (kings - ours - theirs).is_empty()
            && (men[0] & Bitboard::row(7)).is_empty()
            && (men[1] & Bitboard::row(0)).is_empty();
        let flags = bytes[14];
        let outcome = match flags & 3 {
            0 => SampleOutcome::Loss,
            1 => SampleOutcome::Draw,
            2 => SampleOutcome::Win,
            _ => return None,
        };
        let sample = Sample {
            view: SideView {
                men,
                kings: [ours & kings, theirs & kings],
            },
            score: i16::from_le_bytes([bytes[12], bytes[13]]),
            outcome,
            begins_game: flags & Sample::BEGINS_GAME != 0,
            is_blacks: flags & Sample::IS_BLACKS != 0,
            ply: bytes[15],
        };
        (is_position && flags < 16).then_some(sample)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_come_back() {
        let sample = Sample {
            view: SideView {
                men: [Bitboard(0x0000_0f01), Bitboard(0x00f0_0000)],
                kings: [Bitboard(0x8000_0000), Bitboard(0x0000_0002)],
            },
            score: -1234,
            outcome: SampleOutcome::Win,
            begins_game: true,
            is_blacks: false,
            ply: 77,
        };
        assert_eq!(Sample::from_bytes(&sample.to_bytes()), Some(sample));
        let other = Sample {
            outcome: SampleOutcome::Loss,
            begins_game: false,
            is_blacks: true,
            ..sample
        };
        assert_eq!(Sample::from_bytes(&other.to_bytes()), Some(other));
    }

    #[test]
    fn what_is_no_position_is_no_sample() {
        let start = Sample {
            view: SideView::of(&checkers_lib::Position::start(), checkers_lib::Color::White),
            score: 0,
            outcome: SampleOutcome::Draw,
            begins_game: true,
            is_blacks: false,
            ply: 0,
        };
        let good = start.to_bytes();
        for (at, byte) in [(3, 0x10), (4, 0x01), (9, 0xff), (14, 3), (14, 0x20)] {
            let mut bytes = good;
            bytes[at] = byte;
            assert_eq!(Sample::from_bytes(&bytes), None, "{at}");
        }
    }
}

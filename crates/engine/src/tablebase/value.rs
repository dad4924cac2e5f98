//! What a position is worth by perfect play.

use serde::{Deserialize, Serialize};

/// What a position is worth to the side to move, whatever the draw-counting articles say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Wdl {
    /// It loses.
    Loss,
    /// Neither side can force more.
    Draw,
    /// It wins.
    Win,
}

impl Wdl {
    /// The same in the other side's eyes.
    #[must_use]
    pub const fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }
}

/// A value with its distance: how many plies a decided game lasts if the winner shortens it and
/// the loser prolongs it, until the loser has no move.
///
/// One byte: the plies of a decided position, which are even for a loss and odd for a win, or 255.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Distance(pub(crate) u8);

impl Distance {
    /// Nobody wins.
    pub const DRAW: Distance = Distance(u8::MAX);
    /// The side to move has no move.
    pub const LOST: Distance = Distance(0);
    /// The longest distance a table holds.
    pub const LONGEST: u8 = u8::MAX - 1;

    /// The plies to the end, or `None` for a draw.
    #[inline]
    pub const fn plies(self) -> Option<u8> {
        match self {
            Distance::DRAW => None,
            Distance(plies) => Some(plies),
        }
    }

    /// The value without the distance.
    #[inline]
    pub const fn wdl(self) -> Wdl {
        match self.0 {
            u8::MAX => Wdl::Draw,
            plies if plies % 2 == 0 => Wdl::Loss,
            _ => Wdl::Win,
        }
    }

    /// How good it is for the side to move; higher is better, and no two are equal. Half the plies
    /// of a loss, counted from below, and of a win, counted from above, with draws in between.
    #[inline]
    const fn rank(self) -> u8 {
        (self.0 >> 1) ^ (self.0 & 1).wrapping_neg()
    }

    /// What a move is worth that leads to a position worth `self` to the other side; saturates at
    /// the longest distance there is of its kind.
    #[inline]
    pub(crate) const fn before(self) -> Distance {
        match self.0 {
            u8::MAX => Distance::DRAW,
            Distance::LONGEST => Distance(Distance::LONGEST - 1),
            plies => Distance(plies + 1),
        }
    }
}

impl PartialOrd for Distance {
    fn partial_cmp(&self, other: &Distance) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Distance {
    /// By how good it is for the side to move: late losses above early ones, early wins above late
    /// ones.
    fn cmp(&self, other: &Distance) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_losses_and_earlier_wins_are_better() {
        let ascending = [0, 2, 100, 254, 255, 253, 101, 3, 1].map(Distance);
        assert!(ascending.is_sorted());
    }

    #[test]
    fn parity_tells_wins_from_losses() {
        assert_eq!(Distance::LOST.wdl(), Wdl::Loss);
        assert_eq!(Distance::LOST.before().wdl(), Wdl::Win);
        assert_eq!(Distance(7).before(), Distance(8));
        assert_eq!(Distance(7).wdl().reversed(), Distance(8).wdl());
        assert_eq!(Distance::DRAW.before(), Distance::DRAW);
        assert_eq!(Distance::DRAW.plies(), None);
    }
}

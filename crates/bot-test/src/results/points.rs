//! What bots score in a tournament.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Serialize, Serializer};

use crate::statistics::GameScore;

/// Points: one for a win, a half for a draw, none for a void game.
///
/// Counted in halves, so that sums are exact and can be compared. In JSON they are a number: 1.5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Points {
    halves: u64,
}

impl Points {
    /// None.
    pub const ZERO: Points = Points { halves: 0 };

    /// The points of this many games won.
    pub fn of_wins(games: u64) -> Points {
        Points {
            halves: games.saturating_mul(2),
        }
    }

    /// In halves: 3 for one and a half.
    pub fn halves(self) -> u64 {
        self.halves
    }

    /// As a number: 1.5 for three halves.
    pub fn value(self) -> f64 {
        self.halves as f64 / 2.0
    }
}

impl From<GameScore> for Points {
    fn from(score: GameScore) -> Points {
        let halves = match score {
            GameScore::Loss => 0,
            GameScore::Draw => 1,
            GameScore::Win => 2,
        };
        Points { halves }
    }
}

impl Add for Points {
    type Output = Points;

    fn add(self, more: Points) -> Points {
        Points {
            halves: self.halves.saturating_add(more.halves),
        }
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, more: Points) {
        *self = *self + more;
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(all: I) -> Points {
        all.fold(Points::ZERO, Points::add)
    }
}

impl fmt::Display for Points {
    /// Writes `0`, `½`, `1`, `1½`, …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.halves / 2, self.halves % 2) {
            (0, 1) => f.pad("½"),
            (whole, 1) => f.pad(&format!("{whole}½")),
            (whole, _) => f.pad(&whole.to_string()),
        }
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_written_as_people_do() {
        use GameScore::{Draw, Loss, Win};
        let sum =
            |scores: &[GameScore]| -> Points { scores.iter().copied().map(Points::from).sum() };
        assert_eq!(sum(&[Loss]).to_string(), "0");
        assert_eq!(sum(&[Draw]).to_string(), "½");
        assert_eq!(sum(&[Win, Draw]).to_string(), "1½");
        assert_eq!(sum(&[Win, Draw, Draw]), Points::of_wins(2));
        assert_eq!(serde_json::to_string(&sum(&[Win, Draw])).unwrap(), "1.5");
    }
}

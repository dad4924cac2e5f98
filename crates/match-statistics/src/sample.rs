//! The results of two bots against each other.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// The result of one game for one bot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameScore {
    /// 0 points.
    Loss,
    /// ½ point.
    Draw,
    /// 1 point.
    Win,
}

impl GameScore {
    /// The same game for the other bot.
    pub fn swapped(self) -> GameScore {
        match self {
            GameScore::Loss => GameScore::Win,
            GameScore::Draw => GameScore::Draw,
            GameScore::Win => GameScore::Loss,
        }
    }

    fn half_points(self) -> usize {
        match self {
            GameScore::Loss => 0,
            GameScore::Draw => 1,
            GameScore::Win => 2,
        }
    }
}

/// Single games, counted by their result for the first bot. Written `wins,draws,losses`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Wdl {
    /// Games the first bot won.
    pub wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games the first bot lost.
    pub losses: u32,
}

impl Wdl {
    /// Counts one more game. Counts stay at `u32::MAX` once they are there.
    pub fn count(&mut self, score: GameScore) {
        let count = match score {
            GameScore::Loss => &mut self.losses,
            GameScore::Draw => &mut self.draws,
            GameScore::Win => &mut self.wins,
        };
        *count = count.saturating_add(1);
    }

    /// Counts more games. Counts stay at `u32::MAX` once they are there.
    pub fn add(&mut self, more: Wdl) {
        self.wins = self.wins.saturating_add(more.wins);
        self.draws = self.draws.saturating_add(more.draws);
        self.losses = self.losses.saturating_add(more.losses);
    }

    /// How many games there are.
    pub fn games(self) -> u64 {
        self.worst_first().map(u64::from).iter().sum()
    }

    /// How many points the first bot scored, a win one and a draw half.
    pub fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The same games as the other bot sees them.
    #[must_use]
    pub fn swapped(self) -> Wdl {
        Wdl {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    /// The counts of losses, draws and wins, in this order.
    pub(super) fn worst_first(self) -> [u32; 3] {
        [self.losses, self.draws, self.wins]
    }
}

/// Pairs of games, counted by the points of the first bot: 0, ½, 1, 1½, 2, in this order.
///
/// A pair is one opening played twice, with colours swapped. Its games are not independent, for
/// an opening that favours a side does so in both; pairs are. That is why errors are computed
/// from pairs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Pentanomial(pub [u32; 5]);

impl Pentanomial {
    /// Counts one more pair. Counts stay at `u32::MAX` once they are there.
    pub fn count(&mut self, pair: [GameScore; 2]) {
        let [first, second] = pair.map(GameScore::half_points);
        if let Some(count) = self.0.get_mut(first + second) {
            *count = count.saturating_add(1);
        }
    }

    /// Counts more pairs. Counts stay at `u32::MAX` once they are there.
    pub fn add(&mut self, more: Pentanomial) {
        for (count, more) in self.0.iter_mut().zip(more.0) {
            *count = count.saturating_add(more);
        }
    }

    /// How many pairs there are.
    pub fn pairs(self) -> u64 {
        self.0.map(u64::from).iter().sum()
    }

    /// The same pairs as the other bot sees them.
    #[must_use]
    pub fn swapped(self) -> Pentanomial {
        let mut counts = self.0;
        counts.reverse();
        Pentanomial(counts)
    }
}

/// The results of two bots against each other, wins being those of the first. What is independent
/// of everything else in it is one *trial*: a pair, or a game that belongs to no pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sample {
    /// Games that belong to no pair.
    Games(Wdl),
    /// Pairs of games.
    Pairs(Pentanomial),
}

impl Sample {
    /// How many games there are, two to a pair.
    pub fn games(&self) -> u64 {
        match self {
            Sample::Games(games) => games.games(),
            Sample::Pairs(pairs) => 2 * pairs.pairs(),
        }
    }

    /// The same results as the other bot sees them.
    #[must_use]
    pub fn swapped(&self) -> Sample {
        match self {
            Sample::Games(games) => Sample::Games(games.swapped()),
            Sample::Pairs(pairs) => Sample::Pairs(pairs.swapped()),
        }
    }

    /// How many games one trial consists of.
    pub(super) fn games_per_trial(&self) -> f64 {
        match self {
            Sample::Games(_) => 1.0,
            Sample::Pairs(_) => 2.0,
        }
    }

    /// How many trials had each result, from the worst for the first bot to the best.
    pub(super) fn counts(&self) -> ArrayVec<u32, 5> {
        match self {
            Sample::Games(games) => games.worst_first().into_iter().collect(),
            Sample::Pairs(pairs) => pairs.0.into_iter().collect(),
        }
    }
}

/// Why a text is not a sample.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleError {
    /// It has too many or too few numbers.
    #[error("expected {expected} counts with commas between them, found {found}")]
    Length {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A count is not a number, or negative, or too large.
    #[error("expected a count from 0 to {}, found {text:?}", u32::MAX)]
    Count {
        /// What is there in its place.
        text: String,
    },
}

impl FromStr for Wdl {
    type Err = SampleError;

    fn from_str(text: &str) -> Result<Wdl, SampleError> {
        let [wins, draws, losses] = parse_counts(text)?;
        Ok(Wdl {
            wins,
            draws,
            losses,
        })
    }
}

impl FromStr for Pentanomial {
    type Err = SampleError;

    fn from_str(text: &str) -> Result<Pentanomial, SampleError> {
        parse_counts(text).map(Pentanomial)
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.wins, self.draws, self.losses)
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e] = self.0;
        write!(f, "{a},{b},{c},{d},{e}")
    }
}

/// Numbers with commas between them, and nothing but spaces around each.
fn parse_counts<const N: usize>(text: &str) -> Result<[u32; N], SampleError> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let words = <[&str; N]>::try_from(words).map_err(|words| SampleError::Length {
        expected: N,
        found: words.len(),
    })?;
    let mut counts = [0; N];
    for (count, word) in counts.iter_mut().zip(words) {
        *count = word.parse().map_err(|_| SampleError::Count {
            text: word.to_owned(),
        })?;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_as_they_are_written() {
        let games: Wdl = "136,111,96".parse().unwrap();
        assert_eq!((games.wins, games.draws, games.losses), (136, 111, 96));
        assert_eq!(games.to_string(), "136,111,96");
        let pairs: Pentanomial = " 12, 80,210,110,20".parse().unwrap();
        assert_eq!(pairs.to_string(), "12,80,210,110,20");
    }

    #[test]
    fn what_is_no_sample_says_why() {
        let message = |text: &str| text.parse::<Wdl>().unwrap_err().to_string();
        assert_eq!(
            message("1,2"),
            "expected 3 counts with commas between them, found 2"
        );
        for wrong in ["1,-2,3", "1,x,3", "1,,3", "1,2.5,3", "1,4294967296,3"] {
            assert!(message(wrong).starts_with("expected a count from 0 to 4294967295, found"));
        }
    }

    #[test]
    fn a_pair_counts_by_its_points() {
        use GameScore::{Draw, Loss, Win};
        let mut pairs = Pentanomial::default();
        for pair in [
            [Loss, Loss],
            [Draw, Loss],
            [Win, Loss],
            [Draw, Draw],
            [Win, Win],
        ] {
            pairs.count(pair);
        }
        assert_eq!(pairs, Pentanomial([1, 1, 2, 0, 1]));
        assert_eq!(pairs.swapped(), Pentanomial([1, 0, 2, 1, 1]));
        assert_eq!(Sample::Pairs(pairs).games(), 10);
    }

    #[test]
    fn counting_never_overflows() {
        let mut games = Wdl {
            wins: u32::MAX,
            draws: u32::MAX,
            losses: u32::MAX,
        };
        games.count(GameScore::Win);
        assert_eq!(games.games(), 3 * u64::from(u32::MAX));
    }
}

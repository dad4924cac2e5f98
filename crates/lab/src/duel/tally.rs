//! What the games add up to.

use std::fmt;

use super::pair::Pair;

/// The results so far, of the first bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    /// Games lost, drawn and won.
    games: [u32; 3],
    /// Pairs by the points in them: 0, ½, 1, 1½ and 2.
    pairs: [u32; 5],
}

impl Tally {
    pub(super) fn add(&mut self, pair: Pair) {
        for points in pair.0 {
            self.games[usize::from(points.min(2))] += 1;
        }
        let points: u8 = pair.0.iter().sum();
        self.pairs[usize::from(points.min(4))] += 1;
    }

    pub(super) fn pairs(&self) -> u32 {
        self.pairs.iter().sum()
    }

    /// As `checkers-bot-test stats` reads it.
    pub(super) fn ptnml(&self) -> String {
        self.pairs.map(|count| count.to_string()).join(",")
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [losses, draws, wins] = self.games;
        let games = losses + draws + wins;
        let points = f64::from(2 * wins + draws) / f64::from(2 * games.max(1));
        write!(
            f,
            "{} pairs, {games} games: {wins} wins, {draws} draws, {losses} losses; {:.1} % of the points",
            self.pairs(),
            100.0 * points
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_points() {
        let mut tally = Tally::default();
        for points in [[2, 2], [2, 1], [0, 2], [1, 1], [0, 1]] {
            tally.add(Pair(points));
        }
        assert_eq!(tally.ptnml(), "0,1,2,1,1");
        assert_eq!(
            tally.to_string(),
            "5 pairs, 10 games: 4 wins, 4 draws, 2 losses; 60.0 % of the points"
        );
    }
}

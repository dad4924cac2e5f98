//! Other results that a pool might as well have had.
//!
//! CITE: B. Efron, "Bootstrap Methods: Another Look at the Jackknife", Annals of Statistics 7(1),
//! 1979: draw as many trials as there are, with replacement, from those there are.

use rand::Rng;
use rand_distr::{Binomial, Distribution};

use super::Meeting;

impl Meeting {
    /// The points of the first bot in a meeting of as many pairs and games as this, each of them
    /// drawn from those of this one.
    pub(super) fn resampled_points(&self, rng: &mut impl Rng) -> f64 {
        let (pairs, games) = (self.pairs.0, self.unpaired.worst_first());
        half_points(&resample(pairs, rng)) + half_points(&resample(games, rng))
    }
}

/// The points of results counted by 0, ½, 1, … points.
fn half_points(counts: &[u64]) -> f64 {
    let points = (0_u32..).map(|half_points| f64::from(half_points) / 2.0);
    points
        .zip(counts)
        .map(|(points, &count)| points * count as f64)
        .sum()
}

/// As many results as are counted, drawn with the frequencies of the counts: each count by a
/// binomial distribution, given those before it. Takes as long for many results as for few.
fn resample<const N: usize>(counts: [u32; N], rng: &mut impl Rng) -> [u64; N] {
    let mut rest: u64 = counts.map(u64::from).iter().sum();
    let mut to_draw = rest;
    counts.map(|count| {
        let drawn = binomial(to_draw, u64::from(count), rest, rng);
        rest -= u64::from(count);
        to_draw -= drawn;
        drawn
    })
}

/// How many of `trials` succeed if `count` out of `rest` do.
fn binomial(trials: u64, count: u64, rest: u64, rng: &mut impl Rng) -> u64 {
    if trials == 0 || count == 0 {
        return 0;
    }
    let chance = count as f64 / rest as f64;
    Binomial::new(trials, chance)
        .expect("a part of a whole is a probability")
        .sample(rng)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use super::*;

    #[test]
    fn as_many_results_are_drawn_as_there_are() {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        for counts in [[0; 5], [7, 0, 0, 0, 0], [1, 2, 3, 4, 5], [u32::MAX; 5]] {
            let drawn = resample(counts, &mut rng);
            let sum: u64 = drawn.iter().sum();
            assert_eq!(sum, counts.map(u64::from).iter().sum::<u64>());
            let is_new = |(&drawn, count): (&u64, u32)| drawn > 0 && count == 0;
            assert!(
                !drawn.iter().zip(counts).any(is_new),
                "{counts:?} {drawn:?}"
            );
        }
    }

    #[test]
    fn results_are_drawn_with_their_frequencies() {
        let mut rng = Pcg64Mcg::seed_from_u64(2);
        let mut sums = [0_u64; 3];
        for _ in 0..10_000 {
            let drawn = resample([1, 3, 6], &mut rng);
            sums = std::array::from_fn(|index| sums[index] + drawn[index]);
        }
        for (sum, expected) in sums.into_iter().zip([10_000_f64, 30_000.0, 60_000.0]) {
            assert!((sum as f64 - expected).abs() < 700.0, "{sums:?}");
        }
    }

    #[test]
    fn points_are_half_the_places() {
        assert_eq!(half_points(&[9, 1, 1, 1, 1]), 5.0);
        assert_eq!(half_points(&[9, 1, 1]), 1.5);
    }
}

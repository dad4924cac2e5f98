//! What a set of durations, or of other measurements, looks like.

use serde::{Deserialize, Serialize};

/// What a set of samples looks like, in the unit of the samples.
///
/// Percentiles are by nearest rank: the smallest sample that at least this percentage of all
/// samples does not exceed. They are samples, never values between two. Fewer than 20 samples make
/// the 95th percentile the maximum, fewer than 100 the 99th.
///
/// CITE: R. J. Hyndman, Y. Fan, "Sample Quantiles in Statistical Packages", The American
/// Statistician 50(4), 1996: definition 1 for the percentiles, definition 2 for the median.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// How many samples there are, one or more.
    pub count: usize,
    /// The arithmetic mean.
    pub mean: f64,
    /// The middle sample; the mean of the two middle ones if their number is even.
    pub median: f64,
    /// The 95th percentile.
    pub p95: u64,
    /// The 99th percentile.
    pub p99: u64,
    /// The largest sample.
    pub max: u64,
}

impl Summary {
    /// Describes the samples, in any order; `None` if there are none. O(n log n).
    pub fn of(samples: impl IntoIterator<Item = u64>) -> Option<Summary> {
        let mut sorted: Vec<u64> = samples.into_iter().collect();
        sorted.sort_unstable();
        Some(Summary {
            count: sorted.len(),
            mean: mean(sorted.iter().copied())?,
            median: median(&sorted)?,
            p95: *percentile(&sorted, 950)?,
            p99: *percentile(&sorted, 990)?,
            max: *sorted.last()?,
        })
    }
}

/// The arithmetic mean, `None` of nothing. Exact sums up to 2^128, so large counts do not drift.
pub fn mean(samples: impl IntoIterator<Item = u64>) -> Option<f64> {
    let (sum, count) = (samples.into_iter()).fold((0_u128, 0_u64), |(sum, count), sample| {
        (sum + u128::from(sample), count + 1)
    });
    (count > 0).then(|| sum as f64 / count as f64)
}

/// The smallest sample that at least `per_mille` of a thousand samples do not exceed.
pub(super) fn percentile<T>(sorted: &[T], per_mille: usize) -> Option<&T> {
    let rank = (sorted.len() * per_mille).div_ceil(1000);
    sorted.get(rank.saturating_sub(1))
}

fn median(sorted: &[u64]) -> Option<f64> {
    let upper = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        return sorted.get(upper).map(|&middle| middle as f64);
    }
    let below = sorted.get(upper.checked_sub(1)?)?;
    let above = sorted.get(upper)?;
    Some(*below as f64 / 2.0 + *above as f64 / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_summary() {
        assert_eq!(Summary::of([]), None);
        assert_eq!(mean([]), None);
    }

    #[test]
    fn a_single_sample_is_everything() {
        let summary = Summary::of([7]).unwrap();
        assert_eq!((summary.count, summary.mean, summary.median), (1, 7.0, 7.0));
        assert_eq!((summary.p95, summary.p99, summary.max), (7, 7, 7));
    }

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        assert_eq!(Summary::of([9, 1, 2]).unwrap().median, 2.0);
        let summary = Summary::of([4, 1, 3, 10]).unwrap();
        assert_eq!((summary.median, summary.mean), (3.5, 4.5));
    }

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let percentiles = |count| {
            let summary = Summary::of(1..=count).unwrap();
            (summary.p95, summary.p99)
        };
        assert_eq!(percentiles(19), (19, 19));
        assert_eq!(percentiles(20), (19, 20));
        assert_eq!(percentiles(21), (20, 21));
        assert_eq!(percentiles(99), (95, 99));
        assert_eq!(percentiles(100), (95, 99));
        assert_eq!(percentiles(1000), (950, 990));
    }

    #[test]
    fn huge_samples_do_not_overflow() {
        let summary = Summary::of([u64::MAX, u64::MAX]).unwrap();
        assert_eq!(summary.mean, u64::MAX as f64);
        assert_eq!(summary.median, u64::MAX as f64);
    }
}

//! Descriptive statistics of samples.

use serde::{Deserialize, Serialize};

/// What a set of samples looks like, in the unit of the samples.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// How many samples there are, one or more.
    pub count: usize,
    /// The arithmetic mean.
    pub mean: f64,
    /// The middle sample; the mean of the two middle ones if their number is even.
    pub median: f64,
    /// The 95th percentile by nearest rank: the smallest sample that at least 95 % of all samples
    /// do not exceed. Fewer than 20 samples make it the maximum.
    pub p95: u64,
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
            p95: *sorted.get(nearest_rank(sorted.len(), 95)?)?,
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

fn median(sorted: &[u64]) -> Option<f64> {
    let upper = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        return sorted.get(upper).map(|&middle| middle as f64);
    }
    let below = sorted.get(upper.checked_sub(1)?)?;
    let above = sorted.get(upper)?;
    Some(*below as f64 / 2.0 + *above as f64 / 2.0)
}

/// The index of the percentile among `count` sorted samples.
fn nearest_rank(count: usize, percent: usize) -> Option<usize> {
    (count * percent).div_ceil(100).checked_sub(1)
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
        assert_eq!((summary.p95, summary.max), (7, 7));
    }

    #[test]
    fn the_median_of_an_even_number_is_between() {
        let summary = Summary::of([4, 1, 3, 10]).unwrap();
        assert_eq!((summary.median, summary.mean), (3.5, 4.5));
    }

    #[test]
    fn the_median_of_an_odd_number_is_a_sample() {
        assert_eq!(Summary::of([9, 1, 2]).unwrap().median, 2.0);
    }

    #[test]
    fn p95_is_the_nearest_rank() {
        assert_eq!(Summary::of(1..=100).unwrap().p95, 95);
        assert_eq!(Summary::of(1..=20).unwrap().p95, 19);
        assert_eq!(Summary::of(1..=19).unwrap().p95, 19);
        assert_eq!(Summary::of(1..=21).unwrap().p95, 20);
    }

    #[test]
    fn huge_samples_do_not_overflow() {
        let summary = Summary::of([u64::MAX, u64::MAX]).unwrap();
        assert_eq!(summary.mean, u64::MAX as f64);
        assert_eq!(summary.median, u64::MAX as f64);
    }
}

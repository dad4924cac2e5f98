//! The likelihood of superiority: how sure it is that the first bot is the stronger one.

use statrs::function::{beta, erf};

use super::Sample;
use super::strength::Moments;

/// With fewer decisive trials than this, the normal approximation is not used.
const FEW: u64 = 30;

/// The probability that the first bot's true score is above ½, from 0 to 1.
///
/// From the normal approximation of the mean score; with fewer than 30 decisive trials, or where
/// the trials do not vary, from the posterior of the chance to win a decisive trial, a Beta
/// distribution from a uniform prior. A trial is decisive if it is not worth half its points.
///
/// CITE: R. Coulom and others, "Match Statistics", chessprogramming.org, for both forms.
pub(super) fn superiority(sample: &Sample, moments: &Moments) -> f64 {
    let counts = sample.counts();
    let half = counts.len() / 2;
    let sum = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).sum::<u64>();
    let (lost, won) = (sum(&counts[..half]), sum(&counts[half + 1..]));
    if lost + won < FEW || moments.variance == 0.0 {
        beta_superiority(won, lost)
    } else {
        normal_cdf(moments.lead / moments.standard_error())
    }
}

/// The probability that Beta(won + 1, lost + 1) is above ½. By symmetry, that it is below with the
/// roles swapped.
fn beta_superiority(won: u64, lost: u64) -> f64 {
    beta::beta_reg(lost as f64 + 1.0, won as f64 + 1.0, 0.5)
}

fn normal_cdf(deviations: f64) -> f64 {
    erf::erfc(-deviations / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_sweep_leaves_two_to_the_minus_games_plus_one() {
        assert!((beta_superiority(10, 0) - (1.0 - 0.5_f64.powi(11))).abs() < 1e-12);
        assert!((beta_superiority(0, 10) - 0.5_f64.powi(11)).abs() < 1e-12);
        assert_eq!(beta_superiority(u32::MAX.into(), 0), 1.0);
        assert_eq!(beta_superiority(0, u32::MAX.into()), 0.0);
    }

    #[test]
    fn nothing_decisive_leaves_it_open() {
        assert!((beta_superiority(0, 0) - 0.5).abs() < 1e-12);
        assert!((beta_superiority(7, 7) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_few_games_are_counted_exactly() {
        // P(Beta(8, 2) > ½) = P(at most 7 of 9 fair coins fall heads up).
        assert!((beta_superiority(7, 1) - 502.0 / 512.0).abs() < 1e-12);
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        assert_eq!(normal_cdf(0.0), 0.5);
        assert!((normal_cdf(1.959_963_984_540_054) - 0.975).abs() < 1e-10);
    }
}

//! How likely results are under a hypothesis about strength, with everything else chosen to suit
//! the results best: the generalised likelihoods of a multinomial distribution.
//!
//! A trial has one of K results, worth evenly spaced scores from 0 to 1. Among all distributions
//! over them that fulfil the hypothesis, the most likely one divides each empirical share by a
//! *tilt*: pᵢ = p̂ᵢ / wᵢ with wᵢ = 1 + θφᵢ and Σ p̂ᵢφᵢ / wᵢ = 0, where φ depends on the hypothesis.
//!
//! CITE: M. Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio
//! of a multinomial distribution", equations 1.2 and 1.3, for a given mean; "Comments on normalized
//! Elo", section 4.1, for a given normalized Elo (both at cantate.be/Fishtest).

use arrayvec::ArrayVec;

use super::root::crossing;

/// One value for each result of a trial, from the worst to the best.
pub(super) type PerResult = ArrayVec<f64, 5>;

/// The ratio of the two ends of the tilt is looked for between e^-100 and e^100.
const TILT_RANGE: (f64, f64) = (-100.0, 100.0);

/// How exactly a tilt or a deviation is found, relatively.
const TOLERANCE: f64 = 1e-12;

/// How many intervals are looked at for a deviation that fulfils the hypothesis.
const STEPS: u32 = 32;

/// The logarithm of the greatest likelihood of a trial, if the expected score is `score`, relative
/// to the empirical distribution, so never above 0. `shares` are positive and add up to 1, `score`
/// is between 0 and 1, both excluded.
pub(super) fn given_score(shares: &PerResult, score: f64) -> f64 {
    let direction = scores(shares.len()).map(|a| a - score).collect();
    ExponentialTilt::along(&direction, shares).log_likelihood(shares)
}

/// Like [`given_score`], if the expected score is `deviations` standard deviations above ½: from
/// -2.5 to 2.5.
pub(super) fn given_deviations(shares: &PerResult, deviations: f64) -> f64 {
    if deviations == 0.0 {
        given_score(shares, 0.5)
    } else if deviations < 0.0 {
        let reflected = shares.iter().rev().copied().collect();
        given_advantage(&reflected, -deviations)
    } else {
        given_advantage(shares, deviations)
    }
}

/// The scores of `count` results.
fn scores(count: usize) -> impl Iterator<Item = f64> {
    let best = count as f64 - 1.0;
    (0..count).map(move |step| step as f64 / best)
}

/// Like [`given_deviations`], with `t` above 0.
///
/// Where the literature iterates from a guess, this looks for the deviation σ itself: for a given
/// σ the mean is ½ + tσ and φ is known, so that one equation is left, the variance about this mean
/// being σ². It has a solution between the limits of [`deviation_range`], and if it has several,
/// which happens for results that hardly vary, the most likely one is taken.
fn given_advantage(shares: &PerResult, t: f64) -> f64 {
    let excess = |log_deviation: f64| excess_deviation(shares, t, log_deviation);
    let (low, high) = deviation_range(shares.len(), t);
    let step = (high - low) / f64::from(STEPS);
    let mut best = f64::NEG_INFINITY;
    let (mut left, mut is_left_below) = (low, true);
    for number in 1..=STEPS {
        let right = if number == STEPS {
            high
        } else {
            low + step * f64::from(number)
        };
        let is_right_below = number < STEPS && excess(right) < 0.0;
        if is_left_below && !is_right_below {
            let deviation = crossing(excess, (left, right), TOLERANCE);
            best = best.max(tilt_given_deviation(shares, t, deviation).log_likelihood(shares));
        }
        (left, is_left_below) = (right, is_right_below);
    }
    best
}

/// Between which limits the logarithm of the deviation is. At the lower one the best result that
/// can balance the others is the lowest above ½, and the distribution is all there: its variance is
/// too large. At the upper one, half of the widest distribution's or where the mean would be 1, it
/// is too small.
fn deviation_range(results: usize, t: f64) -> (f64, f64) {
    let above_half = scores(results).map(|a| a - 0.5).find(|&above| above > 0.0);
    let root = t.hypot(1.0);
    let lowest = above_half.unwrap_or(0.5) * t / (root * (root + 1.0));
    let highest = (0.5 / t).min(0.5);
    // A little above the lower limit itself, where the tilt would be infinite.
    ((lowest * (1.0 + 1e-6)).ln(), highest.ln())
}

/// How much too large the deviation is for the distribution it leads to, as a logarithm.
fn excess_deviation(shares: &PerResult, t: f64, log_deviation: f64) -> f64 {
    let deviation = log_deviation.exp();
    let mean = 0.5 + t * deviation;
    let tilt = tilt_given_deviation(shares, t, log_deviation);
    let variance: f64 = tilt
        .distribution(shares)
        .zip(scores(shares.len()))
        .map(|(p, a)| p * (a - mean).powi(2))
        .sum();
    2.0 * log_deviation - variance.ln()
}

fn tilt_given_deviation(shares: &PerResult, t: f64, log_deviation: f64) -> ExponentialTilt {
    let deviation = log_deviation.exp();
    let direction = scores(shares.len()).map(|a| {
        let distance = (a - 0.5 - t * deviation) / deviation;
        a - 0.5 - 0.5 * t * deviation * (1.0 + distance * distance)
    });
    ExponentialTilt::along(&direction.collect(), shares)
}

/// By what the empirical shares are divided to give the most likely distribution.
struct ExponentialTilt(PerResult);

impl ExponentialTilt {
    /// Solves the equation for the tilt along the direction φ, which has values of both signs.
    ///
    /// The tilt w = 1 + θφ is positive for θ between -1/max φ and -1/min φ. It is written as a
    /// mixture of its two ends with their ratio as the unknown: then every part is positive, and no
    /// digits are lost where w is close to 0, as it is for results that were never seen.
    fn along(direction: &PerResult, shares: &PerResult) -> ExponentialTilt {
        let lowest = direction.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = direction.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mixture = |log_ratio: f64, phi: f64| {
            let to_lowest = (phi - lowest) / -lowest;
            let to_highest = (highest - phi) / highest;
            to_lowest / (1.0 + (-log_ratio).exp()) + to_highest / (1.0 + log_ratio.exp())
        };
        let imbalance = |log_ratio: f64| {
            let (mut above, mut below) = (0.0, 0.0);
            for (&phi, &share) in direction.iter().zip(shares) {
                let pull = share * phi / mixture(log_ratio, phi);
                if phi > 0.0 {
                    above += pull;
                } else {
                    below -= pull;
                }
            }
            (below / above).ln()
        };
        let log_ratio = crossing(imbalance, TILT_RANGE, TOLERANCE);
        ExponentialTilt(
            direction
                .iter()
                .map(|&phi| mixture(log_ratio, phi))
                .collect(),
        )
    }

    fn distribution(&self, shares: &PerResult) -> impl Iterator<Item = f64> {
        shares.iter().zip(&self.0).map(|(share, tilt)| share / tilt)
    }

    fn log_likelihood(&self, shares: &PerResult) -> f64 {
        let weighted = shares.iter().zip(&self.0);
        -weighted.map(|(share, tilt)| share * tilt.ln()).sum::<f64>()
    }
}

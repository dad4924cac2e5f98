//! What a sample says about the difference of strength of two bots.

use serde::{Deserialize, Serialize};

use super::elo::{elo_of_score, normalized_elo_of_deviations};
use super::los;
use super::{Pentanomial, Sample, Wdl};

/// A 95 % interval reaches this many standard errors to each side.
const Z_95: f64 = 1.959_963_984_540_054;

/// Scores are kept at this distance from 0 and 1: ±2400 Elo.
const NEAREST: f64 = 1e-6;

/// Estimates of the difference in strength of two bots, from the first bot's side.
#[derive(Clone, PartialEq, Debug)]
pub struct Strength {
    /// How many games there are.
    pub games: u64,
    /// The share of the points, from 0 to 1.
    pub score: Result<f64, Unavailable>,
    /// The share of the points with its interval, cut at 0 and 1.
    pub score_interval: Result<Estimate, Unavailable>,
    /// Logistic Elo. The interval is that of the score, so it is wider to the side of the
    /// stronger bot. See [`Strength::of`] for where it is cut.
    pub elo: Result<Estimate, Unavailable>,
    /// Normalized Elo: the score above ½ in standard deviations of a game, times 347.4.
    pub normalized_elo: Result<Estimate, Unavailable>,
    /// The likelihood of superiority: the probability that the first bot is the stronger one.
    pub los: Result<f64, Unavailable>,
}

/// A number and the interval that holds the true one in 95 % of all samples.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The number that makes the sample most likely.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval: the "±" of the literature, though an interval of Elo lies
    /// unevenly around its value.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Why a number does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unavailable {
    /// There is nothing to compute it from.
    #[error("no games")]
    NoGames,
    /// No upper limit of the difference exists.
    #[error("all games won")]
    AllWon,
    /// No lower limit of the difference exists.
    #[error("all games lost")]
    AllLost,
    /// The error is unknown, because the games do not vary.
    #[error("all games drawn")]
    AllDrawn,
    /// The error is unknown, because the pairs do not vary.
    #[error("all pairs ended alike")]
    AllPairsAlike,
}

impl Strength {
    /// Reads a sample.
    ///
    /// The interval of the score is that of the normal approximation; for few games it is too
    /// narrow. Where it extends beyond 0 or 1, Elo is computed as if it ended a quarter of a point
    /// before: nearer to a clean sweep than any other result can be. Elo ends at ±2400.
    pub fn of(sample: &Sample) -> Strength {
        let moments = Moments::of(sample);
        let varied = moments.and_then(|moments| vary(sample, moments));
        Strength {
            games: sample.games(),
            score: moments.map(|moments| moments.mean),
            score_interval: varied.map(|moments| score_estimate(&moments)),
            elo: varied.map(|moments| elo_estimate(sample, &moments)),
            normalized_elo: varied.map(|moments| normalized_estimate(sample, &moments)),
            los: moments.map(|moments| los::superiority(sample, &moments)),
        }
    }
}

fn score_estimate(moments: &Moments) -> Estimate {
    moments
        .interval_about(moments.mean)
        .map(|score| score.clamp(0.0, 1.0))
}

fn elo_estimate(sample: &Sample, moments: &Moments) -> Estimate {
    let margin = (0.25 / sample.games() as f64).max(NEAREST);
    let elo = |score: f64| elo_of_score(score.clamp(margin, 1.0 - margin));
    moments.interval_about(moments.mean).map(elo)
}

fn normalized_estimate(sample: &Sample, moments: &Moments) -> Estimate {
    let deviation = moments.variance.sqrt();
    let elo = |lead| normalized_elo_of_deviations(lead / deviation, sample.games_per_trial());
    moments.interval_about(moments.lead).map(elo)
}

/// Mean and variance of the scores of the trials.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    trials: f64,
    pub(super) mean: f64,
    /// The mean above ½, without what is lost by adding ½: next to billions of draws, a few
    /// wins are little.
    pub(super) lead: f64,
    pub(super) variance: f64,
}

impl Moments {
    fn of(sample: &Sample) -> Result<Moments, Unavailable> {
        let counts = sample.counts();
        let best = (counts.len() - 1) as f64;
        let trials: f64 = counts.iter().copied().map(f64::from).sum();
        if trials == 0.0 {
            return Err(Unavailable::NoGames);
        }
        let mean_of = |value: &dyn Fn(f64) -> f64| {
            let weighted = (0_u32..).zip(&counts);
            let sum: f64 = weighted
                .map(|(step, &count)| f64::from(count) * value(f64::from(step) / best - 0.5))
                .sum();
            sum / trials
        };
        let lead = mean_of(&|lead| lead);
        Ok(Moments {
            trials,
            mean: 0.5 + lead,
            lead,
            variance: mean_of(&|each| (each - lead).powi(2)),
        })
    }

    /// The standard deviation of the mean.
    pub(super) fn standard_error(&self) -> f64 {
        (self.variance / self.trials).sqrt()
    }

    fn interval_about(&self, value: f64) -> Estimate {
        let reach = Z_95 * self.standard_error();
        Estimate {
            value,
            low: value - reach,
            high: value + reach,
        }
    }
}

impl Estimate {
    /// The same estimate on another, increasing scale.
    fn map(self, scale: impl Fn(f64) -> f64) -> Estimate {
        Estimate {
            value: scale(self.value),
            low: scale(self.low),
            high: scale(self.high),
        }
    }
}

/// The moments again, or why they say nothing about the error.
fn vary(sample: &Sample, moments: Moments) -> Result<Moments, Unavailable> {
    let results = sample.counts().iter().filter(|&&count| count > 0).count();
    if results > 1 {
        return Ok(moments);
    }
    Err(match sample {
        Sample::Games(Wdl { wins: 1.., .. }) | Sample::Pairs(Pentanomial([0, 0, 0, 0, _])) => {
            Unavailable::AllWon
        }
        Sample::Games(Wdl { losses: 1.., .. }) | Sample::Pairs(Pentanomial([_, 0, 0, 0, 0])) => {
            Unavailable::AllLost
        }
        Sample::Games(_) => Unavailable::AllDrawn,
        Sample::Pairs(_) => Unavailable::AllPairsAlike,
    })
}

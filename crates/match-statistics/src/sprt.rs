//! The sequential probability ratio test: play until the results decide between two hypotheses.
//!
//! CITE: A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics
//! 16(2), 1945, for the test; M. Van den Bergh, "The GSPRT approximation" and "Comments on
//! normalized Elo" (cantate.be/Fishtest), for the generalised likelihood ratio.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Sample;
use super::elo::{deviations_of_normalized_elo, score_of_elo};
use super::likelihood::{PerResult, given_deviations, given_score};

/// What a result counts that was never seen: enough for logarithms, too little to matter.
///
/// CITE: the fishtest framework does the same, and its numbers are the known answers.
const UNSEEN: f64 = 1e-3;

/// The scale of an SPRT's hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// Normalized Elo: how long a test takes does not depend on how often games are drawn.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
}

/// A test of H0, the first bot is `elo[0]` stronger, against H1, it is `elo[1]` stronger.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    elo: [f64; 2],
    alpha: f64,
    beta: f64,
    model: Model,
}

/// The log-likelihood ratios at which a test ends.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtBounds {
    /// At or below, H0 is accepted.
    pub lower: f64,
    /// At or above, H1 is accepted.
    pub upper: f64,
}

/// What a test says about a sample.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtAnswer {
    pub test: Sprt,
    /// The logarithm of how much more likely the sample is under H1 than under H0.
    pub llr: f64,
    /// Where the test ends.
    pub bounds: SprtBounds,
    /// Whether it has ended.
    pub decision: Decision,
}

/// Whether a test has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// H0 it is; wrong in a share of at most about β of all tests in which H1 is true.
    AcceptH0,
    /// H1 it is; wrong in a share of at most about α of all tests in which H0 is true.
    AcceptH1,
    /// The sample does not decide it yet.
    Continue,
}

/// Why there is no such test.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are the same or in the wrong order.
    #[error("expected H0 below H1, found {} and {}", elo[0], elo[1])]
    Order {
        /// The hypotheses.
        elo: [f64; 2],
    },
    /// A hypothesis is too far away.
    #[error("expected an Elo difference from -{max} to {max}, found {elo}", max = Sprt::MAX_ELO)]
    Elo {
        /// The hypothesis.
        elo: f64,
    },
    /// α or β is no probability of an error.
    #[error("expected {name} above 0 and below 1, found {rate}")]
    Rate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// What it is.
        rate: f64,
    },
    /// The bounds would not have the sample's start between them.
    #[error("expected alpha and beta to add up to less than 1, found {alpha} and {beta}")]
    Rates {
        /// What α is.
        alpha: f64,
        /// What β is.
        beta: f64,
    },
}

impl Sprt {
    /// The largest Elo difference of a hypothesis, on either scale.
    pub const MAX_ELO: f64 = 500.0;

    /// A test of `elo[0]` against `elo[1]` that accepts H1 wrongly in a share of `alpha` of all
    /// cases and H0 wrongly in a share of `beta`.
    ///
    /// # Errors
    /// Hypotheses in the wrong order or beyond [`Sprt::MAX_ELO`]; error rates that are none.
    pub fn new(elo: [f64; 2], alpha: f64, beta: f64, model: Model) -> Result<Sprt, SprtError> {
        let is_near = |elo: f64| (-Sprt::MAX_ELO..=Sprt::MAX_ELO).contains(&elo);
        if let Some(elo) = elo.into_iter().find(|&elo| !is_near(elo)) {
            return Err(SprtError::Elo { elo });
        }
        if elo[0] >= elo[1] {
            return Err(SprtError::Order { elo });
        }
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(rate > 0.0 && rate < 1.0) {
                return Err(SprtError::Rate { name, rate });
            }
        }
        if alpha + beta >= 1.0 {
            return Err(SprtError::Rates { alpha, beta });
        }
        Ok(Sprt {
            elo,
            alpha,
            beta,
            model,
        })
    }

    /// The hypotheses H0 and H1: differences on the scale of [`Sprt::model`].
    pub fn elo(&self) -> [f64; 2] {
        self.elo
    }

    /// The share of tests that accept H1 though H0 is true.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The share of tests that accept H0 though H1 is true.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The scale of the hypotheses.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Where the test ends.
    pub fn bounds(&self) -> SprtBounds {
        SprtBounds {
            lower: (self.beta / (1.0 - self.alpha)).ln(),
            upper: ((1.0 - self.beta) / self.alpha).ln(),
        }
    }

    /// The log-likelihood ratio of H1 to H0: the generalised one, in which each hypothesis is
    /// given the distribution of results that suits the sample best. 0 without games. A few
    /// microseconds for the logistic model, about a hundred for the normalized one.
    pub fn llr(&self, sample: &Sample) -> f64 {
        if sample.games() == 0 {
            return 0.0;
        }
        let counts: PerResult = (sample.counts().iter())
            .map(|&count| f64::from(count).max(UNSEEN))
            .collect();
        let trials: f64 = counts.iter().sum();
        let shares = counts.iter().map(|count| count / trials).collect();
        let [h0, h1] = (self.elo).map(|elo| self.log_likelihood(&shares, elo, sample));
        trials * (h1 - h0)
    }

    fn log_likelihood(&self, shares: &PerResult, elo: f64, sample: &Sample) -> f64 {
        match self.model {
            Model::Logistic => given_score(shares, score_of_elo(elo)),
            Model::Normalized => {
                let games = sample.games_per_trial();
                given_deviations(shares, deviations_of_normalized_elo(elo, games))
            }
        }
    }

    /// The answer for a sample. Call it after whole trials only: half a pair belongs to no sample.
    pub fn judge(&self, sample: &Sample) -> SprtAnswer {
        let (llr, bounds) = (self.llr(sample), self.bounds());
        SprtAnswer {
            test: *self,
            llr,
            bounds,
            decision: bounds.decide(llr),
        }
    }
}

impl SprtBounds {
    fn decide(self, llr: f64) -> Decision {
        if llr >= self.upper {
            Decision::AcceptH1
        } else if llr <= self.lower {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decision::AcceptH0 => "accept H0",
            Decision::AcceptH1 => "accept H1",
            Decision::Continue => "continue",
        })
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
        })
    }
}

/// A name that is no model's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected normalized or logistic, found {name:?}")]
pub struct UnknownModel {
    name: String,
}

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Model, UnknownModel> {
        match name {
            "normalized" => Ok(Model::Normalized),
            "logistic" => Ok(Model::Logistic),
            _ => Err(UnknownModel {
                name: name.to_owned(),
            }),
        }
    }
}

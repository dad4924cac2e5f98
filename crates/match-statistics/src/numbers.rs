//! Everything known about strength under its name, for programs.

use serde::{Deserialize, Serialize};

use super::{Decision, SprtAnswer, Strength};

/// Everything known about strength; what does not exist is `None`, in JSON null.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Numbers {
    /// How many games, two to a pair.
    pub games: u64,
    /// The share of the points, 0 to 1.
    pub score: Option<f64>,
    /// Logistic Elo.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
    /// Half the width of the interval.
    pub elo_error: Option<f64>,
    /// Likelihood of superiority, 0 to 1.
    pub los: Option<f64>,
    /// Normalized Elo.
    pub nelo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub nelo_error: Option<f64>,
    /// The log-likelihood ratio of a test.
    pub llr: Option<f64>,
    /// The bound at which the test accepts H0.
    pub lower: Option<f64>,
    /// The bound at which the test accepts H1.
    pub upper: Option<f64>,
    /// What the test says.
    pub decision: Option<Decision>,
    /// How many games the interval takes that was asked for, where one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_games: Option<u64>,
}

impl Numbers {
    /// The numbers of a sample, and of a test of it.
    pub fn new(strength: &Strength, sprt: Option<&SprtAnswer>) -> Numbers {
        let (elo, nelo) = (strength.elo.ok(), strength.normalized_elo.ok());
        Numbers {
            games: strength.games,
            score: strength.score.ok(),
            elo: elo.map(|elo| elo.value),
            elo_low: elo.map(|elo| elo.low),
            elo_high: elo.map(|elo| elo.high),
            elo_error: elo.map(|elo| elo.error()),
            los: strength.los.ok(),
            nelo: nelo.map(|nelo| nelo.value),
            nelo_error: nelo.map(|nelo| nelo.error()),
            llr: sprt.map(|answer| answer.llr),
            lower: sprt.map(|answer| answer.bounds.lower),
            upper: sprt.map(|answer| answer.bounds.upper),
            decision: sprt.map(|answer| answer.decision),
            planned_games: None,
        }
    }

    /// The numbers as JSON, with a line break at its end.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("numbers and names are valid JSON") + "\n"
    }
}

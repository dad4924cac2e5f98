//! `checkers-bot-test stats`: the arithmetic alone, for results that are known already.

use std::fmt::{self, Write};
use std::str::FromStr;

use clap::error::ErrorKind;

use super::planner;
use crate::statistics::{
    Estimate, Model, Numbers, Pentanomial, Sample, Sprt, SprtAnswer, Strength, Wdl,
};

/// Computes what results say about the difference in strength of two bots.
///
/// All numbers are from the first bot's side, with 95 % intervals. A number that does not exist is
/// shown as n/a with the reason, and is null with --json.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = AFTER_HELP)]
#[command(group = clap::ArgGroup::new("sample"))]
pub struct StatsArgs {
    /// Games that belong to no pair: wins, draws and losses of the first bot
    #[arg(
        long,
        value_name = "W,D,L",
        group = "sample",
        allow_hyphen_values = true
    )]
    pub wdl: Option<Wdl>,

    /// Pairs of games by the points of the first bot: 0, ½, 1, 1½ and 2
    #[arg(
        long,
        value_name = "A,B,C,D,E",
        group = "sample",
        allow_hyphen_values = true
    )]
    pub ptnml: Option<Pentanomial>,

    /// How many games an interval of ±ELO takes: by the results if there are some, otherwise for
    /// some shares of draws
    #[arg(long, value_name = "ELO", value_parser = parse_plan, allow_hyphen_values = true)]
    pub plan: Option<f64>,

    /// Test whether the first bot is ELO0 (H0) or ELO1 (H1) stronger
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<Hypotheses>,

    /// How often the test may accept H1 though H0 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05, requires = "sprt")]
    #[arg(allow_hyphen_values = true)]
    pub alpha: f64,

    /// How often the test may accept H0 though H1 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05, requires = "sprt")]
    #[arg(allow_hyphen_values = true)]
    pub beta: f64,

    /// The scale of the hypotheses: normalized or logistic
    #[arg(long, value_name = "MODEL", default_value_t = Model::Normalized, requires = "sprt")]
    pub model: Model,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  checkers-bot-test stats --wdl 136,111,96
  checkers-bot-test stats --ptnml 12,80,210,110,20 --sprt 0,10 --json
  checkers-bot-test stats --plan 10

JSON keys:
  games                      how many, two to a pair
  score                      the share of the points, 0 to 1
  elo elo_low elo_high       logistic Elo and its 95 % interval
  elo_error                  half the width of the interval
  los                        likelihood of superiority, 0 to 1
  nelo nelo_error            normalized Elo, and half the width of its 95 % interval
  llr lower upper            log-likelihood ratio and the bounds at which the test ends
  decision                   accept_h0, accept_h1 or continue
  planned_games              how many games --plan takes

Exit codes:
  0  done
  1  stdout cannot be written
  2  usage: an argument is missing, unknown or wrong";

/// The two hypotheses of a test, in Elo. Written `0,10`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hypotheses(pub [f64; 2]);

impl FromStr for Hypotheses {
    type Err = HypothesesError;

    fn from_str(text: &str) -> Result<Hypotheses, HypothesesError> {
        let parse = || {
            let (h0, h1) = text.split_once(',')?;
            Some([h0.trim().parse().ok()?, h1.trim().parse().ok()?])
        };
        parse().map(Hypotheses).ok_or(HypothesesError)
    }
}

/// A text that is not two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected two numbers with a comma between them, such as 0,10")]
pub struct HypothesesError;

impl StatsArgs {
    /// The text to print: lines, including the last line break.
    ///
    /// # Errors
    /// Arguments that do not go together.
    pub fn answer(&self) -> Result<String, clap::Error> {
        let sample = match (self.wdl, self.ptnml) {
            (Some(games), None) => Sample::Games(games),
            (None, Some(pairs)) => Sample::Pairs(pairs),
            (None, None) if self.plan.is_some() && self.sprt.is_none() && !self.json => {
                let mut text = String::new();
                // Writing to a string does not fail.
                let _ = planner::write(&mut text, self.plan.unwrap_or_default(), None);
                return Ok(text);
            }
            (None, None) | (Some(_), Some(_)) => {
                let expected = match self.plan {
                    Some(_) => "--json and --sprt need --wdl or --ptnml",
                    None => "expected --wdl, --ptnml or --plan",
                };
                return Err(usage(ErrorKind::MissingRequiredArgument, expected));
            }
        };
        let sprt = self.test()?.map(|test| test.judge(&sample));
        let strength = Strength::of(&sample);
        Ok(if self.json {
            let by_sample = |elo| planner::games_by_sample(elo, &strength);
            let planned_games = self
                .plan
                .and_then(by_sample)
                .map(|games| games.ceil() as u64);
            let numbers = Numbers::new(&strength, sprt.as_ref());
            Numbers {
                planned_games,
                ..numbers
            }
            .to_json()
        } else {
            StatsDocument {
                sample,
                strength,
                sprt,
                plan: self.plan,
            }
            .to_string()
        })
    }

    fn test(&self) -> Result<Option<Sprt>, clap::Error> {
        let test = |Hypotheses(elo)| Sprt::new(elo, self.alpha, self.beta, self.model);
        let test = self.sprt.map(test).transpose();
        test.map_err(|error| usage(ErrorKind::ValueValidation, &error.to_string()))
    }
}

fn parse_plan(text: &str) -> Result<f64, String> {
    let elo = text
        .parse()
        .ok()
        .filter(|elo| *elo > 0.0 && f64::is_finite(*elo));
    elo.ok_or_else(|| "expected a number of Elo above 0".to_owned())
}

fn usage(kind: ErrorKind, message: &str) -> clap::Error {
    clap::Error::raw(kind, format!("{message}\n"))
}

/// All numbers for people.
struct StatsDocument {
    sample: Sample,
    strength: Strength,
    sprt: Option<SprtAnswer>,
    plan: Option<f64>,
}

impl fmt::Display for StatsDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strength = &self.strength;
        write_sample(f, &self.sample)?;
        write_strength(f, strength)?;
        if let Some(answer) = &self.sprt {
            write_sprt(f, answer)?;
        }
        match self.plan {
            Some(elo) => planner::write(f, elo, Some(strength)),
            None => Ok(()),
        }
    }
}

/// Writes what a sample says about strength, a row for each number.
pub(crate) fn write_strength(f: &mut impl Write, strength: &Strength) -> fmt::Result {
    let rows = strength_rows(strength);
    (rows.iter()).try_for_each(|(name, value)| write_row(f, name, value))
}

/// Writes what a sample consists of, in one row.
pub(crate) fn write_sample(f: &mut impl Write, sample: &Sample) -> fmt::Result {
    let (name, value) = sample_row(sample);
    write_row(f, name, &value)
}

/// The estimates of a sample: the name of each number, and its value or why it has none.
pub(crate) fn strength_rows(strength: &Strength) -> [(&'static str, String); 4] {
    let percent = |estimate: Estimate| {
        let [value, low, high] =
            [estimate.value, estimate.low, estimate.high].map(|share| 100.0 * share);
        format!("{value:.2} % of the points, 95 % interval {low:.2} to {high:.2}")
    };
    // Without an interval the score is known all the same.
    let plain = strength
        .score
        .map(|score| format!("{:.2} % of the points", 100.0 * score));
    let los = strength.los.map(|los| {
        format!(
            "{:.2} % likelihood that the first bot is the stronger one",
            100.0 * los
        )
    });
    [
        ("score", strength.score_interval.map(percent).or(plain)),
        ("Elo", strength.elo.map(with_error)),
        ("normalized Elo", strength.normalized_elo.map(with_error)),
        ("LOS", los),
    ]
    .map(|(name, value)| {
        (
            name,
            value.unwrap_or_else(|reason| format!("n/a: {reason}")),
        )
    })
}

/// What a sample consists of.
pub(crate) fn sample_row(sample: &Sample) -> (&'static str, String) {
    let games = sample.games();
    let value = match sample {
        Sample::Games(Wdl {
            wins,
            draws,
            losses,
        }) => format!("{games}: {wins} won, {draws} drawn, {losses} lost"),
        Sample::Pairs(pairs) => {
            let Pentanomial([a, b, c, d, e]) = pairs;
            format!(
                "{games}, pairs {}: {a} of 0 points, {b} of ½, {c} of 1, {d} of 1½, {e} of 2",
                pairs.pairs(),
            )
        }
    };
    ("games", value)
}

fn write_row(f: &mut impl Write, name: &str, value: &str) -> fmt::Result {
    writeln!(f, "{name:<16}{value}")
}

fn with_error(estimate: Estimate) -> String {
    let Estimate { value, low, high } = estimate;
    let error = estimate.error();
    format!("{value:+.2} ± {error:.2}, 95 % interval {low:+.2} to {high:+.2}")
}

fn write_sprt(f: &mut impl Write, answer: &SprtAnswer) -> fmt::Result {
    let SprtAnswer {
        test,
        llr,
        bounds,
        decision,
    } = answer;
    let (model, [h0, h1], alpha, beta) = (test.model(), test.elo(), test.alpha(), test.beta());
    writeln!(
        f,
        "{:<16}{model} Elo, H0 {h0:+}, H1 {h1:+}, alpha {alpha}, beta {beta}",
        "SPRT"
    )?;
    let (lower, upper) = (bounds.lower, bounds.upper);
    writeln!(
        f,
        "{:<16}{llr:.3}, bounds {lower:.3} and {upper:.3}: {decision}",
        "LLR"
    )
}

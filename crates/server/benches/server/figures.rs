//! What was measured, and what was aimed at.

use std::fmt;
use std::io::{self, Write};

use crate::AnyError;
use crate::subject::Kind;

/// What a figure of the server is to be, given the relay's.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    None,
    /// At most so many times the relay's.
    AtMost(f64),
    /// At least so many times the relay's.
    AtLeast(f64),
    /// At most so many times the relay's, and so much more.
    AtMostPlus(f64, f64),
    /// At most so much more than the relay's.
    AtMostMore(f64),
}

impl Target {
    fn is_met(self, relay: f64, ours: f64) -> Option<bool> {
        match self {
            Target::None => None,
            Target::AtMost(factor) => Some(ours <= factor * relay),
            Target::AtLeast(factor) => Some(ours >= factor * relay),
            Target::AtMostPlus(factor, more) => Some(ours <= factor * relay + more),
            Target::AtMostMore(more) => Some(ours <= relay + more),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::None => Ok(()),
            Target::AtMost(factor) => write!(f, "≤ {factor} ×"),
            Target::AtLeast(factor) => write!(f, "≥ {factor} ×"),
            Target::AtMostPlus(factor, more) => write!(f, "≤ {factor} × + {more}"),
            Target::AtMostMore(more) => write!(f, "≤ relay + {more}"),
        }
    }
}

/// The values of all rounds.
#[derive(Default)]
pub(crate) struct Figures(Vec<Figure>);

struct Figure {
    what: String,
    target: Target,
    relay: Vec<f64>,
    ours: Vec<f64>,
}

impl Figures {
    /// Takes note of a value, and tells it.
    pub(crate) fn add(
        &mut self,
        what: String,
        kind: Kind,
        value: f64,
        target: Target,
    ) -> Result<(), AnyError> {
        say(format_args!("  {kind:9?} {what}: {}", number(value)))?;
        let place = match self.0.iter().position(|figure| figure.what == what) {
            Some(place) => place,
            None => {
                self.0.push(Figure {
                    what,
                    target,
                    relay: Vec::new(),
                    ours: Vec::new(),
                });
                self.0.len() - 1
            }
        };
        let figure = &mut self.0[place];
        let values = match kind {
            Kind::Relay => &mut figure.relay,
            Kind::Crash | Kind::PowerLoss => &mut figure.ours,
        };
        values.push(value);
        Ok(())
    }

    /// Prints the medians as a table.
    pub(crate) fn print(&self) -> Result<(), AnyError> {
        say(format_args!("\nmedians\n"))?;
        say(format_args!(
            "| what | relay | server | ratio | target | |\n|---|--:|--:|--:|---|---|"
        ))?;
        for figure in &self.0 {
            let (relay, ours) = (median(&figure.relay), median(&figure.ours));
            let verdict = match figure.target.is_met(relay, ours) {
                None => "",
                Some(true) => "met",
                Some(false) => "missed",
            };
            say(format_args!(
                "| {} | {} | {} | {} | {} | {verdict} |",
                figure.what,
                number(relay),
                number(ours),
                number(ours / relay),
                figure.target
            ))?;
        }
        Ok(())
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.get(middle) {
        None => f64::NAN,
        Some(&upper) if sorted.len() % 2 == 1 => upper,
        Some(&upper) => (sorted[middle - 1] + upper) / 2.0,
    }
}

/// Three digits that count, or nothing for what is not known.
fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => String::new(),
        value if value.abs() >= 100.0 => format!("{value:.0}"),
        value if value.abs() >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// Prints a line.
pub(crate) fn say(line: fmt::Arguments<'_>) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

//! The results as Markdown tables.

use crate::load::Measured;
use crate::parts::{BenchPart, Experiment, Figure, Target};

/// What was measured of an experiment.
pub(crate) struct BenchResults {
    pub(crate) experiment: Experiment,
    pub(crate) rounds: Vec<[Measured; 2]>,
}

/// The results of a part.
pub(crate) fn table(part: BenchPart, results: &[BenchResults]) -> String {
    let names = results
        .first()
        .map(|results| results.experiment.sides.each_ref());
    let [first, second] = names.map_or(["", ""], |sides| sides.map(|side| side.name.as_str()));
    let mut table = format!(
        "| {} | {first} | {second} | ratio | target | |\n",
        part.title()
    );
    table += "|---|--:|--:|--:|---|---|\n";
    for BenchResults { experiment, rounds } in results {
        for figure in &experiment.figures {
            table += &row(&experiment.title, figure, rounds);
        }
    }
    table
}

/// The medians of the rounds.
fn row(title: &str, Figure(name, value, target): &Figure, rounds: &[[Measured; 2]]) -> String {
    let pairs = rounds.iter().map(|round| round.each_ref().map(value));
    let pairs: Vec<[f64; 2]> = pairs.collect();
    let sorted = |value: fn(&[f64; 2]) -> f64| {
        let mut values: Vec<f64> = pairs.iter().map(value).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    };
    let second = median(&sorted(|pair| pair[1]));
    let ratios = sorted(|pair| pair[1] / pair[0]);
    let ratio = median(&ratios);
    let difference = median(&sorted(|pair| pair[1] - pair[0]));
    let (target, is_met) = match target {
        Target::None => (String::new(), None),
        Target::RatioAtMost(limit) => (format!("≤ {limit} ×"), Some(ratio <= *limit)),
        Target::RatioAtLeast(limit) => (format!("≥ {limit} ×"), Some(ratio >= *limit)),
        Target::MoreAtMost(limit) => (format!("≤ {limit} more"), Some(difference <= *limit)),
        Target::AtMost(limit) => (format!("≤ {limit}"), Some(second <= *limit)),
    };
    format!(
        "| {title}: {name} | {} | {} | {} | {target} | {} |\n",
        number(median(&sorted(|pair| pair[0]))),
        number(second),
        with_spread(ratio, &ratios),
        is_met.map_or("", |is_met| if is_met { "met" } else { "missed" }),
    )
}

/// The middle one of sorted values, the upper one of two.
fn median(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A number with commas.
pub(crate) fn thousands(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", number / 1_000, number % 1_000),
    }
}

/// Three significant digits, or a whole number.
fn number(value: f64) -> String {
    match value {
        0.0 => "0".into(),
        1_000.0.. => thousands(value.round() as usize),
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// The median ratio with the lowest and the highest one; nothing where there is none.
fn with_spread(ratio: f64, sorted: &[f64]) -> String {
    match sorted {
        [lowest, .., highest] if ratio.is_finite() => {
            format!("{ratio:.2} ({lowest:.2}–{highest:.2})")
        }
        _ if ratio.is_finite() => format!("{ratio:.2}"),
        _ => String::new(),
    }
}

//! `checkers-lab trace diff`: what one search visited and another did not.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use checkers_engine::tree::{Difference, OnlyIn, OutcomeKind, Tree};
use serde::Serialize;

use super::report::SearchSummary;
use super::stat::by_name;
use crate::failure::LabFailure;

const EXAMPLES: &str = "\
Examples:
  checkers-lab trace alpha-beta --depth 8 --out a.trace
  checkers-lab trace sss-star --depth 8 --out b.trace
  checkers-lab trace diff a.trace b.trace

Compares lines, which are sequences of moves from the root: a search has visited a line or not,
however often. A reason is what the other search did at the last position of the line that it
visited.";

/// Compare two traces of one position: lines that both visited, that one did, and why
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The first trace
    first: PathBuf,

    /// The second trace
    second: PathBuf,

    /// Write one JSON object instead
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), LabFailure> {
    let (first, second) = (super::read(&args.first)?, super::read(&args.second)?);
    let difference = Difference::between(&first, &second).ok_or_else(|| LabFailure::Content {
        path: args.second.clone(),
        reason: format!(
            "a trace of {}, and that of {} is of {}",
            second.game().position(),
            args.first.display(),
            first.game().position(),
        ),
    })?;
    let text = if args.json {
        DiffDocument::new(&first, &second, &difference).to_json()
    } else {
        text(&first, &second, &difference)
    };
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes()).map_err(LabFailure::Write)
}

/// The JSON form is its fields in this order; `version` goes up when one changes its meaning.
#[derive(Serialize)]
struct DiffDocument {
    version: u32,
    first: SearchSummary,
    second: SearchSummary,
    deepest_ply: Option<u32>,
    both: u64,
    only_first: Only,
    only_second: Only,
}

#[derive(Serialize)]
struct Only {
    lines: u64,
    reasons: BTreeMap<&'static str, u64>,
}

impl DiffDocument {
    fn new(first: &Tree, second: &Tree, difference: &Difference) -> DiffDocument {
        let only = |only: &OnlyIn| Only {
            lines: only.lines,
            reasons: by_name(&only.reasons),
        };
        DiffDocument {
            version: 1,
            first: SearchSummary::of(first),
            second: SearchSummary::of(second),
            deepest_ply: difference.deepest_level,
            both: difference.both,
            only_first: only(&difference.only_first),
            only_second: only(&difference.only_second),
        }
    }

    fn to_json(&self) -> String {
        let json = serde_json::to_string(self).expect("numbers and texts are JSON");
        format!("{json}\n")
    }
}

fn text(first: &Tree, second: &Tree, difference: &Difference) -> String {
    let mut lines = vec![
        format!("first:  {}", SearchSummary::of(first).title()),
        format!("second: {}", SearchSummary::of(second).title()),
    ];
    if let Some(deepest) = difference.deepest_level {
        lines.push(format!(
            "only lines of at most {deepest} plies: a trace has no more"
        ));
    }
    lines.push(format!("{:>9} lines visited by both", difference.both));
    for (name, other, only) in [
        ("first", "second", &difference.only_first),
        ("second", "first", &difference.only_second),
    ] {
        lines.push(format!("{:>9} by the {name} alone", only.lines));
        let reasons = only.reasons.iter();
        lines.extend(reasons.map(|(&kind, count)| {
            let reason = reason(kind);
            format!("{count:>15}: {}", reason.replace("{other}", other))
        }));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Why a search did not go on from a node that ended so.
fn reason(kind: OutcomeKind) -> &'static str {
    match kind {
        OutcomeKind::CutOff => "another move cut off in the {other}",
        OutcomeKind::TableHit => "the transposition table of the {other} had the answer",
        OutcomeKind::Leaf => "the {other} ends there",
        OutcomeKind::Tablebase => "the {other} looked up the endgame tables",
        OutcomeKind::Drawn => "a draw in the {other}",
        OutcomeKind::Futility => "the evaluation was far above the window of the {other}",
        OutcomeKind::MultiCut => "two moves seemed to be above the window of the {other}",
        OutcomeKind::Simulated => "no simulation of the {other} went there",
        OutcomeKind::Stopped => "the {other} was stopped",
        OutcomeKind::Exact | OutcomeKind::FailLow => "the endgame tables left the move out",
        OutcomeKind::Lost => "no move in the {other}",
    }
}

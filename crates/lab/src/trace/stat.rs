//! `checkers-lab trace stat`: what is in a trace, in numbers.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use checkers_engine::tree::{Level, OutcomeKind, Tree, TreeSummary};
use serde::Serialize;

use super::report::{SearchSummary, answer};
use crate::failure::LabFailure;

const EXAMPLES: &str = "\
Examples:
  checkers-lab trace alpha-beta --depth 8 --out alpha-beta.trace
  checkers-lab trace stat alpha-beta.trace
  checkers-lab trace stat alpha-beta.trace --json | jq .first_move_cut_offs

A cut-off is good if the first move tried brings it about. The fewest leaves are b^ceil(d/2) +
b^floor(d/2) - 1 (Knuth and Moore), with b the legal moves of a node on average and d the depth: what
perfect order leaves of a tree that has b moves everywhere.";

/// Count the nodes of a trace: by ply, by how they ended, cut-offs by the first move
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The trace
    trace: PathBuf,

    /// Write one JSON object instead
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), LabFailure> {
    let tree = super::read(&args.trace)?;
    let summary = TreeSummary::of(&tree);
    let text = if args.json {
        StatDocument::new(&tree, &summary).to_json()
    } else {
        text(&tree, &summary)
    };
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes()).map_err(LabFailure::Write)
}

/// The JSON form is its fields in this order; `version` goes up when one changes its meaning.
#[derive(Serialize)]
struct StatDocument {
    version: u32,
    #[serde(flatten)]
    search: SearchSummary,
    recorded: u64,
    dropped: u64,
    lines: u64,
    searches: Vec<Root>,
    outcomes: BTreeMap<&'static str, u64>,
    re_searches: u64,
    reduced: u64,
    moves_tried: Option<f64>,
    legal_moves: Option<f64>,
    first_move_cut_offs: u64,
    leaves: Option<u64>,
    fewest_leaves: Option<f64>,
    plies: Vec<Ply>,
}

/// A search of the root.
#[derive(Serialize)]
struct Root {
    depth: i32,
    alpha: i32,
    beta: i32,
    value: Option<i32>,
    nodes: u64,
}

/// The nodes at one distance from the root.
#[derive(Serialize)]
struct Ply {
    nodes: u64,
    outcomes: BTreeMap<&'static str, u64>,
    moves_tried: u64,
    legal_moves: u64,
    first_move_cut_offs: u64,
}

impl StatDocument {
    fn new(tree: &Tree, summary: &TreeSummary) -> StatDocument {
        StatDocument {
            version: 1,
            search: SearchSummary::of(tree),
            recorded: summary.nodes,
            dropped: summary.dropped,
            lines: summary.lines,
            searches: roots(tree),
            outcomes: by_name(&summary.outcomes),
            re_searches: summary.re_searches,
            reduced: summary.reduced,
            moves_tried: summary.tried,
            legal_moves: summary.legal,
            first_move_cut_offs: summary.first_move_cut_offs,
            leaves: summary.leaves,
            fewest_leaves: summary.fewest_leaves,
            plies: summary.levels.iter().map(Ply::new).collect(),
        }
    }

    fn to_json(&self) -> String {
        let json = serde_json::to_string(self).expect("numbers and texts are JSON");
        format!("{json}\n")
    }
}

impl Ply {
    fn new(level: &Level) -> Ply {
        Ply {
            nodes: level.nodes,
            outcomes: by_name(&level.outcomes),
            moves_tried: level.tried,
            legal_moves: level.legal,
            first_move_cut_offs: level.first_move_cut_offs,
        }
    }
}

pub(super) fn by_name(outcomes: &BTreeMap<OutcomeKind, u64>) -> BTreeMap<&'static str, u64> {
    let names = outcomes.iter().map(|(kind, &count)| (kind.name(), count));
    names.collect()
}

fn roots(tree: &Tree) -> Vec<Root> {
    let root = |id| {
        let node = tree.node(id);
        let nodes = tree.subtree(id).map(|id| 1 + tree.node(id).dropped);
        Root {
            depth: node.depth,
            alpha: node.alpha.value(),
            beta: node.beta.value(),
            value: node.value().map(|value| value.value()),
            nodes: nodes.sum(),
        }
    };
    tree.roots().map(root).collect()
}

fn text(tree: &Tree, summary: &TreeSummary) -> String {
    let mut lines = vec![SearchSummary::of(tree).title(), answer(tree)];
    lines.push(format!(
        "nodes recorded: {}, dropped: {}; different lines: {}; searches of the root: {}",
        summary.nodes,
        summary.dropped,
        summary.lines,
        tree.roots().count(),
    ));
    if let (Some(tried), Some(legal)) = (summary.tried, summary.legal) {
        lines.push(format!(
            "{tried:.2} of {legal:.2} legal moves tried at a node"
        ));
    }
    let cut_offs = summary.count(OutcomeKind::CutOff);
    if cut_offs > 0 {
        let first = summary.first_move_cut_offs;
        let percent = 100.0 * first as f64 / cut_offs as f64;
        lines.push(format!(
            "{percent:.1} % of {cut_offs} cut-offs by the first move"
        ));
    }
    if summary.re_searches + summary.reduced > 0 {
        lines.push(format!(
            "{} re-searches, {} searches of reduced depth",
            summary.re_searches, summary.reduced
        ));
    }
    if let (Some(leaves), Some(fewest), Some(depth)) =
        (summary.leaves, summary.fewest_leaves, summary.depth)
    {
        lines.push(format!(
            "{leaves} leaves at depth {depth}; {fewest:.0} are the fewest of a uniform tree"
        ));
    }
    lines.push(String::new());
    lines.extend(table(summary));
    lines.push(String::new());
    lines.join("\n")
}

/// The nodes by ply and by how they ended.
fn table(summary: &TreeSummary) -> Vec<String> {
    let kinds: Vec<OutcomeKind> = summary.outcomes.keys().copied().collect();
    let cell = |count: u64| format!(" {count:>9}");
    let mut head = format!("{:>4} {:>9}", "ply", "nodes");
    head.extend(kinds.iter().map(|kind| format!(" {:>9}", kind.name())));
    let mut lines = vec![head];
    for (ply, level) in summary.levels.iter().enumerate() {
        let mut line = format!("{ply:>4}{}", cell(level.nodes));
        line.extend(kinds.iter().map(|&kind| cell(level.count(kind))));
        lines.push(line);
    }
    let mut total = format!("{:>4}{}", "all", cell(summary.nodes));
    total.extend(summary.outcomes.values().map(|&count| cell(count)));
    lines.push(total);
    lines
}

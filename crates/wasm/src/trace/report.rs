//! A search in numbers.

use std::collections::BTreeMap;

use checkers_engine::Algorithm;
use checkers_engine::tree::{Tree, TreeSummary};
use checkers_lib::protocol::WireColor;
use serde::Serialize;

use super::terms::whites;

/// What was searched, and what it took.
#[derive(Serialize)]
pub(crate) struct TraceReport {
    bot: String,
    fen: String,
    turn: WireColor,
    #[serde(rename = "move")]
    best: Option<String>,
    value: i32,
    depth: u32,
    complete: bool,
    nodes: u64,
    recorded: usize,
    dropped: u64,
    lines: u64,
    roots: usize,
    re_searches: u64,
    outcomes: BTreeMap<&'static str, u64>,
    first_move_cut_offs: u64,
    moves_tried: Option<f64>,
    legal_moves: Option<f64>,
    leaves: Option<u64>,
    fewest_leaves: Option<f64>,
    is_simulated: bool,
}

impl TraceReport {
    pub(crate) fn of(tree: &Tree) -> TraceReport {
        let summary = TreeSummary::of(tree);
        let choice = tree.choice();
        let position = tree.game().position();
        let outcomes = summary.outcomes.iter();
        TraceReport {
            bot: tree.spec().to_string(),
            fen: position.to_string(),
            turn: position.turn().into(),
            best: choice.best.map(|m| position.notation(m)),
            value: whites(choice.score, position.turn()),
            depth: choice.depth,
            complete: choice.complete,
            nodes: choice.nodes,
            recorded: tree.len(),
            dropped: tree.dropped(),
            lines: summary.lines,
            roots: tree.roots().count(),
            re_searches: summary.re_searches,
            outcomes: outcomes
                .map(|(kind, &count)| (kind.name(), count))
                .collect(),
            first_move_cut_offs: summary.first_move_cut_offs,
            moves_tried: summary.tried,
            legal_moves: summary.legal,
            leaves: summary.leaves,
            fewest_leaves: summary.fewest_leaves,
            is_simulated: tree.spec().algorithm() == Algorithm::Mcts,
        }
    }
}

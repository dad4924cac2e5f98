//! What a trace is of, for people and programs.

use checkers_engine::tree::Tree;
use serde::Serialize;

/// What was searched, and the answer. The JSON form is its fields in this order.
#[derive(Serialize)]
pub(super) struct SearchSummary {
    bot: String,
    fen: String,
    depth: u32,
    nodes: u64,
    complete: bool,
    #[serde(rename = "move")]
    best: Option<String>,
    score: String,
}

impl SearchSummary {
    pub(super) fn of(tree: &Tree) -> SearchSummary {
        let choice = tree.choice();
        let position = tree.game().position();
        SearchSummary {
            bot: tree.spec().to_string(),
            fen: position.to_string(),
            depth: choice.depth,
            nodes: choice.nodes,
            complete: choice.complete,
            best: choice.best.map(|m| position.notation(m)),
            score: choice.score.to_string(),
        }
    }

    /// Which search, on one line.
    pub(super) fn title(&self) -> String {
        format!("{} in {}", self.bot, self.fen)
    }
}

/// The move, what it is worth, and what it took.
pub(super) fn answer(tree: &Tree) -> String {
    let search = SearchSummary::of(tree);
    let best = search.best.as_deref().unwrap_or("no move");
    let cut = if search.complete { "" } else { ", cut short" };
    format!(
        "{best}, score {}, depth {}, {} nodes{cut}",
        search.score, search.depth, search.nodes
    )
}

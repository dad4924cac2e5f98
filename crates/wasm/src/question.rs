//! Questions.

use std::time::Duration;

use checkers_engine::Limits;
use serde::Deserialize;

/// A question. Its keys are the parameters of the server's API, and those that bound a search.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    pub(crate) about: Subject,
    /// The position to begin with; the start of the game by default.
    pub(crate) fen: Option<String>,
    /// The moves from there, which spaces separate.
    #[serde(default)]
    pub(crate) moves: String,
    /// The draw rules; `fmjd64` by default.
    pub(crate) rules: Option<String>,
    /// The longest search, in milliseconds.
    time: Option<u64>,
    /// The deepest search, in plies.
    depth: Option<u32>,
    /// The most positions that a search visits.
    nodes: Option<u64>,
    /// How many of the best moves to report; 1 by default.
    pub(crate) lines: Option<usize>,
    /// The bot that chooses; the strongest by default.
    pub(crate) bot: Option<String>,
    /// What the bot's random numbers begin with.
    #[serde(default)]
    pub(crate) seed: u64,
    /// Which of two trees it is about, 0 or 1.
    #[serde(default)]
    pub(crate) tree: usize,
    /// The number of a node of that tree.
    #[serde(default)]
    pub(crate) node: usize,
    /// The most nodes of a tree that are kept; a million by default.
    pub(crate) most_nodes: Option<usize>,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Subject {
    /// The legal moves.
    Legal,
    /// The moves that the waiting side can prepare.
    Premoves,
    /// The exact value of a position of few pieces.
    Tablebase,
    /// What a position is worth, and its best moves, after each depth.
    Analysis,
    /// The move that a bot plays.
    Choice,
    /// Nothing: the attached files are tablebases besides the built-in ones. Only the first question may be.
    Tables,
    /// The tree that a bot visits. It is kept, and its columns are attached to the answer.
    Trace,
    /// The tree in the attached file, which is kept as above.
    OpenTrace,
    /// A tree as a file, attached.
    SaveTrace,
    /// A tree as a table for programs, attached.
    TraceTable,
    /// What each tree has of the other's lines: a byte for each node of the first, then of the second, attached.
    Compare,
    /// A node of a tree.
    Node,
}

impl Question {
    /// What bounds the search.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.time.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

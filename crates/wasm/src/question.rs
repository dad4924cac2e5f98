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

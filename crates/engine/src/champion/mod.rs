//! The strongest bot there is: a principal variation search by iterative deepening with everything
//! that has paid in draughts programs, on any evaluation.
//!
//! `engine` deepens, on one thread or several; `worker` is one thread's search, whose nodes are in
//! `search` and whose leaves are in `quiescence`; `frame` is the line it looks at, with positions,
//! draw counts and the states of the evaluation. `table` and `order` are what it remembers, `time`
//! when it stops, `params` the numbers that no spec sets. `bot` requests a move, `analyst` several lines; `question` has
//! their requests and replies.
//!
//! `opening` plays the first moves from a book.
//!
//! `docs/engine.md` has a paragraph on each technique.

mod analyst;
mod bot;
mod contempt;
mod drawish;
mod engine;
mod frame;
mod opening;
mod order;
mod params;
mod question;
mod quiescence;
mod reduction;
mod search;
mod table;
mod time;
mod worker;

pub use self::analyst::Analyst;
pub(crate) use self::bot::build;
pub use self::bot::champion_with;
pub use self::question::{Question, SearchAnswer, SearchReport, Variation};

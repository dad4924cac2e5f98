//! The strongest bot there is: a principal variation search by iterative deepening with everything
//! that has paid in draughts programs, on any evaluation.
//!
//! `engine` deepens, on one thread or several; `worker` is one thread's search, whose nodes are in
//! `search` and whose leaves are in `quiescence`; `frame` is the line it looks at, with positions,
//! draw counts and the states of the evaluation. `table` and `order` are what it remembers, `time`
//! when it stops, `params` every number. `bot` asks it for a move, `analyst` for more; `question` is what
//! they ask and are told.
//!
//! `evaluation` says what an evaluation is: `hand`, `network` or `patterns`, the last two with
//! `weights` that were trained.
//!
//! `opening` plays the first moves from a book.
//!
//! `docs/engine.md` has a paragraph on each technique.

mod analyst;
mod bot;
mod chance;
mod contempt;
mod drawish;
mod engine;
mod evaluation;
mod frame;
mod hand;
pub(crate) mod network;
mod opening;
mod order;
mod params;
pub(crate) mod patterns;
mod question;
mod quiescence;
mod reduction;
mod search;
mod table;
mod time;
mod view;
mod weights;
mod worker;

pub use self::analyst::Analyst;
pub(crate) use self::bot::build;
pub use self::bot::champion_with;
pub use self::chance::{logistic, win_chance};
pub use self::evaluation::Evaluate;
pub use self::network::{
    Accumulators, HIDDEN, INPUTS, LOGIT, MOST_INPUT_WEIGHT, MOST_OUTPUT_WEIGHT, NETWORK_VALUES,
    Network, ONE, PHASES, Simd, inputs_of, phase,
};
pub use self::patterns::{PATTERN_VALUES, Patterns, TERMS, UNIT, terms_of};
pub use self::question::{Answer, Question, Report, Variation};
pub use self::view::View;
pub use self::weights::{WeightsError, WeightsFile, WeightsKind};

//! Making tables by retrograde analysis, and verifying them.
//!
//! `plan` estimates memory and work. `generator` makes a pair of slices at a time: `pair` solves it, on sets of
//! positions (`contexts`, `context_moves`, `side_table`), with the values of smaller slices (`slice_set`); `solved`
//! sorts the values by their `places`, and `write` compresses them. `articles` solves slices under the articles that
//! count moves: with `pair` where every change of the material ends a count, otherwise with `counted`.
//! `zugzwang` counts mutual zugzwangs. `verify` holds tables against the rules.

mod articles;
mod context_moves;
mod contexts;
mod counted;
mod generator;
mod pages;
mod pair;
mod places;
mod plan;
mod side_table;
mod slice_set;
mod solved;
mod verify;
mod write;
mod zugzwang;

pub use articles::{ArticleSolver, UnderArticles};
pub use generator::{Generator, Made, MakeError, SliceStats, slice_positions};
pub use pair::TooLong;
pub use plan::{GenerationPlan, TooLarge};
pub use verify::{Selection, Verified, Wrong};
pub use write::write_file;

//! Making tables by retrograde analysis, and verifying them.
//!
//! `plan` tells what it takes. `workshop` makes a pair of slices at a time: `pair` solves it, on sets of
//! positions (`contexts`, `context_moves`, `half`), with the values of smaller slices (`library`); `solved`
//! sorts the values by their places, and `write` compresses them. `verify` holds tables against the rules.

mod context_moves;
mod contexts;
mod half;
mod library;
mod pages;
mod pair;
mod plan;
mod solved;
mod verify;
mod workshop;
mod write;

pub use pair::TooLong;
pub use plan::{Plan, TooLarge};
pub use verify::{Selection, Verified, Wrong};
pub use workshop::{Census, Made, MakeError, Workshop, slice_positions};
pub use write::write_file;

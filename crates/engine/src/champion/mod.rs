//! The strongest bot there is.

mod chance;
mod evaluation;
mod hand;

pub use chance::{logistic, win_chance};

#![doc = include_str!("../README.md")]

mod analysis;
mod detail;
mod legal;
mod mistake;

pub use analysis::{AnalysedLine, Analysis, positions};
pub use detail::Detail;
pub use legal::{LegalMoves, Premoves, game, is_playable, position, rules};
pub use mistake::{Mistake, MistakeCode};

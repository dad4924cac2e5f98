//! Answers about positions, in the form in which the server and the engine in the browser give them:
//! the legal moves, the moves that can be prepared, what a position is worth, and what is wrong with a
//! question.

mod analysis;
mod detail;
mod legal;
mod mistake;

pub use analysis::{AnalysedLine, Analysis, positions};
pub use detail::Detail;
pub use legal::{LegalMoves, Premoves, game, is_playable, position};
pub use mistake::{Mistake, MistakeCode};

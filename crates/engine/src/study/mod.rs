//! The bots of the study, in their textbook form: they exist to be compared, so nothing clever
//! is smuggled in.
//!
//! All four searches look a fixed number of plies ahead and evaluate what stands there. There is
//! no quiescence search, no ordering of moves beyond the generator's unless `order=on` asks for it,
//! no knowledge of repetitions or draws. A position without a legal move is lost wherever it stands in the tree. So all of
//! them find the same score and the same move, and differ in how many nodes they need.

mod alpha_beta;
mod minimax;
mod negascout;
mod negascout_tt;
mod random;

pub(crate) use self::alpha_beta::AlphaBeta;
pub(crate) use self::minimax::Minimax;
pub(crate) use self::negascout::NegaScout;
pub(crate) use self::negascout_tt::NegaScoutTt;
pub(crate) use self::random::Random;

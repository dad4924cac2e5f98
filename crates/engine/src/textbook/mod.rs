//! Searches in their textbook form: they exist to be compared.
//!
//! `minimax`, `alpha_beta`, `negascout`, `negascout_tt` and the two of `mtd` look a fixed number of plies
//! ahead and evaluate what stands there; `fixed_depth` is the bot around each of them. They have no
//! quiescence search, no ordering of moves beyond the generator's unless `order` asks for it, and no
//! knowledge of repetitions or draws. A position without a legal move is lost wherever it stands in the
//! tree. So all of them find the same score and the same move, and differ in how many nodes they need.
//!
//! `negascout_id` is NegaScout as game programs use it, `mcts` Monte Carlo tree search.

mod alpha_beta;
mod fixed_depth;
mod mcts;
mod minimax;
mod move_order;
mod mtd;
mod negascout;
mod negascout_id;
mod negascout_tt;
mod oracle;
mod random;
mod search_state;
mod table;

pub(crate) use self::alpha_beta::AlphaBeta;
pub(crate) use self::fixed_depth::{FixedDepth, FixedDepthSearch};
pub(crate) use self::mcts::Mcts;
pub(crate) use self::minimax::Minimax;
pub(crate) use self::mtd::{Mtdf, SssStar};
pub(crate) use self::negascout::NegaScout;
pub(crate) use self::negascout_id::NegaScoutId;
pub(crate) use self::negascout_tt::NegaScoutTt;
pub(crate) use self::random::Random;

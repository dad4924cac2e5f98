//! What the results of games say about the strength of the bots that played them.
//!
//! Pure arithmetic: no input or output, no clock, and randomness only from a given seed. The same
//! results give the same numbers, and no result gives a number that is not finite: where a number
//! does not exist, [`Unavailable`] or [`Unrated`] says why. `docs/statistics.md` has the formulas.
//!
//! ```
//! use match_statistics::{Decision, Model, Pentanomial, Sample, Sprt, Strength};
//!
//! // Pairs of games by the points of the first bot: 0, ½, 1, 1½, 2.
//! let sample = Sample::Pairs(Pentanomial([12, 80, 210, 110, 20]));
//! let elo = Strength::of(&sample).elo.unwrap();
//! assert_eq!(format!("{:+.1} ± {:.1}", elo.value, elo.error()), "+18.5 ± 14.0");
//!
//! let sprt = Sprt::new([0.0, 10.0], 0.05, 0.05, Model::Normalized).unwrap();
//! assert_eq!(sprt.judge(&sample).decision, Decision::Continue);
//! ```
//!
//! - [`Sample`]: the results of two bots, as pairs of games or as single games.
//! - [`Strength`]: score, Elo, normalized Elo and likelihood of superiority of a sample.
//! - [`Numbers`]: all of these under their names, for programs.
//! - [`Sprt`]: the sequential test that ends a match as soon as the sample decides it.
//! - [`Pool`]: the results of many bots, and their [`Rating`]s.
//! - [`Summary`]: what a set of durations looks like.

mod elo;
mod likelihood;
mod los;
mod numbers;
mod pool;
mod root;
mod sample;
mod sprt;
mod strength;
mod summary;

pub use elo::{elo_of_score, score_of_elo};
pub use numbers::Numbers;
pub use pool::{Bootstrap, Meeting, Pool, PoolError, Rating, RatingInterval, Unrated};
pub use sample::{GameScore, Pentanomial, Sample, SampleError, Wdl};
pub use sprt::{Decision, Model, Sprt, SprtAnswer, SprtBounds, SprtError, UnknownModel};
pub use strength::{Estimate, Strength, Unavailable};
pub use summary::{Summary, mean};

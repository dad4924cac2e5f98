//! What positions are worth: the evaluations, and the files of their weights.
//!
//! `Evaluation` is what the champion asks of an evaluation: `network` and `patterns`, whose weights were
//! trained, `handcrafted`, and the study's without its noise. `textbook` has the evaluations of the
//! textbook searches. [`SideView`] is the board as evaluations see it.
//!
//! [`champion_with`](crate::champion_with) plays with weights of a file. `docs/evaluation.md`
//! explains both trained evaluations.

mod chance;
mod evaluate;
mod handcrafted;
pub(crate) mod network;
pub(crate) mod patterns;
pub(crate) mod textbook;
mod view;
mod weights;

pub use self::chance::{logistic, win_chance};
pub(crate) use self::evaluate::{Evaluation, EvaluationState};
pub use self::network::{
    Accumulators, HIDDEN, INPUTS, LOGIT, MOST_INPUT_WEIGHT, MOST_OUTPUT_WEIGHT, NETWORK_VALUES,
    Network, ONE, PHASES, Simd, inputs_of, phase,
};
pub use self::patterns::{PATTERN_VALUES, Patterns, TERMS, UNIT, terms_of};
pub use self::view::SideView;
pub use self::weights::{WeightsError, WeightsFile, WeightsKind};

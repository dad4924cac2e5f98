//! Evaluations with weights that training finds, and the files of these weights.
//!
//! [`champion_with`](crate::champion_with) plays with weights of a file. `docs/evaluation.md`
//! explains both evaluations.

pub use crate::champion::{
    Accumulators, HIDDEN, INPUTS, LOGIT, MOST_INPUT_WEIGHT, MOST_OUTPUT_WEIGHT, NETWORK_VALUES,
    Network, ONE, PATTERN_VALUES, PHASES, Patterns, Simd, TERMS, UNIT, View, WeightsError,
    WeightsFile, WeightsKind, inputs_of, phase, terms_of,
};

//! The patterns in floating point.

use checkers_engine::evaluation::{PATTERN_VALUES, SideView, TERMS, UNIT, WeightsKind, terms_of};

use super::model::{Model, quantise};

/// The model of [`Patterns`](checkers_engine::evaluation::Patterns), its weights in the same order:
/// logistic regression.
#[derive(Debug)]
pub(super) struct PatternsModel;

/// The terms of a position and how often each counts on the full and on the empty board.
#[derive(Debug, Default)]
pub(super) struct Activations(Vec<(usize, [f32; 2])>);

/// The pieces of a full board.
const FULL: f32 = 24.0;
/// What a logit is in the engine's weights.
const LOGIT: i32 = 100 * UNIT;
/// The greatest weight, in logits, that has room in 16 bits.
const MOST_WEIGHT: f32 = 20.0;

impl Model for PatternsModel {
    type Activations = Activations;

    const KIND: WeightsKind = WeightsKind::Patterns;

    fn initial(_seed: u64) -> Vec<f32> {
        vec![0.0; PATTERN_VALUES]
    }

    fn limits() -> Vec<f32> {
        vec![MOST_WEIGHT; PATTERN_VALUES]
    }

    fn output(weights: &[f32], view: &SideView, activations: &mut Activations) -> f32 {
        let share = view.occupied().len() as f32 / FULL;
        activations.0.clear();
        let mut total = 0.0;
        terms_of(view, |term, count| {
            let count = count as f32;
            let [full, empty] = [count * share, count * (1.0 - share)];
            total += full * weights[term] + empty * weights[TERMS + term];
            activations.0.push((term, [full, empty]));
        });
        total
    }

    fn add_gradient(
        _weights: &[f32],
        _view: &SideView,
        activations: &Activations,
        slope: f32,
        gradient: &mut [f32],
    ) {
        for &(term, [full, empty]) in &activations.0 {
            gradient[term] += slope * full;
            gradient[TERMS + term] += slope * empty;
        }
    }

    fn quantised(weights: &[f32]) -> Vec<i16> {
        weights
            .iter()
            .map(|&weight| quantise(weight, LOGIT))
            .collect()
    }
}

//! The network in floating point.

use checkers_engine::Rng;
use checkers_engine::evaluation::{
    HIDDEN, INPUTS, LOGIT, MOST_INPUT_WEIGHT, MOST_OUTPUT_WEIGHT, NETWORK_VALUES, ONE, PHASES,
    SideView, WeightsKind, inputs_of, phase,
};

use super::model::{Model, quantise};

/// The model of [`Network`](checkers_engine::evaluation::Network), its weights in the same order.
#[derive(Debug)]
pub(super) struct NetworkModel;

type WeightRow = [f32; HIDDEN];

/// The accumulators of both sides, the side to move first.
#[derive(Debug)]
pub(super) struct Activations {
    inputs: [Vec<usize>; 2],
    sums: [WeightRow; 2],
    phase: usize,
}

impl Default for Activations {
    fn default() -> Activations {
        Activations {
            inputs: [Vec::new(), Vec::new()],
            sums: [[0.0; HIDDEN]; 2],
            phase: 0,
        }
    }
}

/// The greatest activation, as whole numbers have it.
const MOST_ACTIVE: f32 = (ONE - 1) as f32 / ONE as f32;
/// Where the biases of the last layer begin.
const OUTPUT_BIASES: usize = NETWORK_VALUES - PHASES;

impl Model for NetworkModel {
    type Activations = Activations;

    const KIND: WeightsKind = WeightsKind::Network;

    /// Small random numbers; accumulators begin in the middle of their range.
    fn initial(seed: u64) -> Vec<f32> {
        let mut rng = Rng::of(seed, u64::from(u32::MAX));
        let mut around_zero = |size: f32| {
            let step = rng.below(2_000_001) as f32 - 1_000_000.0;
            size * step / 1_000_000.0
        };
        let mut weights = vec![0.0; NETWORK_VALUES];
        let (inputs, output) = weights.split_at_mut((INPUTS + 1) * HIDDEN);
        inputs.fill_with(|| around_zero(0.2));
        for bias in &mut inputs[INPUTS * HIDDEN..] {
            *bias += 0.3;
        }
        let biases = output.len() - PHASES;
        output[..biases].fill_with(|| around_zero(0.2));
        weights
    }

    fn limits() -> Vec<f32> {
        let input = MOST_INPUT_WEIGHT as f32 / ONE as f32;
        let output = MOST_OUTPUT_WEIGHT as f32 / LOGIT as f32;
        let mut limits = vec![input; NETWORK_VALUES];
        limits[(INPUTS + 1) * HIDDEN..].fill(output);
        limits
    }

    fn output(weights: &[f32], view: &SideView, activations: &mut Activations) -> f32 {
        let (rows, biases) = weights.as_chunks::<HIDDEN>();
        activations.phase = phase(view.occupied().len());
        let mut total = biases[activations.phase];
        for (i, seen) in [*view, view.turned()].iter().enumerate() {
            activations.inputs[i].clear();
            activations.inputs[i].extend(inputs_of(seen));
            let sums = &mut activations.sums[i];
            *sums = rows[INPUTS];
            for &input in &activations.inputs[i] {
                add(sums, &rows[input]);
            }
            total += weighted_squares(sums, &rows[output_row(activations.phase, i)]);
        }
        total
    }

    fn add_gradient(
        weights: &[f32],
        _view: &SideView,
        activations: &Activations,
        slope: f32,
        gradient: &mut [f32],
    ) {
        gradient[OUTPUT_BIASES + activations.phase] += slope;
        let (rows, _) = weights.as_chunks::<HIDDEN>();
        let (gradients, _) = gradient.as_chunks_mut::<HIDDEN>();
        for i in 0..2 {
            let row = output_row(activations.phase, i);
            let back = propagate(&activations.sums[i], &rows[row], slope, &mut gradients[row]);
            add(&mut gradients[INPUTS], &back);
            for &input in &activations.inputs[i] {
                add(&mut gradients[input], &back);
            }
        }
    }

    fn quantised(weights: &[f32]) -> Vec<i16> {
        let output = (INPUTS + 1) * HIDDEN;
        let parts = |i: usize| if i < output { ONE } else { LOGIT };
        let weights = weights.iter().enumerate();
        weights
            .map(|(i, &weight)| quantise(weight, parts(i)))
            .collect()
    }
}

/// The row of weights of a side in the last layer.
fn output_row(phase: usize, side: usize) -> usize {
    INPUTS + 1 + 2 * phase + side
}

#[inline]
fn add(sums: &mut WeightRow, row: &WeightRow) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight;
    }
}

#[inline]
fn weighted_squares(sums: &WeightRow, weights: &WeightRow) -> f32 {
    // Eight sums side by side can be made at once.
    let mut totals = [0.0; 8];
    let (sums, _) = sums.as_chunks::<8>();
    let (weights, _) = weights.as_chunks::<8>();
    for (sums, weights) in sums.iter().zip(weights) {
        for i in 0..8 {
            let active = sums[i].clamp(0.0, MOST_ACTIVE);
            totals[i] += active * active * weights[i];
        }
    }
    totals.iter().sum()
}

/// Adds the gradient of a side's weights of the last layer; returns that of its accumulators.
#[inline]
fn propagate(
    sums: &WeightRow,
    weights: &WeightRow,
    slope: f32,
    gradient: &mut WeightRow,
) -> WeightRow {
    let mut back = [0.0; HIDDEN];
    for i in 0..HIDDEN {
        let active = sums[i].clamp(0.0, MOST_ACTIVE);
        gradient[i] += slope * active * active;
        let moves = sums[i] > 0.0 && sums[i] < MOST_ACTIVE;
        back[i] = if moves {
            slope * 2.0 * active * weights[i]
        } else {
            0.0
        };
    }
    back
}

//! What can be trained.

use checkers_engine::evaluation::{SideView, WeightsKind};

/// An evaluation with weights that gradient descent can find.
pub(super) trait Model {
    /// What is kept of an evaluation for its gradient.
    type Activations: Default;

    /// Which evaluation it is.
    const KIND: WeightsKind;

    /// The weights to begin with: a good guess without any games.
    fn initial(seed: u64) -> Vec<f32>;

    /// The greatest size of each weight.
    fn limits() -> Vec<f32>;

    /// What a position is worth to the side to move, in logits.
    fn output(weights: &[f32], view: &SideView, activations: &mut Self::Activations) -> f32;

    /// Adds `slope` times the gradient of an output.
    fn add_gradient(
        weights: &[f32],
        view: &SideView,
        activations: &Self::Activations,
        slope: f32,
        gradient: &mut [f32],
    );

    /// The weights as whole numbers, as the engine has them.
    fn quantised(weights: &[f32]) -> Vec<i16>;
}

/// The nearest whole number of parts of 1.
pub(super) fn quantise(weight: f32, parts: i32) -> i16 {
    // Beyond the range of 16 bits the cast saturates.
    (weight * parts as f32).round() as i16
}

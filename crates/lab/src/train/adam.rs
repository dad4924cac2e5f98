//! Stepping down a slope.

/// Adam: a step along the mean of the gradients, shorter where they vary.
///
/// CITE: D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", 2015.
#[derive(Clone, Debug)]
pub(super) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    /// The product of the decay rates so far.
    decayed: [f32; 2],
}

/// How slowly the means of gradients and of their squares forget.
const DECAY: [f32; 2] = [0.9, 0.999];
/// Keeps steps finite where there is no gradient.
const EPSILON: f32 = 1e-8;

impl Adam {
    pub(super) fn new(weights: usize) -> Adam {
        Adam {
            mean: vec![0.0; weights],
            square: vec![0.0; weights],
            decayed: [1.0; 2],
        }
    }

    /// Moves each weight, and keeps it within its limit. The gradient is zero afterwards.
    pub(super) fn step(
        &mut self,
        weights: &mut [f32],
        gradient: &mut [f32],
        rate: f32,
        limits: &[f32],
    ) {
        let [mean_decay, square_decay] = DECAY;
        self.decayed[0] *= mean_decay;
        self.decayed[1] *= square_decay;
        let rate = rate * (1.0 - self.decayed[1]).sqrt() / (1.0 - self.decayed[0]);
        let moments = self.mean.iter_mut().zip(&mut self.square);
        let targets = weights.iter_mut().zip(gradient).zip(limits);
        for ((mean, square), ((weight, slope), limit)) in moments.zip(targets) {
            *mean = mean_decay * *mean + (1.0 - mean_decay) * *slope;
            *square = square_decay * *square + (1.0 - square_decay) * *slope * *slope;
            *weight = (*weight - rate * *mean / (square.sqrt() + EPSILON)).clamp(-limit, *limit);
            *slope = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_and_keeps_the_limits() {
        let mut weights = [3.0, -3.0];
        let limits = [10.0, 0.5];
        let mut adam = Adam::new(2);
        for i in 0..2_000 {
            let mut gradient = [2.0 * (weights[0] - 1.0), 2.0 * (weights[1] - 1.0)];
            adam.step(
                &mut weights,
                &mut gradient,
                0.1 / (1.0 + i as f32 * 0.05),
                &limits,
            );
            assert_eq!(gradient, [0.0; 2]);
        }
        assert!((weights[0] - 1.0).abs() < 0.01, "{weights:?}");
        assert_eq!(weights[1], 0.5);
    }
}

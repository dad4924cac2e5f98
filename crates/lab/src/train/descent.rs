//! Epoch by epoch.

use std::marker::PhantomData;
use std::time::Instant;

use checkers_engine::evaluation::SideView;
use checkers_engine::{Rng, Stop};

use super::adam::Adam;
use super::model::Model;
use super::target::{Target, sigmoid};
use crate::dataset::Sample;
use crate::failure::talk;

/// One game in this many is held out.
const HELD_OUT: usize = 20;

/// A position and its target value, from 0 to 1.
type Example = (SideView, f32);

/// Positions to learn from, and positions of other games to be examined on.
pub(super) struct TrainingGames {
    pub(super) learnt: Vec<Example>,
    pub(super) held_out: Vec<Example>,
}

impl TrainingGames {
    /// Never splits a game: positions of one are much alike.
    pub(super) fn new(samples: &[Sample], target: Target) -> TrainingGames {
        let targets = target.of(samples);
        let mut games = TrainingGames {
            learnt: Vec::with_capacity(samples.len()),
            held_out: Vec::with_capacity(samples.len() / HELD_OUT),
        };
        let mut begun = 0_usize;
        for (sample, target) in samples.iter().zip(targets) {
            begun += usize::from(sample.begins_game);
            let part = if begun.is_multiple_of(HELD_OUT) {
                &mut games.held_out
            } else {
                &mut games.learnt
            };
            part.push((sample.view, target));
        }
        games
    }
}

/// How to go down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hyperparameters {
    pub(super) epochs: u32,
    pub(super) rate: f32,
    pub(super) batch: usize,
    pub(super) patience: u32,
    pub(super) seed: u64,
}

/// A run of training.
pub(super) struct Descent<'a, M> {
    games: &'a TrainingGames,
    hyperparameters: Hyperparameters,
    model: PhantomData<M>,
}

/// The best weights of a run.
pub(super) struct BestWeights {
    pub(super) weights: Vec<f32>,
    epoch: u32,
    learnt: f64,
    pub(super) held_out: f64,
}

impl BestWeights {
    fn losses(&self) -> String {
        format!("loss {:.5}, held out {:.5}", self.learnt, self.held_out)
    }

    /// The result in one line.
    pub(super) fn summary(&self, games: &TrainingGames) -> String {
        format!(
            "epoch {}: loss {:.5} on {} positions, {:.5} on {} held out",
            self.epoch,
            self.learnt,
            games.learnt.len(),
            self.held_out,
            games.held_out.len()
        )
    }
}

impl<'a, M: Model> Descent<'a, M> {
    pub(super) fn new(
        games: &'a TrainingGames,
        hyperparameters: Hyperparameters,
    ) -> Descent<'a, M> {
        Descent {
            games,
            hyperparameters,
            model: PhantomData,
        }
    }

    /// The weights of the epoch that did best on the games held out, or on all if none are; `None`
    /// if stopped.
    pub(super) fn run(&self, stop: &Stop) -> Option<BestWeights> {
        let mut weights = M::initial(self.hyperparameters.seed);
        let mut adam = Adam::new(weights.len());
        let limits = M::limits();
        let mut best = self.examined(0, self.loss(&weights, &self.games.learnt), &weights);
        talk(&format!("untrained: {}", best.losses()));
        for epoch in 1..=self.hyperparameters.epochs {
            let begin = Instant::now();
            let learnt = self.epoch(epoch, &mut weights, &mut adam, &limits, stop)?;
            let found = self.examined(epoch, learnt, &weights);
            talk(&format!(
                "epoch {epoch} of {}: {}, {:.1} s",
                self.hyperparameters.epochs,
                found.losses(),
                begin.elapsed().as_secs_f64()
            ));
            if found.held_out < best.held_out {
                best = found;
            } else if epoch - best.epoch >= self.hyperparameters.patience {
                break;
            }
        }
        Some(best)
    }

    /// Weights and how they do on the games held out.
    fn examined(&self, epoch: u32, learnt: f64, weights: &[f32]) -> BestWeights {
        let held_out = match &self.games.held_out[..] {
            [] => learnt,
            lessons => self.loss(weights, lessons),
        };
        BestWeights {
            weights: weights.to_vec(),
            epoch,
            learnt,
            held_out,
        }
    }

    /// Looks at every position once, in an order of its own; returns the mean loss on the way.
    fn epoch(
        &self,
        epoch: u32,
        weights: &mut [f32],
        adam: &mut Adam,
        limits: &[f32],
        stop: &Stop,
    ) -> Option<f64> {
        let lessons = &self.games.learnt;
        let mut order: Vec<u32> = (0..lessons.len() as u32).collect();
        let mut rng = Rng::of(self.hyperparameters.seed, u64::from(epoch));
        for last in (1..order.len()).rev() {
            order.swap(last, rng.below(last + 1));
        }
        let batches = order.len().div_ceil(self.hyperparameters.batch);
        let mut gradient = vec![0.0; weights.len()];
        let mut activations = M::Activations::default();
        let mut total = 0.0;
        for (i, batch) in order.chunks(self.hyperparameters.batch).enumerate() {
            if stop.is_set() {
                return None;
            }
            for &number in batch {
                let (view, target) = &lessons[number as usize];
                let logits = M::output(weights, view, &mut activations);
                total += cross_entropy(logits, *target);
                let slope = (sigmoid(logits) - target) / batch.len() as f32;
                M::add_gradient(weights, view, &activations, slope, &mut gradient);
            }
            let done = f64::from(epoch - 1) + i as f64 / batches as f64;
            let rate = self.rate(done / f64::from(self.hyperparameters.epochs));
            adam.step(weights, &mut gradient, rate, limits);
        }
        Some(total / lessons.len().max(1) as f64)
    }

    /// The rate when so much of the run is over: half a cosine.
    fn rate(&self, done: f64) -> f32 {
        let share = 0.5 + 0.5 * (std::f64::consts::PI * done).cos();
        self.hyperparameters.rate * share as f32
    }

    fn loss(&self, weights: &[f32], lessons: &[Example]) -> f64 {
        let mut activations = M::Activations::default();
        let losses = lessons.iter().map(|(view, target)| {
            let logits = M::output(weights, view, &mut activations);
            cross_entropy(logits, *target)
        });
        losses.sum::<f64>() / lessons.len().max(1) as f64
    }
}

/// The cross-entropy of logits against a target, in nats.
fn cross_entropy(logits: f32, target: f32) -> f64 {
    // log(1 + e^x) without overflow: −log of the chance of a loss.
    let softplus = logits.max(0.0) + (-logits.abs()).exp().ln_1p();
    f64::from(softplus - target * logits)
}

#[cfg(test)]
mod tests;

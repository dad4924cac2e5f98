//! The target value of each position.

use crate::dataset::Sample;

/// How to make targets of samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Target {
    /// The share of the result; the rest is the search's score.
    Mixed(f32),
    /// TD(λ): the result, and the scores of the searches in between, those further away by λ less.
    ///
    /// CITE: R. S. Sutton, "Learning to Predict by the Methods of Temporal Differences", 1988, in
    /// the form of the λ-return.
    Temporal(f32),
}

impl Target {
    /// The expected points, from 0 to 1, of the side to move at each sample.
    pub(super) fn of(self, samples: &[Sample]) -> Vec<f32> {
        match self {
            Target::Mixed(share) => samples
                .iter()
                .map(|sample| share * sample.outcome.points() + (1.0 - share) * chance(sample))
                .collect(),
            Target::Temporal(lambda) => temporal(samples, lambda),
        }
    }
}

/// What the search expected.
fn chance(sample: &Sample) -> f32 {
    sigmoid(f32::from(sample.score) / 100.0)
}

pub(super) fn sigmoid(logits: f32) -> f32 {
    1.0 / (1.0 + (-logits).exp())
}

fn temporal(samples: &[Sample], lambda: f32) -> Vec<f32> {
    let mut targets = vec![0.0; samples.len()];
    // What follows, in White's eyes; the last sample of a game is followed by its result.
    let mut next: Option<f32> = None;
    for (sample, target) in samples.iter().zip(&mut targets).rev() {
        let for_white = |value: f32| if sample.is_blacks { 1.0 - value } else { value };
        let end = for_white(sample.outcome.points());
        let follows = next.unwrap_or(end);
        *target = for_white(follows);
        let own = for_white(chance(sample));
        next = (!sample.begins_game).then_some((1.0 - lambda) * own + lambda * follows);
    }
    targets
}

#[cfg(test)]
mod tests {
    use checkers_engine::evaluation::SideView;

    use super::*;
    use crate::dataset::SampleOutcome;

    /// A game that Black wins, with three samples in turn, then the only one of a draw.
    fn games() -> Vec<Sample> {
        let sample = |begins_game, is_blacks, score, outcome| Sample {
            view: SideView::default(),
            score,
            outcome,
            begins_game,
            is_blacks,
            ply: 0,
        };
        vec![
            sample(true, false, 0, SampleOutcome::Loss),
            sample(false, true, 100, SampleOutcome::Win),
            sample(false, false, -300, SampleOutcome::Loss),
            sample(true, true, 50, SampleOutcome::Draw),
        ]
    }

    fn assert_close(found: &[f32], expected: &[f32]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        assert_eq!(found.len(), expected.len());
    }

    #[test]
    fn results_and_scores_are_mixed() {
        let mixed = Target::Mixed(0.75).of(&games());
        let expected = [
            0.125,
            0.75 + 0.25 * sigmoid(1.0),
            0.25 * sigmoid(-3.0),
            0.375 + 0.25 * sigmoid(0.5),
        ];
        assert_close(&mixed, &expected);
        assert_close(&Target::Mixed(1.0).of(&games()), &[0.0, 1.0, 0.0, 0.5]);
    }

    #[test]
    fn temporal_differences_reach_from_the_next_score_to_the_result() {
        // λ = 1: the result. λ = 0: the score of the sample that follows.
        assert_close(&Target::Temporal(1.0).of(&games()), &[0.0, 1.0, 0.0, 0.5]);
        let next = [1.0 - sigmoid(1.0), 1.0 - sigmoid(-3.0), 0.0, 0.5];
        assert_close(&Target::Temporal(0.0).of(&games()), &next);
        let half = Target::Temporal(0.5).of(&games());
        let second = 1.0 - (0.5 * sigmoid(-3.0) + 0.5 * 0.0);
        let first = 1.0 - (0.5 * sigmoid(1.0) + 0.5 * second);
        assert_close(&half, &[first, second, 0.0, 0.5]);
    }
}

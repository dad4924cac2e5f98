//! Simultaneous perturbation: every iteration moves all values at once along a random direction.
//!
//! CITE: J. C. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation",
//! IEEE Transactions on Automatic Control 37(3), 1992, with the exponents of Spall, "Implementation of the Simultaneous
//! Perturbation Algorithm for Stochastic Optimization", 1998.

use checkers_engine::Rng;

/// The decay of the steps.
const ALPHA: f64 = 0.602;
/// The decay of the perturbations.
const GAMMA: f64 = 0.101;
/// The part of all iterations by which the first steps are held back.
const STABILITY: f64 = 0.1;
/// The last perturbation, as a part of a value's range.
const LAST_PERTURBATION: f64 = 0.05;
/// The last perturbation at least: whole numbers have to differ.
const LEAST_PERTURBATION: f64 = 0.5;
/// How many perturbations a value moves in all iterations, at the size of the last steps, if the first bot scores a point
/// more in every game.
const REACH: f64 = 120.0;
/// The last step of a point at most, in perturbations: few games say little.
const LONGEST_STEP: f64 = 0.1;

/// How finely the chance to round up is drawn.
const PARTS: usize = 1 << 20;

/// A number that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Range {
    pub(super) min: f64,
    pub(super) max: f64,
}

/// The iterations: how many, and how many games each has.
#[derive(Clone, Copy)]
pub(super) struct SpsaSchedule {
    pub(super) iterations: u32,
    pub(super) games: u32,
    pub(super) seed: u64,
}

/// What an iteration plays.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Trial {
    /// The values of the two bots, whole numbers.
    pub(super) values: [Vec<u64>; 2],
    /// How much each value moves up if the first bot wins by a point.
    steps: Vec<f64>,
}

impl Range {
    fn perturbation(&self) -> f64 {
        ((self.max - self.min) * LAST_PERTURBATION).max(LEAST_PERTURBATION)
    }
}

impl SpsaSchedule {
    /// The trial of iteration `number`, counted from 0, about these values.
    pub(super) fn trial(&self, number: u32, values: &[f64], ranges: &[Range]) -> Trial {
        let mut rng = Rng::of(self.seed, number.into());
        let (now, all) = (f64::from(number) + 1.0, f64::from(self.iterations));
        let held_back = STABILITY * all;
        let widening = (all / now).powf(GAMMA);
        let step = ((held_back + all) / (held_back + now)).powf(ALPHA) / widening.powi(2);
        let last = (REACH / (all * f64::from(self.games))).min(LONGEST_STEP);
        let rate = last * step;
        let mut trial = Trial {
            values: [Vec::new(), Vec::new()],
            steps: Vec::new(),
        };
        for (value, range) in values.iter().zip(ranges) {
            let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
            let offset = sign * widening * range.perturbation();
            let up = rng.below(PARTS) as f64 / PARTS as f64;
            for (side, offset) in trial.values.iter_mut().zip([offset, -offset]) {
                side.push(round(value + offset, range, up));
            }
            trial.steps.push(rate * offset);
        }
        trial
    }
}

impl Trial {
    /// Moves the values, where the first bot scored `margin` points more than the second.
    pub(super) fn learn(&self, margin: f64, values: &mut [f64], ranges: &[Range]) {
        for ((value, step), range) in values.iter_mut().zip(&self.steps).zip(ranges) {
            *value = (*value + step * margin).clamp(range.min, range.max);
        }
    }
}

/// One of the two whole numbers about a value: with an `up` drawn from 0 to 1, their mean is the value.
fn round(value: f64, range: &Range, up: f64) -> u64 {
    (value + up).floor().clamp(range.min, range.max) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEDULE: SpsaSchedule = SpsaSchedule {
        iterations: 2000,
        games: 8,
        seed: 1,
    };

    fn ranges() -> Vec<Range> {
        vec![
            Range {
                min: 0.0,
                max: 200.0,
            },
            Range { min: 1.0, max: 9.0 },
        ]
    }

    #[test]
    fn the_two_bots_differ_about_the_values() {
        let ranges = ranges();
        let trial = SCHEDULE.trial(0, &[80.0, 3.0], &ranges);
        let [plus, minus] = &trial.values;
        for (place, range) in ranges.iter().enumerate() {
            assert_ne!(plus[place], minus[place]);
            for side in [plus, minus] {
                assert!((range.min..=range.max).contains(&(side[place] as f64)));
            }
        }
        for number in 0..SCHEDULE.iterations {
            let [plus, minus] = SCHEDULE.trial(number, &[80.0, 3.0], &ranges).values;
            assert!(plus.iter().zip(&minus).all(|(plus, minus)| plus != minus));
        }
        assert_eq!(SCHEDULE.trial(0, &[80.0, 3.0], &ranges), trial);
        assert_ne!(SCHEDULE.trial(1, &[80.0, 3.0], &ranges), trial);
    }

    #[test]
    fn a_win_moves_the_values_towards_the_winner() {
        let ranges = ranges();
        let trial = SCHEDULE.trial(5, &[80.0, 4.0], &ranges);
        let mut values = vec![80.0, 4.0];
        trial.learn(2.0, &mut values, &ranges);
        for (place, (after, before)) in values.iter().zip([80.0, 4.0]).enumerate() {
            let is_up = trial.values[0][place] > trial.values[1][place];
            assert_eq!(*after > before, is_up);
        }
        trial.learn(-1e9, &mut values, &ranges);
        for (value, range) in values.iter().zip(&ranges) {
            assert!((range.min..=range.max).contains(value));
        }
    }

    /// Games whose expected margin falls with the square of the distance from the best values.
    #[test]
    fn the_best_values_are_found_through_noise() {
        let ranges = ranges();
        let best = [120.0, 6.0];
        let worth = |values: &[u64]| -> f64 {
            let lost = values.iter().zip(best).zip([80.0, 4.0]);
            lost.map(|((&value, best), scale)| -0.1 * ((value as f64 - best) / scale).powi(2))
                .sum()
        };
        let mut noise = Rng::new(7);
        let mut values = vec![60.0, 2.0];
        for number in 0..SCHEDULE.iterations {
            let trial = SCHEDULE.trial(number, &values, &ranges);
            let difference = worth(&trial.values[0]) - worth(&trial.values[1]);
            let margin: f64 = (0..SCHEDULE.games)
                .map(|_| difference + (noise.below(3) as f64 - 1.0) * 0.5)
                .sum();
            trial.learn(margin, &mut values, &ranges);
        }
        assert!((values[0] - best[0]).abs() < 20.0, "{values:?}");
        assert!((values[1] - best[1]).abs() < 1.5, "{values:?}");
    }
}

//! From numbers to places in a drawing.

/// Where a drawing has its plot. Letters of size 11 are readable where it is as wide as a phone.
pub(super) const WIDTH: f64 = 360.0;

/// A range of numbers and the range of places for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    from: [f64; 2],
    to: [f64; 2],
}

impl Scale {
    /// A scale; where the numbers are all the same they are in the middle.
    pub(super) fn new(from: [f64; 2], to: [f64; 2]) -> Scale {
        let from = if from[1] > from[0] {
            from
        } else {
            [from[0] - 1.0, from[0] + 1.0]
        };
        Scale { from, to }
    }

    pub(super) fn at(&self, value: f64) -> f64 {
        let share = (value - self.from[0]) / (self.from[1] - self.from[0]);
        self.to[0] + share.clamp(0.0, 1.0) * (self.to[1] - self.to[0])
    }

    /// The ends of the numbers.
    pub(super) fn ends(&self) -> [f64; 2] {
        self.from
    }
}

/// A step of 1, 2 or 5 times a power of ten of which about `steps` cover `length`.
pub(super) fn round_step(length: f64, steps: f64) -> f64 {
    let rough = (length / steps).max(f64::MIN_POSITIVE);
    let power = 10_f64.powf(rough.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    let factor = factors.into_iter().find(|factor| factor * power >= rough);
    factor.unwrap_or(10.0) * power
}

/// A place with one decimal, which is finer than any screen.
pub(super) fn px(place: f64) -> String {
    format!("{place:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_places() {
        let scale = Scale::new([0.0, 10.0], [100.0, 200.0]);
        assert_eq!(
            [0.0, 5.0, 20.0].map(|value| scale.at(value)),
            [100.0, 150.0, 200.0]
        );
        assert_eq!(Scale::new([3.0, 3.0], [0.0, 10.0]).at(3.0), 5.0);
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(round_step(100.0, 5.0), 20.0);
        assert_eq!(round_step(730.0, 5.0), 200.0);
        assert_eq!(round_step(3.0, 3.0), 1.0);
    }
}

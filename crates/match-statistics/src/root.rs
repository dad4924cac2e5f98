//! Where a function crosses zero.

/// A zero of a continuous function that is not above zero at `low` and not below it at `high`, to
/// within `tolerance`. Takes at most one step more than bisection, and few for smooth functions.
///
/// CITE: I. F. D. Oliveira, R. H. C. Takahashi, "An Enhancement of the Bisection Method Average
/// Performance Preserving Minmax Optimality", ACM TOMS 47(1), 2020: interpolate, truncate towards
/// the middle, project onto what bisection would still allow.
pub(super) fn crossing(
    function: impl Fn(f64) -> f64,
    (mut low, mut high): (f64, f64),
    tolerance: f64,
) -> f64 {
    let (mut at_low, mut at_high) = (function(low), function(high));
    if at_low >= 0.0 || at_high <= 0.0 {
        return if at_low >= 0.0 { low } else { high };
    }
    let truncation = 0.2 / (high - low);
    let mut reach = tolerance * 2_f64.powf(((high - low) / tolerance).log2().ceil());
    while high - low > 2.0 * tolerance {
        let middle = low.midpoint(high);
        let interpolated = (at_high * low - at_low * high) / (at_high - at_low);
        let slack = reach - (high - low) / 2.0;
        let x = itp_step(
            middle,
            interpolated,
            truncation * (high - low).powi(2),
            slack,
        );
        let at_x = function(x);
        if at_x > 0.0 {
            (high, at_high) = (x, at_x);
        } else if at_x < 0.0 {
            (low, at_low) = (x, at_x);
        } else {
            return x;
        }
        reach /= 2.0;
    }
    low.midpoint(high)
}

/// The interpolated point, moved by `shift` towards the middle and kept within `slack` of it.
fn itp_step(middle: f64, interpolated: f64, shift: f64, slack: f64) -> f64 {
    let distance = middle - interpolated;
    let truncated = if shift <= distance.abs() {
        interpolated + shift.copysign(distance)
    } else {
        middle
    };
    if (truncated - middle).abs() <= slack {
        truncated
    } else {
        middle - slack.copysign(distance)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn it_finds_the_zero() {
        let root = crossing(|x| x * x * x - 2.0, (0.0, 10.0), 1e-12);
        assert!((root - 2_f64.cbrt()).abs() < 1e-11);
    }

    #[test]
    fn an_end_that_is_the_zero_is_found() {
        assert_eq!(crossing(|x| x, (0.0, 1.0), 1e-9), 0.0);
        assert_eq!(crossing(|x| x, (-1.0, 0.0), 1e-9), 0.0);
    }

    #[test]
    fn a_hard_function_takes_hardly_more_than_bisection() {
        let calls = Cell::new(0);
        let step = |x: f64| {
            calls.set(calls.get() + 1);
            if x < 0.123_456 { -1e-9 } else { 1.0 }
        };
        let root = crossing(step, (0.0, 1.0), 1e-9);
        assert!((root - 0.123_456).abs() < 2e-9);
        assert!(calls.get() <= 2 + 30 + 2, "{}", calls.get());
    }
}

//! From scores to expected results.

use crate::Score;

/// The expected result of the side to move, from 0 (it loses) by ½ to 1 (it wins), of a score in
/// centi-logits as `champion` gives it: 1 / (1 + e^(−score / 100)). Decided scores are 0 and 1.
///
/// # Examples
/// ```
/// use checkers_engine::{Score, win_chance};
///
/// assert_eq!(win_chance(Score::ZERO), 0.5);
/// assert_eq!(win_chance(Score::win_in(7)), 1.0);
/// assert!((win_chance(Score::new(100)) - 0.731).abs() < 0.001);
/// ```
pub fn win_chance(score: Score) -> f64 {
    if score.is_win() {
        1.0
    } else if score.is_loss() {
        0.0
    } else {
        logistic(f64::from(score.value()) / 100.0)
    }
}

/// The logistic function: what a number of logits means as a chance.
pub fn logistic(logits: f64) -> f64 {
    1.0 / (1.0 + (-logits).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_rise_with_the_score_and_mirror() {
        let scores = [
            Score::lost_in(3),
            Score::new(-20_000),
            Score::new(-100),
            Score::ZERO,
            Score::new(100),
            Score::new(20_000),
            Score::win_in(3),
        ];
        assert!(scores.map(win_chance).is_sorted());
        for score in scores {
            let both = win_chance(score) + win_chance(-score);
            assert!((both - 1.0).abs() < 1e-12, "{score}: {both}");
        }
    }
}

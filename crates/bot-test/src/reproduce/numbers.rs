//! How numbers are written.

use crate::statistics::{Estimate, GameScore, Wdl};

/// What is shown for a number that does not exist.
pub(super) const NONE: &str = "n/a";

/// A result as the study writes it: `+1`, `0`, `−1`.
pub(super) fn signed(result: GameScore) -> &'static str {
    match result {
        GameScore::Win => "+1",
        GameScore::Draw => "0",
        GameScore::Loss => "−1",
    }
}

/// A positive number with three digits, or more if it has more before the point: `0.000312`,
/// `8.24`, `1250`.
pub(super) fn three_digits(value: f64) -> String {
    if value < 1e-6 {
        return "0".to_owned();
    }
    let decimals = (2.0 - value.log10().floor()).max(0.0);
    format!("{value:.0$}", decimals as usize)
}

/// A count in groups of three digits: `1,234,567`.
pub(super) fn grouped(count: f64) -> String {
    let digits = format!("{count:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A score in percent with its interval: `51.3 (47.0–55.6)`.
pub(super) fn percent(score: Option<Estimate>) -> String {
    score.map_or_else(
        || NONE.to_owned(),
        |Estimate { value, low, high }| {
            let [value, low, high] = [value, low, high].map(|share| 100.0 * share);
            format!("{value:.1} ({low:.1}–{high:.1})")
        },
    )
}

/// A difference in Elo with its interval: `+12 (−5…+29)`.
pub(super) fn elo(elo: Option<Estimate>) -> String {
    elo.map_or_else(
        || NONE.to_owned(),
        |Estimate { value, low, high }| {
            let text = format!("{value:+.0} ({low:+.0}…{high:+.0})");
            text.replace('-', "−")
        },
    )
}

/// A ratio with its interval: `1.03 (1.01–1.05)`.
pub(super) fn ratio(ratio: Option<Estimate>) -> String {
    ratio.map_or_else(
        || NONE.to_owned(),
        |Estimate { value, low, high }| format!("{value:.2} ({low:.2}–{high:.2})"),
    )
}

/// Wins, draws and losses: `+3 =1 −6`.
pub(super) fn wins_draws_losses(games: Wdl) -> String {
    let Wdl {
        wins,
        draws,
        losses,
    } = games;
    format!("+{wins} ={draws} −{losses}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        let shown = [0.0, 0.000_312_4, 0.5, 8.244, 1250.4].map(three_digits);
        assert_eq!(shown, ["0", "0.000312", "0.500", "8.24", "1250"]);
    }

    #[test]
    fn counts_are_grouped() {
        let shown = [0.0, 999.4, 1000.0, 1_234_567.0].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn what_does_not_exist_is_said_so() {
        assert_eq!([percent(None), elo(None), ratio(None)], [NONE; 3]);
    }

    #[test]
    fn intervals_stand_behind_their_values() {
        let estimate = |value, low, high| Some(Estimate { value, low, high });
        assert_eq!(percent(estimate(0.513, 0.47, 0.556)), "51.3 (47.0–55.6)");
        assert_eq!(elo(estimate(-12.2, -30.0, 5.5)), "−12 (−30…+6)");
        assert_eq!(ratio(estimate(1.034, 1.0, 1.1)), "1.03 (1.00–1.10)");
    }
}

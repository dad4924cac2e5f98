//! Numbers as people read them.

use std::fmt;

use crate::statistics::{Rating, Unrated, Wdl};

/// What is shown for a number that does not exist.
pub(crate) const NONE: &str = "n/a";

/// A number of things: `1 game`, `2 games`.
pub(crate) fn count(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// Points, of which there are halves: `12.5`, `12.0`.
pub(crate) fn points(points: f64) -> String {
    format!("{points:.1}")
}

pub(crate) fn percent(percent: Option<f64>) -> String {
    percent.map_or_else(|| NONE.to_owned(), |percent| format!("{percent:.1} %"))
}

/// Wins, draws and losses: `3-2-1`.
pub(crate) fn wdl(score: Wdl) -> String {
    format!("{}-{}-{}", score.wins, score.draws, score.losses)
}

/// A number with a fixed number of decimals, if it exists.
pub(crate) fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| format!("{value:.decimals$}"))
}

/// A rating with its interval, or why the bot has none.
pub(crate) fn rating(rating: Option<Rating>, unrated: Option<Unrated>) -> String {
    match (rating, unrated) {
        (Some(rating), _) => {
            let interval = interval(rating);
            format!("{}{interval}", elo(rating.elo))
        }
        (None, Some(reason)) => format!("{NONE}: {reason}"),
        (None, None) => NONE.to_owned(),
    }
}

fn interval(rating: Rating) -> String {
    let Some(interval) = rating.interval else {
        return " (no interval)".to_owned();
    };
    match (interval.low, interval.high) {
        (Some(low), Some(high)) => {
            let error = (high - low) / 2.0;
            format!(" ± {error:.1} ({} to {})", elo(low), elo(high))
        }
        (Some(low), None) => format!(" ({} or more)", elo(low)),
        (None, Some(high)) => format!(" ({} or less)", elo(high)),
        (None, None) => " (no bounds)".to_owned(),
    }
}

/// An Elo difference: `+12.3`, and never a negative nothing.
pub(crate) fn elo(value: f64) -> String {
    let text = format!("{value:+.1}");
    if text == "-0.0" {
        "+0.0".to_owned()
    } else {
        text
    }
}

/// Microseconds with three digits in the unit that suits them: `1.23 ms`.
pub(crate) struct Micros(pub(crate) f64);

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1e6, "s"), (1e3, "ms"), (1.0, "µs")];
        let (size, unit) = (units.into_iter())
            .find(|(size, _)| self.0 >= *size)
            .unwrap_or((1.0, "µs"));
        let value = self.0 / size;
        let decimals = match value {
            100.0.. => 0,
            10.0.. => 1,
            _ => 2,
        };
        write!(f, "{value:.decimals$} {unit}")
    }
}

/// Microseconds, if they are known.
pub(crate) fn micros(time: Option<f64>) -> String {
    time.map_or_else(|| NONE.to_owned(), |time| Micros(time).to_string())
}

/// A large number with three digits: `1.23 M`.
pub(crate) fn short(value: Option<f64>) -> String {
    let Some(value) = value else {
        return NONE.to_owned();
    };
    let units = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    let (size, unit) = (units.into_iter())
        .find(|(size, _)| value >= *size)
        .unwrap_or((1.0, ""));
    let value = value / size;
    let decimals = match value {
        100.0.. => 0,
        10.0.. => 1,
        _ if unit.is_empty() => 1,
        _ => 2,
    };
    format!("{value:.decimals$}{unit}")
}

/// The text, cut to a number of characters; `…` replaces the rest.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::RatingInterval;

    #[test]
    fn times_have_three_digits() {
        for (micros, text) in [
            (0.0, "0.00 µs"),
            (0.5, "0.50 µs"),
            (12.34, "12.3 µs"),
            (1234.0, "1.23 ms"),
            (456_789.0, "457 ms"),
            (12_345_678.0, "12.3 s"),
        ] {
            assert_eq!(Micros(micros).to_string(), text);
        }
    }

    #[test]
    fn large_numbers_are_short() {
        let texts = [0.0, 7.25, 1234.0, 2_500_000.0].map(|value| short(Some(value)));
        assert_eq!(texts, ["0.0", "7.2", "1.23 k", "2.50 M"]);
        assert_eq!(short(None), "n/a");
    }

    #[test]
    fn ratings_show_the_bounds_they_have() {
        let text = |low, high| {
            let interval = Some(RatingInterval { low, high });
            rating(
                Some(Rating {
                    elo: -0.01,
                    interval,
                }),
                None,
            )
        };
        assert_eq!(
            text(Some(-20.0), Some(30.0)),
            "+0.0 ± 25.0 (-20.0 to +30.0)"
        );
        assert_eq!(text(Some(-20.0), None), "+0.0 (-20.0 or more)");
        assert_eq!(text(None, Some(3.0)), "+0.0 (+3.0 or less)");
        assert_eq!(text(None, None), "+0.0 (no bounds)");
        assert_eq!(rating(None, Some(Unrated::AllWon)), "n/a: all games won");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("зелёный", 4), "зел…");
    }
}

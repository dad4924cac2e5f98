//! Durations as text, the same in every option, variable and file.

use std::time::Duration;

/// The units by their names, in microseconds.
const UNITS: [(&[&str], f64); 5] = [
    (&["ms", "msec", "millis"], 1e3),
    (&["s", "sec", "secs", "second", "seconds"], 1e6),
    (&["m", "min", "mins", "minute", "minutes"], 60e6),
    (&["h", "hr", "hour", "hours"], 3600e6),
    (&["d", "day", "days"], 86_400e6),
];

/// No duration is longer: 1000 years.
const LONGEST_MICROS: f64 = 1000.0 * 365.0 * 86_400e6;

/// Why a text is not a duration.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DurationError {
    /// A number without a unit.
    #[error("expected a time with a unit, such as {0}ms, {0}s or {0}m")]
    NoUnit(String),
    /// More than 1000 years.
    #[error("expected at most 1000 years")]
    TooLong,
    /// Something else.
    #[error("expected a time with a unit, such as 500ms, 2s or 1m30s")]
    Malformed,
}

/// Reads a duration: numbers with units, such as `500ms`, `1.5s`, `1m30s`, `2h` or `1day`. A unit is
/// always needed. Rounds to microseconds.
///
/// # Errors
/// A text of another form, or a duration of more than 1000 years.
///
/// # Examples
/// ```
/// use std::time::Duration;
///
/// use checkers_lib::parse_duration;
///
/// assert_eq!(parse_duration("1m30s"), Ok(Duration::from_secs(90)));
/// assert!(parse_duration("90").is_err());
/// ```
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    let malformed = || DurationError::Malformed;
    let is_in_number = |c: char| c.is_ascii_digit() || c == '.';
    let mut rest = text.trim();
    let mut micros = 0.0;
    loop {
        let end = rest.find(|c| !is_in_number(c)).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        let number: f64 = digits.parse().map_err(|_| malformed())?;
        let after = after.trim_start();
        if after.is_empty() {
            return Err(DurationError::NoUnit(digits.to_owned()));
        }
        let end = after
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(after.len());
        let (name, after) = after.split_at(end);
        let unit = UNITS.iter().find(|(names, _)| names.contains(&name));
        micros += number * unit.ok_or_else(malformed)?.1;
        rest = after.trim_start();
        if rest.is_empty() {
            break;
        }
    }
    if micros > LONGEST_MICROS {
        return Err(DurationError::TooLong);
    }
    Ok(Duration::from_micros(micros.round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_numbers_with_units() {
        for (text, millis) in [
            ("500ms", 500.0),
            ("0s", 0.0),
            ("1.5s", 1500.0),
            ("0.5ms", 0.5),
            ("1m30s", 90_000.0),
            ("1m 30s", 90_000.0),
            ("5 minutes", 300_000.0),
            ("2h", 7_200_000.0),
            ("30days", 2_592_000_000.0),
        ] {
            let expected = Duration::from_secs_f64(millis / 1000.0);
            assert_eq!(parse_duration(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_number_needs_a_unit() {
        for text in ["5", "0", "0.5", "1m30"] {
            let error = parse_duration(text).unwrap_err();
            assert!(matches!(error, DurationError::NoUnit(_)), "{text}");
        }
        assert_eq!(
            parse_duration("5").unwrap_err().to_string(),
            "expected a time with a unit, such as 5ms, 5s or 5m"
        );
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "s", "-1s", "1x", "1.2.3s", "1e3s", "inf", "1s+1s"] {
            assert_eq!(
                parse_duration(text),
                Err(DurationError::Malformed),
                "{text}"
            );
        }
        assert_eq!(parse_duration("9999999h"), Err(DurationError::TooLong));
    }
}

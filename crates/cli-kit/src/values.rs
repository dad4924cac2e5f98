//! Values of options.

use std::time::Duration;

use checkers_lib::{TimeControl, parse_duration};

/// The longest time: longer ones do not fit every system's clock.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The longest time for a move.
const LONGEST_MOVETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads a time to wait, `0s` included, up to 30 days.
///
/// # Errors
/// What is wrong, in words that follow "invalid value: ".
pub fn pause(text: &str) -> Result<Duration, String> {
    let time = parse_duration(text).map_err(|error| error.to_string())?;
    if time > LONGEST {
        return Err("expected at most 30days".to_owned());
    }
    Ok(time)
}

/// Reads a time in which something has to happen: more than nothing, up to 30 days.
///
/// # Errors
/// As for [`pause`].
pub fn time(text: &str) -> Result<Duration, String> {
    let time = pause(text)?;
    if time.is_zero() {
        return Err("expected more than 0s".to_owned());
    }
    Ok(time)
}

/// Reads the time for a move: more than nothing, up to a day.
///
/// # Errors
/// As for [`pause`].
pub fn movetime(text: &str) -> Result<Duration, String> {
    let movetime = time(text)?;
    if movetime > LONGEST_MOVETIME {
        return Err("expected at most 1day".to_owned());
    }
    Ok(movetime)
}

/// Reads a clock. As in all options, a time needs a unit.
///
/// # Errors
/// As for [`pause`].
pub fn clock(text: &str) -> Result<TimeControl, String> {
    let times = text.strip_suffix("/move").unwrap_or(text).split(['+', '~']);
    let no_unit = times.map(parse_duration).find_map(Result::err);
    match (no_unit, text.parse()) {
        (_, Err(error)) => Err(format!("{error}")),
        (Some(error), Ok(_)) => Err(error.to_string()),
        (None, Ok(clock)) => Ok(clock),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_without_a_unit_is_refused_everywhere() {
        let expected = "expected a time with a unit, such as 5ms, 5s or 5m";
        for error in [
            pause("5").unwrap_err(),
            time("5").unwrap_err(),
            movetime("5").unwrap_err(),
            clock("5").unwrap_err(),
            clock("1m+5").unwrap_err(),
            clock("1m~5").unwrap_err(),
            clock("5/move").unwrap_err(),
        ] {
            assert_eq!(error, expected);
        }
        assert_eq!(
            clock("5m+3s").map(|clock| clock.to_string()),
            Ok("5m+3s".to_owned())
        );
        assert!(
            clock("5x")
                .unwrap_err()
                .starts_with("expected a time with a unit")
        );
    }

    #[test]
    fn times_have_bounds() {
        assert!(pause("0s").is_ok());
        assert!(time("0s").is_err());
        assert!(pause("31days").is_err());
        assert!(movetime("25h").is_err());
    }
}

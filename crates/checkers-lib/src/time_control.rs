//! Time controls: how much time a side is given, and their text form.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::{DurationError, parse_duration};

/// What follows a time for every move.
const PER_MOVE: &str = "/move";

/// The longest time that can be written: longer ones do not fit every system's clock.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How much time a side is given.
///
/// | written | meaning |
/// |---|---|
/// | `10s+100ms` | a time for the whole game, and what every move adds to it once it is made (Fischer's clock) |
/// | `10s~2s` | a time for the whole game, of which the first 2 s of every move take nothing (simple delay, as in the United States) |
/// | `30s/move` | a time for every move; what a move leaves of it is gone |
///
/// A time alone is one without increment. Units are those of [`parse_duration`]; a number without a
/// unit is in seconds, as in messages of older clients. Options of our programs need a unit.
///
/// ```
/// use checkers_lib::TimeControl;
///
/// let control: TimeControl = "1m+0.5".parse()?;
/// assert_eq!(control.to_string(), "1m+500ms");
/// # Ok::<(), checkers_lib::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimeControl {
    base: Duration,
    timing: MoveTiming,
}

/// What a clock gives each move, beside the time that remains for the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveTiming {
    /// Adds this much to what remains, once the move is made.
    Increment(Duration),
    /// Lets this much pass before what remains begins to run down. What a move leaves of it is
    /// gone.
    Delay(Duration),
    /// Nothing remains from move to move: each has this much.
    PerMove(Duration),
}

impl TimeControl {
    /// A time for the game and an increment; `None` if the base is nothing or either is longer
    /// than 30 days.
    pub fn new(base: Duration, increment: Duration) -> Option<TimeControl> {
        TimeControl::checked(base, MoveTiming::Increment(increment))
    }

    /// A time for the game and a delay; `None` if the base is nothing or either is longer than
    /// 30 days.
    pub fn with_delay(base: Duration, delay: Duration) -> Option<TimeControl> {
        TimeControl::checked(base, MoveTiming::Delay(delay))
    }

    /// A time for every move; `None` if it is nothing or longer than 30 days.
    pub fn per_move(time: Duration) -> Option<TimeControl> {
        TimeControl::checked(time, MoveTiming::PerMove(time))
    }

    fn checked(base: Duration, timing: MoveTiming) -> Option<TimeControl> {
        let (MoveTiming::Increment(time) | MoveTiming::Delay(time) | MoveTiming::PerMove(time)) =
            timing;
        let fits = !base.is_zero() && base <= LONGEST && time <= LONGEST;
        fits.then_some(TimeControl { base, timing })
    }

    /// What a side has before its first move, its delay left out.
    pub fn base(self) -> Duration {
        self.base
    }

    /// What each move is given.
    pub fn timing(self) -> MoveTiming {
        self.timing
    }

    /// As PDN's tag TimeControl has it, in seconds: `300+3`, or `1/30` for a time for every move;
    /// `None` for a delay, which it cannot say.
    pub(crate) fn in_pdn(self) -> Option<String> {
        let seconds = |time: Duration| time.as_secs_f64();
        match self.timing {
            MoveTiming::Increment(Duration::ZERO) => Some(seconds(self.base).to_string()),
            MoveTiming::Increment(more) => {
                Some(format!("{}+{}", seconds(self.base), seconds(more)))
            }
            MoveTiming::Delay(_) => None,
            MoveTiming::PerMove(time) => Some(format!("1/{}", seconds(time))),
        }
    }
}

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeControlError {
    /// Part of it is no time.
    #[error("expected a time with a unit, such as 10s or 100ms, found {0:?}")]
    Time(String),
    /// The times cannot be played with.
    #[error("expected more than nothing and at most 30 days, found {0:?}")]
    Range(String),
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let control = if let Some(time) = text.strip_suffix(PER_MOVE) {
            TimeControl::per_move(parse_time(time)?)
        } else if let Some((base, delay)) = text.split_once('~') {
            TimeControl::with_delay(parse_time(base)?, parse_time(delay)?)
        } else {
            let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
            TimeControl::new(parse_time(base)?, parse_time(increment)?)
        };
        control.ok_or_else(|| TimeControlError::Range(text.to_owned()))
    }
}

/// Reads a time; a number without a unit is in seconds.
fn parse_time(text: &str) -> Result<Duration, TimeControlError> {
    let time = match parse_duration(text) {
        Err(DurationError::NoUnit(number)) if number == text => parse_duration(&format!("{text}s")),
        time => time,
    };
    match time {
        Ok(time) if time <= LONGEST => Ok(time),
        Ok(_) | Err(DurationError::TooLong) => Err(TimeControlError::Range(text.to_owned())),
        Err(_) => Err(TimeControlError::Time(text.to_owned())),
    }
}

impl fmt::Display for TimeControl {
    /// Writes each time in the largest unit in which it is a whole number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_time(f, self.base)?;
        match self.timing {
            MoveTiming::Increment(increment) => {
                f.write_str("+")?;
                write_time(f, increment)
            }
            MoveTiming::Delay(delay) => {
                f.write_str("~")?;
                write_time(f, delay)
            }
            MoveTiming::PerMove(_) => f.write_str(PER_MOVE),
        }
    }
}

fn write_time(f: &mut fmt::Formatter<'_>, time: Duration) -> fmt::Result {
    let micros = time.as_micros();
    let units = [(3_600_000_000, "h"), (60_000_000, "m"), (1_000_000, "s")];
    match (units.into_iter()).find(|(unit, _)| micros >= *unit && micros.is_multiple_of(*unit)) {
        Some((unit, name)) => write!(f, "{}{name}", micros / unit),
        None if micros == 0 => f.write_str("0s"),
        None => write!(f, "{}ms", micros as f64 / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, canonical) in [
            ("10+0.1", "10s+100ms"),
            ("10s+100ms", "10s+100ms"),
            ("1m", "1m+0s"),
            ("90", "90s+0s"),
            ("2h+1.5s", "2h+1500ms"),
            ("0.0005+0", "0.5ms+0s"),
            ("10~2", "10s~2s"),
            ("1m~0.5s", "1m~500ms"),
            ("30/move", "30s/move"),
            ("1.5m/move", "90s/move"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(control));
        }
    }

    #[test]
    fn what_is_no_time_control_says_why() {
        let error = |text: &str| text.parse::<TimeControl>().unwrap_err();
        for text in [
            "",
            "+1",
            "x",
            "1x",
            "-1",
            "1+-1",
            "1e3",
            "nan",
            "inf",
            "1+1+1",
            ".",
            "~1",
            "1~",
            "1~2+3",
            "1+2~3",
            "/move",
            "1+1/move",
            "1/moves",
            "1/move/move",
        ] {
            assert!(matches!(error(text), TimeControlError::Time(_)), "{text}");
        }
        for text in [
            "0",
            "0+1",
            "0~1",
            "0/move",
            "721h",
            "1~721h",
            "721h/move",
            "1+99999999999999999999999h",
        ] {
            assert!(matches!(error(text), TimeControlError::Range(_)), "{text}");
        }
    }
}

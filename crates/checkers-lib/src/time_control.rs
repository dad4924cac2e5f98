//! Clocks: how much time the sides have, and what a move takes of it.
//!
//! Nothing here knows what time it is: how long a move took is an argument.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::{ByColor, Color};

/// The longest time that can be written: longer ones do not fit every system's clock.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A time for the whole game, and what every move adds to it once it is made (Fischer's clock).
///
/// Written `10s+100ms`. Read with or without units, `10+0.1` being seconds, and without `+…` for
/// no increment. Units are `ms`, `s`, `m` and `h`.
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
    increment: Duration,
}

impl TimeControl {
    /// A time control; `None` if the base is nothing or either is longer than 30 days.
    pub fn new(base: Duration, increment: Duration) -> Option<TimeControl> {
        let fits = !base.is_zero() && base <= LONGEST && increment <= LONGEST;
        fits.then_some(TimeControl { base, increment })
    }

    /// What a side has at the beginning.
    pub fn base(self) -> Duration {
        self.base
    }

    /// What every move adds.
    pub fn increment(self) -> Duration {
        self.increment
    }
}

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeControlError {
    /// Part of it is no time.
    #[error("expected a time like 10s, 0.5 or 100ms, found {0:?}")]
    Time(String),
    /// The times cannot be played with.
    #[error("expected more than nothing and at most 30 days, found {0:?}")]
    Range(String),
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let control = TimeControl::new(parse_time(base)?, parse_time(increment)?);
        control.ok_or_else(|| TimeControlError::Range(text.to_owned()))
    }
}

fn parse_time(text: &str) -> Result<Duration, TimeControlError> {
    let wrong = || TimeControlError::Time(text.to_owned());
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) = (units.into_iter())
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))
        .unwrap_or((text, 1.0));
    let is_plain = |c: char| c.is_ascii_digit() || c == '.';
    if !number.chars().all(is_plain) {
        return Err(wrong());
    }
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let micros = (number * unit * 1e6).round();
    if micros > LONGEST.as_micros() as f64 {
        return Err(TimeControlError::Range(text.to_owned()));
    }
    Ok(Duration::from_micros(micros as u64))
}

impl fmt::Display for TimeControl {
    /// Writes each time in the largest unit in which it is a whole number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_time(f, self.base)?;
        f.write_str("+")?;
        write_time(f, self.increment)
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

/// One side's clock before its move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SideClock {
    /// What remains for all moves to come.
    pub remaining: Duration,
    /// What every move adds once it is made.
    pub increment: Duration,
}

/// The clocks of a game. A side may have none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Clocks(ByColor<Option<SideClock>>);

/// A side took longer than it had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}'s time ran out")]
pub struct FlagFell(pub Color);

impl Clocks {
    /// The clocks of a game that begins.
    pub fn new(controls: ByColor<Option<TimeControl>>) -> Clocks {
        let full = |control: TimeControl| SideClock {
            remaining: control.base,
            increment: control.increment,
        };
        Clocks(controls.map(|control| control.map(full)))
    }

    /// A side's clock, if it has one.
    pub fn side(&self, side: Color) -> Option<SideClock> {
        self.0[side]
    }

    /// Whether any side has a clock.
    pub fn any(&self) -> bool {
        Color::ALL.iter().any(|&side| self.0[side].is_some())
    }

    /// Takes what a move took from its side's clock and adds the increment.
    ///
    /// # Errors
    /// It took longer than there was; the clock stands at nothing then.
    pub fn spend(&mut self, side: Color, elapsed: Duration) -> Result<(), FlagFell> {
        let Some(clock) = &mut self.0[side] else {
            return Ok(());
        };
        let Some(left) = clock.remaining.checked_sub(elapsed) else {
            clock.remaining = Duration::ZERO;
            return Err(FlagFell(side));
        };
        clock.remaining = left.saturating_add(clock.increment);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, canonical) in [
            ("10+0.1", "10s+100ms"),
            ("10s+100ms", "10s+100ms"),
            ("1m", "1m+0s"),
            ("90", "90s+0s"),
            ("2h+1.5s", "2h+1500ms"),
            ("0.0005+0", "0.5ms+0s"),
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
            "", "+1", "x", "1x", "-1", "1+-1", "1e3", "nan", "inf", "1+1+1", ".",
        ] {
            assert!(matches!(error(text), TimeControlError::Time(_)), "{text}");
        }
        for text in ["0", "0+1", "721h", "1+99999999999999999999999h"] {
            assert!(matches!(error(text), TimeControlError::Range(_)), "{text}");
        }
    }

    #[test]
    fn a_move_costs_its_time_and_brings_the_increment() {
        let control = TimeControl::new(10 * SECOND, SECOND);
        let mut clocks = Clocks::new(ByColor {
            white: control,
            black: None,
        });
        assert_eq!(clocks.spend(Color::White, 3 * SECOND), Ok(()));
        let remaining = clocks.side(Color::White).map(|clock| clock.remaining);
        assert_eq!(remaining, Some(8 * SECOND));
        assert_eq!(clocks.spend(Color::Black, 1000 * SECOND), Ok(()));
        assert_eq!(clocks.side(Color::Black), None);
        assert_eq!(clocks.spend(Color::White, 8 * SECOND), Ok(()));
        let fell = FlagFell(Color::White);
        assert_eq!(clocks.spend(Color::White, 2 * SECOND), Err(fell));
        let remaining = clocks.side(Color::White).map(|clock| clock.remaining);
        assert_eq!(remaining, Some(Duration::ZERO));
    }
}

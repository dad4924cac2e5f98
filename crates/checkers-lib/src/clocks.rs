//! The clocks of a game: what remains on them, and what a move takes of it.
//!
//! Nothing here knows what time it is: how long a move took is an argument.

use std::time::Duration;

use crate::{ByColor, Color, MoveTiming, TimeControl};

/// One side's clock before its move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SideClock {
    /// What remains: for all moves to come, or for this one if each has its own time. A delay
    /// comes before it.
    pub remaining: Duration,
    /// What each move is given.
    pub timing: MoveTiming,
}

impl SideClock {
    /// What the move may take before the flag falls, a delay included.
    pub fn available(self) -> Duration {
        match self.timing {
            MoveTiming::Increment(_) | MoveTiming::PerMove(_) => self.remaining,
            MoveTiming::Delay(delay) => self.remaining.saturating_add(delay),
        }
    }

    /// The same clock after `elapsed` of a move, which is not made yet; `None` if that is more
    /// than there was.
    fn run(self, elapsed: Duration) -> Option<SideClock> {
        let left = self.available().checked_sub(elapsed)?;
        let remaining = left.min(self.remaining);
        Some(SideClock { remaining, ..self })
    }

    /// The same clock once its move is made.
    fn press(self) -> SideClock {
        let remaining = match self.timing {
            MoveTiming::Increment(increment) => self.remaining.saturating_add(increment),
            MoveTiming::Delay(_) => self.remaining,
            MoveTiming::PerMove(time) => time,
        };
        SideClock { remaining, ..self }
    }
}

impl From<TimeControl> for SideClock {
    /// The clock before the first move.
    fn from(control: TimeControl) -> SideClock {
        SideClock {
            remaining: control.base(),
            timing: control.timing(),
        }
    }
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
        Clocks(controls.map(|control| control.map(SideClock::from)))
    }

    /// A side's clock, if it has one.
    pub fn side(&self, side: Color) -> Option<SideClock> {
        self.0[side]
    }

    /// Whether any side has a clock.
    pub fn any(&self) -> bool {
        Color::ALL.iter().any(|&side| self.0[side].is_some())
    }

    /// Sets what remains on a side's clock, if it has one.
    pub fn set_remaining(&mut self, side: Color, remaining: Duration) {
        if let Some(clock) = &mut self.0[side] {
            clock.remaining = remaining;
        }
    }

    /// Takes what a move took from its side's clock and gives what the move brings.
    ///
    /// # Errors
    /// It took longer than there was; the clock stands at nothing then.
    pub fn spend(&mut self, side: Color, elapsed: Duration) -> Result<(), FlagFell> {
        self.stop(side, elapsed)?;
        self.0[side] = self.0[side].map(SideClock::press);
        Ok(())
    }

    /// Takes what a side has thought about a move that it will not make, and stops its clock
    /// there. One with a time for every move is set for the next.
    ///
    /// # Errors
    /// It took longer than there was; the clock stands at nothing then.
    pub fn stop(&mut self, side: Color, elapsed: Duration) -> Result<(), FlagFell> {
        let Some(clock) = &mut self.0[side] else {
            return Ok(());
        };
        let Some(stopped) = clock.run(elapsed) else {
            clock.remaining = Duration::ZERO;
            return Err(FlagFell(side));
        };
        *clock = match clock.timing {
            MoveTiming::Increment(_) | MoveTiming::Delay(_) => stopped,
            MoveTiming::PerMove(_) => stopped.press(),
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Clocks of which White has one.
    fn white(control: &str) -> Clocks {
        Clocks::new(ByColor {
            white: control.parse().ok(),
            black: None,
        })
    }

    fn remaining(clocks: &Clocks) -> Duration {
        clocks.side(Color::White).unwrap().remaining
    }

    /// White's clock after moves that took so many seconds each, then one that takes too long.
    fn check(control: &str, moves: &[(u32, u32)], too_long: Duration) {
        let mut clocks = white(control);
        for &(seconds, left) in moves {
            assert_eq!(clocks.spend(Color::White, seconds * SECOND), Ok(()));
            assert_eq!(remaining(&clocks), left * SECOND, "{control}: {seconds}");
        }
        let available = clocks.side(Color::White).unwrap().available();
        assert_eq!(available + Duration::from_nanos(1), too_long, "{control}");
        let fell = FlagFell(Color::White);
        assert_eq!(clocks.clone().spend(Color::White, available), Ok(()));
        assert_eq!(clocks.spend(Color::White, too_long), Err(fell));
        assert_eq!(remaining(&clocks), Duration::ZERO, "{control}");
    }

    #[test]
    fn a_move_costs_its_time_and_brings_what_the_control_says() {
        let over = |seconds: u32| seconds * SECOND + Duration::from_nanos(1);
        check("10+1", &[(3, 8), (8, 1)], over(1));
        check("10~2", &[(1, 10), (2, 10), (5, 7), (9, 0)], over(2));
        check("10/move", &[(1, 10), (10, 10)], over(10));
    }

    #[test]
    fn a_side_without_a_clock_has_all_the_time() {
        let mut clocks = white("10");
        assert_eq!(clocks.spend(Color::Black, 1000 * SECOND), Ok(()));
        assert_eq!(clocks.side(Color::Black), None);
        assert!(clocks.any());
        assert!(!Clocks::default().any());
    }

    #[test]
    fn a_clock_that_is_stopped_brings_no_increment() {
        for (control, left) in [("10+1", 7), ("10~2", 9), ("10/move", 10)] {
            let mut clocks = white(control);
            assert_eq!(clocks.stop(Color::White, 3 * SECOND), Ok(()));
            assert_eq!(remaining(&clocks), left * SECOND, "{control}");
            let fell = FlagFell(Color::White);
            assert_eq!(clocks.stop(Color::White, 13 * SECOND), Err(fell));
        }
    }
}

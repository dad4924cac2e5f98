//! What a clock of a game means for a search.

use std::time::Duration;

use checkers_lib::{MoveTiming, SideClock};

use crate::{Clock, Limits};

/// The part of a time for every move that is kept back: a search looks at the time now and then,
/// and nothing is gained by what a move leaves.
const KEPT_BACK: u32 = 10;

/// The limits of a search for a move on a clock, beside the other `limits`. `overhead` is what of
/// the clock is not there to think: the way of the move.
///
/// A delay is an increment to the search, which a clock that stands higher by as much has already;
/// a time for every move is a bound on the search.
pub fn on_clock(limits: Limits, clock: SideClock, overhead: Duration) -> Limits {
    let remaining = clock.available().saturating_sub(overhead);
    match clock.timing {
        MoveTiming::Increment(increment) | MoveTiming::Delay(increment) => Limits {
            clock: Some(Clock {
                remaining,
                increment,
            }),
            ..limits
        },
        MoveTiming::PerMove(_) => {
            let time = remaining - remaining / KEPT_BACK;
            let movetime = limits.movetime.map_or(time, |own| own.min(time));
            Limits {
                movetime: Some(movetime),
                ..limits
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// What a search may take of a full clock of which a second is not there to think: what
    /// remains and the increment, or a time.
    fn bounds(control: &str, limits: Limits) -> (Option<(u64, u64)>, Option<u64>) {
        let control: checkers_lib::TimeControl = control.parse().unwrap();
        let limits = on_clock(limits, control.into(), SECOND);
        let clock = limits.clock;
        let clock = clock.map(|clock| (clock.remaining.as_secs(), clock.increment.as_secs()));
        (clock, limits.movetime.map(|time| time.as_secs()))
    }

    #[test]
    fn every_clock_bounds_the_search() {
        let none = Limits::default;
        assert_eq!(bounds("10+2", none()), (Some((9, 2)), None));
        assert_eq!(bounds("10~2", none()), (Some((11, 2)), None));
        assert_eq!(bounds("11/move", none()), (None, Some(9)));
        assert_eq!(bounds("1/move", none()), (None, Some(0)));
    }

    #[test]
    fn the_shorter_of_two_times_counts() {
        for (own, time) in [(5, 5), (20, 9)] {
            let limits = Limits {
                movetime: Some(own * SECOND),
                ..Limits::default()
            };
            assert_eq!(bounds("11/move", limits), (None, Some(time)));
        }
    }
}

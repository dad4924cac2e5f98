//! Deadlines of searches and the time for each. Pure: time is an argument.
//!
//! A move is due when a bot without competition would have chosen it: early if its clock has little
//! time left, after a whole search if it has no clock. A deadline does not change while the search
//! waits, so every search becomes the first one in the end.

use std::time::{Duration, Instant};

use checkers_engine::{Clock, Limits, on_clock};

use super::pool::BotTurn;
use super::request::BotLimits;

/// Time on the clock that is not for thinking: messages between table and search, and writing the
/// move to the disk.
const MARGIN: Duration = Duration::from_millis(100);

/// The number of moves for which a clock has to last, waiting included.
const MOVES: u32 = 30;

impl BotTurn {
    /// Limits a search that starts at `now` by the remaining time on the clock.
    pub(super) fn bounded(&self, limits: Limits, now: Instant) -> Limits {
        match self.clock {
            Some(clock) => {
                let waited = now.saturating_duration_since(self.since);
                on_clock(limits, clock, waited + MARGIN)
            }
            None => limits,
        }
    }

    /// The time from `now` for this move, waiting included: a part of the remaining time, at max
    /// `max`.
    fn budget(&self, now: Instant, max: Duration) -> Duration {
        let limits = self.bounded(Limits::default(), now);
        let of_clock = limits.clock.map(of_clock);
        let of_move = limits.movetime.map(|time| time / 2);
        of_clock.or(of_move).map_or(max, |time| time.min(max))
    }

    /// The deadline of the move.
    pub(super) fn due(&self, max: Duration) -> Instant {
        self.since + self.budget(self.since, max)
    }
}

/// The time for one move, at max half of the time left.
fn of_clock(clock: Clock) -> Duration {
    let share = (clock.remaining / MOVES).saturating_add(clock.increment / 2);
    share.min(clock.remaining / 2)
}

impl BotLimits {
    /// The time for a search that starts at `now`, so that the searches `behind` it, in order of
    /// deadline, get the same within their budgets.
    pub(super) fn share<'a>(
        &self,
        behind: impl Iterator<Item = &'a BotTurn>,
        now: Instant,
    ) -> Duration {
        let shares = behind.enumerate().map(|(before, turn)| {
            let rounds = 1 + (before + 1).div_ceil(self.threads.max(1));
            turn.budget(now, self.time) / u32::try_from(rounds).unwrap_or(u32::MAX)
        });
        shares.min().unwrap_or(self.time)
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::{DrawRules, Game, TimeControl};

    use super::*;

    const LIMITS: BotLimits = BotLimits {
        threads: 1,
        seats: 1,
        depth: 64,
        time: Duration::from_secs(12),
        memory: 64,
    };

    fn turn(since: Instant, control: Option<&str>) -> BotTurn {
        let control = control.map(|control| control.parse::<TimeControl>().unwrap());
        BotTurn {
            game: Game::new(DrawRules::Fmjd64),
            clock: control.map(Into::into),
            since,
            seed: 0,
        }
    }

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_move_is_due_when_a_bot_without_competition_would_have_chosen_it() {
        let now = Instant::now();
        for (control, due) in [
            (None, 12_000),
            (Some("1h"), 12_000),
            (Some("10"), 330),
            (Some("3+2"), 1_096),
            (Some("1+20"), 450),
            (Some("2/move"), 855),
        ] {
            let due = now + millis(due);
            let is_due = turn(now, control).due(LIMITS.time);
            let off = is_due.max(due) - is_due.min(due);
            assert!(off < millis(1), "{control:?}: off by {off:?}");
        }
    }

    #[test]
    fn a_deadline_does_not_change_while_a_search_waits() {
        let now = Instant::now();
        let due = |after: u64, control| turn(now + millis(after), control).due(LIMITS.time);
        assert!(due(0, Some("10")) < due(0, Some("1m")));
        assert!(due(0, Some("1m")) < due(0, None));
        assert!(due(11_000, Some("10")) < due(0, None));
        assert!(due(12_000, Some("10")) > due(0, None));
    }

    #[test]
    fn waiting_searches_share_the_time() {
        let now = Instant::now();
        let limits = BotLimits {
            threads: 2,
            ..LIMITS
        };
        for (waiting, seconds) in [(0, 12), (1, 6), (2, 6), (3, 4), (22, 1)] {
            let behind = vec![turn(now, None); waiting];
            let share = limits.share(behind.iter(), now);
            assert_eq!(share, Duration::from_secs(seconds), "{waiting}");
        }
    }

    #[test]
    fn a_short_clock_shortens_the_searches_before_it() {
        let now = Instant::now();
        let share = |behind: &[BotTurn], waited| LIMITS.share(behind.iter(), now + millis(waited));
        let (short, none) = (|| turn(now, Some("10")), || turn(now, None));
        assert_eq!(share(&[short()], 0), millis(165));
        assert_eq!(share(&[short()], 3_000), millis(115));
        assert_eq!(share(&[none(), short()], 0), millis(110));
        assert_eq!(share(&[short(), none()], 0), millis(165));
        assert_eq!(share(&[short()], 10_000), Duration::ZERO);
    }

    #[test]
    fn waiting_time_is_subtracted_from_the_search() {
        let now = Instant::now();
        let bounded = |control, waited| {
            turn(now, Some(control)).bounded(Limits::default(), now + millis(waited))
        };
        let clock = bounded("10", 3_000).clock.unwrap();
        assert_eq!(clock.remaining, millis(6_900));
        assert_eq!(
            bounded("10", 11_000).clock.unwrap().remaining,
            Duration::ZERO
        );
        assert_eq!(bounded("2/move", 900).movetime, Some(millis(900)));
    }
}

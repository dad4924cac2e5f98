//! The clocks of a running game, and when the running one was started.

use std::time::{Duration, Instant};

use checkers_lib::protocol::WireClocks;
use checkers_lib::{ByColor, Clocks, Color, FlagFell, SideClock};

/// The resolution of the clocks.
const MOMENT: Duration = Duration::from_nanos(1);

/// The lag credit that a side earns with each move.
const LAG_PER_MOVE: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct GameClock {
    /// The times when the side to move was running_since.
    clocks: Clocks,
    /// When the clock of the side to move started; `None` while the clocks are paused.
    running_since: Option<Instant>,
    lag: LagCredit,
}

/// The time used for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeSpent {
    /// Charged to the player.
    pub(super) elapsed: Duration,
    /// Compensated as network lag.
    pub(super) lag: Duration,
}

impl GameClock {
    /// Starts the clock of the side to move.
    pub(super) fn new(clocks: Clocks, lag_allowance: Duration, now: Instant) -> GameClock {
        GameClock {
            clocks,
            running_since: Some(now),
            lag: LagCredit::new(lag_allowance),
        }
    }

    pub(super) fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    pub(super) fn clocks_mut(&mut self) -> &mut Clocks {
        &mut self.clocks
    }

    pub(super) fn wire(&self) -> Option<WireClocks> {
        WireClocks::new(&self.clocks)
    }

    /// The time since the clock of the side to move started.
    fn elapsed(&self, now: Instant) -> Duration {
        let elapsed = |running_since| now.saturating_duration_since(running_since);
        self.running_since.map(elapsed).unwrap_or_default()
    }

    /// The same, or `None` if it is zero.
    pub(super) fn thinking(&self, now: Instant) -> Option<Duration> {
        Some(self.elapsed(now)).filter(|elapsed| !elapsed.is_zero())
    }

    /// How long the side to move has had its turn, and how long its flag will not fall.
    pub(super) fn turn_time(&self, turn: Color, now: Instant) -> (Duration, Duration) {
        let elapsed = self.elapsed(now);
        let available = self.clocks.side(turn).map(SideClock::available);
        let left = available.unwrap_or_default().saturating_sub(elapsed);
        (elapsed, left)
    }

    /// Sets these times.
    pub(super) fn set_turn_time(
        &mut self,
        turn: Color,
        since: Duration,
        left: Duration,
        now: Instant,
    ) {
        // Some systems have no moments before their start.
        let (running_since, remaining) = match now.checked_sub(since) {
            Some(running_since) => (running_since, since.saturating_add(left)),
            None => (now, left),
        };
        self.clocks.set_remaining(turn, remaining);
        self.running_since = Some(running_since);
    }

    /// When the flag of the side to move falls, with all of its lag credit.
    pub(super) fn flag_fall(&self, turn: Color) -> Option<Instant> {
        let available = self.clocks.side(turn)?.available();
        let most = available.saturating_add(self.lag.credit[turn]);
        self.running_since?.checked_add(most.saturating_add(MOMENT))
    }

    /// The time used by a move at `now`, with `lag` measured.
    ///
    /// # Errors
    /// The flag has fallen.
    pub(super) fn spend(
        &self,
        turn: Color,
        lag: Duration,
        now: Instant,
    ) -> Result<TimeSpent, FlagFell> {
        let total = self.elapsed(now);
        let lag = lag.min(self.lag.credit[turn]).min(total);
        let elapsed = total - lag;
        match self.clocks.side(turn) {
            Some(clock) if elapsed > clock.available() => Err(FlagFell(turn)),
            Some(_) | None => Ok(TimeSpent { elapsed, lag }),
        }
    }

    /// Handles a move of `turn`, and starts the clock of the other side.
    pub(super) fn press(&mut self, turn: Color, spent: TimeSpent, now: Instant) {
        // `spend` has checked the flag.
        let _ = self.clocks.spend(turn, spent.elapsed);
        self.lag.moved(turn, spent.lag);
        self.restart(now);
    }

    /// Replays the lag credit of a stored move.
    pub(super) fn replay(&mut self, turn: Color, lag: Duration) {
        self.lag.moved(turn, lag);
    }

    /// Charges the time of a side whose move is no longer needed. Its lag is unknown.
    pub(super) fn stop(&mut self, turn: Color, now: Instant) {
        // A flag that falls within the lag credit falls at the next move.
        let _ = self.clocks.stop(turn, self.elapsed(now));
        self.restart(now);
    }

    /// Starts the clock of the side to move at `now`; the time spent so far is not charged.
    pub(super) fn restart(&mut self, now: Instant) {
        self.running_since = Some(now);
    }

    /// Starts it at `now` if it was to start later.
    pub(super) fn start_now(&mut self, now: Instant) {
        self.running_since = self
            .running_since
            .map(|running_since| running_since.min(now));
    }

    /// Delays its start until `moment`.
    pub(super) fn start_not_before(&mut self, moment: Instant) {
        self.running_since = self
            .running_since
            .map(|running_since| running_since.max(moment));
    }

    /// Pauses the clocks; the time spent on the current move is not charged.
    pub(super) fn pause(&mut self) {
        self.running_since = None;
    }
}

/// The lag that may still be compensated for each side.
#[derive(Clone, Copy, Debug)]
struct LagCredit {
    credit: ByColor<Duration>,
    most: Duration,
}

impl LagCredit {
    fn new(most: Duration) -> LagCredit {
        LagCredit {
            credit: ByColor::new_with(|_| most),
            most,
        }
    }

    /// Uses up the credit of a move, and earns that of the next one.
    fn moved(&mut self, mover: Color, lag: Duration) {
        let credit = &mut self.credit[mover];
        *credit = credit.saturating_sub(lag).saturating_add(LAG_PER_MOVE);
        *credit = (*credit).min(self.most);
    }
}

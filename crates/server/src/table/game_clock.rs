//! The clocks of a game that runs, and when the one that runs was set going.

use std::time::{Duration, Instant};

use checkers_lib::protocol::WireClocks;
use checkers_lib::{ByColor, Clocks, Color, FlagFell};

/// The shortest time there is.
const MOMENT: Duration = Duration::from_nanos(1);

/// What every move adds to the time that the network may take of the next ones.
const LAG_PER_MOVE: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct GameClock {
    /// As they stood when the side to move was asked.
    clocks: Clocks,
    /// When the side to move was asked; `None` while the clocks stand.
    asked: Option<Instant>,
    lag: LagCredit,
}

/// What a move took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spent {
    /// Of the mover's time.
    pub(super) elapsed: Duration,
    /// Of the network's, which is given back.
    pub(super) lag: Duration,
}

impl GameClock {
    /// The clocks of a game whose side to move is asked now.
    pub(super) fn new(clocks: Clocks, lag_allowance: Duration, now: Instant) -> GameClock {
        GameClock {
            clocks,
            asked: Some(now),
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

    /// What the side to move has taken for its move.
    fn elapsed(&self, now: Instant) -> Duration {
        let elapsed = |asked| now.saturating_duration_since(asked);
        self.asked.map(elapsed).unwrap_or_default()
    }

    /// How long the side to move has been thinking, if that is at all.
    pub(super) fn thinking(&self, now: Instant) -> Option<Duration> {
        Some(self.elapsed(now)).filter(|elapsed| !elapsed.is_zero())
    }

    /// The first moment at which the side to move has taken longer than it had, whatever the
    /// network may have taken of it.
    pub(super) fn flag_falls(&self, turn: Color) -> Option<Instant> {
        let available = self.clocks.side(turn)?.available();
        let most = available.saturating_add(self.lag.credit[turn]);
        self.asked?.checked_add(most.saturating_add(MOMENT))
    }

    /// What a move of the side to move takes, of which the network is said to have taken `lag`.
    ///
    /// # Errors
    /// More than there was.
    pub(super) fn spend(
        &self,
        turn: Color,
        lag: Duration,
        now: Instant,
    ) -> Result<Spent, FlagFell> {
        let total = self.elapsed(now);
        let lag = lag.min(self.lag.credit[turn]).min(total);
        let elapsed = total - lag;
        match self.clocks.side(turn) {
            Some(clock) if elapsed > clock.available() => Err(FlagFell(turn)),
            Some(_) | None => Ok(Spent { elapsed, lag }),
        }
    }

    /// Takes in that the side to move has moved; the other one is asked now.
    pub(super) fn press(&mut self, turn: Color, spent: Spent, now: Instant) {
        // A flag that has fallen has been seen by `spend`.
        let _ = self.clocks.spend(turn, spent.elapsed);
        self.lag.moved(turn, spent.lag);
        self.ask(now);
    }

    /// Takes in a move of the past, after which `clocks` stood as they do.
    pub(super) fn replay(&mut self, turn: Color, lag: Duration) {
        self.lag.moved(turn, lag);
    }

    /// Takes in that the side to move need not move any more. What the network may have taken
    /// cannot be told.
    pub(super) fn stop(&mut self, turn: Color, now: Instant) {
        // A flag that falls within the network's time falls at the next move.
        let _ = self.clocks.stop(turn, self.elapsed(now));
        self.ask(now);
    }

    /// Lets the clock of the side to move run from now on; what it has taken so far is given back.
    pub(super) fn ask(&mut self, now: Instant) {
        self.asked = Some(now);
    }

    /// Lets it run from now on if it was to begin later.
    pub(super) fn begin(&mut self, now: Instant) {
        self.asked = self.asked.map(|asked| asked.min(now));
    }

    /// Lets it begin to run not before this moment.
    pub(super) fn begin_after(&mut self, moment: Instant) {
        self.asked = self.asked.map(|asked| asked.max(moment));
    }

    /// Stops the clocks; what the side to move has taken for its move is given back.
    pub(super) fn stand(&mut self) {
        self.asked = None;
    }
}

/// How much of the coming moves' time may be the network's.
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

    /// Takes in a move of which the network has taken so much.
    fn moved(&mut self, mover: Color, lag: Duration) {
        let credit = &mut self.credit[mover];
        *credit = credit.saturating_sub(lag).saturating_add(LAG_PER_MOVE);
        *credit = (*credit).min(self.most);
    }
}

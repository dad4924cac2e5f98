//! The clocks of a game that runs, and when the one that runs was set going.

use std::time::{Duration, Instant};

use checkers_lib::protocol::WireClocks;
use checkers_lib::{Clocks, Color};

/// The shortest time there is.
const MOMENT: Duration = Duration::from_nanos(1);

const IN_TIME: &str = "no flag falls later than `flag_falls`";

#[derive(Debug)]
pub(super) struct GameClock {
    /// As they stood when the side to move was asked.
    clocks: Clocks,
    /// When the side to move was asked.
    asked: Instant,
}

impl GameClock {
    /// The clocks of a game whose side to move is asked now.
    pub(super) fn new(clocks: Clocks, now: Instant) -> GameClock {
        GameClock { clocks, asked: now }
    }

    pub(super) fn wire(&self) -> Option<WireClocks> {
        WireClocks::new(&self.clocks)
    }

    /// What the side to move has taken for its move.
    pub(super) fn elapsed(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.asked)
    }

    /// The first moment at which the side to move has taken longer than it had.
    pub(super) fn flag_falls(&self, turn: Color) -> Option<Instant> {
        let available = self.clocks.side(turn)?.available();
        self.asked.checked_add(available.saturating_add(MOMENT))
    }

    /// Takes in that the side to move, whose flag has not fallen, has moved.
    pub(super) fn press(&mut self, turn: Color, now: Instant) {
        (self.clocks.spend(turn, self.elapsed(now))).expect(IN_TIME);
        self.asked = now;
    }

    /// Takes in that the side to move, whose flag has not fallen, need not move any more.
    pub(super) fn stop(&mut self, turn: Color, now: Instant) {
        (self.clocks.stop(turn, self.elapsed(now))).expect(IN_TIME);
        self.asked = now;
    }
}

//! The clocks of a game on the wire.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Clocks, Color, SideClock};

/// The clocks of a game in which at least one side has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WireClocks {
    /// White's, if White has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<WireClock>,
    /// Black's, if Black has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<WireClock>,
}

impl WireClocks {
    /// The clocks of a game for the wire; `None` if no side has one.
    pub fn new(clocks: &Clocks) -> Option<WireClocks> {
        let side = |color| clocks.side(color).map(WireClock::from);
        clocks.any().then(|| WireClocks {
            white: side(Color::White),
            black: side(Color::Black),
        })
    }

    /// A side's clock, if it has one.
    pub fn side(&self, side: Color) -> Option<WireClock> {
        match side {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

/// One side's clock before its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WireClock {
    /// What remains for all moves to come, in whole milliseconds, rounded down.
    pub remaining_ms: u64,
    /// What every move adds once it is made, in whole milliseconds, rounded down.
    pub increment_ms: u64,
}

impl From<SideClock> for WireClock {
    fn from(clock: SideClock) -> WireClock {
        WireClock {
            remaining_ms: millis(clock.remaining),
            increment_ms: millis(clock.increment),
        }
    }
}

impl From<WireClock> for SideClock {
    fn from(clock: WireClock) -> SideClock {
        SideClock {
            remaining: Duration::from_millis(clock.remaining_ms),
            increment: Duration::from_millis(clock.increment_ms),
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

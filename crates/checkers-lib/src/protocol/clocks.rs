//! The clocks of a game on the wire.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Clocks, Color, MoveTiming, SideClock};

/// The clocks of a game in which at least one side has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// One side's clock before its move. It adds an increment unless it has a delay or a time for
/// every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireClock {
    /// What remains for all moves to come, or for this one if each has its own time, in whole
    /// milliseconds, rounded down.
    pub remaining_ms: u64,
    /// What every move adds once it is made, in whole milliseconds, rounded down.
    pub increment_ms: u64,
    /// What of every move takes nothing from what remains, likewise; absent without a delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// The time for every move, likewise; absent if the time is for the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_move_ms: Option<u64>,
}

impl From<SideClock> for WireClock {
    fn from(SideClock { remaining, timing }: SideClock) -> WireClock {
        let game_clock = WireClock {
            remaining_ms: millis(remaining),
            increment_ms: 0,
            delay_ms: None,
            per_move_ms: None,
        };
        match timing {
            MoveTiming::Increment(increment) => WireClock {
                increment_ms: millis(increment),
                ..game_clock
            },
            MoveTiming::Delay(delay) => WireClock {
                delay_ms: Some(millis(delay)),
                ..game_clock
            },
            MoveTiming::PerMove(time) => WireClock {
                per_move_ms: Some(millis(time)),
                ..game_clock
            },
        }
    }
}

impl From<WireClock> for SideClock {
    fn from(clock: WireClock) -> SideClock {
        let timing = match (clock.per_move_ms, clock.delay_ms) {
            (Some(time), _) => MoveTiming::PerMove(Duration::from_millis(time)),
            (None, Some(delay)) => MoveTiming::Delay(Duration::from_millis(delay)),
            (None, None) => MoveTiming::Increment(Duration::from_millis(clock.increment_ms)),
        };
        SideClock {
            remaining: Duration::from_millis(clock.remaining_ms),
            timing,
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

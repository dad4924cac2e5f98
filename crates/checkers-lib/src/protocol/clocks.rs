//! The clocks of a game on the wire.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Clocks, Color, MoveTiming, SideClock};

/// The clocks of a game in which at least one side has a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireClocks {
    /// White's clock. Absent if White has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<WireClock>,
    /// Black's clock. Absent if Black has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<WireClock>,
}

impl WireClocks {
    /// The wire form of a game's clocks; `None` if no side has a clock.
    pub fn new(clocks: &Clocks) -> Option<WireClocks> {
        let side = |color| clocks.side(color).map(WireClock::from);
        clocks.any().then(|| WireClocks {
            white: side(Color::White),
            black: side(Color::Black),
        })
    }

    /// The clock of a side, if it has one.
    pub fn side(&self, side: Color) -> Option<WireClock> {
        match side {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

/// The clock of one side, before its move. It is of one of three kinds: with an increment, which
/// may be 0, with a delay, or with a fixed time for each move. All times are whole milliseconds,
/// rounded down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireClock {
    /// The remaining time in milliseconds: for the rest of the game, or with `per_move_ms` for this
    /// move.
    pub remaining_ms: u64,
    /// The increment in milliseconds, added after each move of the side. 0 if there is none.
    pub increment_ms: u64,
    /// The delay in milliseconds: the part of each move's time that is free. Unused delay is lost.
    /// Absent if the clock has no delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// The time for each move in milliseconds: `remaining_ms` is reset to it after every move of
    /// the side. Absent if the time is for the game.
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

//! Classes of time controls, which have ratings of their own.

use std::time::Duration;

use checkers_lib::{MoveTiming, TimeControl};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Moves of a player in a game of typical length.
const MOVES: u32 = 40;

/// A class of time controls, by the time that a player has for 40 moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Speed {
    /// Less than 3 minutes.
    Blitz,
    /// Less than 10 minutes.
    Rapid,
    /// Longer.
    Classic,
    /// A day or more for each move.
    Correspondence,
}

/// The shortest time for each move of a game by correspondence.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Speed {
    pub(crate) const ALL: [Speed; 4] = [
        Speed::Blitz,
        Speed::Rapid,
        Speed::Classic,
        Speed::Correspondence,
    ];

    /// Those in which bots play on the ladder.
    pub(crate) const LIVE: [Speed; 3] = [Speed::Blitz, Speed::Rapid, Speed::Classic];

    /// The class of a time control.
    pub(crate) fn of(control: TimeControl) -> Speed {
        if matches!(control.timing(), MoveTiming::PerMove(time) if time >= DAY) {
            return Speed::Correspondence;
        }
        let time = match control.timing() {
            MoveTiming::Increment(more) | MoveTiming::Delay(more) => control.base() + more * MOVES,
            MoveTiming::PerMove(time) => time * MOVES,
        };
        if time < Duration::from_secs(3 * 60) {
            Speed::Blitz
        } else if time < Duration::from_secs(10 * 60) {
            Speed::Rapid
        } else {
            Speed::Classic
        }
    }

    /// The name in the store and in addresses.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classic => "classic",
            Speed::Correspondence => "correspondence",
        }
    }

    /// The class of this name.
    pub(crate) fn from_name(name: &str) -> Option<Speed> {
        Speed::ALL.into_iter().find(|speed| speed.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_for_forty_moves_decides() {
        let cases = [
            ("2m59s", Speed::Blitz),
            ("1m+2s", Speed::Blitz),
            ("3m", Speed::Rapid),
            ("1m+3s", Speed::Rapid),
            ("5m~5s", Speed::Rapid),
            ("10m", Speed::Classic),
            ("5s/move", Speed::Rapid),
            ("23h/move", Speed::Classic),
            ("1d/move", Speed::Correspondence),
            ("14d/move", Speed::Correspondence),
            ("24h", Speed::Classic),
        ];
        for (control, speed) in cases {
            assert_eq!(Speed::of(control.parse().unwrap()), speed, "{control}");
            assert_eq!(Speed::from_name(speed.name()), Some(speed));
        }
    }
}

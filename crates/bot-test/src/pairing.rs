//! Pairings and their results.

use serde::{Deserialize, Serialize};

use crate::{BotId, GameRecord, Timekeeper};

/// Two bots that are to meet from one opening: in two games with sides swapped, which makes a
/// pair, or in one game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// Its number in the tournament, from 0, in the order of the schedule.
    pub id: u64,
    /// The round it belongs to, from 1. Formats without rounds have one.
    pub round: u32,
    /// The bots; the first has White in the first game.
    pub bots: [BotId; 2],
    /// Which opening, counted from 0 without end: where there are fewer, they begin again.
    pub opening: u64,
    /// How many games: 2 make a pair, 1 is a game that belongs to none.
    pub games: u8,
}

/// A pairing as it was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairRecord {
    /// The pairing itself.
    pub pairing: Pairing,
    /// Each of its games.
    pub games: Vec<GameRecord>,
}

impl PairRecord {
    /// Sets the times of all moves to 0, and forgets which clock measured them: the server's takes the place of a
    /// bot's that a busy machine makes implausible. What is left depends on the bots alone.
    pub(crate) fn forget_times(&mut self) {
        for played in self.games.iter_mut().flat_map(|game| &mut game.moves) {
            played.time_us = 0;
            if played.search.is_some() {
                played.clock = Timekeeper::Bot;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::protocol::{EndReason, GameResult};

    use super::*;
    use crate::fixtures;

    #[test]
    fn forgotten_times_are_the_same_whichever_clock_measured_them() {
        let mut one = fixtures::pair(0, [(GameResult::WhiteWon, EndReason::NoPieces); 2]);
        let mut other = one.clone();
        for played in other.games.iter_mut().flat_map(|game| &mut game.moves) {
            played.clock = Timekeeper::Server;
            played.time_us += 1;
        }
        assert_ne!(one, other);
        one.forget_times();
        other.forget_times();
        assert_eq!(one, other);
    }
}

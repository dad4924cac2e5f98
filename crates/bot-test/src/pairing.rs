//! Pairings and their results.

use serde::{Deserialize, Serialize};

use crate::{BotId, GameRecord};

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
    /// Sets the times of all moves to 0: what is left depends on the bots alone.
    pub(crate) fn forget_times(&mut self) {
        let moves = self.games.iter_mut().flat_map(|game| &mut game.moves);
        moves.for_each(|played| played.time_us = 0);
    }
}

//! The bracket of a knockout: the meetings of each round and their winners.

use serde::Serialize;

use crate::BotId;
use crate::results::Points;

/// The rounds that have begun, the first one first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Bracket {
    /// The rounds. The winners of two meetings that follow each other, the first of which has an
    /// even index, meet in the next round.
    pub rounds: Vec<BracketRound>,
    /// The winner of the final, once it is over.
    pub champion: Option<BotId>,
}

/// A round of a knockout.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BracketRound {
    /// Its number, from 1.
    pub round: u32,
    /// From the top of the bracket to its bottom.
    pub meetings: Vec<BracketMeeting>,
}

/// Two bots of which one goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct BracketMeeting {
    /// The better seed.
    pub bot: BotId,
    /// The worse seed; `None` if the better one has a bye.
    pub opponent: Option<BotId>,
    /// What both scored, play-offs left out.
    pub points: [Points; 2],
    /// How many pairings were added because they were level.
    pub playoffs: u64,
    /// What both scored in those.
    pub playoff_points: [Points; 2],
    /// The bot that advances, once it is known.
    pub advance: Option<Advance>,
}

/// The bot that advances, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Advance {
    /// The bot.
    pub winner: BotId,
    /// What decided it.
    pub decided_by: DecidedBy,
}

/// What decided a meeting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// There was no opponent.
    Bye,
    /// The points of its pairings.
    Points,
    /// The points of a play-off.
    Playoff,
    /// The games forfeited: the bots were level to the end, with void games, and this one had
    /// forfeited fewer of them.
    Forfeits,
    /// The seeding: the bots were level to the end.
    Seed,
}

/// The seeds, from 0, in the order of their places in a bracket that has a place for each of them:
/// the best two can meet in the final only, the best four in the semi-finals only, and so on. In
/// each round the best meets the worst, if no bot lost to a worse seed. `places` is a power of two.
pub(super) fn seeding(places: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < places {
        let last = 2 * seeds.len() - 1;
        seeds = (seeds.iter())
            .flat_map(|&seed| [seed, last - seed])
            .collect();
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_the_worst() {
        assert_eq!(seeding(1), [0]);
        assert_eq!(seeding(2), [0, 1]);
        assert_eq!(seeding(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }
}

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

//! The rounds of a Swiss tournament and its standings.

use std::cmp::Reverse;

use serde::Serialize;

use crate::BotId;
use crate::results::Points;

/// The rounds of a Swiss tournament that have begun, and where they leave everybody.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SwissTable {
    /// How many rounds there will be.
    pub total_rounds: u32,
    /// Those that have begun.
    pub rounds: Vec<SwissRound>,
    /// Everybody, the best first.
    pub standings: Vec<SwissStanding>,
}

/// A round of a Swiss tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SwissRound {
    /// Its number, from 1.
    pub round: u32,
    /// From the top of the field to its bottom.
    pub meetings: Vec<SwissMeeting>,
    /// The bot without an opponent.
    pub bye: Option<BotId>,
}

/// Two bots that meet in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SwissMeeting {
    /// The two bots.
    pub bots: [BotId; 2],
    /// What both scored so far.
    pub points: [Points; 2],
    /// Whether all of its games are over.
    pub is_over: bool,
    /// Whether they have met before, because it could not be avoided.
    pub is_rematch: bool,
}

/// Where a bot stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SwissStanding {
    /// From 1; no two are the same.
    pub place: usize,
    /// Which bot.
    pub bot: BotId,
    /// What it scored, byes included.
    pub points: Points,
    /// What its opponents scored; a bye is an opponent with as many points as the bot itself.
    pub buchholz: Points,
}

/// Everybody by points, then Buchholz, then seed. `bye_points` is what a bye counts.
///
/// CITE: FIDE Handbook C.07, "Tie-Break Regulations": Buchholz, and the dummy opponent of unplayed
/// rounds.
pub(super) fn standings(
    participants: usize,
    rounds: &[SwissRound],
    bye_points: Points,
) -> Vec<SwissStanding> {
    let points = points(participants, rounds, bye_points);
    let mut buchholz = vec![Points::ZERO; participants];
    for round in rounds {
        for SwissMeeting { bots: [a, b], .. } in &round.meetings {
            buchholz[a.0] += points[b.0];
            buchholz[b.0] += points[a.0];
        }
        if let Some(bot) = round.bye {
            buchholz[bot.0] += points[bot.0];
        }
    }
    let mut bots: Vec<BotId> = (0..participants).map(BotId).collect();
    bots.sort_by_key(|bot| (Reverse(points[bot.0]), Reverse(buchholz[bot.0]), *bot));
    (1..)
        .zip(bots)
        .map(|(place, bot)| SwissStanding {
            place,
            bot,
            points: points[bot.0],
            buchholz: buchholz[bot.0],
        })
        .collect()
}

/// What each bot scored.
pub(super) fn points(
    participants: usize,
    rounds: &[SwissRound],
    bye_points: Points,
) -> Vec<Points> {
    let mut points = vec![Points::ZERO; participants];
    for round in rounds {
        for meeting in &round.meetings {
            for (bot, scored) in meeting.bots.iter().zip(meeting.points) {
                points[bot.0] += scored;
            }
        }
        if let Some(bot) = round.bye {
            points[bot.0] += bye_points;
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_first_then_opponents_then_seeds() {
        let meeting = |bots: [usize; 2], wins: [u64; 2]| SwissMeeting {
            bots: bots.map(BotId),
            points: wins.map(Points::of_wins),
            is_over: true,
            is_rematch: false,
        };
        let round = |round, meetings: Vec<SwissMeeting>, bye: usize| SwissRound {
            round,
            meetings,
            bye: Some(BotId(bye)),
        };
        let rounds = [
            round(1, vec![meeting([0, 2], [2, 0]), meeting([1, 3], [2, 0])], 4),
            round(2, vec![meeting([1, 0], [2, 0]), meeting([4, 2], [0, 2])], 3),
        ];
        let found: Vec<_> = (standings(5, &rounds, Points::of_wins(2)).iter())
            .map(|standing| {
                (
                    standing.bot.0,
                    standing.points.value(),
                    standing.buchholz.value(),
                )
            })
            .collect();
        let expected = [
            (1, 4.0, 4.0),
            (0, 2.0, 6.0),
            (3, 2.0, 6.0),
            (2, 2.0, 4.0),
            (4, 2.0, 4.0),
        ];
        assert_eq!(found, expected);
    }
}

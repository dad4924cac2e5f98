//! Meetings that go through the same openings side by side.

use std::ops::Range;

use crate::results::{Points, Results};
use crate::{BotId, Pairing};

/// Meetings that go through the same openings side by side: all play the first opening, then all
/// play the next. So standings are balanced at any time, and all bots play the same openings.
#[derive(Clone, Debug)]
pub(super) struct MeetingBlock {
    /// The number of its first pairing.
    pub first_id: u64,
    /// The round of the tournament it belongs to.
    pub round: RoundNumber,
    /// The bots of each meeting; the first has White in the first game.
    pub meetings: Vec<[BotId; 2]>,
    /// What they begin from.
    pub openings: Range<u64>,
    /// How many games each pairing has.
    pub games: u8,
    /// How sides are dealt where a pairing is a single game.
    pub sides: Sides,
}

/// What the pairings of a block call their round.
#[derive(Clone, Copy, Debug)]
pub(super) enum RoundNumber {
    /// All the same.
    Fixed(u32),
    /// Each opening makes a round.
    ByOpening,
}

/// Which bot has White where a pairing is a single game.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sides {
    /// The first bot of the meeting.
    Fixed,
    /// The first bot of the meeting with its first opening, the other with the next, in turn.
    Alternate,
}

/// What a meeting stands at.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeetingScore {
    /// What both scored so far, in the order in which they were asked for.
    pub points: [Points; 2],
    /// How many games each of them forfeited, including void ones.
    pub forfeits: [u64; 2],
    /// Whether all pairings of the meeting are finished.
    pub is_final: bool,
}

impl MeetingBlock {
    /// How many pairings it has.
    pub(super) fn len(&self) -> u64 {
        (self.meetings.len() as u64).saturating_mul(self.openings.end - self.openings.start)
    }

    /// The number after that of its last pairing.
    pub(super) fn end(&self) -> u64 {
        self.first_id.saturating_add(self.len())
    }

    /// The pairing of a number, if it is one of these.
    pub(super) fn pairing(&self, id: u64) -> Option<Pairing> {
        if !(self.first_id..self.end()).contains(&id) {
            return None;
        }
        let (index, meetings) = (id - self.first_id, self.meetings.len() as u64);
        let lap = index / meetings;
        let opening = self.openings.start + lap;
        let mut bots = self.meetings[(index % meetings) as usize];
        if self.games == 1 && self.is_reversed(lap) {
            bots.reverse();
        }
        Some(Pairing {
            id,
            round: self.round.of(opening),
            bots,
            opening,
            games: self.games,
        })
    }

    /// What a meeting stands at; `None` if it is not one of these. O(its finished pairings).
    pub(super) fn score(&self, bots: [BotId; 2], results: &Results) -> Option<MeetingScore> {
        let is_it = |meeting: &[BotId; 2]| meeting.iter().all(|bot| bots.contains(bot));
        let index = self.meetings.iter().position(is_it)? as u64;
        let ids = self.first_id.saturating_add(index)..self.end().min(results.end());
        let finished = (ids.step_by(self.meetings.len())).filter_map(|id| results.get(id));
        let (mut points, mut forfeits, mut pairings) = ([Points::ZERO; 2], [0; 2], 0);
        for result in finished {
            pairings += 1;
            for (side, bot) in bots.into_iter().enumerate() {
                points[side] += result.points_of(bot);
                forfeits[side] += result.forfeits_of(bot);
            }
        }
        let is_final = pairings == self.openings.end - self.openings.start;
        Some(MeetingScore {
            points,
            forfeits,
            is_final,
        })
    }

    fn is_reversed(&self, lap: u64) -> bool {
        match self.sides {
            Sides::Fixed => false,
            Sides::Alternate => !lap.is_multiple_of(2),
        }
    }
}

impl RoundNumber {
    fn of(self, opening: u64) -> u32 {
        match self {
            RoundNumber::Fixed(round) => round,
            RoundNumber::ByOpening => u32::try_from(opening.saturating_add(1)).unwrap_or(u32::MAX),
        }
    }
}

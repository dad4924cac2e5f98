//! Formats with pairings that do not depend on results.

use pairings::round_robin;

use super::block::{MeetingBlock, RoundNumber, Sides};
use super::{FormatReport, Next, Schedule};
use crate::BotId;
use crate::results::Results;

/// A schedule that is known from the beginning.
pub(super) struct FixedSchedule {
    block: MeetingBlock,
    /// How many games the last pairing has.
    last_games: u8,
}

impl FixedSchedule {
    /// A match of this many games, `games_per_pairing` for each opening.
    pub(super) fn of_match(games: u64, games_per_pairing: u8) -> FixedSchedule {
        let pairings = games.div_ceil(games_per_pairing.into());
        let is_odd = games_per_pairing == 2 && !games.is_multiple_of(2);
        FixedSchedule {
            block: MeetingBlock {
                first_id: 0,
                round: RoundNumber::Fixed(1),
                meetings: vec![[BotId::FIRST, BotId::SECOND]],
                openings: 0..pairings,
                games: games_per_pairing,
                sides: Sides::Fixed,
            },
            last_games: if is_odd { 1 } else { games_per_pairing },
        }
    }

    /// Every bot against every other.
    pub(super) fn of_round_robin(participants: usize, pairs: u64, games: u8) -> FixedSchedule {
        let meetings = round_robin::rounds(participants).concat().into_iter();
        let meetings = meetings.map(|meeting| meeting.map(BotId));
        FixedSchedule::of_meetings(meetings.collect(), pairs, games)
    }

    /// The first bots against all the others.
    pub(super) fn of_gauntlet(
        participants: usize,
        challengers: usize,
        pairs: u64,
        games: u8,
    ) -> FixedSchedule {
        FixedSchedule::of_meetings(gauntlet(participants, challengers), pairs, games)
    }

    fn of_meetings(meetings: Vec<[BotId; 2]>, pairs: u64, games: u8) -> FixedSchedule {
        FixedSchedule {
            block: MeetingBlock {
                first_id: 0,
                round: RoundNumber::ByOpening,
                meetings,
                openings: 0..pairs,
                games,
                sides: Sides::Alternate,
            },
            last_games: games,
        }
    }
}

impl Schedule for FixedSchedule {
    fn next(&mut self, id: u64, results: &Results) -> Next {
        let end = self.block.end();
        match self.block.pairing(id) {
            Some(mut pairing) => {
                if id + 1 == end {
                    pairing.games = self.last_games;
                }
                Next::Play(pairing)
            }
            None if results.prefix() < end => Next::Wait,
            None => Next::Done,
        }
    }

    fn total(&self) -> Option<u64> {
        Some(self.block.len())
    }

    fn counted(&self) -> Option<u64> {
        None
    }

    fn report(&self, _results: &Results) -> FormatReport {
        FormatReport::Plain
    }
}

/// Challengers meet the others in turn, each beginning with another one, and have White every
/// other time.
fn gauntlet(participants: usize, challengers: usize) -> Vec<[BotId; 2]> {
    let others = participants.saturating_sub(challengers);
    let meeting = |step: usize, challenger: usize| {
        let other = challengers + (challenger + step) % others;
        let mut bots = [BotId(challenger), BotId(other)];
        if !step.is_multiple_of(2) {
            bots.reverse();
        }
        bots
    };
    (0..others)
        .flat_map(|step| (0..challengers).map(move |challenger| meeting(step, challenger)))
        .collect()
}

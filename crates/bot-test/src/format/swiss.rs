//! Swiss tournaments: in each round, bots meet others with about as many points.

mod table;

use pairings::swiss::{self, Color, Play, SwissPlayer, SwissSettings};

pub use table::{SwissMeeting, SwissRound, SwissStanding, SwissTable};

use super::block::{MeetingBlock, RoundNumber, Sides};
use super::{FormatReport, Next, Schedule};
use crate::results::{Points, Results};
use crate::{BotId, Pairing};

/// A round.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Draw {
    /// The meetings, from the top of the field to its bottom.
    meetings: Vec<[BotId; 2]>,
    /// The bot without an opponent.
    bye: Option<BotId>,
}

/// The largest number of rounds of a Swiss tournament of this many bots: after it, all have met
/// each other if no rematch was needed.
pub(super) fn most_rounds(participants: usize) -> u32 {
    let rounds = if participants.is_multiple_of(2) {
        participants.saturating_sub(1)
    } else {
        participants
    };
    u32::try_from(rounds).unwrap_or(u32::MAX)
}

/// The schedule of a Swiss tournament: a block for each round, which is drawn when the one before
/// it is over.
pub(super) struct SwissSchedule {
    participants: usize,
    total_rounds: u32,
    pairs: u64,
    games: u8,
    draws: Vec<Draw>,
    /// Those of the draws.
    blocks: Vec<MeetingBlock>,
}

impl SwissSchedule {
    /// A tournament of this many rounds; 0 is as many as a knockout would have.
    pub(super) fn new(participants: usize, rounds: u32, pairs: u64, games: u8) -> SwissSchedule {
        let total_rounds = match rounds {
            0 => participants.next_power_of_two().ilog2(),
            _ => rounds,
        };
        SwissSchedule {
            participants,
            total_rounds,
            pairs,
            games,
            draws: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// How many pairings are known.
    fn end(&self) -> u64 {
        self.blocks.last().map_or(0, MeetingBlock::end)
    }

    fn pairing(&self, id: u64) -> Option<Pairing> {
        self.blocks.iter().rev().find_map(|block| block.pairing(id))
    }

    /// Draws the next round from the results of all earlier ones.
    fn begin_round(&mut self, results: &Results) {
        let draw = self.draw(results);
        let first_opening = self.blocks.last().map_or(0, |block| block.openings.end);
        self.blocks.push(MeetingBlock {
            first_id: self.end(),
            round: RoundNumber::Fixed(self.draws.len() as u32 + 1),
            meetings: self.with_sides(&draw.meetings),
            openings: first_opening..first_opening.saturating_add(self.pairs),
            games: self.games,
            sides: Sides::Alternate,
        });
        self.draws.push(draw);
    }

    /// The next round. Colors do not matter, because a pair of games has both.
    fn draw(&self, results: &Results) -> Draw {
        let mut players = vec![SwissPlayer::default(); self.participants];
        let mut add = |bot: BotId, points: Points, play| {
            let points = u32::try_from(points.halves()).unwrap_or(u32::MAX);
            players[bot.0]
                .rounds
                .push(swiss::PlayedRound { points, play });
        };
        for round in self.rounds(results) {
            for SwissMeeting {
                bots: [one, other],
                points: [of_one, of_other],
                ..
            } in round.meetings
            {
                let against = |opponent: BotId, color| Play::Game {
                    opponent: opponent.0,
                    color,
                };
                add(one, of_one, against(other, Color::White));
                add(other, of_other, against(one, Color::Black));
            }
            if let Some(bot) = round.bye {
                add(bot, self.bye_points(), Play::Bye);
            }
        }
        let settings = SwissSettings {
            rounds: self.total_rounds as usize,
            win: u32::try_from(self.bye_points().halves()).unwrap_or(u32::MAX),
            colors: false,
            first: Color::White,
        };
        let drawn = swiss::draw(&players, &vec![true; self.participants], &settings);
        let meetings = drawn.pairs.into_iter().map(|pair| pair.map(BotId));
        Draw {
            meetings: meetings.collect(),
            bye: drawn.bye.map(BotId),
        }
    }

    /// Puts the bot that had White less often first. If both are even, the better placed has White
    /// on every other board. The order matters for single games only.
    fn with_sides(&self, meetings: &[[BotId; 2]]) -> Vec<[BotId; 2]> {
        let firsts = |bot: BotId| {
            let meetings = self.blocks.iter().flat_map(|block| &block.meetings);
            let sides = meetings.filter_map(|bots| bots.iter().position(|&other| other == bot));
            sides
                .map(|side| if side == 0 { 1 } else { -1 })
                .sum::<i64>()
        };
        let in_turn = |(board, &[better, worse]): (usize, &[BotId; 2])| {
            let lead = firsts(better) - firsts(worse);
            if lead > 0 || lead == 0 && !board.is_multiple_of(2) {
                [worse, better]
            } else {
                [better, worse]
            }
        };
        meetings.iter().enumerate().map(in_turn).collect()
    }

    /// A bye is worth as much as winning all games of a meeting.
    fn bye_points(&self) -> Points {
        Points::of_wins(self.pairs.saturating_mul(self.games.into()))
    }

    fn rounds(&self, results: &Results) -> Vec<SwissRound> {
        (self.draws.iter().zip(&self.blocks).enumerate())
            .map(|(index, (draw, block))| SwissRound {
                round: index as u32 + 1,
                meetings: meetings(draw, block, &self.draws[..index], results),
                bye: draw.bye,
            })
            .collect()
    }
}

impl Schedule for SwissSchedule {
    fn next(&mut self, id: u64, results: &Results) -> Next {
        loop {
            if let Some(pairing) = self.pairing(id) {
                return Next::Play(pairing);
            }
            if results.prefix() < self.end() {
                return Next::Wait;
            }
            if self.draws.len() as u64 == u64::from(self.total_rounds) {
                return Next::Done;
            }
            self.begin_round(results);
        }
    }

    fn total(&self) -> Option<u64> {
        let per_round = (self.participants as u64 / 2).saturating_mul(self.pairs);
        Some(per_round.saturating_mul(self.total_rounds.into()))
    }

    fn counted(&self) -> Option<u64> {
        None
    }

    fn report(&self, results: &Results) -> FormatReport {
        let rounds = self.rounds(results);
        FormatReport::Swiss(SwissTable {
            total_rounds: self.total_rounds,
            standings: table::standings(self.participants, &rounds, self.bye_points()),
            rounds,
        })
    }
}

/// What the meetings of a round stand at.
fn meetings(
    draw: &Draw,
    block: &MeetingBlock,
    earlier: &[Draw],
    results: &Results,
) -> Vec<SwissMeeting> {
    let have_met = |bots: [BotId; 2]| {
        let mut meetings = earlier.iter().flat_map(|draw| &draw.meetings);
        meetings.any(|meeting| meeting.iter().all(|bot| bots.contains(bot)))
    };
    (draw.meetings.iter())
        .filter_map(|&bots| {
            let score = block.score(bots, results)?;
            Some(SwissMeeting {
                bots,
                points: score.points,
                is_over: score.is_final,
                is_rematch: have_met(bots),
            })
        })
        .collect()
}

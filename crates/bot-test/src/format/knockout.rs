//! Knockouts: the loser of each meeting is out.

mod bracket;

pub use bracket::{Advance, Bracket, BracketMeeting, BracketRound, DecidedBy};

use std::cmp::Ordering;

use pairings::knockout;

use super::block::{MeetingBlock, MeetingScore, RoundNumber, Sides};
use super::{FormatReport, Next, Schedule};
use crate::results::{Points, Results};
use crate::{BotId, Pairing};

/// The schedule of a knockout.
///
/// A round is a block of all its meetings, and one more block, of one pairing each, for every
/// play-off of those that are level. A block begins when the one before it is over: so its numbers
/// do not depend on which meeting is over first.
pub(super) struct KnockoutSchedule {
    participants: usize,
    pairs: u64,
    playoffs: u64,
    games: u8,
    rounds: Vec<KnockoutRound>,
    champion: Option<BotId>,
}

/// A round that has begun.
struct KnockoutRound {
    /// From the top of the bracket to its bottom: the better seed, and the other one if there is
    /// one.
    meetings: Vec<(BotId, Option<BotId>)>,
    /// First the meetings, then the play-offs.
    blocks: Vec<MeetingBlock>,
}

impl KnockoutSchedule {
    /// A knockout of at least two bots.
    pub(super) fn new(
        participants: usize,
        pairs: u64,
        playoffs: u64,
        games: u8,
    ) -> KnockoutSchedule {
        let meetings = of_bots(knockout::first_round(participants));
        let mut schedule = KnockoutSchedule {
            participants,
            pairs,
            playoffs,
            games,
            rounds: Vec::new(),
            champion: None,
        };
        schedule.begin_round(meetings);
        schedule
    }

    fn blocks(&self) -> impl DoubleEndedIterator<Item = &MeetingBlock> {
        self.rounds.iter().flat_map(|round| &round.blocks)
    }

    /// How many pairings are known.
    fn end(&self) -> u64 {
        self.blocks().next_back().map_or(0, MeetingBlock::end)
    }

    fn pairing(&self, id: u64) -> Option<Pairing> {
        self.blocks().rev().find_map(|block| block.pairing(id))
    }

    /// Adds what follows from the results of all known pairings: play-offs or the next round.
    /// Nothing follows from the final.
    fn go_on(&mut self, results: &Results) {
        let Some(round) = self.rounds.last() else {
            return;
        };
        let meetings: Vec<BracketMeeting> = self.meetings(round, results).collect();
        let level: Vec<[BotId; 2]> = (meetings.iter())
            .filter(|meeting| meeting.advance.is_none())
            .filter_map(|meeting| Some([meeting.bot, meeting.opponent?]))
            .collect();
        let winners: Vec<BotId> = (meetings.iter())
            .filter_map(|meeting| Some(meeting.advance?.winner))
            .collect();
        match winners[..] {
            _ if !level.is_empty() => self.begin_playoff(level),
            [champion] => self.champion = Some(champion),
            _ => {
                let winners: Vec<usize> = winners.iter().map(|bot| bot.0).collect();
                self.begin_round(of_bots(knockout::next_round(&winners)));
            }
        }
    }

    fn begin_round(&mut self, meetings: Vec<(BotId, Option<BotId>)>) {
        let first_opening = self.next_opening();
        let playing = meetings
            .iter()
            .filter_map(|&(bot, other)| Some([bot, other?]));
        let block = MeetingBlock {
            first_id: self.end(),
            round: RoundNumber::Fixed(self.rounds.len() as u32 + 1),
            meetings: playing.collect(),
            openings: first_opening..first_opening.saturating_add(self.pairs),
            games: self.games,
            sides: Sides::Alternate,
        };
        self.rounds.push(KnockoutRound {
            meetings,
            blocks: vec![block],
        });
    }

    /// One more pairing for each of these meetings; colours keep alternating.
    fn begin_playoff(&mut self, mut meetings: Vec<[BotId; 2]>) {
        let (first_id, opening) = (self.end(), self.next_opening());
        let number = RoundNumber::Fixed(self.rounds.len() as u32);
        let Some(round) = self.rounds.last_mut() else {
            return;
        };
        let begun = opening - round.blocks[0].openings.start;
        if self.games == 1 && !begun.is_multiple_of(2) {
            meetings.iter_mut().for_each(|bots| bots.reverse());
        }
        round.blocks.push(MeetingBlock {
            first_id,
            round: number,
            meetings,
            openings: opening..opening + 1,
            games: self.games,
            sides: Sides::Fixed,
        });
    }

    fn next_opening(&self) -> u64 {
        self.blocks()
            .next_back()
            .map_or(0, |block| block.openings.end)
    }

    fn meetings(
        &self,
        round: &KnockoutRound,
        results: &Results,
    ) -> impl Iterator<Item = BracketMeeting> {
        (round.meetings.iter()).map(move |&(bot, opponent)| match opponent {
            None => bye(bot),
            Some(opponent) => self.meeting(round, [bot, opponent], results),
        })
    }

    /// What a meeting of a round stands at.
    fn meeting(
        &self,
        round: &KnockoutRound,
        bots: [BotId; 2],
        results: &Results,
    ) -> BracketMeeting {
        let scores: Vec<MeetingScore> = (round.blocks.iter())
            .filter_map(|block| block.score(bots, results))
            .collect();
        let (regular, playoffs) = scores
            .split_first()
            .expect("every meeting is in the first block");
        let total = |side: usize| playoffs.iter().map(|score| score.points[side]).sum();
        BracketMeeting {
            bot: bots[0],
            opponent: Some(bots[1]),
            points: regular.points,
            playoffs: playoffs.len() as u64,
            playoff_points: [total(0), total(1)],
            advance: self.advance(bots, regular, playoffs),
        }
    }

    /// The bot that advances. Only the last play-off can have a winner.
    fn advance(
        &self,
        bots: [BotId; 2],
        regular: &MeetingScore,
        playoffs: &[MeetingScore],
    ) -> Option<Advance> {
        let last = playoffs.last().unwrap_or(regular);
        if !last.is_final {
            return None;
        }
        let (winner, decided_by) = match leader(bots, last) {
            Some(winner) if playoffs.is_empty() => (winner, DecidedBy::Points),
            Some(winner) => (winner, DecidedBy::Playoff),
            None if playoffs.len() as u64 >= self.playoffs => {
                let scores = || [regular].into_iter().chain(playoffs);
                let forfeits =
                    |side: usize| scores().map(|score| score.forfeits[side]).sum::<u64>();
                match forfeits(0).cmp(&forfeits(1)) {
                    Ordering::Less => (bots[0], DecidedBy::Forfeits),
                    Ordering::Greater => (bots[1], DecidedBy::Forfeits),
                    Ordering::Equal => (bots[0], DecidedBy::Seed),
                }
            }
            None => return None,
        };
        Some(Advance { winner, decided_by })
    }
}

impl Schedule for KnockoutSchedule {
    fn next(&mut self, id: u64, results: &Results) -> Next {
        loop {
            if let Some(pairing) = self.pairing(id) {
                return Next::Play(pairing);
            }
            if results.prefix() < self.end() {
                return Next::Wait;
            }
            if self.champion.is_some() {
                return Next::Done;
            }
            self.go_on(results);
        }
    }

    fn total(&self) -> Option<u64> {
        if self.champion.is_some() {
            return Some(self.end());
        }
        let meetings = self.participants as u64 - 1;
        (self.playoffs == 0).then(|| meetings.saturating_mul(self.pairs))
    }

    fn counted(&self) -> Option<u64> {
        None
    }

    fn report(&self, results: &Results) -> FormatReport {
        let rounds: Vec<BracketRound> = (1..)
            .zip(&self.rounds)
            .map(|(round, begun)| BracketRound {
                round,
                meetings: self.meetings(begun, results).collect(),
            })
            .collect();
        let champion = champion(&rounds);
        FormatReport::Knockout(Bracket { rounds, champion })
    }
}

/// The winner of the final, once it is over. The first round with one meeting is the final.
fn champion(rounds: &[BracketRound]) -> Option<BotId> {
    match &rounds.last()?.meetings[..] {
        [last] => Some(last.advance?.winner),
        _ => None,
    }
}

fn of_bots(meetings: Vec<(usize, Option<usize>)>) -> Vec<(BotId, Option<BotId>)> {
    { meetings.into_iter() }
        .map(|(bot, opponent)| (BotId(bot), opponent.map(BotId)))
        .collect()
}

fn bye(bot: BotId) -> BracketMeeting {
    BracketMeeting {
        bot,
        opponent: None,
        points: [Points::ZERO; 2],
        playoffs: 0,
        playoff_points: [Points::ZERO; 2],
        advance: Some(Advance {
            winner: bot,
            decided_by: DecidedBy::Bye,
        }),
    }
}

/// The bot with more points; `None` if they are equal.
fn leader(bots: [BotId; 2], score: &MeetingScore) -> Option<BotId> {
    match score.points[0].cmp(&score.points[1]) {
        Ordering::Greater => Some(bots[0]),
        Ordering::Less => Some(bots[1]),
        Ordering::Equal => None,
    }
}

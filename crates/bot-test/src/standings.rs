//! The games of a tournament added up: scores of all bots against each other, and how games ended.
//!
//! Scores count every game that was played to an end. Everything about strength is found from
//! distinct pairs alone (distinct games, where there are no pairs): see [`EvidenceCount`].

mod bot;
mod ends;
mod evidence;

use serde::{Deserialize, Serialize};

use crate::statistics::{Bootstrap, Meeting, Pool, PoolError, Sample, Unrated};
use crate::{BotId, PairRecord};

pub use bot::{BotStanding, ForfeitCount};
pub use ends::{EndCount, Ending, RulingKind};
pub use evidence::EvidenceCount;
pub(crate) use evidence::repeats;

/// What the games of a tournament add up to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standings {
    /// Each bot, in the order of the participants.
    pub bots: Vec<BotStanding>,
    /// The bots from the first place to the last: by points if all played as many games, otherwise
    /// by rating if all have one, otherwise by their share of the points; then by points, then by
    /// number.
    pub ranking: Vec<BotId>,
    /// Every two bots that met.
    pub meetings: Vec<TwoBots>,
    /// How much was played, and how much of it is evidence.
    pub evidence: EvidenceCount,
    /// How the games ended, in the order of first appearance.
    pub ends: Vec<EndCount>,
    /// The evidence of a tournament of two bots, from the first one's side.
    pub sample: Option<Sample>,
}

/// What two bots played against each other, from the side of the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TwoBots {
    /// Which two, the one of the lower number first.
    pub bots: [BotId; 2],
    /// Every game played to its end.
    pub played: Meeting,
    /// What is evidence of strength.
    pub evidence: Meeting,
}

impl Standings {
    /// Adds up what `bots` bots have played. Three or more are rated together, with 1000
    /// replicates of O(bots³) each; everything else is O(moves).
    ///
    /// # Errors
    /// When a bot played that is not among them, or played itself.
    pub fn of(bots: usize, swap: bool, pairs: &[PairRecord]) -> Result<Standings, PoolError> {
        let played = evidence::played(bots, pairs)?;
        let evidence = evidence::distinct(bots, pairs)?;
        let mut standings: Vec<BotStanding> = (0..bots)
            .map(|bot| BotStanding::of(BotId(bot), pairs))
            .collect();
        rate(&mut standings, &evidence)?;
        Ok(Standings {
            ranking: ranking(&standings),
            bots: standings,
            meetings: meetings(&played, &evidence),
            evidence: EvidenceCount::of(pairs),
            ends: ends::count(pairs),
            sample: (bots == 2).then(|| sample(swap, &evidence)),
        })
    }

    /// What `bot` played against `opponent`, from the side of `bot`; `None` if they did not meet.
    pub fn meeting(&self, bot: BotId, opponent: BotId) -> Option<Meeting> {
        let met = |bots| self.meetings.iter().find(|met| met.bots == bots);
        let forth = met([bot, opponent]).map(|met| met.played);
        forth.or_else(|| met([opponent, bot]).map(|met| met.played.swapped()))
    }

    /// What the games of a bot add up to.
    pub fn bot(&self, bot: BotId) -> &BotStanding {
        &self.bots[bot.0]
    }
}

/// The evidence of two bots: pairs if there should be any, single games otherwise.
fn sample(swap: bool, evidence: &Pool) -> Sample {
    let meeting = evidence.meeting(0, 1).unwrap_or_default();
    if swap {
        Sample::Pairs(meeting.pairs)
    } else {
        Sample::Games(meeting.unpaired)
    }
}

/// Rates three or more bots, the first being the anchor. Two have their own numbers.
fn rate(bots: &mut [BotStanding], evidence: &Pool) -> Result<(), PoolError> {
    if bots.len() < 3 {
        return Ok(());
    }
    let ratings = evidence.ratings(BotId::FIRST.0, Bootstrap::default())?;
    for (bot, rating) in bots.iter_mut().zip(ratings) {
        bot.rating = rating.ok();
        bot.unrated = rating.err();
    }
    // An anchor without games is at 0 as well, but there is nothing to say about it.
    if evidence_games(evidence, BotId::FIRST.0) == 0
        && let Some(anchor) = bots.first_mut()
    {
        (anchor.rating, anchor.unrated) = (None, Some(Unrated::NoGames));
    }
    Ok(())
}

fn evidence_games(pool: &Pool, bot: usize) -> u64 {
    let meetings = (0..pool.bots()).filter_map(|opponent| pool.meeting(bot, opponent));
    meetings.map(|meeting| meeting.games.games()).sum()
}

fn ranking(bots: &[BotStanding]) -> Vec<BotId> {
    let is_even = bots.iter().all(|bot| bot.games == bots[0].games);
    let is_rated = bots.iter().all(|bot| bot.rating.is_some());
    let strength = |bot: &BotStanding| match bot.rating {
        _ if is_even => bot.points,
        Some(rating) if is_rated => rating.elo,
        _ => bot.percent.unwrap_or(0.0),
    };
    let mut ranking: Vec<&BotStanding> = bots.iter().collect();
    ranking.sort_by(|a, b| {
        let by_strength = strength(b).total_cmp(&strength(a));
        by_strength.then_with(|| b.points.total_cmp(&a.points))
    });
    ranking.into_iter().map(|bot| bot.bot).collect()
}

fn meetings(played: &Pool, evidence: &Pool) -> Vec<TwoBots> {
    let two = |first: usize, second: usize| {
        Some(TwoBots {
            bots: [BotId(first), BotId(second)],
            played: played.meeting(first, second)?,
            evidence: evidence.meeting(first, second).unwrap_or_default(),
        })
    };
    (0..played.bots())
        .flat_map(|first| (first + 1..played.bots()).filter_map(move |second| two(first, second)))
        .collect()
}

#[cfg(test)]
mod tests;

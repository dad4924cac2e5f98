//! A tournament on record: everything that was asked for, played and found, as `--json` writes
//! it. Every other output is derived from it.

mod json;
mod settings;
mod stage;
mod warnings;

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::failure::milliseconds;
use crate::format::{FormatReport, SprtEnd, SprtReport};
use crate::statistics::{Decision, Model, Numbers, PoolError, SprtBounds, Strength};
use crate::{
    BotId, BotTimes, Failure, GameRecord, Machine, PairRecord, PlayedTournament, RunConfig,
    Standings, TournamentPlan,
};

pub use settings::{BotRecord, DocumentSettings, OpeningsRecord, TimeoutsRecord};
pub use stage::{Place, Stage, StageMeeting};

/// The version of the JSON document. It grows when a field changes its meaning or goes away, not
/// when one is added.
pub const DOCUMENT_VERSION: u32 = 2;

#[derive(Clone, Debug)]
pub struct TournamentResults {
    /// What was played.
    pub played: PlayedTournament,
    /// When it began.
    pub began: SystemTime,
    /// How long it took.
    pub took: Duration,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TournamentRecord {
    /// [`DOCUMENT_VERSION`].
    pub version: u32,
    /// The version of this program.
    pub program: String,
    /// Where it was played.
    pub machine: Machine,
    /// When it began: UTC, to the second, as RFC 3339 writes it.
    pub began: String,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// What was asked for.
    pub settings: DocumentSettings,
    /// What played, in the order of the command line; a [`BotId`] counts in it.
    pub bots: Vec<BotRecord>,
    /// Why it ended before its last game, if it did.
    pub failure: Option<Failure>,
    /// What a reader of the numbers has to know, and what to do about it.
    pub warnings: Vec<String>,
    /// The games of two bots added up from the first one's side; `None` with more.
    pub tally: Option<PairTally>,
    /// Estimates from the distinct results, of the first bot against the second; `None` with more
    /// than two bots, whose ratings are in the standings.
    pub strength: Option<Numbers>,
    /// What the sequential test said, if there was one.
    pub sprt: Option<SprtRecord>,
    /// What the games add up to.
    pub standings: Standings,
    /// What the moves of each bot cost.
    pub times: Vec<BotTimes>,
    /// The rounds, for formats that have some.
    pub stages: Vec<Stage>,
    /// The places of a Swiss tournament.
    pub places: Vec<Place>,
    /// The pairing itself.
    pub pairings: Vec<PairingRecord>,
    /// Every game, in the order of the pairings.
    pub games: Vec<GameRecord>,
}

/// A pairing that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairingRecord {
    /// Its number in the tournament, from 0.
    pub id: u64,
    /// The round it belongs to, from 1.
    pub round: u32,
    /// The bots; the first had White in the first game.
    pub bots: [BotId; 2],
    /// Which of the openings, from 1.
    pub opening: u64,
    /// The numbers of its games.
    pub games: Vec<u64>,
}

/// All games of two bots added up, from the first bot's side.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairTally {
    /// Games begun.
    pub games: u64,
    /// Games the first bot won.
    pub wins: u64,
    /// Games the first bot lost.
    pub losses: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that count for nothing.
    pub interrupted: u64,
    /// How many of the games that count are different.
    pub distinct: u64,
    /// The first bot's points, a win one and a draw half.
    pub points: f64,
    /// The points as a share of the games that count, in percent; `None` without any.
    pub percent: Option<f64>,
}

/// What a sequential test said.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtRecord {
    /// The scale of the hypotheses.
    pub model: Model,
    /// The hypotheses H0 and H1, in Elo.
    pub elo: [f64; 2],
    /// The share of tests that accept H1 though H0 is true.
    pub alpha: f64,
    /// The share of tests that accept H0 though H1 is true.
    pub beta: f64,
    /// The logarithm of how much more likely the results are under H1 than under H0.
    pub llr: f64,
    /// Where the test ends.
    pub bounds: SprtBounds,
    /// Whether it has ended.
    pub decision: Decision,
    /// How many pairings it judged, in the order of the schedule.
    pub judged: u64,
    /// How many of them repeated an earlier one and were no evidence.
    pub repeats: u64,
    /// Why nothing more was played, if the test came to its end.
    pub end: Option<SprtEnd>,
}

impl TournamentRecord {
    /// Records the results of a plan. See [`Standings::of`] for the arguments.
    ///
    /// # Errors
    /// When a bot played that the plan does not have.
    pub fn new(
        plan: &TournamentPlan,
        config: &RunConfig,
        machine: Machine,
        outcome: TournamentResults,
    ) -> Result<TournamentRecord, PoolError> {
        let TournamentResults {
            played,
            began,
            took,
        } = outcome;
        let standings = Standings::of(plan.participants.len(), plan.swap, &played.pairs)?;
        let times = BotTimes::of(&plan.table_pieces(), games(&played.pairs));
        let settings = DocumentSettings::of(plan, config, played.planned);
        let strength = standings.sample.as_ref().map(Strength::of);
        let report = match &played.report {
            FormatReport::Sprt(report) => Some(report),
            FormatReport::Plain | FormatReport::Knockout(_) | FormatReport::Swiss(_) => None,
        };
        let sprt = report.map(|report| &report.answer);
        let is_reused = |pair: &&PairRecord| pair.pairing.opening >= plan.openings.count();
        let reused = played.pairs.iter().filter(is_reused).count() as u64;
        let number = |strength: &Strength| Numbers::new(strength, sprt);
        Ok(TournamentRecord {
            version: DOCUMENT_VERSION,
            program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
            machine,
            began: humantime::format_rfc3339_seconds(began).to_string(),
            took_ms: milliseconds(took),
            bots: BotRecord::all(plan),
            failure: played.failure,
            warnings: warnings::of(&settings, &standings, &times, report, reused)
                .into_iter()
                .chain(warnings::overruns(plan, &played.pairs))
                .chain(warnings::without_effect(plan))
                .chain(warnings::cut_short(plan, &played.pairs))
                .collect(),
            tally: PairTally::of(&standings),
            strength: strength.as_ref().map(number),
            sprt: report.map(SprtRecord::from),
            settings,
            standings,
            times,
            stages: stage::stages(&played.report),
            places: stage::places(&played.report),
            pairings: (played.pairs.iter())
                .map(|pair| PairingRecord::of(pair, plan))
                .collect(),
            games: played
                .pairs
                .into_iter()
                .flat_map(|pair| pair.games)
                .collect(),
        })
    }

    /// The document as JSON: a line for each game, and a line break at its end.
    pub fn to_json(&self) -> String {
        json::to_json(self)
    }

    /// What plays as a bot.
    pub fn bot(&self, bot: BotId) -> &BotRecord {
        &self.bots[bot.0]
    }

    /// Each game with the pairing it belongs to.
    pub fn paired_games(&self) -> impl Iterator<Item = (&PairingRecord, &GameRecord)> {
        let pairings = (self.pairings.iter())
            .flat_map(|pairing| std::iter::repeat_n(pairing, pairing.games.len()));
        pairings.zip(&self.games)
    }
}

fn games(pairs: &[PairRecord]) -> impl Iterator<Item = &GameRecord> {
    pairs.iter().flat_map(|pair| &pair.games)
}

impl PairingRecord {
    fn of(pair: &PairRecord, plan: &TournamentPlan) -> PairingRecord {
        PairingRecord {
            id: pair.pairing.id,
            round: pair.pairing.round,
            bots: pair.pairing.bots,
            opening: pair.pairing.opening % plan.openings.count() + 1,
            games: pair.games.iter().map(|game| game.number).collect(),
        }
    }
}

impl PairTally {
    fn of(standings: &Standings) -> Option<PairTally> {
        let [first, _] = &standings.bots[..] else {
            return None;
        };
        Some(PairTally {
            games: standings.evidence.games,
            wins: first.score.wins.into(),
            losses: first.score.losses.into(),
            draws: first.score.draws.into(),
            interrupted: standings.evidence.void,
            distinct: standings.evidence.distinct_games,
            points: first.points,
            percent: first.percent,
        })
    }
}

impl From<&SprtReport> for SprtRecord {
    fn from(report: &SprtReport) -> SprtRecord {
        let answer = &report.answer;
        SprtRecord {
            model: answer.test.model(),
            elo: answer.test.elo(),
            alpha: answer.test.alpha(),
            beta: answer.test.beta(),
            llr: answer.llr,
            bounds: answer.bounds,
            decision: answer.decision,
            judged: report.judged,
            repeats: report.repeats,
            end: report.end,
        }
    }
}

#[cfg(test)]
mod tests;

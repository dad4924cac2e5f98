//! The published study, played again: its seven tables, its two figures, its three conclusions.
//!
//! Next to each published row stands the game we get, and next to it many games: from openings with
//! both colours, and with other seeds. The games are tournaments of the harness; what searches
//! cost is measured apart, one at a time. Everything is printed from one [`Reproduction`]; the
//! study's own figures are [`Study::published`].

mod args;
mod costs;
mod figure;
#[cfg(test)]
mod fixtures;
mod games;
mod progress;
mod published;
mod run;
mod tables;

use serde::{Deserialize, Serialize};

use crate::Machine;
use crate::statistics::{Estimate, GameScore, Pentanomial, Sample, Strength, Wdl};

pub use args::ReproduceArgs;
pub use published::{PublishedRow, PublishedTable, PublishedTimes, Study};
pub use run::ReproducePlan;

/// What is shown for a number that does not exist.
const NONE: &str = "n/a";

/// The file name of a figure.
fn figure_name(number: u8) -> String {
    format!("study-figure-{number}.svg")
}

/// The version of the JSON document. It grows when a field changes its meaning or goes away, not
/// when one is added.
pub const REPRODUCTION_VERSION: u32 = 1;

/// The study, played again, as far as was asked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reproduction {
    pub version: u32,
    /// The version of this program.
    pub program: String,
    /// Where it was played.
    pub machine: Machine,
    /// When it began: UTC, to the second, as RFC 3339 writes it.
    pub began: String,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// How it was played.
    pub options: ReproduceOptions,
    /// The figures that were asked for, 3 or 4.
    pub figures: Vec<u8>,
    /// The tables that were asked for.
    pub tables: Vec<TableRecord>,
    /// All searches on the same positions, if that was asked for.
    pub comparison: Option<Comparison>,
    /// Whether it was ended before everything was played.
    pub is_interrupted: bool,
}

/// How the study is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReproduceOptions {
    /// The seed of White's noise and of the order of the openings; Black's is one more.
    pub seed: u64,
    /// How often each search is timed if it does not take long; the fastest counts.
    pub timings: u32,
    /// How many games from the start each row plays with other seeds.
    pub other_seeds: u32,
    /// How many openings each row plays, each with both colours.
    #[serde(rename = "honest_pairs")]
    pub pairs: u32,
    /// How many of those games run at a time.
    pub threads: usize,
    /// The deepest row of a table that is played.
    pub max_depth: u32,
}

/// A table of the study, played again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableRecord {
    /// Its number, 1–7.
    pub number: u8,
    /// What plays White, without its depth.
    pub white: String,
    /// What plays Black.
    pub black: String,
    /// Its rows, by depth.
    pub rows: Vec<RowRecord>,
}

/// A row of a table, played again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RowRecord {
    /// What the study says.
    pub published: PublishedRow,
    /// The game from the start, once it was played.
    pub single: Option<SingleGame>,
    /// Many games, once all of them were played.
    #[serde(rename = "honest")]
    pub paired: Option<PairedResult>,
}

/// The game from the start, as the study played it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SingleGame {
    /// How it ended for White.
    pub result: GameScore,
    /// How many moves were made by both sides.
    pub plies: usize,
    /// The moves, with spaces between them.
    pub moves: String,
    /// How often it was played; each move counts with its fastest time.
    pub plays: u32,
    /// What White's moves cost.
    pub white: StudyEffort,
    /// What Black's moves cost.
    pub black: StudyEffort,
}

/// What a bot's moves in one game cost.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct StudyEffort {
    /// How many moves.
    pub moves: usize,
    /// The mean time per move in milliseconds.
    pub mean_ms: f64,
    /// The longest time for a move in milliseconds.
    pub max_ms: f64,
    /// The mean number of positions visited per move.
    pub mean_nodes: f64,
    /// The largest number of positions visited for a move.
    pub max_nodes: u64,
}

/// Many games between the bots of a row, scored for the table's White.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairedResult {
    /// The game from the start with other seeds.
    pub other_seeds: Wdl,
    /// How many of those games differ from each other.
    pub distinct: usize,
    /// Games from the openings, with both colours.
    pub games: Wdl,
    /// The same games as pairs.
    pub pairs: Pentanomial,
    /// The share of the points in those games, with a 95 % interval.
    pub score: Option<Estimate>,
    /// The difference in Elo with a 95 % interval, where it exists.
    pub elo: Option<Estimate>,
}

impl PairedResult {
    /// Adds up what the games say.
    fn new(other_seeds: Wdl, distinct: usize, games: Wdl, pairs: Pentanomial) -> PairedResult {
        let strength = Strength::of(&Sample::Pairs(pairs));
        let alike = |score| interval_of_alike(score, pairs.pairs());
        PairedResult {
            other_seeds,
            distinct,
            games,
            pairs,
            score: (strength.score_interval.ok()).or(strength.score.ok().map(alike)),
            elo: strength.elo.ok(),
        }
    }
}

/// The interval of a score when all pairs ended alike. With 95 % confidence, no more than
/// `1 - 0.05^(1/n)` of all pairs end otherwise, and each changes the score by no more than all.
///
/// CITE: J. A. Hanley, A. Lippman-Hand, "If Nothing Goes Wrong, Is Everything All Right?", JAMA
/// 249(13), 1983: the rule of three, here in its exact form.
fn interval_of_alike(score: f64, pairs: u64) -> Estimate {
    let otherwise = 1.0 - 0.05_f64.powf(1.0 / pairs as f64);
    Estimate {
        value: score,
        low: score * (1.0 - otherwise),
        high: score + (1.0 - score) * otherwise,
    }
}

/// All searches on the same positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// The positions, as FEN.
    pub positions: Vec<String>,
    /// What each bot needed for them, by bot and depth.
    pub costs: Vec<SearchCosts>,
}

/// What one bot needed for each position, in the order of the positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchCosts {
    /// The bot, without its depth.
    pub bot: String,
    /// How many plies deep it searched.
    pub depth: u32,
    /// The positions visited.
    pub nodes: Vec<u64>,
    /// The times in nanoseconds.
    pub time_ns: Vec<u64>,
}

impl Comparison {
    /// What a bot needed at a depth.
    pub fn costs(&self, bot: &str, depth: u32) -> Option<&SearchCosts> {
        let mut costs = self.costs.iter();
        costs.find(|costs| costs.bot == bot && costs.depth == depth)
    }
}

impl Reproduction {
    /// The document as JSON, with a line break at its end.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("numbers, texts and lists of them are always JSON") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::fixtures;

    #[test]
    fn json_is_read_back_to_the_last_digit() {
        let mut record = fixtures::record();
        record.comparison = Some(fixtures::comparison(1.1));
        let single = record.tables[0].rows[0].single.as_mut().unwrap();
        for nanoseconds in 0..1000 {
            single.white.mean_ms = 1000.0 * f64::from(nanoseconds) / 1e9 / 18.0;
            let json = serde_json::to_string(single).unwrap();
            assert_eq!(serde_json::from_str::<SingleGame>(&json).unwrap(), *single);
        }
        let json = record.to_json();
        assert_eq!(serde_json::from_str::<Reproduction>(&json).unwrap(), record);
    }

    #[test]
    fn a_clean_sweep_has_an_interval() {
        let lost = Pentanomial([100, 0, 0, 0, 0]);
        let games = Wdl {
            losses: 200,
            ..Wdl::default()
        };
        let result = PairedResult::new(Wdl::default(), 0, games, lost);
        let score = result.score.unwrap();
        assert_eq!((score.value, score.low), (0.0, 0.0));
        assert!((0.029..0.030).contains(&score.high), "{score:?}");
        assert_eq!(result.elo, None);
    }

    #[test]
    fn pairs_that_are_all_even_have_an_interval_on_both_sides() {
        let score = interval_of_alike(0.5, 100);
        assert!((0.485..0.486).contains(&score.low) && (0.514..0.515).contains(&score.high));
    }

    #[test]
    fn nothing_played_says_nothing() {
        let nothing = PairedResult::new(Wdl::default(), 0, Wdl::default(), Pentanomial::default());
        assert_eq!((nothing.score, nothing.elo), (None, None));
    }
}

//! What is to be played, and playing it.

use std::fmt;
use std::time::{Instant, SystemTime};

use checkers_engine::{Algorithm, BotSpec, Stop};
use checkers_lib::openings::{self, Opening};

use super::comparison::{self, Searches};
use super::duel::Stopped;
use super::honest::{HonestGames, stand_in};
use super::numbers::signed;
use super::progress::Progress;
use super::published::{PublishedTable, bot};
use super::{
    Comparison, HonestResult, PublishedRow, REPRODUCTION_VERSION, ReproduceOptions, Reproduction,
    RowRecord, Study, TableRecord, single,
};
use crate::Machine;
use crate::failure::milliseconds;

/// Which parts of the study are played again, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReproducePlan {
    /// The tables, 1–7, with their honest games.
    pub tables: Vec<u8>,
    /// The figures, 3 or 4. They need the single games of every table.
    pub figures: Vec<u8>,
    /// Whether all searches are compared on the same positions.
    pub compares: bool,
    /// How it is played.
    pub options: ReproduceOptions,
}

impl ReproducePlan {
    /// The tables whose single games are played.
    fn single_tables(&self) -> impl Iterator<Item = &'static PublishedTable> {
        let tables = Study::published().tables.iter();
        tables.filter(|table| !self.figures.is_empty() || self.tables.contains(&table.number))
    }

    /// The searches that are compared.
    fn compared_bots(&self) -> Vec<(&'static str, u32)> {
        let mut bots = Study::published().white_bots();
        bots.retain(|&(_, depth)| self.compares && depth <= self.options.max_depth);
        bots
    }
}

/// Plays what the plan asks for, as far as it is not stopped. Single games and comparisons come
/// first, one search at a time; then the games on all cores.
pub(super) fn reproduce(plan: &ReproducePlan, stop: &Stop, progress: &Progress) -> Reproduction {
    let (began, clock) = (SystemTime::now(), Instant::now());
    let mut openings = openings::suite();
    openings::shuffle(&mut openings, plan.options.seed);
    let mut run = Run {
        plan,
        stop,
        progress,
        openings,
        tables: plan
            .single_tables()
            .map(|table| empty(table, plan))
            .collect(),
        comparison: None,
    };
    let is_interrupted = run.play().is_err();
    Reproduction {
        version: REPRODUCTION_VERSION,
        program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
        machine: Machine::this(),
        began: humantime::format_rfc3339_seconds(began).to_string(),
        took_ms: milliseconds(clock.elapsed()),
        options: plan.options,
        figures: plan.figures.clone(),
        tables: run.tables,
        comparison: run.comparison,
        is_interrupted,
    }
}

/// The record of a table of which nothing has been played.
fn empty(table: &PublishedTable, plan: &ReproducePlan) -> TableRecord {
    let rows = table.rows.iter();
    let rows = rows.filter(|row| row.depth <= plan.options.max_depth);
    TableRecord {
        number: table.number,
        white: table.white.clone(),
        black: table.black.clone(),
        rows: rows.map(|&published| RowRecord::new(published)).collect(),
    }
}

impl RowRecord {
    fn new(published: PublishedRow) -> RowRecord {
        RowRecord {
            published,
            single: None,
            honest: None,
        }
    }
}

struct Run<'a> {
    plan: &'a ReproducePlan,
    stop: &'a Stop,
    progress: &'a Progress,
    openings: Vec<Opening>,
    tables: Vec<TableRecord>,
    comparison: Option<Comparison>,
}

impl Run<'_> {
    fn play(&mut self) -> Result<(), Stopped> {
        self.play_singles()?;
        if self.plan.compares {
            self.comparison = Some(self.compare()?);
        }
        self.play_honest()
    }

    fn play_singles(&mut self) -> Result<(), Stopped> {
        let options = self.plan.options;
        let rows = self.tables.iter().flat_map(|table| &table.rows);
        let total = rows.map(|row| study_ms(&row.published)).sum();
        self.progress.begin("single games", total);
        for (place, matchup) in self.matchups() {
            let single = single::play(&matchup.bots(options.seed), options.timings, self.stop)?;
            let row = place.of(&mut self.tables);
            self.progress.advance(study_ms(&row.published));
            let result = signed(single.result);
            self.progress.say(&format!("{matchup}: {result}"));
            row.single = Some(single);
        }
        Ok(())
    }

    fn compare(&self) -> Result<Comparison, Stopped> {
        let bots = self.plan.compared_bots();
        let weight = |name: &str, depth| mean_study_ms(name, depth);
        let total = bots.iter().map(|&(name, depth)| weight(name, depth)).sum();
        let seed = self.plan.options.seed;
        let searches = Searches {
            bots,
            seed,
            timings: self.plan.options.timings,
            games: comparison::positions(&self.openings, seed, self.stop)?,
        };
        self.progress.begin("same positions", total);
        searches.run(self.stop, &|name, depth| {
            self.progress.advance(weight(name, depth));
            self.progress.say(&format!("{name} depth {depth}"));
        })
    }

    fn play_honest(&mut self) -> Result<(), Stopped> {
        let mut matchups = self.matchups();
        matchups.retain(|(_, matchup)| self.plan.tables.contains(&matchup.table));
        let total = matchups.iter().map(|(_, matchup)| matchup.weight()).sum();
        self.progress.begin("pairs", total);
        let mut known: Vec<([BotSpec; 2], HonestResult)> = Vec::new();
        for (place, matchup) in matchups {
            let bots = matchup.stand_ins(self.plan.options.seed);
            let result = match known.iter().find(|(known, _)| *known == bots) {
                Some((_, result)) => {
                    self.progress.advance(matchup.weight());
                    result.clone()
                }
                None => self.honest_games(&matchup)?,
            };
            self.progress.say(&matchup.to_string());
            place.of(&mut self.tables).honest = Some(result.clone());
            known.push((bots, result));
        }
        Ok(())
    }

    fn honest_games(&self, matchup: &Matchup) -> Result<HonestResult, Stopped> {
        let options = &self.plan.options;
        let pairs = self.openings.len().min(options.honest_pairs as usize);
        let games = HonestGames {
            specs: matchup.stand_ins(options.seed),
            other_seeds: other_seeds(options)
                .map(|seed| matchup.stand_ins(seed))
                .collect(),
            openings: &self.openings[..pairs],
            threads: options.threads,
        };
        let weight = matchup.weight() / games.count() as f64;
        games.play(self.stop, &|count| {
            self.progress.advance(weight * count as f64);
        })
    }

    /// Every row with who plays in it.
    fn matchups(&self) -> Vec<(Place, Matchup)> {
        let tables = self.tables.iter().enumerate();
        let matchups = tables.flat_map(|(table_place, table)| {
            let matchup = move |(row_place, row): (usize, &RowRecord)| {
                let place = Place {
                    table: table_place,
                    row: row_place,
                };
                (place, Matchup::new(table, row))
            };
            table.rows.iter().enumerate().map(matchup)
        });
        matchups.collect()
    }
}

/// Where a row is in the record.
#[derive(Clone, Copy, Debug)]
struct Place {
    table: usize,
    row: usize,
}

impl Place {
    fn of(self, tables: &mut [TableRecord]) -> &mut RowRecord {
        &mut tables[self.table].rows[self.row]
    }
}

/// Who plays in a row.
#[derive(Clone, Debug)]
struct Matchup {
    table: u8,
    white: String,
    depth: u32,
    black: String,
}

impl Matchup {
    fn new(table: &TableRecord, row: &RowRecord) -> Matchup {
        Matchup {
            table: table.number,
            white: table.white.clone(),
            depth: row.published.depth,
            black: table.black.clone(),
        }
    }

    /// The study's bots. Two programs have two sources of noise.
    fn bots(&self, seed: u64) -> [BotSpec; 2] {
        let white = bot(&self.white, Some(self.depth), seed);
        [white, bot(&self.black, None, seed.wrapping_add(1))]
    }

    /// Bots that play the same moves, but faster.
    fn stand_ins(&self, seed: u64) -> [BotSpec; 2] {
        self.bots(seed).each_ref().map(stand_in)
    }

    /// Roughly how long the stand-ins take: what a ply costs with a table, and with minimax.
    fn weight(&self) -> f64 {
        let weight = |bot: BotSpec| {
            let is_minimax = bot.algorithm() == Algorithm::MinimaxWeak;
            let per_ply: f64 = if is_minimax { 4.0 } else { 2.0 };
            per_ply.powi(bot.options().depth as i32)
        };
        self.stand_ins(0).map(weight).iter().sum()
    }
}

impl fmt::Display for Matchup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {} depth {}", self.table, self.depth)
    }
}

/// The seeds of White in the games with other seeds; Black's are one more.
fn other_seeds(options: &ReproduceOptions) -> impl Iterator<Item = u64> {
    let seed = options.seed;
    (1..=u64::from(options.other_seeds)).map(move |game| seed.wrapping_add(2 * game))
}

/// How long a pair of moves took in the study: what is known before a game is played.
fn study_ms(row: &PublishedRow) -> f64 {
    row.white.mean_ms + row.black.mean_ms
}

/// How long the study's White took for a move, over all tables.
fn mean_study_ms(name: &str, depth: u32) -> f64 {
    let tables = Study::published().tables.iter();
    let tables = tables.filter(|table| table.white == name);
    let rows = tables.filter_map(|table| table.rows.iter().find(|row| row.depth == depth));
    let times: Vec<f64> = rows.map(|row| row.white.mean_ms).collect();
    times.iter().sum::<f64>() / times.len().max(1) as f64
}

//! Plays the plan of a reproduction.

use std::time::{Instant, SystemTime};

use checkers_engine::{BotSpec, Stop};
use checkers_lib::openings::{self, Opening};
use cli_kit::Signals;

use super::games::{self, GamesError};
use super::progress::StageProgress;
use super::published::PublishedTable;
use super::{
    Comparison, PairedResult, PublishedRow, REPRODUCTION_VERSION, ReproduceOptions, Reproduction,
    RowRecord, SingleGame, Study, TableRecord, costs, tables,
};
use crate::failure::milliseconds;
use crate::statistics::GameScore;
use crate::{Failure, Machine, TournamentError};

/// Which parts of the study are played again, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReproducePlan {
    /// The tables, 1–7, with their pairs.
    pub tables: Vec<u8>,
    /// The figures, 3 or 4. They need the single games of every table.
    pub figures: Vec<u8>,
    /// Whether all searches are compared on the same positions.
    pub compares: bool,
    /// How it is played.
    pub options: ReproduceOptions,
}

/// Plays what the plan asks for until all of it is played or something ends it, which is returned
/// too. Single games and comparisons come first, one search at a time; then the games on all
/// cores.
pub(super) async fn reproduce(
    plan: &ReproducePlan,
) -> Result<(Reproduction, Option<Failure>), TournamentError> {
    let mut signals = Signals::with_hangup().map_err(TournamentError::System)?;
    let (began, clock) = (SystemTime::now(), Instant::now());
    let mut run = StudyRun::new(plan);
    let stop = run.stop.clone();
    let ended = tokio::select! {
        ended = run.play() => ended,
        signal = signals.next() => Err(GamesError::Failed(signal.into())),
    };
    stop.stop();
    let failure = match ended {
        Ok(()) => None,
        Err(GamesError::Failed(failure)) => Some(failure),
        Err(GamesError::Tournament(error)) => return Err(error),
    };
    let record = Reproduction {
        version: REPRODUCTION_VERSION,
        program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
        machine: Machine::this(),
        began: humantime::format_rfc3339_seconds(began).to_string(),
        took_ms: milliseconds(clock.elapsed()),
        options: plan.options,
        figures: plan.figures.clone(),
        tables: run.tables,
        comparison: run.comparison,
        is_interrupted: failure.is_some(),
    };
    Ok((record, failure))
}

struct StudyRun<'a> {
    plan: &'a ReproducePlan,
    stop: Stop,
    openings: Vec<Opening>,
    tables: Vec<TableRecord>,
    comparison: Option<Comparison>,
}

impl StudyRun<'_> {
    fn new(plan: &ReproducePlan) -> StudyRun<'_> {
        let mut openings = openings::suite();
        openings::shuffle(&mut openings, plan.options.seed);
        let tables = Study::published().tables.iter();
        let is_played = |table: &&PublishedTable| {
            !plan.figures.is_empty() || plan.tables.contains(&table.number)
        };
        StudyRun {
            plan,
            stop: Stop::default(),
            openings,
            tables: tables
                .filter(is_played)
                .map(|table| empty(table, plan))
                .collect(),
            comparison: None,
        }
    }

    async fn play(&mut self) -> Result<(), GamesError> {
        self.play_singles().await?;
        if self.plan.compares {
            self.compare().await?;
        }
        self.play_pairs().await
    }

    async fn play_singles(&mut self) -> Result<(), GamesError> {
        let ReproduceOptions { seed, timings, .. } = self.plan.options;
        let rows = self.tables.iter().flat_map(|table| &table.rows);
        let total = rows.map(|row| study_ms(&row.published)).sum();
        let mut progress = StageProgress::begin("single games", total);
        for place in self.places() {
            let (table, row) = self.at(place);
            let (number, published) = (table.number, row.published);
            let bots = games::bots(table, &published, seed);
            let game = games::single(&bots).await?;
            let record = game.clone();
            let timed = move |stop: &Stop| costs::of_game(&bots, &record, timings, stop);
            let Some(([white, black], plays)) = self.timed(timed).await? else {
                return Ok(());
            };
            let result = game.score_of(game.seats.white).unwrap_or(GameScore::Draw);
            let single = SingleGame {
                result,
                plies: game.moves.len(),
                moves: game.texts().collect::<Vec<_>>().join(" "),
                plays,
                white,
                black,
            };
            self.row(place).single = Some(single);
            let result = tables::signed(result);
            let what = format!("table {number} depth {}: {result}", published.depth);
            progress.advance(study_ms(&published), &what);
        }
        Ok(())
    }

    /// Searches the same positions with every bot that plays White in some table.
    async fn compare(&mut self) -> Result<(), GamesError> {
        let ReproduceOptions {
            seed,
            timings,
            max_depth,
            ..
        } = self.plan.options;
        let mut bots = Study::published().white_bots();
        bots.retain(|&(_, depth)| depth <= max_depth);
        let total = bots
            .iter()
            .map(|&(name, depth)| mean_study_ms(name, depth))
            .sum();
        let mut progress = StageProgress::begin("same positions", total);
        let openings = self.openings.clone();
        let found = self
            .timed(move |stop| costs::positions(&openings, seed, stop))
            .await?;
        let Some(games) = found else { return Ok(()) };
        let mut comparison = Comparison {
            positions: games
                .iter()
                .map(|game| game.position().to_string())
                .collect(),
            costs: Vec::new(),
        };
        for (name, depth) in bots {
            let games = games.clone();
            let timed =
                move |stop: &Stop| costs::of_positions(name, depth, seed, timings, &games, stop);
            let Some(costs) = self.timed(timed).await? else {
                return Ok(());
            };
            comparison.costs.push(costs);
            progress.advance(mean_study_ms(name, depth), &format!("{name} depth {depth}"));
        }
        self.comparison = Some(comparison);
        Ok(())
    }

    async fn play_pairs(&mut self) -> Result<(), GamesError> {
        let options = self.plan.options;
        let mut places = self.places();
        places.retain(|&place| self.plan.tables.contains(&self.at(place).0.number));
        let bots_at = |run: &StudyRun<'_>, place, seed| {
            let (table, row) = run.at(place);
            games::stand_ins(&games::bots(table, &row.published, seed))
        };
        let total = places
            .iter()
            .map(|&place| weight(&bots_at(self, place, 0)))
            .sum();
        let mut progress = StageProgress::begin("pairs", total);
        let mut known: Vec<([BotSpec; 2], PairedResult)> = Vec::new();
        for place in places {
            let bots = bots_at(self, place, options.seed);
            let result = match known.iter().find(|(known, _)| *known == bots) {
                Some((_, result)) => result.clone(),
                None => {
                    let seeds = (1..=u64::from(options.other_seeds))
                        .map(|game| bots_at(self, place, options.seed.wrapping_add(2 * game)));
                    let seeds = seeds.collect();
                    let (other_seeds, distinct) = games::by_seed(seeds, options.threads).await?;
                    let openings = &self.openings[..options.pairs as usize];
                    let (games, pairs) = games::pairs(&bots, openings, options.threads).await?;
                    PairedResult::new(other_seeds, distinct, games, pairs)
                }
            };
            self.row(place).paired = Some(result.clone());
            let (table, row) = self.at(place);
            let what = format!("table {} depth {}", table.number, row.published.depth);
            progress.advance(weight(&bots), &what);
            known.push((bots, result));
        }
        Ok(())
    }

    /// Runs searches on a thread of their own; `None` if they were stopped.
    async fn timed<T: Send + 'static>(
        &self,
        searches: impl FnOnce(&Stop) -> Option<T> + Send + 'static,
    ) -> Result<Option<T>, GamesError> {
        let stop = self.stop.clone();
        let done = tokio::task::spawn_blocking(move || searches(&stop)).await;
        done.map_err(|error| GamesError::Tournament(TournamentError::System(error.into())))
    }

    /// Every row.
    fn places(&self) -> Vec<RowIndex> {
        let rows = |(table, record): (usize, &TableRecord)| {
            (0..record.rows.len()).map(move |row| RowIndex { table, row })
        };
        self.tables.iter().enumerate().flat_map(rows).collect()
    }

    fn at(&self, place: RowIndex) -> (&TableRecord, &RowRecord) {
        let table = &self.tables[place.table];
        (table, &table.rows[place.row])
    }

    fn row(&mut self, place: RowIndex) -> &mut RowRecord {
        &mut self.tables[place.table].rows[place.row]
    }
}

/// Where a row is in the record.
#[derive(Clone, Copy, Debug)]
struct RowIndex {
    table: usize,
    row: usize,
}

/// The record of a table of which nothing has been played.
fn empty(table: &PublishedTable, plan: &ReproducePlan) -> TableRecord {
    let rows = table
        .rows
        .iter()
        .filter(|row| row.depth <= plan.options.max_depth);
    let rows = rows.map(|&published| RowRecord {
        published,
        single: None,
        paired: None,
    });
    TableRecord {
        number: table.number,
        white: table.white.clone(),
        black: table.black.clone(),
        rows: rows.collect(),
    }
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

/// Roughly how long games of these bots take: what a ply costs with a table, and with minimax.
fn weight(bots: &[BotSpec; 2]) -> f64 {
    let weight = |bot: &BotSpec| {
        let is_minimax = bot.name() == "minimax-weak";
        let per_ply: f64 = if is_minimax { 4.0 } else { 2.0 };
        per_ply.powi(bot.options().depth as i32)
    };
    bots.iter().map(weight).sum()
}

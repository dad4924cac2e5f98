//! The scheduler: hands out the pairings that a format asks for, and takes their results in.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use cli_kit::Signals;
use tokio::sync::mpsc;
use tokio::time::sleep_until;

use crate::failure::milliseconds;
use crate::format::{Format, FormatError, FormatReport, Next, Schedule};
use crate::in_process::WorkerError;
use crate::journal::{Journal, JournalError};
use crate::ledger::{Coordinator, RunEnd};
use crate::progress::TournamentProgress;
use crate::queues::WorkerReport;
use crate::results::{Results, ResultsError};
use crate::statistics::PoolError;
use crate::worker_pool::WorkerPool;
use crate::{BotId, Failure, Fault, GameRecord, PairRecord, Pairing, RunConfig, TournamentPlan};

/// How many pairings may wait for each worker: games within the process are over faster than one
/// thread wakes another up.
const WAITING_JOBS: usize = 32;

/// A tournament to play or to resume.
pub struct Tournament {
    /// Everything that decides its games.
    pub plan: Arc<TournamentPlan>,
    /// How it is conducted.
    pub config: Arc<RunConfig>,
    /// Where finished pairings are kept, if anywhere.
    pub journal: Option<Journal>,
    /// What was played before.
    pub played: Vec<PairRecord>,
}

/// The results of a tournament.
#[derive(Clone, Debug)]
pub struct PlayedTournament {
    /// Every pairing that counts, in the order of the schedule.
    pub pairs: Vec<PairRecord>,
    /// How many games there were to be, if that is known.
    pub planned: Option<u64>,
    /// What the format makes of them.
    pub report: FormatReport,
    /// Why it ended before its last game, if it did.
    pub failure: Option<Failure>,
}

/// Receives the progress of a tournament. Every method has a default that does nothing.
pub trait Observer {
    /// It begins, with the pairings played before and the number of games, if that is known.
    fn began(&mut self, _played: &mut dyn Iterator<Item = &PairRecord>, _games: Option<u64>) {}
    fn over(&mut self, _game: &GameRecord) {}
    /// Pairings are finished and recorded. `report` is the format's report on all of them.
    fn done(&mut self, _pairs: &[PairRecord], _report: &FormatReport) {}
}

/// No-op observer.
impl Observer for () {}

/// Shows progress to people.
impl Observer for TournamentProgress {
    fn began(&mut self, played: &mut dyn Iterator<Item = &PairRecord>, games: Option<u64>) {
        self.resumed(played);
        self.started(games);
    }

    fn over(&mut self, game: &GameRecord) {
        TournamentProgress::over(self, game);
    }

    fn done(&mut self, pairs: &[PairRecord], report: &FormatReport) {
        if let FormatReport::Sprt(report) = report {
            self.sprt(&report.answer);
        }
        for pair in pairs {
            self.pair(pair);
        }
    }
}

impl PlayedTournament {
    /// What a plan came to so far, by what was played of it.
    ///
    /// # Errors
    /// What was played does not follow from the plan.
    pub(crate) fn so_far(
        plan: Arc<TournamentPlan>,
        config: Arc<RunConfig>,
        played: Vec<PairRecord>,
    ) -> Result<PlayedTournament, TournamentError> {
        let mut scheduler = Scheduler::new(Tournament {
            plan,
            config,
            journal: None,
            played,
        })?;
        let end = scheduler.results.end();
        let mut id = 0;
        while id <= end
            && let Next::Play(_) = scheduler.schedule.next(id, &scheduler.results)
        {
            id += 1;
        }
        Ok(scheduler.close(None))
    }
}

/// Why a tournament could not be played at all, or not be kept.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The system gives no thread or signal handler.
    #[error("this system does not let the program run")]
    System(#[source] io::Error),
    /// A thread cannot be started, or a bot cannot play within this process.
    #[error(transparent)]
    WorkerHandle(#[from] WorkerError),
    /// The format has no place for the bots.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A bot played that does not take part.
    #[error("what was played cannot be counted")]
    Count(#[from] PoolError),
    /// What was played before does not follow from the plan.
    #[error("pairing {id} is on record between other bots or from another opening than planned")]
    OtherPairing {
        /// Its number.
        id: u64,
    },
    /// What was played before cannot be.
    #[error("what was played before cannot be")]
    Results(#[from] ResultsError),
}

impl Tournament {
    /// Plays the remaining pairings. Ctrl-C and SIGTERM end it; the outcome contains what was
    /// played by then.
    ///
    /// # Errors
    /// When the system or the journal fails. A fault of a bot or a server is a
    /// [`Failure`] of the tournament, or a forfeit of a game.
    pub async fn play(
        self,
        observer: &mut dyn Observer,
    ) -> Result<PlayedTournament, TournamentError> {
        let mut signals = Signals::with_hangup().map_err(TournamentError::System)?;
        let mut scheduler = Scheduler::new(self)?;
        scheduler.begin(observer);
        let waiting = scheduler.config.concurrency.saturating_mul(WAITING_JOBS);
        let mut pool = WorkerPool::open(&scheduler.plan, &scheduler.config, waiting)?;
        let queues = (&pool.jobs, &mut pool.reports);
        let failure = scheduler.run(queues, &mut signals, observer).await;
        pool.close().await;
        Ok(scheduler.close(failure?))
    }

    /// The same on a ledger: workers on any machines play, and the ledger keeps what they played. Pairings are recorded
    /// in the order of the schedule.
    ///
    /// # Errors
    /// As for [`Tournament::play`].
    pub(crate) async fn play_on(
        self,
        mut coordinator: Coordinator,
        observer: &mut dyn Observer,
    ) -> Result<PlayedTournament, TournamentError> {
        let mut signals = Signals::with_hangup().map_err(TournamentError::System)?;
        let mut scheduler = Scheduler::new(self)?;
        scheduler.is_ordered = true;
        let mut failure = scheduler.keep_all(coordinator.take_results(), &mut ())?;
        scheduler.begin(observer);
        let mut pool = coordinator.start(&scheduler.plan);
        if failure.is_none() {
            let queues = (&pool.jobs, &mut pool.reports);
            failure = match scheduler.run(queues, &mut signals, observer).await {
                Ok(failure) => failure,
                Err(error) => {
                    pool.close(RunEnd::Interrupted).await;
                    return Err(error);
                }
            };
        }
        let end = match &failure {
            None => RunEnd::Complete {
                counted: scheduler.results.prefix(),
            },
            Some(failure @ (Failure::Bot { .. } | Failure::RunTooLong { .. })) => RunEnd::Stopped {
                reason: failure.to_string(),
            },
            Some(_) => RunEnd::Interrupted,
        };
        tokio::select! {
            closed = pool.close(end) => failure = failure.or(closed),
            signal = signals.next() => failure = failure.or_else(|| Some(signal.into())),
        }
        Ok(scheduler.close(failure))
    }
}

/// Where the schedule is kept and results are written down.
struct Scheduler {
    plan: Arc<TournamentPlan>,
    config: Arc<RunConfig>,
    journal: Option<Journal>,
    schedule: Box<dyn Schedule>,
    results: Results,
    pairs: BTreeMap<u64, PairRecord>,
    /// Whether pairings are recorded in the order of the schedule.
    is_ordered: bool,
    /// What is finished, but cannot be recorded before others are.
    ahead: BTreeMap<u64, PairRecord>,
    /// The next pairing to ask the schedule for.
    next: u64,
    /// Whether all that counts is finished.
    is_done: bool,
    /// How many games each bot has forfeited in a row.
    forfeits: BTreeMap<BotId, u32>,
}

impl Scheduler {
    fn new(tournament: Tournament) -> Result<Scheduler, TournamentError> {
        let plan = tournament.plan;
        let mut scheduler = Scheduler {
            schedule: plan.format.schedule(&plan)?,
            results: Results::new(plan.participants.len()),
            plan,
            is_ordered: tournament.config.reproducible,
            config: tournament.config,
            journal: tournament.journal,
            pairs: BTreeMap::new(),
            ahead: BTreeMap::new(),
            next: 0,
            is_done: false,
            forfeits: BTreeMap::new(),
        };
        for pair in tournament.played {
            scheduler.results.insert(&pair)?;
            scheduler.pairs.insert(pair.pairing.id, pair);
        }
        Ok(scheduler)
    }

    fn begin(&mut self, observer: &mut dyn Observer) {
        // The schedule knows how long it is once it is asked for something.
        self.schedule.next(0, &self.results);
        observer.began(&mut self.pairs.values(), self.planned());
    }

    /// Plays until nothing is left to be played, or until something ends it early.
    async fn run(
        &mut self,
        (jobs, reports): (&mpsc::Sender<Pairing>, &mut mpsc::Receiver<WorkerReport>),
        signals: &mut Signals,
        observer: &mut dyn Observer,
    ) -> Result<Option<Failure>, TournamentError> {
        let limit = self.config.timeouts.per_run;
        let began = Instant::now();
        let is_over = async move {
            match limit {
                Some(limit) => sleep_until((began + limit).into()).await,
                None => std::future::pending().await,
            }
        };
        let mut is_over = std::pin::pin!(is_over);
        loop {
            self.hand_out(jobs)?;
            if self.is_done {
                return Ok(None);
            }
            let report = tokio::select! {
                signal = signals.next() => return Ok(Some(signal.into())),
                () = &mut is_over => {
                    let limit_ms = limit.map_or(0, milliseconds);
                    return Ok(Some(Failure::RunTooLong { limit_ms }));
                }
                report = reports.recv() => report,
            };
            if let Some(failure) = self.take_in(report, reports, observer)? {
                return Ok(Some(failure));
            }
        }
    }

    /// Hands out as many pairings as the workers have room for.
    fn hand_out(&mut self, jobs: &mpsc::Sender<Pairing>) -> Result<(), TournamentError> {
        while !self.is_done
            && let Ok(place) = jobs.try_reserve()
        {
            match self.schedule.next(self.next, &self.results) {
                Next::Play(pairing) => {
                    self.next += 1;
                    match self.results.get(pairing.id) {
                        None if self.ahead.contains_key(&pairing.id) => {}
                        None => place.send(pairing),
                        Some(known) if known.pairing == pairing => {}
                        Some(_) => {
                            let id = pairing.id;
                            return Err(TournamentError::OtherPairing { id });
                        }
                    }
                }
                Next::Wait => break,
                Next::Done => self.is_done = true,
            }
        }
        Ok(())
    }

    /// Handles a report and those that have come meanwhile, so that the journal is written
    /// once for all of it.
    fn take_in(
        &mut self,
        first: Option<WorkerReport>,
        reports: &mut mpsc::Receiver<WorkerReport>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Failure>, TournamentError> {
        let mut pairs = Vec::new();
        let mut failure = None;
        let mut report = first;
        while let Some(reported) = report {
            match reported {
                WorkerReport::Over(game) => observer.over(&game),
                WorkerReport::Done(mut pair) => {
                    if self.config.reproducible {
                        pair.forget_times();
                    }
                    if self.plan.in_process {
                        pair.games.iter().for_each(|game| observer.over(game));
                    }
                    pairs.push(pair);
                }
                WorkerReport::Failed(failed) => {
                    failure.get_or_insert(failed);
                }
            }
            report = reports.try_recv().ok();
        }
        let kept = self.keep_all(pairs, observer)?;
        Ok(failure.or(kept))
    }

    /// Records finished pairings, or what of them is next in the order of the schedule.
    fn keep_all(
        &mut self,
        pairs: Vec<PairRecord>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Failure>, TournamentError> {
        let pairs = match self.is_ordered {
            true => self.next_in_order(pairs)?,
            false => pairs,
        };
        if let Err(error) = self.keep(&pairs) {
            // What is not on record is not played: it will be, when the tournament goes on.
            if self.is_ordered {
                self.count_again()?;
            }
            let message = cli_kit::explain(&error);
            return Ok(Some(Failure::Journal { message }));
        }
        let mut failure = None;
        for pair in &pairs {
            if !self.is_ordered {
                self.results.insert(pair)?;
            }
            failure = failure.or_else(|| self.lose_patience(pair));
        }
        if !pairs.is_empty() {
            observer.done(&pairs, &self.schedule.report(&self.results));
        }
        for pair in pairs {
            self.pairs.insert(pair.pairing.id, pair);
        }
        Ok(failure)
    }

    /// Adds pairings to those that are ahead. Takes from them, and counts, those whose turn it is.
    fn next_in_order(
        &mut self,
        pairs: Vec<PairRecord>,
    ) -> Result<Vec<PairRecord>, TournamentError> {
        let added = pairs.into_iter().map(|pair| (pair.pairing.id, pair));
        self.ahead.extend(added);
        let mut ready = Vec::new();
        while !self.is_decided()
            && let Some(pair) = self.ahead.remove(&self.results.prefix())
        {
            self.results.insert(&pair)?;
            ready.push(pair);
        }
        Ok(ready)
    }

    /// Whether the pairings so far have decided the tournament, so that further ones do not count.
    fn is_decided(&mut self) -> bool {
        self.schedule.next(self.next, &self.results);
        let counted = self.schedule.counted();
        counted.is_some_and(|counted| self.results.prefix() >= counted)
    }

    /// Counts only what is recorded.
    fn count_again(&mut self) -> Result<(), ResultsError> {
        self.results = Results::new(self.plan.participants.len());
        (self.pairs.values()).try_for_each(|pair| self.results.insert(pair))
    }

    fn keep(&mut self, pairs: &[PairRecord]) -> Result<(), JournalError> {
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        if pairs.is_empty() {
            return Ok(());
        }
        // The disk may take its time: the workers go on meanwhile, on threads of their own.
        journal.append(pairs)
    }

    /// The failure of a bot that forfeits one game after the other.
    fn lose_patience(&mut self, pair: &PairRecord) -> Option<Failure> {
        for game in &pair.games {
            for bot in pair.pairing.bots {
                let forfeit = game.forfeit().filter(|forfeit| forfeit.bot == bot);
                let row = self.forfeits.entry(bot).or_default();
                *row = if forfeit.is_some() { *row + 1 } else { 0 };
                if let Some(forfeit) = forfeit
                    && *row >= self.config.patience
                {
                    return Some(Failure::Bot {
                        bot,
                        games: *row,
                        fault: Fault::clone(&forfeit.fault),
                        stderr: forfeit.stderr.clone(),
                    });
                }
            }
        }
        None
    }

    /// How many games there are to be, if that is known.
    fn planned(&self) -> Option<u64> {
        let total = self.schedule.total()?;
        match self.plan.format {
            // The last pairing may have one game only.
            Format::Match { games } => Some(games),
            _ => Some(total.saturating_mul(self.plan.games_per_pairing().into())),
        }
    }

    fn close(mut self, failure: Option<Failure>) -> PlayedTournament {
        let planned = self.planned();
        if let Some(counted) = self.schedule.counted() {
            self.pairs.split_off(&counted);
        }
        PlayedTournament {
            pairs: self.pairs.into_values().collect(),
            planned,
            report: self.schedule.report(&self.results),
            failure,
        }
    }
}

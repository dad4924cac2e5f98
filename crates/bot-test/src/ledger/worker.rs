//! A process that plays pairings of a run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ledger_kit::tasks::Numbered;
use ledger_kit::{LedgerError, LedgerRun, Pauses, Worker, WorkerEntry};
use postgres_kit::Connector;
use tokio::time::sleep_until;

use super::error::LedgerFailure;
use super::pace::Pace;
use super::{machines, tasks};
use crate::format::FormatReport;
use crate::in_process::WorkerError;
use crate::queues::WorkerReport;
use crate::worker_pool::WorkerPool;
use crate::{Failure, Machine, Observer, PairRecord, RunConfig, TournamentPlan};

/// The most pairings that a worker has.
const MOST: usize = 512;

/// Between claims while there is nothing to play.
const SHORTEST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Why a worker cannot join a run or has to leave it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WorkError {
    /// The ledger, or the run.
    #[error(transparent)]
    Ledger(#[from] LedgerFailure),
    /// A thread or a bot cannot be started.
    #[error("this machine cannot play the games of the run")]
    Worker(#[from] WorkerError),
    /// A server, a bot or the system failed during a game.
    #[error("{0}")]
    Failed(Failure),
    /// This program does not understand the command that began the run.
    #[error("the command of run {run} cannot be understood: {message}")]
    Command {
        run: String,
        /// Why.
        message: String,
    },
}

impl From<LedgerError> for WorkError {
    fn from(error: LedgerError) -> WorkError {
        WorkError::Ledger(error.into())
    }
}

impl From<WorkError> for Failure {
    fn from(error: WorkError) -> Failure {
        match error {
            WorkError::Failed(failure) => failure,
            WorkError::Ledger(_) | WorkError::Worker(_) | WorkError::Command { .. } => {
                let message = cli_kit::explain(&error);
                Failure::Ledger { message }
            }
        }
    }
}

/// A worker of a run.
pub(crate) struct Member {
    worker: Worker,
    pool: WorkerPool,
    plan: Arc<TournamentPlan>,
    config: Arc<RunConfig>,
    /// Pairings whose results count.
    played: usize,
}

impl Member {
    /// Becomes a worker of a run.
    pub(super) async fn enter(
        connector: Connector,
        run: LedgerRun,
        plan: &Arc<TournamentPlan>,
        config: &Arc<RunConfig>,
        lease: Duration,
    ) -> Result<Member, WorkError> {
        let waiting = MOST.max(2 * config.concurrency);
        let pool = WorkerPool::open(plan, config, waiting)?;
        let speed = machines::is_timed(plan).then(machines::speed);
        let machine = serde_json::to_string(&Machine::this()).expect("a machine has a JSON form");
        let allows_unequal = run.allows_unequal;
        let entry = WorkerEntry {
            machine: &machine,
            speed,
            lease,
        };
        let mut worker = Worker::enter(connector, run, entry).await?;
        if let Some(speed) = speed
            && !allows_unequal
        {
            let expected = worker.first_speed().await?.unwrap_or(speed);
            if !machines::are_equal(speed, expected) {
                let (run, tolerance) = (worker.run().name.clone(), machines::TOLERANCE);
                worker.withdraw().await?;
                let error = LedgerFailure::Unequal {
                    run,
                    speed,
                    expected,
                    tolerance,
                };
                return Err(error.into());
            }
        }
        Ok(Member {
            worker,
            pool,
            plan: Arc::clone(plan),
            config: Arc::clone(config),
            played: 0,
        })
    }

    /// The name of the run.
    pub(crate) fn run(&self) -> &str {
        &self.worker.run().name
    }

    /// How many bots take part.
    pub(crate) fn bots(&self) -> usize {
        self.plan.participants.len()
    }

    /// How many pairings it has played that count.
    pub(crate) fn played(&self) -> usize {
        self.played
    }

    /// Plays until the run is complete, or until `stopped` is ready, whose output it returns. Games may still be in
    /// play then; see [`Member::leave`].
    ///
    /// # Errors
    /// When the worker cannot go on. While the ledger is not available, it waits.
    pub(crate) async fn play<T>(
        &mut self,
        observer: &mut (dyn Observer + Send),
        stopped: impl Future<Output = T>,
    ) -> Result<Option<T>, WorkError> {
        let mut lease = self.worker.lease();
        tokio::select! {
            ended = self.serve(observer) => ended.map(|()| None),
            ended = lease.renew() => ended.map(|()| None).map_err(WorkError::from),
            stop = stopped => Ok(Some(stop)),
        }
    }

    async fn serve(&mut self, observer: &mut (dyn Observer + Send)) -> Result<(), WorkError> {
        let mut pauses = Pauses::new(SHORTEST_PAUSE, LONGEST_PAUSE);
        let mut pace = Pace::new(Instant::now());
        let mut next_claim = Instant::now();
        loop {
            let wanted = self.wanted(&pace);
            if wanted > 0 && Instant::now() >= next_claim {
                let found = self.claim(wanted).await?;
                if found > 0 {
                    pauses.reset();
                }
                if found < wanted {
                    next_claim = Instant::now() + pauses.next();
                }
                if found == 0 && self.worker.is_over().await? {
                    return Ok(());
                }
                continue;
            }
            tokio::select! {
                report = self.pool.reports.recv() => {
                    let finished = self.take_in(report, observer).await?;
                    pace.count(finished, Instant::now());
                }
                () = sleep_until(next_claim.into()), if wanted > 0 => {}
            }
        }
    }

    /// How many pairings to claim: enough for a while, but only when few are left.
    fn wanted(&self, pace: &Pace) -> usize {
        let target = pace
            .batch()
            .clamp(self.config.concurrency, MOST.max(self.config.concurrency));
        let held = self.worker.held();
        if held < self.config.concurrency || held * 2 <= target {
            target.saturating_sub(held)
        } else {
            0
        }
    }

    async fn claim(&mut self, wanted: usize) -> Result<usize, LedgerError> {
        let claims = self.worker.claim(wanted).await?;
        for claim in &claims {
            let pairing = tasks::pairing(self.worker.run(), claim.id, &claim.task)?;
            // There is room for as many as it may have. One that is in play already counts for the new attempt.
            if claim.is_new && self.pool.jobs.try_send(pairing).is_err() {
                self.worker.forget(claim.id);
            }
        }
        Ok(claims.len())
    }

    /// Reports what is finished. Returns how many pairings that are.
    async fn take_in(
        &mut self,
        first: Option<WorkerReport>,
        observer: &mut (dyn Observer + Send),
    ) -> Result<usize, WorkError> {
        let mut pairs = Vec::new();
        let (mut failure, mut report) = (None, first);
        while let Some(reported) = report {
            match reported {
                WorkerReport::Over(game) => observer.over(&game),
                WorkerReport::Done(pair) => {
                    if self.worker.has(pair.pairing.id) {
                        pairs.push(self.finish(pair, observer));
                    }
                }
                WorkerReport::Failed(failed) => failure = Some(failed),
            }
            report = self.pool.reports.try_recv().ok();
        }
        if !pairs.is_empty() {
            self.report(&pairs).await?;
            observer.done(&pairs, &FormatReport::Plain);
        }
        match failure {
            Some(failure) => Err(WorkError::Failed(failure)),
            None => Ok(pairs.len()),
        }
    }

    /// A finished pairing as it is reported.
    fn finish(&self, mut pair: PairRecord, observer: &mut (dyn Observer + Send)) -> PairRecord {
        if self.config.reproducible {
            pair.forget_times();
        }
        if self.plan.in_process {
            pair.games.iter().for_each(|game| observer.over(game));
        }
        pair
    }

    async fn report(&mut self, pairs: &[PairRecord]) -> Result<(), LedgerError> {
        let results: Vec<Numbered> = pairs.iter().map(tasks::result).collect();
        self.played += self.worker.report(&results).await?;
        Ok(())
    }

    /// Ends its games, and gives back what it has not played.
    pub(crate) async fn leave(self) {
        self.pool.close().await;
        self.worker.leave().await;
    }
}

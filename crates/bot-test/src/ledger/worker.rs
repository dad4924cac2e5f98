//! A process that plays pairings of a run.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use postgres_kit::Connector;
use tokio::time::{sleep, sleep_until, timeout};

use super::database::Database;
use super::error::LedgerError;
use super::pace::Pace;
use super::retry::Pauses;
use super::runs::{self, Run, State};
use super::{machines, tasks};
use crate::format::FormatReport;
use crate::in_process::WorkerError;
use crate::queues::WorkerReport;
use crate::stderr::print_stderr;
use crate::worker_pool::WorkerPool;
use crate::{Failure, Machine, Observer, PairRecord, RunConfig, TournamentPlan};

/// The most pairings that a worker has.
const MOST: usize = 512;

/// Between claims while there is nothing to play.
const SHORTEST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// How long giving back may take: the end of the lease does the same.
const LEAVE: Duration = Duration::from_secs(5);

const ENTER: &str = "
    INSERT INTO tournament_worker (run, name, machine, speed, lease)
    VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5)) RETURNING id";
const FIRST_SPEED: &str = "
    SELECT speed FROM tournament_worker WHERE run = $1 AND speed IS NOT NULL ORDER BY id LIMIT 1";
const REMOVE: &str = "DELETE FROM tournament_worker WHERE id = $1";
const RENEW: &str = "
    UPDATE tournament_worker AS worker SET lease = now() + make_interval(secs => $2)
    FROM tournament_run AS run WHERE worker.id = $1 AND run.id = worker.run RETURNING run.id";

/// Why a worker cannot join a run or has to leave it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WorkError {
    /// The ledger, or the run.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A thread or a bot cannot be started.
    #[error("this machine cannot play the games of the run")]
    Worker(#[from] WorkerError),
    /// A server, a bot or the system failed during a game.
    #[error("{0}")]
    Failed(Failure),
    /// This program does not understand the command that began the run.
    #[error("the command of run {run} cannot be understood: {message}")]
    Command {
        /// The run.
        run: String,
        /// Why.
        message: String,
    },
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
#[derive(Debug)]
pub(crate) struct Member {
    database: Database,
    connector: Connector,
    run: Run,
    id: i32,
    lease: Duration,
    plan: Arc<TournamentPlan>,
    config: Arc<RunConfig>,
    /// The attempts of the pairings that it has.
    held: HashMap<u64, i32>,
    /// Pairings whose results count.
    played: usize,
}

impl Member {
    /// Becomes a worker of a run.
    pub(super) async fn enter(
        connector: Connector,
        run: Run,
        plan: &Arc<TournamentPlan>,
        config: &Arc<RunConfig>,
        lease: Duration,
    ) -> Result<Member, WorkError> {
        let mut database = Database::open(connector.clone()).await?;
        let speed = machines::is_timed(plan).then(machines::speed);
        let machine = serde_json::to_string(&Machine::this()).expect("a machine has a JSON form");
        let name = worker_name();
        let values: [&(dyn tokio_postgres::types::ToSql + Sync); 5] =
            [&run.id, &name, &machine, &speed, &lease.as_secs_f64()];
        let rows = database.query(ENTER, &values).await?;
        let id: i32 = match rows.first() {
            Some(row) => row.get(0),
            None => return Err(removed(&database, &run).into()),
        };
        if let Some(speed) = speed
            && !run.allows_unequal
        {
            let first = database.query(FIRST_SPEED, &[&run.id]).await?;
            let expected = first.first().map_or(speed, |row| row.get(0));
            if !machines::are_equal(speed, expected) {
                database.query(REMOVE, &[&id]).await?;
                let (run, tolerance) = (run.name, machines::TOLERANCE);
                return Err(WorkError::Ledger(LedgerError::Unequal {
                    run,
                    speed,
                    expected,
                    tolerance,
                }));
            }
        }
        Ok(Member {
            database,
            connector,
            run,
            id,
            lease,
            plan: Arc::clone(plan),
            config: Arc::clone(config),
            held: HashMap::new(),
            played: 0,
        })
    }

    /// The name of the run.
    pub(crate) fn run(&self) -> &str {
        &self.run.name
    }

    /// How many bots take part.
    pub(crate) fn bots(&self) -> usize {
        self.plan.participants.len()
    }

    /// How many pairings it has played that count.
    pub(crate) fn played(&self) -> usize {
        self.played
    }

    /// Plays until the run is complete, or until `stopped` is ready, whose output it returns. Does not release its
    /// pairings; see [`Member::leave`].
    ///
    /// # Errors
    /// When the worker cannot go on. While the ledger is not available, it waits.
    pub(crate) async fn play<T>(
        &mut self,
        observer: &mut (dyn Observer + Send),
        stopped: impl Future<Output = T>,
    ) -> Result<Option<T>, WorkError> {
        let waiting = MOST.max(2 * self.config.concurrency);
        let mut pool = WorkerPool::open(&self.plan, &self.config, waiting)?;
        let beat = renew(
            self.connector.clone(),
            self.run.clone(),
            self.id,
            self.lease,
        );
        let ended = tokio::select! {
            ended = self.serve(&mut pool, observer) => ended.map(|()| None),
            ended = beat => ended.map(|()| None).map_err(WorkError::from),
            stop = stopped => Ok(Some(stop)),
        };
        // Servers and bots of a game in play would outlive the worker.
        pool.close().await;
        ended
    }

    async fn serve(
        &mut self,
        pool: &mut WorkerPool,
        observer: &mut (dyn Observer + Send),
    ) -> Result<(), WorkError> {
        let mut pauses = Pauses::new(SHORTEST_PAUSE, LONGEST_PAUSE);
        let mut pace = Pace::new(Instant::now());
        let mut next_claim = Instant::now();
        loop {
            let wanted = self.wanted(&pace);
            if wanted > 0 && Instant::now() >= next_claim {
                let found = self.claim(pool, wanted).await?;
                if found > 0 {
                    pauses.reset();
                }
                if found < wanted {
                    next_claim = Instant::now() + pauses.next();
                }
                if found == 0 && self.is_over().await? {
                    return Ok(());
                }
                continue;
            }
            tokio::select! {
                report = pool.reports.recv() => {
                    let finished = self.take_in(report, pool, observer).await?;
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
        let held = self.held.len();
        if held < self.config.concurrency || held * 2 <= target {
            target.saturating_sub(held)
        } else {
            0
        }
    }

    async fn claim(&mut self, pool: &WorkerPool, wanted: usize) -> Result<usize, LedgerError> {
        let held = self.held.keys().copied();
        let claims = tasks::claim(&mut self.database, &self.run, self.id, wanted, held).await?;
        for claim in &claims {
            let id = claim.pairing.id;
            let is_new = self.held.insert(id, claim.attempt).is_none();
            // There is room for as many as it may have. One that is in play already counts for the new attempt.
            if is_new && pool.jobs.try_send(claim.pairing).is_err() {
                self.held.remove(&id);
            }
        }
        Ok(claims.len())
    }

    /// Whether the run is complete.
    async fn is_over(&mut self) -> Result<bool, LedgerError> {
        match runs::state(&mut self.database, self.run.id).await? {
            Some(State::Open) => Ok(false),
            Some(State::Complete) => Ok(true),
            Some(State::Stopped(reason)) => {
                let run = self.run.name.clone();
                Err(LedgerError::Stopped { run, reason })
            }
            None => Err(removed(&self.database, &self.run)),
        }
    }

    /// Reports what is finished. Returns how many pairings that are.
    async fn take_in(
        &mut self,
        first: Option<WorkerReport>,
        pool: &mut WorkerPool,
        observer: &mut (dyn Observer + Send),
    ) -> Result<usize, WorkError> {
        let (mut pairs, mut attempts) = (Vec::new(), Vec::new());
        let (mut failure, mut report) = (None, first);
        while let Some(reported) = report {
            match reported {
                WorkerReport::Over(game) => observer.over(&game),
                WorkerReport::Done(pair) => {
                    if let Some(&attempt) = self.held.get(&pair.pairing.id) {
                        pairs.push(self.finish(pair, observer));
                        attempts.push(attempt);
                    }
                }
                WorkerReport::Failed(failed) => failure = Some(failed),
            }
            report = pool.reports.try_recv().ok();
        }
        if !pairs.is_empty() {
            self.report(&pairs, &attempts).await?;
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

    async fn report(&mut self, pairs: &[PairRecord], attempts: &[i32]) -> Result<(), LedgerError> {
        let counted = tasks::report(&mut self.database, &self.run, pairs, attempts).await?;
        for pair in pairs {
            self.held.remove(&pair.pairing.id);
        }
        self.played += counted;
        let (all, late) = (pairs.len(), pairs.len() - counted);
        if late > 0 && !self.is_over().await? {
            print_stderr(&format!(
                "warning: {late} of {all} results came too late and are dropped\n"
            ));
        }
        Ok(())
    }

    /// Gives back what it has not played.
    pub(crate) async fn leave(mut self) {
        let given_back = tasks::give_back(&mut self.database, &self.run, self.id);
        // Without it, others wait for the end of the lease.
        let _ = timeout(LEAVE, given_back).await;
    }
}

/// Renews a lease, until the run is removed.
async fn renew(
    connector: Connector,
    run: Run,
    worker: i32,
    lease: Duration,
) -> Result<(), LedgerError> {
    let mut database = Database::silent(connector);
    loop {
        sleep(lease / 3).await;
        let values: [&(dyn tokio_postgres::types::ToSql + Sync); 2] =
            [&worker, &lease.as_secs_f64()];
        let rows = database.query(RENEW, &values).await?;
        if rows.is_empty() {
            return Err(removed(&database, &run));
        }
        match runs::state(&mut database, run.id).await? {
            Some(State::Complete) => return Ok(()),
            Some(State::Open | State::Stopped(_)) | None => {}
        }
    }
}

fn removed(database: &Database, run: &Run) -> LedgerError {
    LedgerError::NoRun {
        address: database.address().clone(),
        run: run.name.clone(),
    }
}

/// The machine and the process, for people.
fn worker_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = if host.trim().is_empty() {
        "worker"
    } else {
        host.trim()
    };
    format!("{host}:{}", std::process::id())
}

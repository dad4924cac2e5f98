//! A process that works on a run.

use std::collections::HashMap;
use std::time::Duration;

use postgres_kit::Connector;
use tokio::time::{sleep, timeout};
use tokio_postgres::types::ToSql;

use crate::database::Database;
use crate::error::LedgerError;
use crate::runs::{self, LedgerRun, RunState};
use crate::tasks::{self, Numbered};

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

/// What the ledger records of a worker.
#[derive(Clone, Copy, Debug)]
pub struct WorkerEntry<'a> {
    /// Its machine, in a form that its program reads.
    pub machine: &'a str,
    /// How fast it is, where that matters.
    pub speed: Option<f64>,
    /// How long tasks belong to it while it is silent.
    pub lease: Duration,
}

/// A task that a worker has claimed.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// Its number.
    pub id: u64,
    /// What it is.
    pub task: String,
    /// Whether the worker did not have it already. If it had, a result counts for the new attempt.
    pub is_new: bool,
}

/// The lease of a worker's tasks, on a connection of its own.
#[derive(Debug)]
pub struct Lease {
    database: Database,
    run: LedgerRun,
    worker: i32,
    time: Duration,
}

/// A worker of a run.
#[derive(Debug)]
pub struct Worker {
    database: Database,
    connector: Connector,
    run: LedgerRun,
    id: i32,
    lease: Duration,
    /// The attempts of the tasks that it has.
    held: HashMap<u64, i32>,
}

impl Worker {
    /// Becomes a worker of a run.
    ///
    /// # Errors
    /// A database that cannot be used, or a run that was removed.
    pub async fn enter(
        connector: Connector,
        run: LedgerRun,
        entry: WorkerEntry<'_>,
    ) -> Result<Worker, LedgerError> {
        let mut database = Database::open(connector.clone()).await?;
        let WorkerEntry {
            machine,
            speed,
            lease,
        } = entry;
        let name = worker_name();
        let values: [&(dyn ToSql + Sync); 5] =
            [&run.id, &name, &machine, &speed, &lease.as_secs_f64()];
        let rows = database.query(ENTER, &values).await?;
        let id: i32 = match rows.first() {
            Some(row) => row.get(0),
            None => return Err(removed(&database, &run)),
        };
        Ok(Worker {
            database,
            connector,
            run,
            id,
            lease,
            held: HashMap::new(),
        })
    }

    /// The speed of the first worker of the run that has one.
    ///
    /// # Errors
    /// As for [`Database::query`].
    pub async fn first_speed(&mut self) -> Result<Option<f64>, LedgerError> {
        let rows = self.database.query(FIRST_SPEED, &[&self.run.id]).await?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    /// Leaves the run without a trace.
    ///
    /// # Errors
    /// As for [`Database::query`].
    pub async fn withdraw(mut self) -> Result<(), LedgerError> {
        self.database.query(REMOVE, &[&self.id]).await?;
        Ok(())
    }

    pub fn run(&self) -> &LedgerRun {
        &self.run
    }

    /// Reads at most `most` results of the run, beginning with task `from`.
    ///
    /// # Errors
    /// As for [`Database::query`].
    pub async fn results(&mut self, from: u64, most: usize) -> Result<Vec<Numbered>, LedgerError> {
        tasks::results(
            &mut self.database,
            &self.run,
            from,
            std::iter::empty(),
            most,
        )
        .await
    }

    /// Records that the run is complete if it is, as [`runs::settle`].
    ///
    /// # Errors
    /// As for [`Database::query`].
    pub async fn settle(&mut self) -> Result<(), LedgerError> {
        runs::settle(&mut self.database, self.run.id).await
    }

    /// How many tasks it has.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Whether it has a task.
    pub fn has(&self, task: u64) -> bool {
        self.held.contains_key(&task)
    }

    /// Has a task no more; it can be claimed again, also by this worker.
    pub fn forget(&mut self, task: u64) {
        self.held.remove(&task);
    }

    /// Claims at most `most` tasks more.
    ///
    /// # Errors
    /// As for [`Database::query`].
    pub async fn claim(&mut self, most: usize) -> Result<Vec<Claimed>, LedgerError> {
        let held = self.held.keys().copied();
        let claims = tasks::claim(&mut self.database, self.run.id, self.id, most, held).await?;
        let claimed = claims.into_iter().map(|claim| Claimed {
            id: claim.id,
            is_new: self.held.insert(claim.id, claim.attempt).is_none(),
            task: claim.task,
        });
        Ok(claimed.collect())
    }

    /// Reports results of tasks that it has. Returns how many count: others came too late.
    ///
    /// # Errors
    /// As for [`Database::query`].
    pub async fn report(&mut self, results: &[Numbered]) -> Result<usize, LedgerError> {
        let attempt = |(id, _): &Numbered| self.held.get(id).copied().unwrap_or(0);
        let attempts: Vec<i32> = results.iter().map(attempt).collect();
        let counted = tasks::report(&mut self.database, self.run.id, results, &attempts).await?;
        for (id, _) in results {
            self.held.remove(id);
        }
        let (all, late) = (results.len(), results.len() - counted);
        if late > 0 && !self.is_over().await? {
            crate::print_stderr(&format!(
                "warning: {late} of {all} results came too late and are dropped"
            ));
        }
        Ok(counted)
    }

    /// Whether the run is complete.
    ///
    /// # Errors
    /// A run that was stopped or removed.
    pub async fn is_over(&mut self) -> Result<bool, LedgerError> {
        match runs::state(&mut self.database, self.run.id).await? {
            Some(RunState::Open) => Ok(false),
            Some(RunState::Complete) => Ok(true),
            Some(RunState::Stopped(reason)) => {
                let run = self.run.name.clone();
                Err(LedgerError::Stopped { run, reason })
            }
            None => Err(removed(&self.database, &self.run)),
        }
    }

    /// The lease of its tasks.
    pub fn lease(&self) -> Lease {
        Lease {
            database: Database::silent(self.connector.clone()),
            run: self.run.clone(),
            worker: self.id,
            time: self.lease,
        }
    }

    /// Gives back the tasks without results.
    pub async fn leave(mut self) {
        let given_back = tasks::give_back(&mut self.database, self.run.id, self.id);
        // Without it, others wait for the end of the lease.
        let _ = timeout(LEAVE, given_back).await;
    }
}

impl Lease {
    /// Renews it until the run is complete. The run can be extended after that, and the lease renewed again.
    ///
    /// # Errors
    /// A run that was removed, and as for [`Database::query`].
    pub async fn renew(&mut self) -> Result<(), LedgerError> {
        loop {
            sleep(self.time / 3).await;
            let values: [&(dyn ToSql + Sync); 2] = [&self.worker, &self.time.as_secs_f64()];
            let rows = self.database.query(RENEW, &values).await?;
            if rows.is_empty() {
                return Err(removed(&self.database, &self.run));
            }
            match runs::state(&mut self.database, self.run.id).await? {
                Some(RunState::Complete) => return Ok(()),
                Some(RunState::Open | RunState::Stopped(_)) | None => {}
            }
        }
    }
}

fn removed(database: &Database, run: &LedgerRun) -> LedgerError {
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

//! The one thread that writes.
//!
//! It takes all jobs in the queue, commits them as one group, and answers. When a commit
//! fails, jobs that were certainly not written are refused at once; jobs that may have been written are
//! answered when the database can be written and read again. Until then new jobs are refused.

use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, mem, thread};

use tokio::runtime::Runtime;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant as Deadline, timeout_at};

use super::database::{Database, Failure, Outcome};
use super::directory::DataDirectory;
use crate::store::error::WriteError;
use crate::store::event::Append;
use crate::store::health::Health;
use crate::store::log::BatchOutcome;
use crate::store::stats::Counters;

/// Between a failure and the first attempt to write again; it doubles with each.
const FIRST_RETRY: Duration = Duration::from_millis(100);
const LAST_RETRY: Duration = Duration::from_secs(5);

/// Appends that are written in one transaction, and the receiver of their outcome.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) appends: Vec<Append>,
    pub(super) answer: oneshot::Sender<BatchOutcome>,
}

/// The channels and limits of the writer.
#[derive(Debug)]
pub(super) struct WriterConfig {
    pub(super) queue: mpsc::Receiver<Job>,
    pub(super) health: watch::Sender<Health>,
    pub(super) counters: Arc<Counters>,
    /// Jobs in one commit at most.
    pub(super) group: usize,
    /// Between the beginnings of two commits at least.
    pub(super) gather: Duration,
}

/// Starts the writer. It ends when nobody can send any more, having written what was queued; the
/// directory is locked until then.
pub(super) fn start<D: Database>(
    config: WriterConfig,
    database: D,
    directory: DataDirectory,
) -> io::Result<thread::JoinHandle<()>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    thread::Builder::new()
        .name("store-writer".into())
        .spawn(move || {
            Writer {
                config,
                database,
                unknown: Vec::new(),
                next_commit: Instant::now(),
            }
            .run(&runtime);
            drop(directory);
        })
}

impl Drop for WriterConfig {
    /// However the writer ends, everybody is to know.
    fn drop(&mut self) {
        self.health.send_replace(Health::Stopped);
    }
}

struct Writer<D> {
    config: WriterConfig,
    database: D,
    /// Writes whose commit failed so that nobody knows whether they are in the file.
    unknown: Vec<Job>,
    /// Until then a group gathers.
    next_commit: Instant,
}

impl<D: Database> Writer<D> {
    fn run(mut self, runtime: &Runtime) {
        let mut jobs = Vec::new();
        while self.gather(runtime, &mut jobs) {
            if let Err(failure) = self.commit(&mut jobs) {
                self.begin_failing(failure, &mut jobs);
                runtime.block_on(self.ride_out());
            }
        }
    }

    /// Fills `jobs` with what waits, once something does; false at the end. What comes after a
    /// pause does not wait; what comes soon after a commit waits for company.
    fn gather(&mut self, runtime: &Runtime, jobs: &mut Vec<Job>) -> bool {
        let WriterConfig { queue, group, .. } = &mut self.config;
        if runtime.block_on(queue.recv_many(jobs, *group)) == 0 {
            return false;
        }
        let now = Instant::now();
        if now < self.next_commit {
            thread::sleep(self.next_commit - now);
        }
        while jobs.len() < *group
            && let Ok(job) = queue.try_recv()
        {
            jobs.push(job);
        }
        true
    }

    /// Commits the jobs and answers them; leaves them if that fails.
    fn commit(&mut self, jobs: &mut Vec<Job>) -> Result<(), Failure> {
        let began = Instant::now();
        let (writes, waiting) = split(jobs);
        let committed = self.database.commit(&writes);
        let took = began.elapsed();
        self.next_commit = began + self.config.gather;
        match committed {
            Ok(outcomes) => {
                self.count(&writes, &outcomes, took);
                let mut outcomes = outcomes.into_iter();
                for (count, answer) in waiting {
                    send(answer, Ok(outcomes.by_ref().take(count).collect()));
                }
                Ok(())
            }
            Err(failure) => {
                *jobs = join(writes, waiting);
                Err(failure)
            }
        }
    }

    fn count(&self, writes: &[Append], outcomes: &[Outcome], took: Duration) {
        let refused = outcomes.iter().filter(|outcome| outcome.is_err()).count();
        let written = writes
            .iter()
            .zip(outcomes)
            .filter(|(_, outcome)| outcome.is_ok());
        let events = written.map(|(append, _)| append.events.len()).sum();
        self.config
            .counters
            .committed(writes.len(), refused, events, took);
    }

    fn begin_failing(&mut self, failure: Failure, jobs: &mut Vec<Job>) {
        let cause: Arc<str> = failure.cause.into();
        tracing::error!(%cause, writes = jobs.len(), "the store cannot write");
        self.config.counters.failed();
        self.config.health.send_replace(Health::Failing {
            cause: Arc::clone(&cause),
        });
        if failure.is_unknown {
            self.unknown.append(jobs);
        } else {
            jobs.drain(..).for_each(|job| refuse(job, &cause));
        }
    }

    /// Refuses whatever comes until the database can be written again.
    async fn ride_out(&mut self) {
        let mut pause = FIRST_RETRY;
        loop {
            let is_over = self.refuse_for(pause).await;
            match self.recover() {
                Ok(()) => return,
                Err(failure) => self.still_failing(failure),
            }
            if is_over {
                return; // what is unknown shows at the next start
            }
            pause = (pause * 2).min(LAST_RETRY);
        }
    }

    /// Refuses writes for some time; true if there will be no more.
    async fn refuse_for(&mut self, pause: Duration) -> bool {
        let end = Deadline::now() + pause;
        while let Ok(next) = timeout_at(end, self.config.queue.recv()).await {
            let Some(job) = next else {
                return true;
            };
            refuse(job, &self.cause());
        }
        false
    }

    fn recover(&mut self) -> Result<(), Failure> {
        let (writes, waiting) = split(&mut self.unknown);
        match self.database.recover(&writes) {
            Ok(written) => {
                let cause = self.cause();
                let mut written = written.into_iter();
                for job in join(writes, waiting) {
                    settle(job, written.by_ref(), &cause);
                }
                tracing::info!("the store writes again");
                self.config.health.send_replace(Health::Ready);
                Ok(())
            }
            Err(failure) => {
                self.unknown = join(writes, waiting);
                Err(failure)
            }
        }
    }

    fn still_failing(&self, failure: Failure) {
        let cause: Arc<str> = failure.cause.into();
        tracing::debug!(%cause, "the store still cannot write");
        let now = Health::Failing { cause };
        self.config
            .health
            .send_if_modified(|health| mem::replace(health, now.clone()) != now);
    }

    fn cause(&self) -> Arc<str> {
        match &*self.config.health.borrow() {
            Health::Failing { cause } => Arc::clone(cause),
            Health::Ready | Health::ReadOnly | Health::Stopped => "".into(),
        }
    }
}

/// Answers a job of a failed commit, now that it is known which of its appends were written.
fn settle(job: Job, written: impl Iterator<Item = bool>, cause: &Arc<str>) {
    let outcomes: Vec<Outcome> = job
        .appends
        .iter()
        .zip(written)
        .map(|(append, is_written)| match is_written {
            true => Ok(append.last()),
            false => Err(unavailable(cause)),
        })
        .collect();
    if outcomes.iter().any(Result::is_ok) {
        send(job.answer, Ok(outcomes));
    } else {
        refuse(job, cause);
    }
}

fn refuse(job: Job, cause: &Arc<str>) {
    send(job.answer, Err(unavailable(cause)));
}

fn send(answer: oneshot::Sender<BatchOutcome>, outcome: BatchOutcome) {
    // A caller that has gone does not need the outcome.
    _ = answer.send(outcome);
}

fn unavailable(cause: &Arc<str>) -> WriteError {
    let cause = Arc::clone(cause);
    WriteError::Unavailable { cause }
}

/// How many appends a job has, and the receiver of their outcome.
type Waiting = (usize, oneshot::Sender<BatchOutcome>);

/// Takes the jobs out, and leaves their room for the next ones.
fn split(jobs: &mut Vec<Job>) -> (Vec<Append>, Vec<Waiting>) {
    let (mut writes, mut waiting) = (Vec::new(), Vec::with_capacity(jobs.len()));
    for mut job in jobs.drain(..) {
        waiting.push((job.appends.len(), job.answer));
        writes.append(&mut job.appends);
    }
    (writes, waiting)
}

fn join(writes: Vec<Append>, waiting: Vec<Waiting>) -> Vec<Job> {
    let mut writes = writes.into_iter();
    let job = |(count, answer)| Job {
        appends: writes.by_ref().take(count).collect(),
        answer,
    };
    waiting.into_iter().map(job).collect()
}

//! The one thread that writes.
//!
//! It takes all jobs in the queue, commits them as one group, and answers. When a commit
//! fails, jobs that were certainly not written are refused at once; jobs that may have been written are
//! answered when the database can be written and read again. Until then new jobs are refused.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, mem, thread};

use futures::future::BoxFuture;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant as Deadline, timeout_at};

use super::database::{AppendResult, CommitFailure, Database};
use super::error::WriteError;
use super::event::Append;
use super::health::Health;
use super::log::BatchOutcome;
use super::stats::{Counters, StoreStats};

/// Between a failure and the first attempt to write again; it doubles with each.
const FIRST_RETRY: Duration = Duration::from_millis(100);
const LAST_RETRY: Duration = Duration::from_secs(5);

/// While a commit takes long.
const SLOW: &str = "the database does not answer";

/// Appends that are written in one transaction, and the receiver of their outcome.
#[derive(Debug)]
struct WriteJob {
    appends: Vec<Append>,
    answer: oneshot::Sender<BatchOutcome>,
}

/// How the writer groups what it writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct WriterLimits {
    /// The most batches that wait. Further appends wait.
    pub(super) queue: usize,
    /// Jobs in one commit at most.
    pub(super) group: usize,
    /// Between the beginnings of two commits at least.
    pub(super) gather: Duration,
}

/// The writer, as a store has it.
#[derive(Debug)]
pub(super) struct WriterHandle {
    health: watch::Receiver<Health>,
    counters: Arc<Counters>,
    /// `None` once it was closed, or if the store was opened for reading.
    queue: Mutex<Option<mpsc::Sender<WriteJob>>>,
    queue_limit: usize,
    /// Fails when the thread has ended.
    end: Mutex<Option<oneshot::Receiver<()>>>,
}

impl WriterHandle {
    /// Starts the writer. It ends with the handle, having written what was queued, and then drops
    /// `guard`.
    pub(super) fn start<D: Database, G: Send + 'static>(
        limits: WriterLimits,
        mut database: D,
        guard: G,
    ) -> io::Result<WriterHandle> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()?;
        let queue_limit = limits.queue.max(1);
        let (sender, queue) = mpsc::channel(queue_limit);
        let (health_sender, health) = watch::channel(Health::Ready);
        let slow_health = health_sender.clone();
        database.on_slow(Box::new(move || {
            let cause = SLOW.into();
            tracing::error!(%cause, "the store cannot write");
            slow_health.send_replace(Health::Failing { cause });
        }));
        let (ended, end) = oneshot::channel::<()>();
        let counters = Arc::<Counters>::default();
        let config = WriterConfig {
            queue,
            health: health_sender,
            counters: Arc::clone(&counters),
            group: limits.group.max(1),
            gather: limits.gather,
        };
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
                drop(guard);
                drop(ended);
            })?;
        Ok(WriterHandle {
            health,
            counters,
            queue: Mutex::new(Some(sender)),
            queue_limit,
            end: Mutex::new(Some(end)),
        })
    }

    /// In the place of the writer of a store that is open for reading.
    pub(super) fn read_only() -> WriterHandle {
        let (_, health) = watch::channel(Health::ReadOnly);
        WriterHandle {
            health,
            counters: Arc::default(),
            queue: Mutex::default(),
            queue_limit: 0,
            end: Mutex::default(),
        }
    }

    pub(super) fn health(&self) -> watch::Receiver<Health> {
        self.health.clone()
    }

    pub(super) fn stats(&self) -> StoreStats {
        let queued = match &*lock(&self.queue) {
            Some(queue) => queue.max_capacity() - queue.capacity(),
            None => 0,
        };
        self.counters.snapshot(queued, self.queue_limit)
    }

    /// As [`EventLog::append`](super::EventLog::append).
    pub(super) fn append(&self, batch: Vec<Append>) -> BoxFuture<'_, BatchOutcome> {
        if batch.is_empty() {
            return Box::pin(async { Ok(Vec::new()) });
        }
        let (answer, outcome) = oneshot::channel();
        let queued = self.enqueue(WriteJob {
            appends: batch,
            answer,
        });
        Box::pin(async {
            if let Some((queue, job)) = queued? {
                queue.send(job).await.map_err(|_| WriteError::Stopped)?;
            }
            outcome.await.unwrap_or(Err(WriteError::Stopped))
        })
    }

    /// Refuses further appends, and waits until everything queued is written and the thread has ended.
    pub(super) async fn close(&self) {
        drop(lock(&self.queue).take());
        let end = lock(&self.end).take();
        if let Some(end) = end {
            let _ = end.await;
        }
    }

    /// Queues a job if there is room. Returns it otherwise, with the queue to wait for.
    fn enqueue(
        &self,
        job: WriteJob,
    ) -> Result<Option<(mpsc::Sender<WriteJob>, WriteJob)>, WriteError> {
        let queue = lock(&self.queue);
        let Some(queue) = &*queue else {
            return Err(self.why_not());
        };
        match queue.try_send(job) {
            Ok(()) => Ok(None),
            Err(TrySendError::Full(job)) => Ok(Some((queue.clone(), job))),
            Err(TrySendError::Closed(_)) => Err(WriteError::Stopped),
        }
    }

    /// Why there is no queue.
    fn why_not(&self) -> WriteError {
        match &*self.health.borrow() {
            Health::ReadOnly => WriteError::ReadOnly,
            Health::Ready | Health::Failing { .. } | Health::Stopped => WriteError::Stopped,
        }
    }
}

/// The channels and limits of the writer.
#[derive(Debug)]
struct WriterConfig {
    queue: mpsc::Receiver<WriteJob>,
    health: watch::Sender<Health>,
    counters: Arc<Counters>,
    group: usize,
    gather: Duration,
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
    unknown: Vec<WriteJob>,
    /// Until then a group gathers.
    next_commit: Instant,
}

impl<D: Database> Writer<D> {
    fn run(mut self, runtime: &Runtime) {
        let mut jobs = Vec::new();
        while self.gather(runtime, &mut jobs) {
            if let Err(failure) = self.commit(&mut jobs) {
                let is_final = failure.is_final;
                self.begin_failing(failure, &mut jobs);
                if is_final || !self.ride_out(runtime) {
                    break; // what is unknown shows at the next start
                }
            }
        }
    }

    /// Fills `jobs` with what waits, once something does; false at the end. What comes after a
    /// pause does not wait; what comes soon after a commit waits for company.
    fn gather(&mut self, runtime: &Runtime, jobs: &mut Vec<WriteJob>) -> bool {
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
    fn commit(&mut self, jobs: &mut Vec<WriteJob>) -> Result<(), CommitFailure> {
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
                if !self.config.health.borrow().is_ready() {
                    self.is_ready_again();
                }
                Ok(())
            }
            Err(failure) => {
                *jobs = join(writes, waiting);
                Err(failure)
            }
        }
    }

    fn count(&self, writes: &[Append], outcomes: &[AppendResult], took: Duration) {
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

    fn begin_failing(&mut self, failure: CommitFailure, jobs: &mut Vec<WriteJob>) {
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

    /// Refuses whatever comes until the database can be written again; false if that will not be, or need not.
    fn ride_out(&mut self, runtime: &Runtime) -> bool {
        let mut pause = FIRST_RETRY;
        loop {
            let is_over = runtime.block_on(self.refuse_for(pause));
            match self.recover() {
                Ok(()) => return true,
                Err(failure) if failure.is_final => {
                    tracing::error!(cause = failure.cause, "the store stops");
                    return false;
                }
                Err(failure) => self.still_failing(failure),
            }
            if is_over {
                return false;
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

    fn recover(&mut self) -> Result<(), CommitFailure> {
        let (writes, waiting) = split(&mut self.unknown);
        match self.database.recover(&writes) {
            Ok(written) => {
                let cause = self.cause();
                let mut written = written.into_iter();
                for job in join(writes, waiting) {
                    settle(job, written.by_ref(), &cause);
                }
                self.is_ready_again();
                Ok(())
            }
            Err(failure) => {
                self.unknown = join(writes, waiting);
                Err(failure)
            }
        }
    }

    fn is_ready_again(&self) {
        tracing::info!("the store writes again");
        self.config.health.send_replace(Health::Ready);
    }

    fn still_failing(&self, failure: CommitFailure) {
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
fn settle(job: WriteJob, written: impl Iterator<Item = bool>, cause: &Arc<str>) {
    let outcomes: Vec<AppendResult> = job
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

fn refuse(job: WriteJob, cause: &Arc<str>) {
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
fn split(jobs: &mut Vec<WriteJob>) -> (Vec<Append>, Vec<Waiting>) {
    let (mut writes, mut waiting) = (Vec::new(), Vec::with_capacity(jobs.len()));
    for mut job in jobs.drain(..) {
        waiting.push((job.appends.len(), job.answer));
        writes.append(&mut job.appends);
    }
    (writes, waiting)
}

fn join(writes: Vec<Append>, waiting: Vec<Waiting>) -> Vec<WriteJob> {
    let mut writes = writes.into_iter();
    let job = |(count, answer)| WriteJob {
        appends: writes.by_ref().take(count).collect(),
        answer,
    };
    waiting.into_iter().map(job).collect()
}

/// What is guarded cannot be left half changed.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

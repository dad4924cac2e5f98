//! The threads that search for all bots at all tables.
//!
//! A bot has at most one search in the queue, so there are never more searches than bots. The
//! search with the earliest [`deadline`](super::deadline) runs first. Waiting searches shorten
//! those before them, running ones included, so that no bot loses on time because of the queue.
//!
//! Analyses run when no bot waits, on at most half of the threads. An analysis is stopped and
//! restarted later when a bot needs its thread. After several seconds of waiting, one analysis runs
//! before the bots, so that busy servers answer too.
//!
//! A search is independent of the searches before it on the same thread.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};
use std::{future::Future, io};

use checkers_engine::{BotSpec, Choice, Limits, Score, Stop};
use checkers_lib::{Game, SideClock};
use cli_kit::priority;
use tokio::sync::{Notify, oneshot};
use tracing::error;

use super::analysis::{AnalysisJob, AnalysisQueue};
use super::request::{BadBot, BotLimits, BotsBusy};
use super::seats::SeatPool;
use crate::metrics::BotMetrics;
use crate::shard::sleep_until;

/// A handle to the pool; its threads end when all clones and bots are dropped.
#[derive(Clone)]
pub(super) struct BotPool(Arc<PoolHandle>);

/// A bot with a seat, until it is dropped.
pub(super) struct SeatedBot {
    pool: BotPool,
    spec: BotSpec,
    /// Unique in the pool.
    number: u64,
    /// Notified when the seat went to another bot.
    dismissal: Arc<Notify>,
}

/// A position in which a bot is to move.
#[derive(Clone, Debug)]
pub(super) struct BotTurn {
    /// The game, the bot to move.
    pub(super) game: Game,
    /// The bot's clock at `since`, if it has one.
    pub(super) clock: Option<SideClock>,
    /// When the clock started.
    pub(super) since: Instant,
    /// The seed for the choice among equal moves.
    pub(super) seed: u64,
}

/// A waiting or running search; dropping it stops it. Resolves to `None` only if the pool is gone.
pub(super) struct Thinking {
    answer: oneshot::Receiver<Choice>,
    stop: Stop,
}

struct PoolHandle {
    state: Arc<PoolState>,
}

/// Shared by the handles and the threads.
struct PoolState {
    limits: BotLimits,
    metrics: BotMetrics,
    queue: Mutex<SearchQueue>,
    /// Notified when a search is added or can start.
    work_added: Condvar,
}

#[derive(Default)]
struct SearchQueue {
    /// Sorted by deadline.
    waiting: VecDeque<SearchJob>,
    /// The running search of each thread.
    running: HashMap<usize, RunningSearch>,
    analyses: AnalysisQueue,
    seats: SeatPool,
    is_closed: bool,
}

/// The next task of a thread.
enum PoolTask {
    /// A search of a bot, and its time limit.
    Move(SearchJob, Duration),
    Analysis(AnalysisJob),
}

struct RunningSearch {
    stop: Stop,
    /// When it ends at the latest.
    until: Instant,
}

struct SearchJob {
    bot: u64,
    spec: BotSpec,
    turn: BotTurn,
    /// Its deadline.
    due: Instant,
    stop: Stop,
    answer: oneshot::Sender<Choice>,
}

impl BotPool {
    /// Starts the threads.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub(super) fn start(limits: BotLimits, metrics: BotMetrics) -> io::Result<BotPool> {
        let state = Arc::new(PoolState {
            limits,
            metrics,
            queue: Mutex::default(),
            work_added: Condvar::new(),
        });
        let pool = BotPool(Arc::new(PoolHandle {
            state: Arc::clone(&state),
        }));
        for number in 0..limits.threads.max(1) {
            let state = Arc::clone(&state);
            thread::Builder::new()
                .name(format!("bots-{number}"))
                .spawn(move || {
                    priority::lower();
                    state.run(number);
                })?;
        }
        Ok(pool)
    }

    /// Checks that the limits allow the bot.
    ///
    /// # Errors
    /// [`BadBot`].
    pub(super) fn check(&self, spec: &BotSpec) -> Result<(), BadBot> {
        self.0.state.limits.check(spec)
    }

    pub(super) fn limits(&self) -> &BotLimits {
        &self.0.state.limits
    }

    /// Queues an analysis.
    ///
    /// # Errors
    /// The job, if the queue is full.
    pub(super) fn analyse(&self, job: AnalysisJob) -> Result<(), AnalysisJob> {
        let state = &self.0.state;
        state.queue().analyses.push(job)?;
        state.work_added.notify_one();
        Ok(())
    }

    /// Gives a bot a seat, if necessary that of a bot whose game is over.
    ///
    /// # Errors
    /// [`BotsBusy`] if all bots play.
    pub(super) fn seat(&self, spec: BotSpec) -> Result<SeatedBot, BotsBusy> {
        begin_to_load();
        let seats = self.0.state.limits.seats;
        let mut queue = self.0.state.queue();
        if !queue.seats.make_room(seats) {
            return Err(BotsBusy { seats });
        }
        Ok(self.add(&mut queue, spec))
    }

    /// Gives a bot back the seat it had before the restart, even beyond the maximum.
    pub(super) fn seat_again(&self, spec: BotSpec) -> SeatedBot {
        begin_to_load();
        self.add(&mut self.0.state.queue(), spec)
    }

    fn add(&self, queue: &mut SearchQueue, spec: BotSpec) -> SeatedBot {
        let number = queue.seats.add();
        self.0.state.metrics.seated(queue.seats.taken());
        SeatedBot {
            pool: self.clone(),
            spec,
            number,
            dismissal: Arc::default(),
        }
    }
}

impl SeatedBot {
    /// Unique in the pool.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Its game is over: it keeps its seat until another bot needs one.
    pub(super) fn set_idle(&self) {
        let mut queue = self.pool.0.state.queue();
        queue
            .seats
            .set_idle(self.number, Arc::clone(&self.dismissal));
    }

    /// It plays: its seat cannot be taken.
    pub(super) fn set_playing(&self) {
        let mut queue = self.pool.0.state.queue();
        queue.seats.set_playing(self.number);
        self.pool.0.state.metrics.seated(queue.seats.taken());
    }

    /// Waits until its seat went to another bot. Cancel safe.
    pub(super) async fn dismissed(&self) {
        self.dismissal.notified().await;
    }

    /// Starts a search, and cancels a waiting one of this bot.
    pub(super) fn think(&self, turn: BotTurn) -> Thinking {
        let (sender, answer) = oneshot::channel();
        let stop = Stop::default();
        let job = SearchJob {
            bot: self.number,
            spec: self.spec.clone().with_seed(turn.seed),
            due: turn.due(self.pool.limits().time),
            turn,
            stop: stop.clone(),
            answer: sender,
        };
        self.pool.0.state.submit(job);
        Thinking { answer, stop }
    }
}

impl fmt::Debug for SeatedBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.spec, self.number)
    }
}

impl Drop for SeatedBot {
    fn drop(&mut self) {
        let state = &self.pool.0.state;
        let mut queue = state.queue();
        queue.seats.remove(self.number);
        queue.waiting.retain(|job| job.bot != self.number);
        state.metrics.seated(queue.seats.taken());
        state.metrics.waiting(queue.waiting.len());
    }
}

impl Future for Thinking {
    type Output = Option<Choice>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Choice>> {
        Pin::new(&mut self.answer).poll(context).map(Result::ok)
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

impl Drop for PoolHandle {
    fn drop(&mut self) {
        let mut queue = self.state.queue();
        queue.is_closed = true;
        queue.waiting.clear();
        queue.analyses.clear();
        self.state.work_added.notify_all();
    }
}

impl PoolState {
    /// The queue. A panic cannot leave it inconsistent.
    fn queue(&self) -> MutexGuard<'_, SearchQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn submit(&self, job: SearchJob) {
        let mut queue = self.queue();
        queue.waiting.retain(|waiting| waiting.bot != job.bot);
        let index = queue.waiting.partition_point(|other| other.due <= job.due);
        queue.waiting.insert(index, job);
        self.metrics.waiting(queue.waiting.len());
        self.shorten_running(&mut queue);
        self.work_added.notify_one();
    }

    /// If searches have to wait, shortens the running ones to the time that a search starting now
    /// would get.
    fn shorten_running(&self, queue: &mut SearchQueue) {
        let SearchQueue {
            waiting, running, ..
        } = queue;
        if running.len() + waiting.len() <= self.limits.threads {
            return;
        }
        let now = Instant::now();
        let time = self.limits.share(waiting.iter().map(|job| &job.turn), now);
        for search in running.values_mut() {
            search.end_by(now + time);
        }
    }

    /// Runs tasks until the pool is closed.
    fn run(&self, thread: usize) {
        while let Some(task) = self.next(thread) {
            match task {
                PoolTask::Move(job, time) => self.search(job, time),
                PoolTask::Analysis(job) => {
                    job.run();
                    self.queue().analyses.done();
                    // Another thread may have left a waiting one because of this.
                    self.work_added.notify_one();
                }
            }
            self.queue().running.remove(&thread);
        }
    }

    fn search(&self, job: SearchJob, time: Duration) {
        let started = Instant::now();
        let limits = self.limits_of(&job, time);
        let choice = choose(&job, &limits);
        self.metrics.searched(started.elapsed());
        // The table may have stopped waiting.
        let _ = job.answer.send(choice);
    }

    /// The next task; `None` when the pool is closed.
    fn next(&self, thread: usize) -> Option<PoolTask> {
        let mut queue = self.queue();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(task) = self.take(&mut queue) {
                queue.running.insert(thread, RunningSearch::of(&task));
                return Some(task);
            }
            let woken = self.work_added.wait(queue);
            queue = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes the next task: searches of bots by deadline, then analyses, except for an analysis
    /// that has waited too long.
    fn take(&self, queue: &mut SearchQueue) -> Option<PoolTask> {
        queue.waiting.retain(|job| !job.stop.is_set());
        let now = Instant::now();
        if let Some(job) = self.take_overdue(queue, now) {
            return Some(PoolTask::Analysis(job));
        }
        let next = queue.waiting.pop_front();
        self.metrics.waiting(queue.waiting.len());
        if let Some(job) = next {
            let behind = queue.waiting.iter().map(|job| &job.turn);
            let time = self.limits.share(behind, now);
            return Some(PoolTask::Move(job, time));
        }
        let max = self.limits.threads.div_ceil(2);
        queue.analyses.take(max).map(PoolTask::Analysis)
    }

    /// An analysis that has waited too long while bots wait. It gets half of the time of a bot, so
    /// that it ends even if more bots come.
    fn take_overdue(&self, queue: &mut SearchQueue, now: Instant) -> Option<AnalysisJob> {
        let turns = queue.waiting.iter().map(|job| &job.turn);
        let time = self.limits.share(turns, now) / 2;
        if queue.waiting.is_empty() || time.is_zero() {
            return None;
        }
        queue.analyses.take_overdue(time, now)
    }

    fn limits_of(&self, job: &SearchJob, time: Duration) -> Limits {
        let limits = Limits {
            stop: job.stop.clone(),
            ..self.limits.of(&job.spec, time)
        };
        job.turn.bounded(limits, Instant::now())
    }
}

impl RunningSearch {
    fn of(task: &PoolTask) -> RunningSearch {
        let (stop, time) = match task {
            PoolTask::Move(job, time) => (&job.stop, *time),
            PoolTask::Analysis(job) => (job.stop(), job.time()),
        };
        RunningSearch {
            stop: stop.clone(),
            until: Instant::now() + time,
        }
    }

    /// Stops it at `end`, unless it ends earlier.
    fn end_by(&mut self, end: Instant) {
        if self.until <= end {
            return;
        }
        self.until = end;
        let stop = self.stop.clone();
        tokio::spawn(async move {
            sleep_until(Some(end)).await;
            stop.stop();
        });
    }
}

/// Begins to load the data of the strongest bot, once in this process. It takes a fifth of a second that should not
/// count on a clock.
fn begin_to_load() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        let load = || {
            priority::lower();
            if let Ok(spec) = "champion:tt=1".parse::<BotSpec>() {
                spec.build().new_game(0);
            }
        };
        // Without a thread the first search loads it.
        let _ = thread::Builder::new()
            .name("bots-data".to_owned())
            .spawn(load);
    });
}

/// Searches; a bot that panics plays the first legal move.
fn choose(job: &SearchJob, limits: &Limits) -> Choice {
    let game = &job.turn.game;
    // The bot is built for this search and dropped after a panic.
    let searched = catch_unwind(AssertUnwindSafe(|| job.spec.build().choose(game, limits)));
    searched.unwrap_or_else(|_panic| {
        error!(spec = %job.spec, fen = %game.position(), "a bot failed");
        Choice {
            best: game.legal_moves().first().copied(),
            score: Score::ZERO,
            depth: 0,
            nodes: 0,
            time: Duration::ZERO,
            pv: Vec::new(),
            complete: false,
            from_book: false,
        }
    })
}

#[cfg(test)]
mod tests;

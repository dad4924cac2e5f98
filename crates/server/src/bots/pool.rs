//! The threads that search for all bots at all tables.
//!
//! A bot has at most one search in the queue, so the queue is never longer than there are bots. The
//! search with the earliest [`deadline`](super::deadline) begins first. A search that has to wait
//! shortens those before it, running ones included, so that no bot loses on time because it waited.
//!
//! Analyses run when no bot waits, on half of the threads at most. An analysis is stopped, and repeated
//! later, when a bot cannot wait for its thread. An analysis that has waited for several seconds gets
//! one turn before the bots, so that it is answered on a busy server too.
//!
//! A search is independent of the searches before it on the same thread.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};
use std::{future::Future, io};

use checkers_engine::{BotSpec, Choice, Limits, Score, Stop};
use checkers_lib::{Game, SideClock};
use tokio::sync::{Notify, oneshot};
use tracing::error;

use super::analysis::{Analyses, AnalysisJob};
use super::request::{BadBot, BotLimits, BotsBusy};
use super::seats::Seats;
use crate::metrics::BotMetrics;
use crate::priority;
use crate::shard::sleep_until;

/// A handle to the pool; its threads end when all clones and bots are dropped.
#[derive(Clone)]
pub(super) struct Pool(Arc<Handle>);

/// A bot that has a place at a table until it is dropped.
pub(super) struct SeatedBot {
    pool: Pool,
    spec: BotSpec,
    /// What tells the bots of the pool apart.
    number: u64,
    /// Notified when another bot has its seat.
    dismissal: Arc<Notify>,
}

/// A move that a bot is to think about.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// The game, the bot to move.
    pub(super) game: Game,
    /// The bot's clock, if it has one, as it stood at `since`.
    pub(super) clock: Option<SideClock>,
    /// Since when the clock runs.
    pub(super) since: Instant,
    /// What the choice among equal moves depends on, besides the position.
    pub(super) seed: u64,
}

/// A search that waits or runs; dropping it stops it. It resolves to `None` only if the pool is gone.
pub(super) struct Thinking {
    answer: oneshot::Receiver<Choice>,
    stop: Stop,
}

struct Handle {
    state: Arc<State>,
}

/// What the handles and the threads share.
struct State {
    limits: BotLimits,
    metrics: BotMetrics,
    queue: Mutex<Queue>,
    /// Notified when there is something to do.
    work_added: Condvar,
}

#[derive(Default)]
struct Queue {
    /// In the order of their deadlines.
    waiting: VecDeque<Job>,
    /// What each thread is busy with.
    under_way: HashMap<usize, UnderWay>,
    analyses: Analyses,
    seats: Seats,
    is_closed: bool,
}

/// What a thread does next.
enum Task {
    /// The search of a bot, and how long it may take.
    Move(Job, Duration),
    Analysis(AnalysisJob),
}

/// A search that a thread makes.
struct UnderWay {
    stop: Stop,
    /// Its latest end.
    until: Instant,
}

struct Job {
    bot: u64,
    spec: BotSpec,
    turn: Turn,
    /// Its deadline.
    due: Instant,
    stop: Stop,
    answer: oneshot::Sender<Choice>,
}

impl Pool {
    /// Starts the threads.
    ///
    /// # Errors
    /// The system starts no thread.
    pub(super) fn start(limits: BotLimits, metrics: BotMetrics) -> io::Result<Pool> {
        let state = Arc::new(State {
            limits,
            metrics,
            queue: Mutex::default(),
            work_added: Condvar::new(),
        });
        let pool = Pool(Arc::new(Handle {
            state: Arc::clone(&state),
        }));
        for number in 0..limits.threads.max(1) {
            let state = Arc::clone(&state);
            thread::Builder::new()
                .name(format!("bots-{number}"))
                .spawn(move || {
                    priority::give_way();
                    if number == 0 {
                        warm_up();
                    }
                    state.work(number);
                })?;
        }
        Ok(pool)
    }

    /// Checks that the server plays such a bot.
    ///
    /// # Errors
    /// [`BadBot`].
    pub(super) fn check(&self, spec: &BotSpec) -> Result<(), BadBot> {
        self.0.state.limits.check(spec)
    }

    /// What bounds the bots.
    pub(super) fn limits(&self) -> &BotLimits {
        &self.0.state.limits
    }

    /// Has a position analysed when there is time.
    ///
    /// # Errors
    /// The job, if too many wait.
    pub(super) fn analyse(&self, job: AnalysisJob) -> Result<(), AnalysisJob> {
        let state = &self.0.state;
        state.queue().analyses.push(job)?;
        state.work_added.notify_one();
        Ok(())
    }

    /// Gives a bot a place. If there is none, one whose game is over gives its own up.
    ///
    /// # Errors
    /// [`BotsBusy`], if all play.
    pub(super) fn seat(&self, spec: BotSpec) -> Result<SeatedBot, BotsBusy> {
        let seats = self.0.state.limits.seats;
        let mut queue = self.0.state.queue();
        if !queue.seats.make_room(seats) {
            return Err(BotsBusy { seats });
        }
        Ok(self.add(&mut queue, spec))
    }

    /// Gives a bot back the seat it had before the restart, even beyond the maximum.
    pub(super) fn seat_again(&self, spec: BotSpec) -> SeatedBot {
        self.add(&mut self.0.state.queue(), spec)
    }

    fn add(&self, queue: &mut Queue, spec: BotSpec) -> SeatedBot {
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
    /// What tells the bots of the pool apart.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Its game is over: it keeps its place until another bot needs one.
    pub(super) fn rest(&self) {
        let mut queue = self.pool.0.state.queue();
        queue.seats.rest(self.number, Arc::clone(&self.dismissal));
    }

    /// It plays: it keeps its place whichever bot needs one.
    pub(super) fn wake(&self) {
        let mut queue = self.pool.0.state.queue();
        queue.seats.wake(self.number);
        self.pool.0.state.metrics.seated(queue.seats.taken());
    }

    /// Waits until its place is another's. Cancelling loses nothing.
    pub(super) async fn dismissed(&self) {
        self.dismissal.notified().await;
    }

    /// Begins to think. A search of this bot that waits is given up.
    pub(super) fn think(&self, turn: Turn) -> Thinking {
        let (sender, answer) = oneshot::channel();
        let stop = Stop::default();
        let job = Job {
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

impl Drop for Handle {
    fn drop(&mut self) {
        let mut queue = self.state.queue();
        queue.is_closed = true;
        queue.waiting.clear();
        queue.analyses.clear();
        self.state.work_added.notify_all();
    }
}

impl State {
    /// The queue; what a thread did that panicked while it had it was done.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn submit(&self, job: Job) {
        let mut queue = self.queue();
        queue.waiting.retain(|waiting| waiting.bot != job.bot);
        let place = queue.waiting.partition_point(|other| other.due <= job.due);
        queue.waiting.insert(place, job);
        self.metrics.waiting(queue.waiting.len());
        self.hurry(&mut queue);
        self.work_added.notify_one();
    }

    /// If a search has to wait, ends running ones as early as one that would begin now.
    fn hurry(&self, queue: &mut Queue) {
        let Queue {
            waiting, under_way, ..
        } = queue;
        if under_way.len() + waiting.len() <= self.limits.threads {
            return;
        }
        let now = Instant::now();
        let time = self.limits.share(waiting.iter().map(|job| &job.turn), now);
        for search in under_way.values_mut() {
            search.end_by(now + time);
        }
    }

    /// The life of a thread.
    fn work(&self, thread: usize) {
        while let Some(task) = self.next(thread) {
            match task {
                Task::Move(job, time) => self.search(job, time),
                Task::Analysis(job) => {
                    job.run();
                    self.queue().analyses.done();
                    // Another thread may have left one waiting.
                    self.work_added.notify_one();
                }
            }
            self.queue().under_way.remove(&thread);
        }
    }

    fn search(&self, job: Job, time: Duration) {
        let begun = Instant::now();
        let limits = self.limits_of(&job, time);
        let choice = choose(&job, &limits);
        self.metrics.searched(begun.elapsed());
        // The table may have stopped waiting.
        let _ = job.answer.send(choice);
    }

    /// The next search somebody waits for; `None` when there will be no more.
    fn next(&self, thread: usize) -> Option<Task> {
        let mut queue = self.queue();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(task) = self.take(&mut queue) {
                queue.under_way.insert(thread, UnderWay::of(&task));
                return Some(task);
            }
            let woken = self.work_added.wait(queue);
            queue = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes the next task: the bots' searches in the order of their deadlines, then analyses, except
    /// for an analysis that has waited too long.
    fn take(&self, queue: &mut Queue) -> Option<Task> {
        queue.waiting.retain(|job| !job.stop.is_set());
        let now = Instant::now();
        if let Some(job) = self.take_overdue(queue, now) {
            return Some(Task::Analysis(job));
        }
        let next = queue.waiting.pop_front();
        self.metrics.waiting(queue.waiting.len());
        if let Some(job) = next {
            let behind = queue.waiting.iter().map(|job| &job.turn);
            let time = self.limits.share(behind, now);
            return Some(Task::Move(job, time));
        }
        let most = self.limits.threads.div_ceil(2);
        queue.analyses.take(most).map(Task::Analysis)
    }

    /// An analysis that has waited too long while bots wait. It has half of the time of a bot, so that
    /// it ends even if more bots come meanwhile.
    fn take_overdue(&self, queue: &mut Queue, now: Instant) -> Option<AnalysisJob> {
        let turns = queue.waiting.iter().map(|job| &job.turn);
        let time = self.limits.share(turns, now) / 2;
        if queue.waiting.is_empty() || time.is_zero() {
            return None;
        }
        queue.analyses.take_overdue(time, now)
    }

    fn limits_of(&self, job: &Job, time: Duration) -> Limits {
        let limits = Limits {
            stop: job.stop.clone(),
            ..self.limits.of(&job.spec, time)
        };
        job.turn.bounded(limits, Instant::now())
    }
}

impl UnderWay {
    fn of(task: &Task) -> UnderWay {
        let (stop, time) = match task {
            Task::Move(job, time) => (&job.stop, *time),
            Task::Analysis(job) => (job.stop(), job.time()),
        };
        UnderWay {
            stop: stop.clone(),
            until: Instant::now() + time,
        }
    }

    /// Stops it at `end`, unless it ends earlier by itself.
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

/// Unpacks the data of the strongest bot in advance, which takes a fifth of a second that no clock
/// should pay for.
fn warm_up() {
    if let Ok(spec) = "champion:tt=1".parse::<BotSpec>() {
        spec.build().new_game(0);
    }
}

/// Searches; a bot that fails plays the first legal move.
fn choose(job: &Job, limits: &Limits) -> Choice {
    let game = &job.turn.game;
    // The bot is new, and nobody sees what it left when it failed.
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

//! The search on a thread of its own, so that the socket is served meanwhile.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use checkers_engine::{Limits, Stop, on_clock};
use tokio::time::{Instant, sleep_until};

use crate::engine_spec::{EngineSpec, RunningEngine};
use crate::failure::BotFailure;
use crate::hub::HubError;
use crate::player::{Request, Thought};

/// What the way from the server and back may take of a clock, the two processes included.
const WAY: Duration = Duration::from_millis(10);

/// A bot on its own thread, one search at a time. Dropping it ends its search and, if the bot is
/// another program, waits until that has ended.
pub(crate) struct SearchThread {
    /// `None` once there will be no more.
    jobs: Option<mpsc::SyncSender<ThreadJob>>,
    news: tokio::sync::mpsc::Receiver<Result<SearchEvent, HubError>>,
    /// The thread, if its end is waited for.
    program: Option<thread::JoinHandle<()>>,
    /// What bounds every search.
    limits: Limits,
    /// How long a thought is kept back.
    delay: Duration,
    /// Ends the latest search.
    stop: Stop,
    /// Whether the thread has a job.
    is_busy: bool,
    /// The job that follows the one of the thread, which was stopped.
    next: Option<ThreadJob>,
    /// A thought, and when it is due.
    held: Option<(Thought, Instant)>,
}

struct ThreadJob {
    request: Request,
    limits: Limits,
}

/// What the thread reports.
enum SearchEvent {
    /// The bot is there.
    Ready,
    Thought(Thought),
}

impl SearchThread {
    /// Starts the thread and builds the bot on it. `limits` bound every search, beside its clock.
    /// Thoughts are kept back for `delay`. Another program's words go into `transcript` too.
    pub(crate) fn spawn(
        spec: EngineSpec,
        limits: Limits,
        delay: Duration,
        transcript: Option<PathBuf>,
    ) -> io::Result<SearchThread> {
        let (jobs, todo) = mpsc::sync_channel(1);
        let (done, news) = tokio::sync::mpsc::channel(1);
        let is_program = matches!(spec, EngineSpec::Hub(_));
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || {
                if let Err(error) = work(&spec, transcript.as_deref(), &todo, &done) {
                    // A closed receiver has ended.
                    let _ = done.blocking_send(Err(error));
                }
            })?;
        Ok(SearchThread {
            jobs: Some(jobs),
            news,
            program: is_program.then_some(thread),
            limits,
            delay,
            stop: Stop::default(),
            is_busy: false,
            next: None,
            held: None,
        })
    }

    /// Begins a search. It takes the place of one that was stopped and has not ended yet.
    pub(crate) fn begin(&mut self, request: Request) {
        self.stop();
        self.stop = Stop::default();
        let limits = self.limits_of(&request);
        let job = ThreadJob { request, limits };
        if self.is_busy {
            self.next = Some(job);
        } else {
            self.submit(job);
        }
    }

    /// Ends the search; its thought may still come, or not.
    pub(crate) fn stop(&mut self) {
        self.stop.stop();
        self.next = None;
        self.held = None;
    }

    /// Waits until the bot is there; to be called once, before anything is begun.
    ///
    /// # Errors
    /// The bot cannot be made.
    pub(crate) async fn ready(&mut self) -> Result<(), BotFailure> {
        match self.hear().await? {
            SearchEvent::Ready | SearchEvent::Thought(_) => Ok(()),
        }
    }

    async fn hear(&mut self) -> Result<SearchEvent, BotFailure> {
        let news = self.news.recv().await.ok_or(BotFailure::SearchDied)?;
        news.map_err(BotFailure::Engine)
    }

    /// The next thought, when it is due. Cancelling loses nothing.
    ///
    /// # Errors
    /// The bot cannot go on.
    pub(crate) async fn next(&mut self) -> Result<Thought, BotFailure> {
        loop {
            if let Some((_, due)) = &self.held {
                // A sleep takes whole milliseconds, even one that is over.
                if Instant::now() < *due {
                    sleep_until(*due).await;
                }
                if let Some((thought, _)) = self.held.take() {
                    return Ok(thought);
                }
            }
            let SearchEvent::Thought(thought) = self.hear().await? else {
                continue;
            };
            self.is_busy = false;
            match self.next.take() {
                Some(job) => self.submit(job),
                None => self.held = Some((thought, Instant::now() + self.delay)),
            }
        }
    }

    /// What bounds the search for a move: the delay and the way are no time to think.
    fn limits_of(&self, request: &Request) -> Limits {
        let limits = Limits {
            stop: self.stop.clone(),
            ..self.limits.clone()
        };
        match request.clock {
            Some(clock) => on_clock(limits, clock, self.delay + WAY),
            None => limits,
        }
    }

    fn submit(&mut self, job: ThreadJob) {
        // There is room, as the thread is idle; if the thread has ended, `next` finds out.
        let jobs = self.jobs.as_ref();
        self.is_busy = jobs.is_some_and(|jobs| jobs.try_send(job).is_ok());
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.stop.stop();
        self.jobs = None;
        self.news.close();
        if let Some(thread) = self.program.take() {
            // A panic was already reported.
            let _ = thread.join();
        }
    }
}

type Sink = tokio::sync::mpsc::Sender<Result<SearchEvent, HubError>>;

/// Thinks until the queue or the receiver closes.
fn work(
    spec: &EngineSpec,
    transcript: Option<&Path>,
    jobs: &mpsc::Receiver<ThreadJob>,
    sink: &Sink,
) -> Result<(), HubError> {
    let mut engine = RunningEngine::build(spec, transcript)?;
    let mut is_heard = sink.blocking_send(Ok(SearchEvent::Ready)).is_ok();
    let mut number = None;
    while is_heard && let Ok(ThreadJob { request, limits }) = jobs.recv() {
        if number.replace(request.number) != Some(request.number) {
            engine.new_game(request.number);
        }
        let thought = Thought {
            turn: request.turn,
            choice: engine.choose(&request.game, &limits)?,
        };
        is_heard = sink
            .blocking_send(Ok(SearchEvent::Thought(thought)))
            .is_ok();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Turn;
    use checkers_lib::{DrawRules, Game, MoveTiming, SideClock};

    /// A search that ends when it is stopped, and not before.
    const ENDLESS: &str = "minimax:depth=20";

    fn search_thread(spec: &str, delay: Duration) -> SearchThread {
        SearchThread::spawn(spec.parse().unwrap(), Limits::default(), delay, None).unwrap()
    }

    fn request(game: u64, ply: u32) -> Request {
        Request {
            turn: Turn { game, ply },
            number: game,
            game: Game::new(DrawRules::Fmjd64),
            clock: None,
        }
    }

    #[tokio::test]
    async fn limits_hold_for_every_search() {
        let limits = Limits {
            depth: Some(2),
            ..Limits::default()
        };
        let spec = ENDLESS.parse().unwrap();
        let mut search_thread = SearchThread::spawn(spec, limits, Duration::ZERO, None).unwrap();
        for ply in 0..2 {
            search_thread.begin(request(1, ply));
            assert_eq!(search_thread.next().await.unwrap().choice.depth, 2);
        }
    }

    #[tokio::test]
    async fn a_clock_ends_a_search() {
        let mut search_thread = search_thread(ENDLESS, Duration::ZERO);
        search_thread.begin(Request {
            clock: Some(clock(20)),
            ..request(1, 0)
        });
        assert!(!search_thread.next().await.unwrap().choice.complete);
    }

    #[tokio::test]
    async fn the_delay_and_the_way_are_no_time_to_think() {
        let search_thread = search_thread("random", Duration::from_secs(1));
        for (remaining, left) in [(5000, 3990), (1005, 0), (0, 0)] {
            let limits = search_thread.limits_of(&Request {
                clock: Some(clock(remaining)),
                ..request(1, 0)
            });
            let clock = limits.clock.unwrap();
            assert_eq!(clock.remaining, Duration::from_millis(left));
        }
    }

    /// A clock without an increment and this many milliseconds left.
    fn clock(remaining: u64) -> SideClock {
        SideClock {
            remaining: Duration::from_millis(remaining),
            timing: MoveTiming::Increment(Duration::ZERO),
        }
    }

    #[tokio::test]
    async fn a_stopped_search_ends() {
        let mut search_thread = search_thread(ENDLESS, Duration::ZERO);
        search_thread.begin(request(1, 0));
        search_thread.stop();
        let thought = search_thread.next().await.unwrap();
        assert!(!thought.choice.complete);
    }

    #[tokio::test]
    async fn a_new_search_follows_a_stopped_one() {
        let mut search_thread = search_thread(ENDLESS, Duration::ZERO);
        search_thread.begin(request(1, 0));
        search_thread.stop();
        search_thread.begin(request(2, 0));
        search_thread.stop();
        search_thread.begin(request(3, 0));
        search_thread.stop.stop();
        assert_eq!(
            search_thread.next().await.unwrap().turn,
            Turn { game: 3, ply: 0 }
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_thought_is_kept_back_for_the_delay() {
        let delay = Duration::from_secs(3600);
        let mut search_thread = search_thread("random", delay);
        let asked = Instant::now();
        search_thread.begin(request(1, 0));
        let cancelled = tokio::time::timeout(delay / 2, search_thread.next()).await;
        assert!(cancelled.is_err());
        search_thread.next().await.unwrap();
        assert!(asked.elapsed() >= delay);
    }
}

//! Games without processes and sockets: the engines take turns on one thread.
//!
//! A worker has two threads. The *runner* plays: it never looks at the clock but for bots that play
//! on one, and its games depend on the plan alone. The *watcher* looks now and then whether the
//! runner got on; a bot that takes too long is stopped, and one that does not even stop is left
//! behind with its thread, and a new thread takes its place. The two share the
//! [`CurrentGame`](current_game::CurrentGame).

mod bots;
mod current_game;
mod panics;
mod runner;
#[cfg(test)]
mod tests;
mod turns;
mod watcher;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;

use checkers_engine::evaluation::{WeightsError, WeightsFile};
use checkers_engine::{Bot, BotSpec, champion_with};

use crate::queues::{Jobs, Reports, WorkerReport};
use crate::{BotId, MatchPlayer, PairRecord, Pairing, RunConfig, Timeouts, TournamentPlan};
use watcher::Watcher;

/// A place where pairings are played one after the other by engines within this process.
///
/// Each game begins with [`Bot::new_game`], so that it depends on the plan and its number alone. A
/// bot that panics, plays no legal move or takes too long forfeits the game; the others of its
/// pairing are still played. One that does not heed the [`Stop`](checkers_engine::Stop) within two
/// seconds is left behind with its thread, which holds on to a sender of the reports: that they end
/// is no sign of anything. Bots are built when they are first needed, and the last eight are kept.
///
/// From the first worker on, the message of a bot's panic goes to the record instead of stderr.
///
/// Dropping a worker stops it.
pub(crate) struct InProcessHandle {
    shared: Arc<SharedState>,
    watcher: Thread,
}

/// Why a worker does not start.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// A bot is a program of its own.
    #[error("{0} is a program of its own and cannot play within this process")]
    Foreign(BotId),
    /// Weights that cannot be used.
    #[error("cannot use the weights of {}", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: WeightsError,
    },
    /// The system gives no thread.
    #[error("cannot start a thread")]
    Thread(#[from] io::Error),
}

impl InProcessHandle {
    /// Starts a worker, which plays what comes from `jobs` and reports what comes of it.
    ///
    /// # Errors
    /// When a participant is a program of its own, and when the threads cannot be started.
    pub(crate) fn start(
        plan: Arc<TournamentPlan>,
        config: &RunConfig,
        jobs: Jobs,
        reports: Reports,
    ) -> Result<InProcessHandle, WorkerError> {
        let engines = engines(&plan)?;
        let build = Box::new(move |bot: BotId| engines[bot.0].build());
        let timeouts = config.timeouts;
        Ok(InProcessHandle::open(plan, timeouts, build, jobs, reports)?)
    }

    fn open(
        plan: Arc<TournamentPlan>,
        timeouts: Timeouts,
        build: Box<Build>,
        jobs: Jobs,
        reports: Reports,
    ) -> io::Result<InProcessHandle> {
        let shared = Arc::new(SharedState {
            plan,
            timeouts,
            build,
            jobs,
            reports,
            stopped: AtomicBool::new(false),
        });
        let watcher = Watcher::start(shared.clone())?;
        Ok(InProcessHandle { shared, watcher })
    }

    /// Ends the worker without waiting: stops the bot that is to move, reports nothing more, and
    /// drops the pairing in play.
    pub(crate) fn stop(&self) {
        self.shared.stopped.store(true, Ordering::Release);
        self.watcher.unpark();
    }
}

impl Drop for InProcessHandle {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What a bot is made of.
struct BotEngine {
    spec: BotSpec,
    weights: Option<WeightsFile>,
}

/// What all participants are made of.
fn engines(plan: &TournamentPlan) -> Result<Vec<BotEngine>, WorkerError> {
    let participants = plan.participants.iter().enumerate();
    let engine = |(bot, participant): (usize, &crate::Participant)| {
        let (spec, weights) = match &participant.player {
            MatchPlayer::Engine(spec) => (spec, None),
            MatchPlayer::Weighted { spec, weights } => (spec, Some(read_weights(spec, weights)?)),
            MatchPlayer::Foreign(_) | MatchPlayer::Hub(_) => {
                return Err(WorkerError::Foreign(BotId(bot)));
            }
        };
        let spec = spec.clone();
        Ok(BotEngine { spec, weights })
    };
    participants.map(engine).collect()
}

/// Reads weights that a bot can use.
fn read_weights(spec: &BotSpec, path: &Path) -> Result<WeightsFile, WorkerError> {
    let read = || {
        let file = WeightsFile::read(&std::fs::read(path).map_err(WeightsError::Io)?)?;
        champion_with(spec, &file).map(|_| file)
    };
    read().map_err(|source| WorkerError::Weights {
        path: path.to_owned(),
        source,
    })
}

impl BotEngine {
    fn build(&self) -> Box<dyn Bot> {
        match &self.weights {
            None => self.spec.build(),
            Some(file) => champion_with(&self.spec, file).expect("it was built when it was read"),
        }
    }
}

/// Makes a bot.
type Build = dyn Fn(BotId) -> Box<dyn Bot> + Send + Sync;

/// What all threads of a worker know, from its first to its last.
struct SharedState {
    plan: Arc<TournamentPlan>,
    timeouts: Timeouts,
    build: Box<Build>,
    jobs: Jobs,
    reports: Reports,
    stopped: AtomicBool,
}

impl SharedState {
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// The next pairing to play; `None` if there will be none.
    fn next_pairing(&self) -> Option<Pairing> {
        self.jobs.blocking_next()
    }

    /// Reports a finished pairing; `Err` if the receiver is closed.
    fn report(&self, pair: PairRecord) -> Result<(), Gone> {
        let news = WorkerReport::Done(pair);
        self.reports.blocking_send(news).map_err(|_| Gone)
    }
}

/// The runner is to end: the worker was stopped, or the runner was given up.
struct Gone;

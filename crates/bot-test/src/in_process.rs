//! Games without processes and sockets: the engines take turns on one thread.
//!
//! A slot has two threads. The *worker* plays: it never looks at the clock but for bots that play
//! on one, and its games depend on the plan alone. The *watcher* looks now and then whether the
//! worker got on; a bot that takes too long is stopped, and one that does not even stop is left
//! behind with its thread, in whose place a new one goes on. What the two share is the [`Desk`].

mod bots;
mod desk;
mod panics;
#[cfg(test)]
mod tests;
mod turns;
mod watcher;
mod worker;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;

use checkers_engine::evaluation::{WeightsError, WeightsFile};
use checkers_engine::{Bot, BotSpec, champion_with};

use crate::slot::{Jobs, News, Reports};
use crate::{BotId, Conduct, Contestant, PairRecord, Pairing, Plan, Timeouts};
use watcher::Watcher;

/// A place where pairings are played one after the other by engines within this process.
///
/// Each game begins with [`Bot::new_game`], so that it depends on the plan and its number alone. A
/// bot that panics, plays no legal move or takes too long forfeits the game; the others of its
/// pairing are still played. One that does not heed the [`Stop`](checkers_engine::Stop) within two
/// seconds is left behind with its thread, which holds on to a sender of the reports: that they end
/// is no sign of anything. Bots are built when they are first needed, and the last eight are kept.
///
/// From the first slot on, the message of a bot's panic goes to the record instead of stderr.
///
/// Dropping a slot stops it.
pub(crate) struct InProcessSlot {
    house: Arc<House>,
    watcher: Thread,
}

/// Why a slot does not start.
#[derive(Debug, thiserror::Error)]
pub enum SlotError {
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

impl InProcessSlot {
    /// Starts a slot, which plays what comes from `jobs` and reports what comes of it.
    ///
    /// # Errors
    /// When an entrant is a program of its own, and when the threads cannot be started.
    pub(crate) fn start(
        plan: Arc<Plan>,
        conduct: &Conduct,
        jobs: Jobs,
        reports: Reports,
    ) -> Result<InProcessSlot, SlotError> {
        let engines = engines(&plan)?;
        let build = Box::new(move |bot: BotId| engines[bot.0].build());
        let timeouts = conduct.timeouts;
        Ok(InProcessSlot::open(plan, timeouts, build, jobs, reports)?)
    }

    fn open(
        plan: Arc<Plan>,
        timeouts: Timeouts,
        build: Box<Build>,
        jobs: Jobs,
        reports: Reports,
    ) -> io::Result<InProcessSlot> {
        let house = Arc::new(House {
            plan,
            timeouts,
            build,
            jobs,
            reports,
            stopped: AtomicBool::new(false),
        });
        let watcher = Watcher::start(house.clone())?;
        Ok(InProcessSlot { house, watcher })
    }

    /// Ends the slot: the bot that is to move is stopped, nothing is reported any more, and the
    /// pairing in play is lost. Waits for nobody.
    pub(crate) fn stop(&self) {
        self.house.stopped.store(true, Ordering::Release);
        self.watcher.unpark();
    }
}

impl Drop for InProcessSlot {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What a bot is made of.
struct Engine {
    spec: BotSpec,
    weights: Option<WeightsFile>,
}

/// What all entrants are made of.
fn engines(plan: &Plan) -> Result<Vec<Engine>, SlotError> {
    let entrants = plan.entrants.iter().enumerate();
    let engine = |(bot, entrant): (usize, &crate::Entrant)| {
        let (spec, weights) = match &entrant.contestant {
            Contestant::Engine(spec) => (spec, None),
            Contestant::Weighted { spec, weights } => (spec, Some(read_weights(spec, weights)?)),
            Contestant::Foreign(_) | Contestant::Hub(_) => {
                return Err(SlotError::Foreign(BotId(bot)));
            }
        };
        let spec = spec.clone();
        Ok(Engine { spec, weights })
    };
    entrants.map(engine).collect()
}

/// Reads weights that a bot can use.
fn read_weights(spec: &BotSpec, path: &Path) -> Result<WeightsFile, SlotError> {
    let read = || {
        let file = WeightsFile::read(&std::fs::read(path).map_err(WeightsError::Io)?)?;
        champion_with(spec, &file).map(|_| file)
    };
    read().map_err(|source| SlotError::Weights {
        path: path.to_owned(),
        source,
    })
}

impl Engine {
    fn build(&self) -> Box<dyn Bot> {
        match &self.weights {
            None => self.spec.build(),
            Some(file) => champion_with(&self.spec, file).expect("it was built when it was read"),
        }
    }
}

/// Makes a bot.
type Build = dyn Fn(BotId) -> Box<dyn Bot> + Send + Sync;

/// What all threads of a slot know, from its first to its last.
struct House {
    plan: Arc<Plan>,
    timeouts: Timeouts,
    build: Box<Build>,
    jobs: Jobs,
    reports: Reports,
    stopped: AtomicBool,
}

impl House {
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// The next pairing to play; `None` if there will be none.
    fn next_pairing(&self) -> Option<Pairing> {
        self.jobs.blocking_next()
    }

    /// Reports a pairing that is over; `Err` if nobody listens.
    fn report(&self, pair: PairRecord) -> Result<(), Gone> {
        let news = News::Done(pair);
        self.reports.blocking_send(news).map_err(|_| Gone)
    }
}

/// The worker is to end: the slot was stopped, or the worker was given up.
struct Gone;

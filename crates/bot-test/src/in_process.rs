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
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;

use checkers_engine::{Bot, BotSpec};

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
        let specs = engines(&plan)?;
        let build = Box::new(move |bot: BotId| specs[bot.0].build());
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

/// The specs of all entrants.
fn engines(plan: &Plan) -> Result<Vec<BotSpec>, SlotError> {
    let engines = plan.entrants.iter().enumerate();
    let spec = |(bot, entrant): (usize, &crate::Entrant)| match &entrant.contestant {
        Contestant::Engine(spec) => Ok(spec.clone()),
        Contestant::Foreign(_) | Contestant::Hub(_) => Err(SlotError::Foreign(BotId(bot))),
    };
    engines.map(spec).collect()
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

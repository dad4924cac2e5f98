//! The thread of a worker that sees to it that the runner gets on.

use std::io;
use std::sync::Arc;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use super::SharedState;
use super::current_game::{CurrentGame, InPlay, NO_GAME};
use super::runner::{Runner, timed_out, too_long};
use super::turns::{Moment, Phase};
use crate::{PairRecord, Timeouts};

/// How long to wait for a bot that was asked to stop.
const GRACE: Duration = Duration::from_secs(2);

/// How often the watcher looks at least.
const LONGEST_TICK: Duration = Duration::from_millis(250);

/// How often it looks at most.
const SHORTEST_TICK: Duration = Duration::from_millis(1);

/// Looks now and then at what the runner does. A time-out falls due at the earliest when it is
/// over, and at the latest two looks after.
pub(super) struct Watcher {
    shared: Arc<SharedState>,
    current: Arc<CurrentGame>,
    turn: Since<Moment>,
    game: Since<u64>,
    /// What the runner left to its successor, where that could not be started yet.
    left: Option<PairRecord>,
}

impl Watcher {
    /// Starts the thread, and that of the first runner.
    pub(super) fn start(shared: Arc<SharedState>) -> io::Result<Thread> {
        let current = Arc::new(CurrentGame::default());
        Runner::start(shared.clone(), current.clone(), None)?;
        let watcher = Watcher::new(shared, current);
        let name = "worker's watch".to_owned();
        let thread = thread::Builder::new().name(name);
        Ok(thread.spawn(move || watcher.run())?.thread().clone())
    }

    fn new(shared: Arc<SharedState>, current: Arc<CurrentGame>) -> Watcher {
        let now = Instant::now();
        Watcher {
            shared,
            current,
            turn: Since::new(Moment::default(), now),
            game: Since::new(NO_GAME, now),
            left: None,
        }
    }

    fn run(mut self) {
        let tick = tick(&self.shared.timeouts);
        while !self.shared.is_stopped() {
            self.look(Instant::now());
            thread::park_timeout(tick);
        }
        self.current.stop_all();
    }

    fn look(&mut self, now: Instant) {
        if let Some(pair) = self.left.take() {
            self.replace_worker(pair);
        }
        let Timeouts {
            per_move, per_game, ..
        } = self.shared.timeouts;
        let (moment, number) = (self.current.turns.now(), self.current.game());
        let waited = self.turn.update(moment, now);
        let played = self.game.update(number, now);
        match moment.phase() {
            Phase::Late if waited >= GRACE => self.give_up(moment),
            Phase::Late | Phase::GivenUp => {}
            Phase::Thinking if waited >= per_move => self.current.stop_turn(moment),
            Phase::Thinking | Phase::Idle if number != NO_GAME && played >= per_game => {
                self.current.end_game(number);
                if moment.phase() == Phase::Thinking {
                    self.current.stop_turn(moment);
                }
            }
            Phase::Thinking | Phase::Idle => {}
        }
    }

    /// Leaves the runner behind with a bot that does not stop, and ends its game.
    fn give_up(&mut self, moment: Moment) {
        if !self.current.turns.press(moment) {
            return;
        }
        let in_play: Option<InPlay> = self.current.read().clone();
        // While a bot has the turn, its runner has a game.
        let Some(in_play) = in_play else { return };
        let ended = if self.current.is_too_long(in_play.open.number()) {
            too_long(&self.shared)
        } else {
            timed_out(&self.shared, &in_play.open)
        };
        self.replace_worker(in_play.close(ended));
    }

    /// Starts a runner that continues a pairing. If that fails, the pairing waits for the next check.
    fn replace_worker(&mut self, pair: PairRecord) {
        let current = Arc::new(CurrentGame::default());
        let started = Runner::start(self.shared.clone(), current.clone(), Some(pair.clone()));
        match started {
            Ok(()) => {
                *self = Watcher {
                    ..Watcher::new(self.shared.clone(), current)
                }
            }
            Err(_) => self.left = Some(pair),
        }
    }
}

/// How often to look.
fn tick(timeouts: &Timeouts) -> Duration {
    let shorter = timeouts.per_move.min(timeouts.per_game);
    (shorter / 4).clamp(SHORTEST_TICK, LONGEST_TICK)
}

/// What was seen last, and since when it is so.
struct Since<T> {
    value: T,
    since: Instant,
}

impl<T: PartialEq> Since<T> {
    fn new(value: T, now: Instant) -> Since<T> {
        Since { value, since: now }
    }

    /// Records the current value; returns how long it has been the same.
    fn update(&mut self, value: T, now: Instant) -> Duration {
        if value != self.value {
            *self = Since::new(value, now);
        }
        now - self.since
    }
}

//! The thread of a slot that sees to it that the worker gets on.

use std::io;
use std::sync::Arc;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use super::House;
use super::desk::{Desk, InPlay, NO_GAME};
use super::turns::{Moment, Phase};
use super::worker::{Worker, timed_out, too_long};
use crate::{PairRecord, Timeouts};

/// How long a bot that was told to stop is waited for.
const GRACE: Duration = Duration::from_secs(2);

/// How often the watcher looks at least.
const LONGEST_TICK: Duration = Duration::from_millis(250);

/// How often it looks at most.
const SHORTEST_TICK: Duration = Duration::from_millis(1);

/// Looks now and then at what the worker does. A time-out falls due at the earliest when it is
/// over, and at the latest two looks after.
pub(super) struct Watcher {
    house: Arc<House>,
    desk: Arc<Desk>,
    turn: Since<Moment>,
    game: Since<u64>,
    /// What the worker left to its successor, where that could not be started yet.
    left: Option<PairRecord>,
}

impl Watcher {
    /// Starts the thread, and that of the first worker.
    pub(super) fn start(house: Arc<House>) -> io::Result<Thread> {
        let desk = Arc::new(Desk::default());
        Worker::start(house.clone(), desk.clone(), None)?;
        let watcher = Watcher::new(house, desk);
        let name = "slot's watch".to_owned();
        let thread = thread::Builder::new().name(name);
        Ok(thread.spawn(move || watcher.run())?.thread().clone())
    }

    fn new(house: Arc<House>, desk: Arc<Desk>) -> Watcher {
        let now = Instant::now();
        Watcher {
            house,
            desk,
            turn: Since::new(Moment::default(), now),
            game: Since::new(NO_GAME, now),
            left: None,
        }
    }

    fn run(mut self) {
        let tick = tick(&self.house.timeouts);
        while !self.house.is_stopped() {
            self.look(Instant::now());
            thread::park_timeout(tick);
        }
        self.desk.stop_all();
    }

    fn look(&mut self, now: Instant) {
        if let Some(pair) = self.left.take() {
            self.replace_worker(pair);
        }
        let Timeouts {
            per_move, per_game, ..
        } = self.house.timeouts;
        let (moment, number) = (self.desk.turns.now(), self.desk.game());
        let waited = self.turn.update(moment, now);
        let played = self.game.update(number, now);
        match moment.phase() {
            Phase::Late if waited >= GRACE => self.give_up(moment),
            Phase::Late | Phase::GivenUp => {}
            Phase::Thinking if waited >= per_move => self.desk.stop_turn(moment),
            Phase::Thinking | Phase::Idle if number != NO_GAME && played >= per_game => {
                self.desk.end_game(number);
                if moment.phase() == Phase::Thinking {
                    self.desk.stop_turn(moment);
                }
            }
            Phase::Thinking | Phase::Idle => {}
        }
    }

    /// Leaves the worker behind with a bot that does not stop, and ends its game.
    fn give_up(&mut self, moment: Moment) {
        if !self.desk.turns.press(moment) {
            return;
        }
        let in_play: Option<InPlay> = self.desk.read().clone();
        // A worker whose bot has the turn has a game.
        let Some(in_play) = in_play else { return };
        let ended = if self.desk.is_too_long(in_play.open.number()) {
            too_long(&self.house)
        } else {
            timed_out(&self.house, &in_play.open)
        };
        self.replace_worker(in_play.close(ended));
    }

    /// Starts a worker that goes on with a pairing, or lets the pairing wait for the next look.
    fn replace_worker(&mut self, pair: PairRecord) {
        let desk = Arc::new(Desk::default());
        let started = Worker::start(self.house.clone(), desk.clone(), Some(pair.clone()));
        match started {
            Ok(()) => {
                *self = Watcher {
                    ..Watcher::new(self.house.clone(), desk)
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

    /// Takes in what is seen now; tells how long it has been so.
    fn update(&mut self, value: T, now: Instant) -> Duration {
        if value != self.value {
            *self = Since::new(value, now);
        }
        now - self.since
    }
}

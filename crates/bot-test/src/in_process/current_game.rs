//! What a runner and the watcher share: the game in play and the turns of its bots.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use checkers_engine::Stop;

use super::turns::{Moment, Turns};
use crate::PairRecord;
use crate::open_game::{GameEnd, OpenGame};

/// No game of a tournament has this number.
pub(super) const NO_GAME: u64 = 0;

/// What one runner and the watcher share.
///
/// The runner keeps a read lock of the game while a bot thinks about it: so the watcher can read
/// what was played even when that bot never comes back.
#[derive(Default)]
pub(super) struct CurrentGame {
    pub(super) turns: Turns,
    /// The number of the game in play.
    game: AtomicU64,
    /// The number of the game that is to end because it takes too long.
    too_long: AtomicU64,
    stop: Mutex<Stop>,
    play: RwLock<Option<InPlay>>,
}

/// A pairing in play.
#[derive(Clone)]
pub(super) struct InPlay {
    /// The pairing with those of its games that are over.
    pub(super) pair: PairRecord,
    pub(super) open: OpenGame,
}

impl InPlay {
    /// The pairing after this game.
    pub(super) fn close(self, ended: GameEnd) -> PairRecord {
        let mut pair = self.pair;
        pair.games.push(self.open.close(ended));
        pair
    }
}

impl CurrentGame {
    /// For the runner: begins a game.
    pub(super) fn begin(&self, in_play: InPlay) {
        self.game.store(in_play.open.number(), Ordering::Relaxed);
        *self.change() = Some(in_play);
    }

    /// For the runner: removes the game after its end.
    pub(super) fn clear(&self) -> Option<InPlay> {
        self.game.store(NO_GAME, Ordering::Relaxed);
        self.change().take()
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Option<InPlay>> {
        // Bots panic while it is held, but nothing that changes it does.
        self.play.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// For the runner alone.
    pub(super) fn change(&self) -> RwLockWriteGuard<'_, Option<InPlay>> {
        self.play.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the game in play, or [`NO_GAME`].
    pub(super) fn game(&self) -> u64 {
        self.game.load(Ordering::Relaxed)
    }

    /// For the watcher: wants a game to end.
    pub(super) fn end_game(&self, number: u64) {
        self.too_long.store(number, Ordering::Release);
    }

    /// Whether the game of this number is to end because it takes too long.
    pub(super) fn is_too_long(&self, number: u64) -> bool {
        self.too_long.load(Ordering::Acquire) == number
    }

    /// For the watcher: stops the bot that has the turn, unless the turn is over.
    pub(super) fn stop_turn(&self, moment: Moment) {
        // Held for both steps, so that the runner does not begin the next game between them and
        // has that one stopped.
        let stop = self.stop();
        if self.turns.press(moment) {
            stop.stop();
        }
    }

    /// For the watcher: stops any bot.
    pub(super) fn stop_all(&self) {
        self.stop().stop();
    }

    /// For the runner: a flag that is not set, which the watcher will set from now on.
    pub(super) fn fresh_stop(&self) -> Stop {
        let mut stop = self.stop();
        if stop.is_set() {
            *stop = Stop::default();
        }
        stop.clone()
    }

    fn stop(&self) -> MutexGuard<'_, Stop> {
        // Nothing panics while it is held.
        self.stop.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

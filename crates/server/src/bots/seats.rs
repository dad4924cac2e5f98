//! Which bots have a seat, and which of them give it up for another bot.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use tokio::sync::Notify;

/// The seats of a server's bots.
#[derive(Default)]
pub(super) struct SeatPool {
    taken: HashSet<u64>,
    /// The bots whose game is over, the longest first, each with its notice to leave.
    idle: VecDeque<(u64, Arc<Notify>)>,
    last_number: u64,
}

impl SeatPool {
    /// How many bots have a seat.
    pub(super) fn taken(&self) -> usize {
        self.taken.len()
    }

    /// Makes room for a bot, if necessary by dismissing idle ones; `false` if `max` bots play.
    pub(super) fn make_room(&mut self, max: usize) -> bool {
        if self.taken.len() - self.idle.len() >= max {
            return false;
        }
        while self.taken.len() >= max
            && let Some((number, dismissal)) = self.idle.pop_front()
        {
            self.taken.remove(&number);
            dismissal.notify_one();
        }
        true
    }

    /// Gives a new bot a seat, and its number.
    pub(super) fn add(&mut self) -> u64 {
        self.last_number += 1;
        self.taken.insert(self.last_number);
        self.last_number
    }

    /// The bot's game is over. One that was dismissed is about to leave.
    pub(super) fn set_idle(&mut self, number: u64, dismissal: Arc<Notify>) {
        if self.taken.contains(&number) {
            self.remove_idle(number);
            self.idle.push_back((number, dismissal));
        }
    }

    /// The bot plays. One that was dismissed in the same instant has its seat back, even beyond the
    /// maximum.
    pub(super) fn set_playing(&mut self, number: u64) {
        self.remove_idle(number);
        self.taken.insert(number);
    }

    /// The bot has left.
    pub(super) fn remove(&mut self, number: u64) {
        self.remove_idle(number);
        self.taken.remove(&number);
    }

    fn remove_idle(&mut self, number: u64) {
        self.idle.retain(|(idle, _)| *idle != number);
    }
}

//! How long a bot stays at a table without a game. Pure: time is an argument.

use std::time::{Duration, Instant};

/// How long a bot stays where no person is: whoever loads the page again finds it there.
const FAREWELL: Duration = Duration::from_secs(10);

/// Since when a bot has had no game, and no company.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct IdleTimer {
    idle_since: Option<Instant>,
    alone_since: Option<Instant>,
}

impl IdleTimer {
    /// There is no game, or none any more.
    pub(super) fn rest(&mut self, now: Instant) {
        self.idle_since = Some(now);
    }

    /// It plays, and stays.
    pub(super) fn play(&mut self) {
        self.idle_since = None;
    }

    /// Takes in whether a person is at the table.
    pub(super) fn see(&mut self, is_alone: bool, now: Instant) {
        let since = self.alone_since.unwrap_or(now);
        self.alone_since = is_alone.then_some(since);
    }

    /// When it goes if nothing happens: when its `patience` is over, or soon where no person is.
    pub(super) fn ends(&self, patience: Duration) -> Option<Instant> {
        let idle = self.idle_since?;
        let left = self.alone_since.map(|alone| alone.max(idle));
        let farewell = left.and_then(|left| left.checked_add(FAREWELL));
        idle.checked_add(patience).into_iter().chain(farewell).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(600);

    #[test]
    fn a_bot_that_plays_stays() {
        let now = Instant::now();
        let mut timer = IdleTimer::default();
        timer.rest(now);
        timer.see(true, now);
        timer.play();
        assert_eq!(timer.ends(PATIENCE), None);
        // The farewell begins with the end of the game.
        let over = now + PATIENCE;
        timer.rest(over);
        assert_eq!(timer.ends(PATIENCE), Some(over + FAREWELL));
    }

    #[test]
    fn a_bot_waits_for_a_person_and_not_for_nobody() {
        let now = Instant::now();
        let mut timer = IdleTimer::default();
        timer.rest(now);
        assert_eq!(timer.ends(PATIENCE), Some(now + PATIENCE));
        let gone = now + FAREWELL;
        timer.see(true, gone);
        timer.see(true, gone + FAREWELL / 2);
        assert_eq!(timer.ends(PATIENCE), Some(gone + FAREWELL));
        timer.see(false, gone + FAREWELL / 2);
        assert_eq!(timer.ends(PATIENCE), Some(now + PATIENCE));
        timer.see(true, now + PATIENCE);
        assert_eq!(timer.ends(PATIENCE), Some(now + PATIENCE));
    }
}

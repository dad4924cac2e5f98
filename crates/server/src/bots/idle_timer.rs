//! How long a bot stays at a table without a game. Pure: time is an argument.

use std::time::{Duration, Instant};

/// How long a bot stays without people: it is still there if someone reloads the page.
const ALONE_TIMEOUT: Duration = Duration::from_secs(10);

/// Since when a bot has had no game, and no people around.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct IdleTimer {
    idle_since: Option<Instant>,
    alone_since: Option<Instant>,
}

impl IdleTimer {
    /// The bot has no game.
    pub(super) fn start(&mut self, now: Instant) {
        self.idle_since = Some(now);
    }

    /// The bot plays.
    pub(super) fn stop(&mut self) {
        self.idle_since = None;
    }

    /// Sets whether the bot is without people.
    pub(super) fn set_alone(&mut self, is_alone: bool, now: Instant) {
        let since = self.alone_since.unwrap_or(now);
        self.alone_since = is_alone.then_some(since);
    }

    /// When the bot leaves: after `idle_timeout` without a game, or earlier without people.
    pub(super) fn deadline(&self, idle_timeout: Duration) -> Option<Instant> {
        let idle = self.idle_since?;
        let left = self.alone_since.map(|alone| alone.max(idle));
        let alone = left.and_then(|left| left.checked_add(ALONE_TIMEOUT));
        idle.checked_add(idle_timeout)
            .into_iter()
            .chain(alone)
            .min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE_TIMEOUT: Duration = Duration::from_secs(600);

    #[test]
    fn a_bot_that_plays_stays() {
        let now = Instant::now();
        let mut timer = IdleTimer::default();
        timer.start(now);
        timer.set_alone(true, now);
        timer.stop();
        assert_eq!(timer.deadline(IDLE_TIMEOUT), None);
        // The timeout starts at the end of the game.
        let over = now + IDLE_TIMEOUT;
        timer.start(over);
        assert_eq!(timer.deadline(IDLE_TIMEOUT), Some(over + ALONE_TIMEOUT));
    }

    #[test]
    fn a_bot_without_people_leaves_early() {
        let now = Instant::now();
        let mut timer = IdleTimer::default();
        timer.start(now);
        assert_eq!(timer.deadline(IDLE_TIMEOUT), Some(now + IDLE_TIMEOUT));
        let gone = now + ALONE_TIMEOUT;
        timer.set_alone(true, gone);
        timer.set_alone(true, gone + ALONE_TIMEOUT / 2);
        assert_eq!(timer.deadline(IDLE_TIMEOUT), Some(gone + ALONE_TIMEOUT));
        timer.set_alone(false, gone + ALONE_TIMEOUT / 2);
        assert_eq!(timer.deadline(IDLE_TIMEOUT), Some(now + IDLE_TIMEOUT));
        timer.set_alone(true, now + IDLE_TIMEOUT);
        assert_eq!(timer.deadline(IDLE_TIMEOUT), Some(now + IDLE_TIMEOUT));
    }
}

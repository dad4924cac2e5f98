//! How long a bot stays where it does not play. Pure: what time it is is told.

use std::time::{Duration, Instant};

/// How long a bot stays where no person is: whoever loads the page again finds it there.
const FAREWELL: Duration = Duration::from_secs(10);

/// Since when a bot has had no game, and no company.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Stay {
    idle_since: Option<Instant>,
    alone_since: Option<Instant>,
}

impl Stay {
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
        let mut stay = Stay::default();
        stay.rest(now);
        stay.see(true, now);
        stay.play();
        assert_eq!(stay.ends(PATIENCE), None);
        // The farewell begins with the end of the game.
        let over = now + PATIENCE;
        stay.rest(over);
        assert_eq!(stay.ends(PATIENCE), Some(over + FAREWELL));
    }

    #[test]
    fn a_bot_waits_for_a_person_and_not_for_nobody() {
        let now = Instant::now();
        let mut stay = Stay::default();
        stay.rest(now);
        assert_eq!(stay.ends(PATIENCE), Some(now + PATIENCE));
        let gone = now + FAREWELL;
        stay.see(true, gone);
        stay.see(true, gone + FAREWELL / 2);
        assert_eq!(stay.ends(PATIENCE), Some(gone + FAREWELL));
        stay.see(false, gone + FAREWELL / 2);
        assert_eq!(stay.ends(PATIENCE), Some(now + PATIENCE));
        stay.see(true, now + PATIENCE);
        assert_eq!(stay.ends(PATIENCE), Some(now + PATIENCE));
    }
}

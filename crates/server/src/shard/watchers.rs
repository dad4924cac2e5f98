//! How many look on: told now and then, not at each coming and going.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{Player, ServerMessage};

/// The time between two counts that are told.
const PAUSE: Duration = Duration::from_secs(1);

/// What was told of who is here.
#[derive(Debug, Default)]
pub(super) struct Watchers {
    count: u32,
    told: u32,
    told_at: Option<Instant>,
    players: Vec<Player>,
}

impl Watchers {
    /// Takes in how many there are.
    pub(super) fn count(&mut self, count: u32) {
        self.count = rounded(count);
    }

    /// Takes in a list of players that is to be told, and tells whether it is another than before.
    pub(super) fn told_players(&mut self, message: &ServerMessage) -> bool {
        let ServerMessage::Players {
            players, watchers, ..
        } = message
        else {
            return true;
        };
        let is_new = self.players != *players;
        if is_new {
            self.players.clone_from(players);
            // Everybody is told the count with it.
            (self.count, self.told) = (rounded(*watchers), rounded(*watchers));
        }
        is_new
    }

    /// When a count is to be told.
    pub(super) fn due(&self) -> Option<Instant> {
        let is_old = self.count != self.told;
        is_old.then(|| self.told_at.map_or_else(Instant::now, |told| told + PAUSE))
    }

    /// Whether the count is the one that was told.
    pub(super) fn is_told(&self) -> bool {
        self.count == self.told
    }

    /// The count, if it is to be told now.
    pub(super) fn next_count(&mut self, now: Instant) -> Option<u32> {
        let is_early = |told: Instant| now < told + PAUSE;
        if self.is_told() || self.told_at.is_some_and(is_early) {
            return None;
        }
        (self.told, self.told_at) = (self.count, Some(now));
        Some(self.count)
    }
}

/// A count as it is told: the more there are, the less one of them matters.
fn rounded(count: u32) -> u32 {
    match count {
        0..=100 => count,
        101..=1000 => count - count % 10,
        _ => count - count % 50,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_rounded_the_more_the_larger() {
        for (count, told) in [
            (0, 0),
            (7, 7),
            (100, 100),
            (109, 100),
            (1000, 1000),
            (1049, 1000),
        ] {
            assert_eq!(rounded(count), told);
        }
    }

    #[test]
    fn a_count_is_told_once_a_second_when_it_has_changed() {
        let mut watchers = Watchers::default();
        let now = Instant::now();
        assert_eq!(watchers.next_count(now), None);
        watchers.count(3);
        assert_eq!(watchers.next_count(Instant::now()), Some(3));
        let told = watchers.told_at.unwrap();
        watchers.count(4);
        assert_eq!(watchers.next_count(told + PAUSE / 2), None);
        assert_eq!(watchers.due(), Some(told + PAUSE));
        watchers.count(3);
        assert_eq!(watchers.due(), None, "it is what was told");
        watchers.count(5);
        assert_eq!(watchers.next_count(told + PAUSE), Some(5));
    }
}

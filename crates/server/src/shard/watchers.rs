//! The number of watchers: sent now and then, not whenever it changes.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{Player, ServerMessage};

/// The time between two counts that are sent.
const PAUSE: Duration = Duration::from_secs(1);

/// The last lists and counts sent.
#[derive(Debug, Default)]
pub(super) struct WatcherCount {
    count: u32,
    sent: u32,
    sent_at: Option<Instant>,
    players: Vec<Player>,
}

impl WatcherCount {
    /// Sets how many there are.
    pub(super) fn count(&mut self, count: u32) {
        self.count = rounded(count);
    }

    /// Sets the list of players, which is sent now; whether it has changed.
    pub(super) fn set_players(&mut self, message: &ServerMessage) -> bool {
        let ServerMessage::Players {
            players, watchers, ..
        } = message
        else {
            return true;
        };
        let is_new = self.players != *players;
        if is_new {
            self.players.clone_from(players);
            // The list is sent with the count.
            (self.count, self.sent) = (rounded(*watchers), rounded(*watchers));
        }
        is_new
    }

    /// When to send the count.
    pub(super) fn due(&self) -> Option<Instant> {
        let is_old = self.count != self.sent;
        is_old.then(|| self.sent_at.map_or_else(Instant::now, |sent| sent + PAUSE))
    }

    /// Whether the present count was sent.
    pub(super) fn is_sent(&self) -> bool {
        self.count == self.sent
    }

    /// The count, if it is to be sent now.
    pub(super) fn next_count(&mut self, now: Instant) -> Option<u32> {
        let is_early = |sent: Instant| now < sent + PAUSE;
        if self.is_sent() || self.sent_at.is_some_and(is_early) {
            return None;
        }
        (self.sent, self.sent_at) = (self.count, Some(now));
        Some(self.count)
    }
}

/// The count to send: large counts are rounded, to send fewer messages.
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
    fn large_counts_are_rounded_more() {
        for (count, sent) in [
            (0, 0),
            (7, 7),
            (100, 100),
            (109, 100),
            (1000, 1000),
            (1049, 1000),
        ] {
            assert_eq!(rounded(count), sent);
        }
    }

    #[test]
    fn a_count_is_sent_once_a_second_when_it_has_changed() {
        let mut watchers = WatcherCount::default();
        let now = Instant::now();
        assert_eq!(watchers.next_count(now), None);
        watchers.count(3);
        assert_eq!(watchers.next_count(Instant::now()), Some(3));
        let sent = watchers.sent_at.unwrap();
        watchers.count(4);
        assert_eq!(watchers.next_count(sent + PAUSE / 2), None);
        assert_eq!(watchers.due(), Some(sent + PAUSE));
        watchers.count(3);
        assert_eq!(watchers.due(), None, "it was sent");
        watchers.count(5);
        assert_eq!(watchers.next_count(sent + PAUSE), Some(5));
    }
}

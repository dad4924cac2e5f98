//! Pairs players who want a quick game.

use std::collections::VecDeque;

use checkers_lib::TimeControl;

use crate::table::ClientId;

/// The waiting players, in order of arrival.
#[derive(Debug, Default)]
pub(super) struct QuickQueue {
    waiting: VecDeque<(ClientId, TimeControl)>,
}

impl QuickQueue {
    /// Queues `who`, or returns the opponent who has waited longest for the same time control. A
    /// player who is already queued changes the time control.
    pub(super) fn wait(&mut self, who: ClientId, clock: TimeControl) -> Option<ClientId> {
        self.leave(who);
        let mut waiting = self.waiting.iter();
        match waiting.position(|(_, wanted)| *wanted == clock) {
            Some(at) => self.waiting.remove(at).map(|(other, _)| other),
            None => {
                self.waiting.push_back((who, clock));
                None
            }
        }
    }

    /// The time controls of the waiting players.
    pub(super) fn clocks(&self) -> impl Iterator<Item = &TimeControl> {
        self.waiting.iter().map(|(_, clock)| clock)
    }

    /// Removes `who` from the queue.
    pub(super) fn leave(&mut self, who: ClientId) {
        self.waiting.retain(|(waiting, _)| *waiting != who);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANNA: ClientId = ClientId(1);
    const BORIS: ClientId = ClientId(2);
    const CLARA: ClientId = ClientId(3);

    const CLOCKS: [&str; 3] = ["1m", "5m", "10m"];

    fn clock(text: &str) -> TimeControl {
        text.parse().unwrap()
    }

    #[test]
    fn the_longest_waiting_player_with_the_same_clock_is_paired() {
        let [short, medium, long] = CLOCKS.map(clock);
        let mut quick = QuickQueue::default();
        assert_eq!(quick.wait(ANNA, short), None);
        assert_eq!(quick.wait(BORIS, long), None);
        assert!(quick.clocks().eq([&short, &long]));
        assert_eq!(quick.wait(CLARA, short), Some(ANNA));
        assert_eq!(quick.wait(ANNA, short), None);
        assert_eq!(quick.wait(ANNA, long), Some(BORIS));
        assert_eq!(quick.wait(BORIS, medium), None);
        assert_eq!(
            quick.wait(ANNA, short),
            None,
            "nobody waits for it any more"
        );
    }

    #[test]
    fn players_are_not_paired_with_themselves_or_absent_players() {
        let (mut quick, clock) = (QuickQueue::default(), clock("5m"));
        assert_eq!(quick.wait(ANNA, clock), None);
        assert_eq!(quick.wait(ANNA, clock), None);
        quick.leave(ANNA);
        assert_eq!(quick.wait(BORIS, clock), None);
    }
}

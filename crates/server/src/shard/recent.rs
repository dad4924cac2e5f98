//! The last events of a game, for clients that reconnect.

use std::collections::VecDeque;

use checkers_lib::protocol::Since;

use crate::broadcast::Frame;

/// The number of events kept.
const KEPT: usize = 64;

/// The frames of the last events of one game.
#[derive(Debug, Default)]
pub(super) struct RecentEvents {
    game: u64,
    /// The number of the last event.
    last: u32,
    /// In order, the newest at the end.
    frames: VecDeque<Frame>,
}

impl RecentEvents {
    /// Starts after event `last`, without frames.
    pub(super) fn after(game: u64, last: u32) -> RecentEvents {
        let frames = VecDeque::new();
        RecentEvents { game, last, frames }
    }

    /// Adds the frame of an event, by its game and its number.
    pub(super) fn push(&mut self, (game, seq): (u64, u32), frame: &Frame) {
        if game != self.game || seq != self.last.saturating_add(1) {
            *self = RecentEvents::after(game, seq);
            return self.frames.push_back(frame.clone());
        }
        if self.frames.len() == KEPT {
            self.frames.pop_front();
        }
        self.frames.push_back(frame.clone());
        self.last = seq;
    }

    /// The frames after `since`; `None` if some are no longer available.
    pub(super) fn since(&self, since: Since) -> Option<impl Iterator<Item = &Frame>> {
        let missed = self.last.checked_sub(since.seq)?;
        let missed = usize::try_from(missed).ok()?;
        let first = self.frames.len().checked_sub(missed)?;
        (since.game == self.game).then(|| self.frames.range(first..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkers_lib::protocol::ServerMessage;

    fn push(recent: &mut RecentEvents, game: u64, seq: u32) {
        recent.push((game, seq), &Frame::new(&ServerMessage::Unqueued));
    }

    /// The number of missed events, if they are available.
    fn missed(recent: &RecentEvents, game: u64, seq: u32) -> Option<usize> {
        recent.since(Since { game, seq }).map(Iterator::count)
    }

    #[test]
    fn missed_events_are_available_for_a_while() {
        let mut recent = RecentEvents::after(1, 3);
        assert_eq!(missed(&recent, 1, 3), Some(0));
        assert_eq!(missed(&recent, 1, 2), None);
        for seq in 4..=100 {
            push(&mut recent, 1, seq);
        }
        assert_eq!(missed(&recent, 1, 100), Some(0));
        assert_eq!(missed(&recent, 1, 90), Some(10));
        assert_eq!(missed(&recent, 1, 36), Some(64));
        assert_eq!(missed(&recent, 1, 35), None, "too long ago");
        assert_eq!(missed(&recent, 1, 101), None, "the client knows more");
        assert_eq!(missed(&recent, 2, 100), None, "another game");
    }

    #[test]
    fn a_new_game_clears_the_events() {
        let mut recent = RecentEvents::after(1, 3);
        push(&mut recent, 1, 4);
        push(&mut recent, 2, 4);
        assert_eq!(missed(&recent, 1, 4), None);
        assert_eq!(missed(&recent, 2, 3), Some(1));
    }
}

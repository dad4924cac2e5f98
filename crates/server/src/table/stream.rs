//! Event streams: each game has one, which starts with the events before the game.

use checkers_lib::protocol::ClosedReason;

use super::event::{Closed, Opened, TableEvent};
use super::{CompactRecord, Effect, EventRecord, StreamEnd, Table};

/// The stream of the running or next game, or else of the last one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StreamPosition {
    /// The number of the game.
    pub(super) game: u64,
    /// The number of the last event.
    pub(super) seq: u32,
    pub(super) is_open: bool,
}

impl StreamPosition {
    /// The number of the next event of an open stream.
    pub(super) fn next_seq(self) -> u32 {
        self.seq.saturating_add(1)
    }
}

/// The id of a game, which also names its stream.
pub(crate) fn game_id(table: &str, number: u64) -> String {
    format!("{table}-{number}")
}

impl Table {
    /// The number of the game of the current or last stream, and of its last event.
    pub fn stream_position(&self) -> (u64, u32) {
        (self.stream.game, self.stream.seq)
    }

    /// Records an event; opens the stream if it is the first event of a game.
    pub(super) fn record(&mut self, event: TableEvent) -> Vec<Effect> {
        // Room for the messages that follow.
        let mut effects = Vec::with_capacity(4);
        if !self.stream.is_open {
            effects.push(self.open_stream(self.games + 1));
        }
        effects.push(Effect::Record(self.add(event, StreamEnd::Open)));
        effects
    }

    pub(super) fn open_stream(&mut self, game: u64) -> Effect {
        self.stream = StreamPosition {
            game,
            seq: 0,
            is_open: true,
        };
        let opened = Opened::from(&*self.settings);
        Effect::Record(self.add(TableEvent::Opened(opened), StreamEnd::Open))
    }

    /// Records the last event of a game.
    pub(super) fn record_last(
        &mut self,
        event: TableEvent,
        archived: CompactRecord,
    ) -> Vec<Effect> {
        let record = self.add(event, StreamEnd::Archived(Box::new(archived)));
        self.stream.is_open = false;
        vec![Effect::Record(record)]
    }

    /// Ends the stream of a game that was not started.
    pub(super) fn discard_stream(&mut self, reason: ClosedReason) -> Option<Effect> {
        if !self.stream.is_open {
            return None;
        }
        let closed = TableEvent::Closed(Closed { reason });
        let record = self.add(closed, StreamEnd::Discarded);
        self.stream.is_open = false;
        Some(Effect::Record(record))
    }

    /// Appends an event to the open stream.
    pub(super) fn add(&mut self, event: TableEvent, stream: StreamEnd) -> EventRecord {
        self.stream.seq = self.stream.next_seq();
        EventRecord {
            game: self.stream.game,
            seq: self.stream.seq,
            event,
            stream,
        }
    }
}

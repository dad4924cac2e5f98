//! Where the events of a table go: each game has a stream, which begins with what prepares it.

use checkers_lib::protocol::ClosedReason;

use super::event::{Closed, Opened, TableEvent};
use super::{CompactRecord, Effect, Record, StreamEnd, Table};

/// The stream of the game that runs or is prepared, or else of the last one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stream {
    /// The number of the game.
    pub(super) game: u64,
    /// The number of the last event.
    pub(super) seq: u32,
    pub(super) is_open: bool,
}

impl Stream {
    /// The number of the next event of an open stream.
    pub(super) fn next_seq(self) -> u32 {
        self.seq.saturating_add(1)
    }
}

/// The id of a game, by which its stream is found too.
pub(crate) fn game_id(table: &str, number: u64) -> String {
    format!("{table}-{number}")
}

impl Table {
    /// The number of the game whose stream is open, or was last, and of the last event there.
    pub fn place(&self) -> (u64, u32) {
        (self.stream.game, self.stream.seq)
    }

    /// Remembers an event; the first one of a game opens its stream.
    pub(super) fn record(&mut self, event: TableEvent) -> Vec<Effect> {
        // With what is told of it.
        let mut effects = Vec::with_capacity(4);
        if !self.stream.is_open {
            effects.push(self.open_stream(self.games + 1));
        }
        effects.push(Effect::Record(self.add(event, StreamEnd::Open)));
        effects
    }

    /// Opens the stream of a game.
    pub(super) fn open_stream(&mut self, game: u64) -> Effect {
        self.stream = Stream {
            game,
            seq: 0,
            is_open: true,
        };
        let opened = Opened::from(&*self.settings);
        Effect::Record(self.add(TableEvent::Opened(opened), StreamEnd::Open))
    }

    /// Remembers the last event of a game.
    pub(super) fn record_last(
        &mut self,
        event: TableEvent,
        archived: CompactRecord,
    ) -> Vec<Effect> {
        let record = self.add(event, StreamEnd::Archived(Box::new(archived)));
        self.stream.is_open = false;
        vec![Effect::Record(record)]
    }

    /// Ends the stream of a game that does not begin.
    pub(super) fn discard_stream(&mut self, reason: ClosedReason) -> Option<Effect> {
        if !self.stream.is_open {
            return None;
        }
        let closed = TableEvent::Closed(Closed { reason });
        let record = self.add(closed, StreamEnd::Discarded);
        self.stream.is_open = false;
        Some(Effect::Record(record))
    }

    /// Remembers an event of the stream that is open.
    pub(super) fn add(&mut self, event: TableEvent, stream: StreamEnd) -> Record {
        self.stream.seq = self.stream.next_seq();
        Record {
            game: self.stream.game,
            seq: self.stream.seq,
            event,
            stream,
        }
    }
}

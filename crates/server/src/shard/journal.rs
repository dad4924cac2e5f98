//! Converts between the records of a table and the event log.

use std::mem;

use checkers_lib::protocol::{EndReason, GameRecord, GameResult, WireColor};
use event_store::{
    Append, EventLog, NewEvent, ReadError, Seq, StreamId, StreamIdError, Summary, UnixMillis,
    WriteError,
};

use crate::table::event::{BadEvent, TableEvent};
use crate::table::{CompactRecord, EventRecord, StreamEnd, clock_of_both, game_id, reason_name};
use crate::tournaments::is_tournament;

/// Moves after the opening of the shortest game that is rated, or counts for an event.
const LEAST_RATED_PLIES: u32 = 6;

/// A rated game with fewer moves after the opening is given up early if a player ends it.
const LATEST_GIVEN_UP_PLIES: u32 = 16;

/// Writes the events of one table.
#[derive(Debug)]
pub(super) struct ShardJournal {
    table: String,
    /// The last stream that was written to, and the number of its game.
    last: Option<(u64, StreamId)>,
    /// When the game began.
    started: UnixMillis,
}

/// Why events are not in the log.
#[derive(Debug, thiserror::Error)]
pub(super) enum JournalError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Name(#[from] StreamIdError),
    #[error("event {seq} {source}")]
    Event { seq: Seq, source: BadEvent },
}

impl JournalError {
    /// Whether writing the same events later may succeed.
    pub(super) fn is_transient(&self) -> bool {
        matches!(
            self,
            JournalError::Write(
                WriteError::Unavailable { .. } | WriteError::Stopped | WriteError::ReadOnly
            )
        )
    }
}

impl ShardJournal {
    pub(super) fn new(table: &str, started: UnixMillis) -> ShardJournal {
        ShardJournal {
            table: table.to_owned(),
            last: None,
            started,
        }
    }

    /// The append for records of one stream. Takes the archived game out of them.
    pub(super) fn prepare<'a>(
        &mut self,
        records: impl IntoIterator<Item = &'a mut EventRecord>,
    ) -> Result<Append, JournalError> {
        let mut records = records.into_iter().peekable();
        let EventRecord { game, seq, .. } = records.peek().ok_or(WriteError::Empty)?;
        let (now, after) = (UnixMillis::now(), Seq(seq.saturating_sub(1)));
        let stream = self.stream_to_write(*game)?;
        // Most commands make one event.
        let mut events = Vec::with_capacity(1);
        let mut end = StreamEnd::Open;
        for EventRecord { event, stream, .. } in records {
            if matches!(event, TableEvent::Started(_)) {
                self.started = now;
            }
            events.push(NewEvent::new(now, event.kind(), event.payload()));
            end = mem::replace(stream, StreamEnd::Open);
        }
        let append = Append::new(stream, after, events);
        Ok(match end {
            StreamEnd::Open => append,
            StreamEnd::Archived(kept) => append.closing(summary(*kept, self.started, now)),
            StreamEnd::Discarded => append.discarding(),
        })
    }

    fn stream_to_write(&mut self, game: u64) -> Result<StreamId, StreamIdError> {
        let last = self.last.as_ref().filter(|(last, _)| *last == game);
        if let Some((_, stream)) = last {
            return Ok(stream.clone());
        }
        let stream: StreamId = game_id(&self.table, game).parse()?;
        self.last = Some((game, stream.clone()));
        Ok(stream)
    }
}

/// Reads the events of a table's game.
pub(super) async fn read(
    log: &dyn EventLog,
    table: &str,
    game: u64,
) -> Result<Vec<TableEvent>, JournalError> {
    let read = log.read(game_id(table, game).parse()?).await?;
    let events = read.map(|read| read.events).unwrap_or_default();
    let event = |event: event_store::Event| {
        let seq = event.seq;
        TableEvent::read(&event.kind, &event.payload)
            .map_err(|source| JournalError::Event { seq, source })
    };
    events.into_iter().map(event).collect()
}

/// The side that ended a game by giving it up, and not by a move or with the opponent's consent.
fn quitter(result: GameResult, reason: EndReason, left: Option<WireColor>) -> Option<&'static str> {
    let loser = match (reason, result) {
        (EndReason::PlayerLeft | EndReason::Aborted, _) => left?,
        (EndReason::Resignation | EndReason::Time | EndReason::Abandoned, GameResult::WhiteWon) => {
            WireColor::Black
        }
        (EndReason::Resignation | EndReason::Time | EndReason::Abandoned, GameResult::BlackWon) => {
            WireColor::White
        }
        _ => return None,
    };
    Some(match loser {
        WireColor::White => "white",
        WireColor::Black => "black",
    })
}

/// The archive entry of a game.
fn summary(mut kept: CompactRecord, started: UnixMillis, ended: UnixMillis) -> Summary {
    kept.record.started_ms = started.0;
    kept.record.ended_ms = ended.0;
    let (document, plies) = (kept.document(), kept.plies());
    let GameRecord {
        white,
        black,
        white_clock,
        black_clock,
        result,
        reason,
        left,
        opening_plies,
        rated,
        event,
        ..
    } = kept.record;
    let played = plies.saturating_sub(opening_plies);
    let gave_up = (rated && played < LATEST_GIVEN_UP_PLIES)
        .then(|| quitter(result, reason, left))
        .flatten();
    let has_result = result != GameResult::Interrupted;
    let counts = has_result && played >= LEAST_RATED_PLIES;
    Summary {
        finished_at: ended,
        result: result.name().to_owned(),
        reason: reason_name(reason),
        clock: clock_of_both(white_clock.as_deref(), black_clock.as_deref()),
        plies,
        document,
        white: Some(white.name),
        black: Some(black.name),
        white_bot: white.bot,
        black_bot: black.bot,
        rated: if rated && counts { Summary::TO_RATE } else { 0 },
        event: event.filter(|event| counts || has_result && is_tournament(event)),
        gave_up: gave_up.map(str::to_owned),
    }
}

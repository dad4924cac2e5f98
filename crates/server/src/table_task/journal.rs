//! From what a table wants remembered to the log, and back.

use std::fmt;
use std::future::poll_fn;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Context;

use checkers_lib::protocol::GameRecord;
use futures::stream::{self, Stream, StreamExt};
use tokio::sync::watch;

use crate::rarely::Rarely;
use crate::store::{
    Append, EventLog, Health, NewEvent, OnAppended, ReadError, Receipt, Seq, StreamId,
    StreamIdError, Summary, UnixMillis, WriteError,
};
use crate::table::event::{BadEvent, TableEvent};
use crate::table::{KeptGame, Record, StreamEnd, clock_of_both, game_id, reason_name};

/// A table's log, and what has to be known to write to it.
pub(super) struct Journal {
    log: Arc<dyn EventLog>,
    health: watch::Receiver<Health>,
    table: String,
    /// The stream that was written to last, and the number of its game.
    last: Option<(u64, StreamId)>,
    /// When the game began.
    started: UnixMillis,
}

/// Word of each change of a log's health. One wait goes on until there is one.
pub(super) struct HealthChanges(Rarely<Changes>);

type Changes = Pin<Box<dyn Stream<Item = ()> + Send>>;

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
    /// Whether the same may be written later.
    pub(super) fn is_passing(&self) -> bool {
        matches!(
            self,
            JournalError::Write(
                WriteError::Unavailable { .. } | WriteError::Stopped | WriteError::ReadOnly
            )
        )
    }
}

impl Journal {
    pub(super) fn new(log: Arc<dyn EventLog>, table: &str, started: UnixMillis) -> Journal {
        Journal {
            health: log.health(),
            log,
            table: table.to_owned(),
            last: None,
            started,
        }
    }

    /// Word of each change of the log's health from now on.
    pub(super) fn health_changes(&self) -> HealthChanges {
        HealthChanges(Rarely::new(changes(self.health.clone())))
    }

    pub(super) fn is_ready(&self) -> bool {
        self.health.borrow().is_ready()
    }

    /// Appends events of one stream. What it promises is there when they are durable, or certain not
    /// to be.
    pub(super) async fn append(&mut self, append: Append) -> Result<Receipt, JournalError> {
        Ok(self.log.append(append).await?)
    }

    /// Appends events of one stream if there is room for them at once, and has `whom` called when they
    /// are durable, or certain not to be.
    ///
    /// # Errors
    /// The append, if there is no room; within, why it cannot be.
    pub(super) fn try_append(
        &self,
        append: Append,
        whom: Arc<dyn OnAppended>,
    ) -> Result<Result<(), WriteError>, Box<Append>> {
        self.log.try_append(append, whom)
    }

    /// Writes down what these records say, which are of one stream; takes what goes to the archive out of
    /// them.
    pub(super) fn prepare<'a>(
        &mut self,
        records: impl IntoIterator<Item = &'a mut Record>,
    ) -> Result<Append, JournalError> {
        let mut records = records.into_iter().peekable();
        let Record { game, seq, .. } = records.peek().ok_or(WriteError::Empty)?;
        let (now, after) = (UnixMillis::now(), Seq(seq.saturating_sub(1)));
        let stream = self.stream_to_write(*game)?;
        // There mostly is one.
        let mut events = Vec::with_capacity(1);
        let mut end = StreamEnd::Open;
        for Record { event, stream, .. } in records {
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

    /// The events of a game that are in the log.
    pub(super) async fn read(&mut self, game: u64) -> Result<Vec<TableEvent>, JournalError> {
        let read = self.log.read(self.stream(game)?).await?;
        let events = read.map(|read| read.events).unwrap_or_default();
        let event = |event: crate::store::Event| {
            let seq = event.seq;
            TableEvent::read(&event.kind, &event.payload)
                .map_err(|source| JournalError::Event { seq, source })
        };
        events.into_iter().map(event).collect()
    }

    fn stream_to_write(&mut self, game: u64) -> Result<StreamId, StreamIdError> {
        let last = self.last.as_ref().filter(|(last, _)| *last == game);
        if let Some((_, stream)) = last {
            return Ok(stream.clone());
        }
        let stream = self.stream(game)?;
        self.last = Some((game, stream.clone()));
        Ok(stream)
    }

    fn stream(&self, game: u64) -> Result<StreamId, StreamIdError> {
        game_id(&self.table, game).parse()
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal")
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

impl HealthChanges {
    /// Waits for word of the log's health.
    pub(super) async fn next(&mut self) {
        let HealthChanges(changes) = self;
        let next = |context: &mut Context<'_>| {
            changes.poll_with(context, |changes, context| changes.poll_next_unpin(context))
        };
        if poll_fn(next).await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

fn changes(health: watch::Receiver<Health>) -> Changes {
    let next = |mut health: watch::Receiver<Health>| async move {
        health.changed().await.ok()?;
        Some(((), health))
    };
    Box::pin(stream::unfold(health, next).fuse())
}

/// What the archive has of a game.
fn summary(mut kept: KeptGame, started: UnixMillis, ended: UnixMillis) -> Summary {
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
        ..
    } = kept.record;
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
    }
}

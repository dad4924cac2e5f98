//! Writing what a batch did, and publishing it.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use event_store::{Append, Seq, WriteError};
use tracing::{error, warn};

use super::hosted_table::{HostedTable, Storage, split_by_stream};
use super::journal::{self, JournalError};
use super::{INBOX, RequestOrigin, Shard, changed};
use crate::table::event::TableEvent;
use crate::table::{ClientId, Effect, TableSettings};

/// How long a shard waits before it reads the log again after an error.
const READ_AGAIN: Duration = Duration::from_secs(1);

/// The appends of a batch, and what to publish after them.
#[derive(Default)]
pub(super) struct ShardBatch {
    appends: Vec<Append>,
    unpublished: Vec<Unpublished>,
}

/// The effects of one request, until its records are durable.
struct Unpublished {
    table: Arc<TableSettings>,
    origin: RequestOrigin,
    /// The effects, split into parts with the records of one stream each.
    parts: VecDeque<EffectPart>,
}

struct EffectPart {
    game: u64,
    effects: Vec<Effect>,
    /// Whether the records are among the appends of the batch.
    prepared: Result<(), JournalError>,
}

impl Shard {
    /// Publishes effects, or adds them to the batch if they have records to be written first.
    pub(super) async fn submit(
        &mut self,
        table: &Arc<TableSettings>,
        origin: RequestOrigin,
        effects: Vec<Effect>,
        batch: &mut ShardBatch,
    ) {
        let Some(hosted) = self.tables.get_mut(&table.id) else {
            return;
        };
        let has_records = effects.iter().any(|effect| effect.record().is_some());
        if !has_records || self.log.is_none() {
            let arrived = origin.move_arrived.filter(|_| has_move(&effects));
            hosted.publish(effects).await;
            if let Some(arrived) = arrived {
                self.metrics.move_sent(arrived.elapsed());
            }
            return finish_request(hosted, origin);
        }
        hosted.is_writing = true;
        let prepare = |mut effects: Vec<Effect>| {
            let game = effects.iter().find_map(Effect::record)?.game;
            let append = hosted
                .journal
                .prepare(effects.iter_mut().filter_map(Effect::record_mut));
            let prepared = append.map(|append| batch.appends.push(append));
            Some(EffectPart {
                game,
                effects,
                prepared,
            })
        };
        let parts = split_by_stream(effects).into_iter();
        let parts = parts.filter_map(prepare).collect();
        batch.unpublished.push(Unpublished {
            table: Arc::clone(table),
            origin,
            parts,
        });
    }

    /// Appends the records of a batch with one write, then publishes the effects.
    pub(super) async fn write_and_publish(&mut self, batch: ShardBatch) {
        let ShardBatch {
            appends,
            unpublished,
        } = batch;
        if unpublished.is_empty() {
            return;
        }
        let mut outcomes = self.append(appends).await.into_iter();
        for unpublished in unpublished {
            self.publish(unpublished, &mut outcomes).await;
        }
        if self.is_failing {
            // The log may have recovered while it took these.
            self.check_health().await;
        }
    }

    async fn append(&mut self, appends: Vec<Append>) -> Vec<Result<Seq, WriteError>> {
        let Some(log) = self.log.clone() else {
            return Vec::new();
        };
        let count = appends.len();
        match self.wait_for(log.append(appends)).await {
            Ok(outcomes) => outcomes,
            Err(error) => vec![Err(error); count],
        }
    }

    /// Publishes the effects of a request, up to the first part whose records were not written.
    async fn publish(
        &mut self,
        Unpublished {
            table,
            origin,
            parts,
        }: Unpublished,
        outcomes: &mut impl Iterator<Item = Result<Seq, WriteError>>,
    ) {
        let mut failed = None;
        for part in parts {
            let written = part.prepared.and_then(|()| {
                let outcome = outcomes.next().unwrap_or(Err(WriteError::Stopped));
                Ok(outcome.map(drop)?)
            });
            let Some(hosted) = self.tables.get_mut(&table.id) else {
                return;
            };
            hosted.is_writing = false;
            match written {
                _ if failed.is_some() => {}
                Ok(()) => {
                    if is_asked(&part.effects) {
                        // The clock starts when the request for the move is sent, not when the
                        // opponent moved.
                        hosted.table.start_clock_late(Instant::now());
                    }
                    let arrived = origin.move_arrived.filter(|_| has_move(&part.effects));
                    if let Some(arrived) = arrived {
                        self.metrics.move_durable(arrived.elapsed());
                    }
                    hosted.publish(part.effects).await;
                    if let Some(arrived) = arrived {
                        self.metrics.move_sent(arrived.elapsed());
                    }
                }
                Err(error) => failed = Some((part.game, error)),
            }
        }
        if let Some((game, error)) = failed {
            self.roll_back(&table, origin.who, game, &error).await;
        }
        if let Some(hosted) = self.tables.get_mut(&table.id) {
            finish_request(hosted, origin);
        }
    }

    /// Restores a table from the log after a failed write, and refuses the request of `who`.
    async fn roll_back(
        &mut self,
        table: &TableSettings,
        who: Option<ClientId>,
        game: u64,
        why: &JournalError,
    ) {
        let Some(hosted) = self.tables.get_mut(&table.id) else {
            return;
        };
        let id = &table.id;
        hosted.fail().await;
        if why.is_transient() {
            warn!(table = id, game, error = %why, "not stored");
        } else {
            error!(table = id, game, error = %why, "the log does not fit the table");
            hosted.storage = Storage::ReadOnly;
        }
        let events = self.read(table, game).await;
        let Some(hosted) = self.tables.get_mut(&table.id) else {
            return;
        };
        let rebuilt = events
            .map_err(|error| error.to_string())
            .and_then(|events| {
                let rebuilt = hosted.table.rebuild(game, &events, Instant::now());
                rebuilt.map_err(|error| error.to_string())
            });
        if let Err(error) = rebuilt {
            error!(table = id, game, error, "the game cannot be restored");
            hosted.storage = Storage::ReadOnly;
        }
        hosted.table.suspend();
        hosted.restore_turn();
        if let Some(who) = who {
            hosted.refuse(who);
        }
        hosted.send_players_later();
        // The table resumes when the log is ready, which it may be already.
        self.is_failing = true;
    }

    /// Reads the events of a game; retries while the log is unavailable.
    async fn read(
        &mut self,
        table: &TableSettings,
        game: u64,
    ) -> Result<Vec<TableEvent>, JournalError> {
        let Some(log) = self.log.clone() else {
            return Ok(Vec::new());
        };
        let read = async {
            loop {
                match journal::read(&*log, &table.id, game).await {
                    Err(JournalError::Read(error)) => {
                        error!(game, %error, "the log cannot be read");
                        tokio::time::sleep(READ_AGAIN).await;
                    }
                    read => return read,
                }
            }
        };
        self.wait_for(read).await
    }

    /// Waits for the log. If the log fails meanwhile, sends `storage` to clients and refuses
    /// requests that need the log.
    pub(super) async fn wait_for<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = changed(&mut self.health) => self.check_failure().await,
                Some(envelope) = self.inbox.recv(),
                    if self.is_failing && self.deferred.len() < INBOX =>
                {
                    self.defer_or_refuse(envelope);
                }
            }
        }
    }
}

/// Finishes a request after its effects were published.
fn finish_request(hosted: &mut HostedTable, origin: RequestOrigin) {
    let Some(who) = origin.who else {
        return;
    };
    if origin.is_leaving {
        hosted.leave(who);
    }
    if origin.is_entering && hosted.storage != Storage::Ready && hosted.table.has(who) {
        // This explains why no clock runs.
        hosted.send(who, &hosted.storage_message(false));
    }
}

/// Whether these effects include a request for a move.
fn is_asked(effects: &[Effect]) -> bool {
    let mut records = effects.iter().filter_map(Effect::record);
    records.any(|record| record.event.begins_turn())
}

/// Whether these effects include a move.
fn has_move(effects: &[Effect]) -> bool {
    let mut records = effects.iter().filter_map(Effect::record);
    records.any(|record| matches!(record.event, TableEvent::Moved(_)))
}

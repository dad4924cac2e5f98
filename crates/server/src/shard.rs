//! A shard: one task that owns many tables.
//!
//! It works in batches: it receives requests, lets the tables handle them, appends all records of
//! the batch to the log with one write, then publishes. No client receives an event before it is
//! durable. If a write fails, the tables concerned return to the state in the log.
//!
//! Requests carry their time of arrival, so that time in the queue is not charged to a player.

mod handle;
mod hosted_table;
mod journal;
mod loading;
mod recent;
mod shards;
mod subscribers;
#[cfg(test)]
mod tests;
mod watchers;
mod writing;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::future::{pending, ready};
use std::sync::Arc;
use std::time::Instant;

use event_store::{EventLog, Health};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::{JoinSet, yield_now};
use tracing::{debug, error};

use crate::broadcast::{Frame, Outbox};
use crate::correspondence::Correspondence;
use crate::lobby_shard::no_such_table;
use crate::metrics::Metrics;
use crate::table::{ClientId, Command, Effect, JoinRequest, Table, TableSettings};
use hosted_table::{HostedTable, Storage};
use loading::{EndedLoad, LOADS, Load, Loading};
use shards::KnownTables;
use writing::ShardBatch;

pub(crate) use handle::{Envelope, ShardRequest, TableHandle};
pub(crate) use hosted_table::GameStep;
pub(crate) use shards::Shards;

/// The most requests that wait for a shard. A sender waits while the queue is full.
const INBOX: usize = 1024;

/// The most requests of one batch.
const BATCH: usize = 256;

/// The most requests of one table in a batch. Each sends a few frames to every client there, and
/// more would fill the outboxes of clients that read.
const TABLE_BATCH: usize = 16;

/// The task of some shards; [`Shard::run`] serves their tables.
struct Shard {
    inbox: mpsc::Receiver<Envelope>,
    tables: HashMap<String, HostedTable>,
    /// The tables of all shards.
    known: Arc<KnownTables>,
    /// The timers of the tables. Serial numbers distinguish tables with the same time.
    timers: BTreeMap<(Instant, u64), Arc<TableSettings>>,
    /// Requests that wait for a table whose records are being written, in the order of their arrival.
    deferred: VecDeque<Envelope>,
    /// Tables with requests or timeouts in this batch.
    touched: Vec<Arc<TableSettings>>,
    /// The event log; `None` without a store.
    log: Option<Arc<dyn EventLog>>,
    /// The games by correspondence; `None` without a store.
    correspondence: Option<Arc<Correspondence>>,
    /// Those that are being loaded, by table.
    loading: HashMap<String, Loading>,
    loads: JoinSet<Load>,
    /// A load that has ended, and is handled with the next batch.
    ended_load: Option<EndedLoad>,
    load_permits: Arc<Semaphore>,
    health: Option<watch::Receiver<Health>>,
    is_failing: bool,
    /// The number of tables opened so far.
    serials: u64,
    metrics: Arc<Metrics>,
}

#[derive(Clone, Copy, Default)]
struct RequestOrigin {
    /// The client; `None` for a timeout.
    who: Option<ClientId>,
    /// The arrival of the move, if it is one.
    move_arrived: Option<Instant>,
    is_entering: bool,
    is_leaving: bool,
}

impl Shard {
    fn new(
        inbox: mpsc::Receiver<Envelope>,
        known: Arc<KnownTables>,
        log: Option<Arc<dyn EventLog>>,
        correspondence: Option<Arc<Correspondence>>,
        metrics: Arc<Metrics>,
    ) -> Shard {
        let health = log.as_ref().map(|log| log.health());
        Shard {
            inbox,
            tables: HashMap::new(),
            known,
            timers: BTreeMap::new(),
            deferred: VecDeque::new(),
            touched: Vec::new(),
            log,
            correspondence,
            loading: HashMap::new(),
            loads: JoinSet::new(),
            ended_load: None,
            load_permits: Arc::new(Semaphore::new(LOADS)),
            health,
            is_failing: false,
            serials: 0,
            metrics,
        }
    }

    /// Serves the tables until all handles are dropped.
    async fn run(mut self) {
        self.check_health().await;
        let mut received = Vec::with_capacity(BATCH);
        while self.receive(&mut received).await {
            let mut batch = ShardBatch::default();
            if self.health.as_ref().is_some_and(has_changed) {
                self.check_health().await;
            }
            let mut last_arrival = None;
            let loaded = self.finish_loads(&mut batch).await;
            for envelope in std::mem::take(&mut self.deferred)
                .into_iter()
                .chain(loaded)
                .chain(received.drain(..))
            {
                last_arrival = envelope.request.arrived().or(last_arrival);
                self.handle(envelope, &mut batch).await;
            }
            // A command that arrived before a flag fell counts before it.
            let mut deferred = self.deferred.iter();
            let waits_since = deferred
                .find_map(|envelope| envelope.request.arrived())
                .or(last_arrival.filter(|_| !self.inbox.is_empty()));
            let now = waits_since.unwrap_or_else(Instant::now);
            self.handle_timeouts(now, &mut batch).await;
            self.write_and_publish(batch).await;
            self.finish_batch().await;
            // Connections write what they were sent before they are sent more.
            yield_now().await;
        }
    }

    /// Waits for something to do; `false` if all handles are dropped.
    async fn receive(&mut self, received: &mut Vec<Envelope>) -> bool {
        let room = BATCH.saturating_sub(self.deferred.len());
        let due = self.timers.first_key_value().map(|((due, _), _)| *due);
        tokio::select! {
            biased;
            count = self.inbox.recv_many(received, room), if room > 0 => count > 0,
            () = ready(()), if !self.deferred.is_empty() => true,
            () = changed(&mut self.health) => {
                self.check_health().await;
                true
            }
            Some(ended) = self.loads.join_next_with_id() => {
                self.ended_load = Some(ended);
                true
            }
            () = sleep_until(due) => true,
        }
    }

    /// Lets a table handle its request.
    async fn handle(&mut self, envelope: Envelope, batch: &mut ShardBatch) {
        let Some(hosted) = self.tables.get_mut(&envelope.table.id) else {
            if self.is_for_loading(&envelope) {
                return self.wait_for_game(envelope);
            }
            return self.handle_without_table(envelope, batch).await;
        };
        if hosted.is_writing || hosted.requests == TABLE_BATCH {
            self.deferred.push_back(envelope);
            return;
        }
        hosted.requests += 1;
        hosted.follow_wall_clock();
        touch(&mut self.touched, hosted);
        let Envelope { who, request, .. } = envelope;
        match *request {
            ShardRequest::Open(_) | ShardRequest::Create(_) | ShardRequest::ReleaseLoads(..) => {
                error!(
                    table = hosted.table.settings().id,
                    "there are two tables of one id"
                );
            }
            // It came while the table was moving here.
            ShardRequest::AddBot(..) => hosted.refuse(who),
            ShardRequest::Enter(outbox, join_request, arrived) => {
                self.enter(&envelope.table, who, outbox, join_request, arrived, batch)
                    .await;
            }
            ShardRequest::Command(command, arrived) => {
                let origin = RequestOrigin {
                    who: Some(who),
                    move_arrived: matches!(command, Command::Move(_)).then_some(arrived),
                    is_leaving: command.is_leaving(),
                    is_entering: false,
                };
                if origin.is_leaving {
                    // The list with this client is sent even if it joined in this batch.
                    hosted.send_players().await;
                }
                if hosted.storage != Storage::Ready && !command.is_allowed_without_storage() {
                    return hosted.refuse(who);
                }
                hosted.has_new_vacation |= matches!(command, Command::Vacation(..));
                let effects = hosted.table.handle(who, command, arrived);
                self.submit(&envelope.table, origin, effects, batch).await;
            }
            ShardRequest::Refresh => hosted.refresh(who),
            ShardRequest::Written(seq) => hosted.written = seq,
            ShardRequest::Load(done) => {
                let _ = done.send(());
            }
            ShardRequest::Flush(done) => {
                hosted.update_status();
                // The requester may be gone.
                let _ = done.send(());
            }
            ShardRequest::Release(done) => {
                if let Some(due) = hosted.due {
                    self.timers.remove(&(due, hosted.serial));
                }
                self.tables.remove(&envelope.table.id);
                let _ = done.send(());
            }
        }
    }

    /// Handles a request to a table that is not here.
    async fn handle_without_table(&mut self, envelope: Envelope, batch: &mut ShardBatch) {
        let table = envelope.table;
        match *envelope.request {
            ShardRequest::Open(hosted) => self.adopt(*hosted, batch).await,
            ShardRequest::Create(policy) => {
                let new = Table::open((*table).clone()).with_policy(policy);
                let mut hosted = HostedTable::new(new.into(), Arc::clone(&self.metrics));
                self.known.adopt(&mut hosted);
                self.adopt(hosted, batch).await;
            }
            ShardRequest::ReleaseLoads(shards, done) => {
                self.release_loads(&shards);
                let _ = done.send(());
            }
            ShardRequest::Release(done) | ShardRequest::Load(done) => {
                let _ = done.send(());
            }
            ShardRequest::Enter(outbox, ..) => {
                outbox.send(&Frame::new(&no_such_table(&table.id).about(&table.id)));
            }
            _ => debug!(table = table.id, "the table is gone"),
        }
    }

    async fn enter(
        &mut self,
        table: &Arc<TableSettings>,
        who: ClientId,
        outbox: Outbox,
        join_request: JoinRequest,
        arrived: Instant,
        batch: &mut ShardBatch,
    ) {
        let Some(hosted) = self.tables.get_mut(&table.id) else {
            return;
        };
        let is_new = !hosted.table.has(who);
        hosted.subscribers.add(who, outbox);
        let effects = if is_new {
            let enter = Command::Enter(join_request);
            hosted.table.handle(who, enter, arrived)
        } else {
            // It enters again because the table has moved, and has entered here before it knew.
            let sync = Command::Sync(join_request.since);
            hosted.table.handle(who, sync, arrived)
        };
        if hosted.table.has(who) {
            hosted.enter(who);
        }
        let origin = RequestOrigin {
            who: Some(who),
            is_entering: true,
            ..RequestOrigin::default()
        };
        self.submit(table, origin, effects, batch).await;
    }

    /// Adds a table to the shard.
    async fn adopt(&mut self, mut hosted: HostedTable, batch: &mut ShardBatch) {
        let table = Arc::clone(hosted.table.settings());
        self.serials += 1;
        hosted.serial = self.serials;
        if self.is_failing {
            hosted.fail().await;
        }
        let taken_over = hosted.taken_over.take().map(Effect::Record);
        let mut effects = Vec::from_iter(taken_over);
        effects.extend(hosted.table.end_arranged_game());
        touch(&mut self.touched, &mut hosted);
        self.tables.insert(table.id.clone(), hosted);
        self.submit(&table, RequestOrigin::default(), effects, batch)
            .await;
    }

    /// Handles timeouts up to `now`.
    async fn handle_timeouts(&mut self, now: Instant, batch: &mut ShardBatch) {
        while let Some(timer) = self.timers.first_entry()
            && timer.key().0 <= now
        {
            let table = timer.remove();
            let Some(hosted) = self.tables.get_mut(&table.id) else {
                continue;
            };
            hosted.due = None;
            // Touched, it gets a new timer at the end of the batch.
            touch(&mut self.touched, hosted);
            if !hosted.is_writing {
                hosted.follow_wall_clock();
                let effects = hosted.table.handle_timeout(now);
                self.submit(&table, RequestOrigin::default(), effects, batch)
                    .await;
            }
        }
    }

    /// Refuses or defers a request while the result of a write is unknown.
    fn defer_or_refuse(&mut self, envelope: Envelope) {
        if let Some(hosted) = self.tables.get_mut(&envelope.table.id) {
            let who = envelope.who;
            match &*envelope.request {
                ShardRequest::Command(command, _) if !command.is_allowed_without_storage() => {
                    return hosted.refuse(who);
                }
                ShardRequest::Enter(outbox, ..) => {
                    outbox.send(&Frame::new(&hosted.storage_message(false)));
                    if !hosted.table.has(who) {
                        hosted.subscribers.add(who, outbox.clone());
                    }
                }
                ShardRequest::Command(..) | ShardRequest::Refresh => {
                    hosted.send(who, &hosted.storage_message(false));
                }
                ShardRequest::Open(_)
                | ShardRequest::Create(_)
                | ShardRequest::AddBot(..)
                | ShardRequest::Load(_)
                | ShardRequest::Written(_)
                | ShardRequest::Flush(_)
                | ShardRequest::Release(_)
                | ShardRequest::ReleaseLoads(..) => {}
            }
        }
        self.deferred.push_back(envelope);
    }

    /// Stops the clocks of all tables if the log is not ready, and resumes them if it is.
    async fn check_health(&mut self) {
        let is_ready = self
            .health
            .as_mut()
            .is_none_or(|health| health.borrow_and_update().is_ready());
        if !is_ready {
            self.check_failure().await;
            return;
        }
        self.is_failing = false;
        let now = Instant::now();
        for hosted in self.tables.values_mut() {
            if hosted.storage == Storage::Failing && !hosted.is_writing {
                hosted.recover(now).await;
                touch(&mut self.touched, hosted);
            }
        }
    }

    /// Stops the clocks of all tables if the log is not ready.
    async fn check_failure(&mut self) {
        let is_ready = |health: &watch::Receiver<Health>| health.borrow().is_ready();
        if self.health.as_ref().is_none_or(is_ready) {
            return;
        }
        self.is_failing = true;
        for hosted in self.tables.values_mut() {
            hosted.fail().await;
            touch(&mut self.touched, hosted);
        }
    }

    /// Sends what the tables of the batch have collected, and updates their timers.
    async fn finish_batch(&mut self) {
        for table in std::mem::take(&mut self.touched) {
            let Some(hosted) = self.tables.get_mut(&table.id) else {
                continue;
            };
            hosted.is_touched = false;
            hosted.finish_batch().await;
            while let Some(who) = hosted.subscribers.next_too_slow() {
                let disconnect = ShardRequest::Command(Command::Disconnect, Instant::now());
                self.deferred.push_back(Envelope {
                    table: Arc::clone(&table),
                    who,
                    request: Box::new(disconnect),
                });
            }
            if let Some(correspondence) = &self.correspondence {
                hosted.note_progress(correspondence);
            }
            let is_gone = hosted.is_closed || hosted.can_be_dropped(Instant::now());
            let serial = hosted.serial;
            let due = hosted.next_due().filter(|_| !is_gone);
            if hosted.due != due {
                if let Some(before) = hosted.due {
                    self.timers.remove(&(before, serial));
                }
                if let Some(due) = due {
                    self.timers.insert((due, serial), Arc::clone(&table));
                }
                hosted.due = due;
            }
            if is_gone {
                self.tables.remove(&table.id);
                self.known.remove(&table.id);
            }
        }
    }
}

fn touch(touched: &mut Vec<Arc<TableSettings>>, hosted: &mut HostedTable) {
    if !hosted.is_touched {
        hosted.is_touched = true;
        touched.push(Arc::clone(hosted.table.settings()));
    }
}

fn has_changed(health: &watch::Receiver<Health>) -> bool {
    health.has_changed().unwrap_or(false)
}

/// Waits for a change of the log's health.
async fn changed(health: &mut Option<watch::Receiver<Health>>) {
    let changed = match health {
        Some(health) => health.changed().await,
        None => pending().await,
    };
    if changed.is_err() {
        // The log is gone for good.
        pending::<()>().await;
    }
}

/// Sleeps until `moment`, or forever without one.
pub(crate) async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment.into()).await,
        None => pending().await,
    }
}

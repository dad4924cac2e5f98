//! The task that owns a [`Table`]: commands in, events to the log, frames out.
//!
//! What is to be remembered is appended to the log, and whatever follows from it is held until the
//! log has it; the next command is carried out only then. Commands carry the moment of their
//! arrival, so that waiting costs nobody any time on the clock. If the log cannot take an event,
//! the table goes back to what is in the log, and nobody has heard of the event.

mod clients;
mod handle;
mod journal;
mod outbox;
mod recent;
mod startup;
#[cfg(test)]
mod tests;
mod watchers;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{ErrorCode, Refusal, ServerMessage};
use tokio::sync::{mpsc, watch};
use tracing::{Span, debug, error, info, info_span, warn};

use crate::metrics::Metrics;
use crate::store::{EventLog, UnixMillis};
use crate::table::event::TableEvent;
use crate::table::{ClientId, Command, Effect, Record, Table, TableStatus};
use clients::Clients;
use handle::Request;
use journal::{Journal, JournalError};
use recent::Recent;
use watchers::Watchers;

pub(crate) use handle::TableHandle;
pub(crate) use outbox::{Frame, Frames, Outbox, Outgoing, outbox};
pub(crate) use startup::{RestoredTable, restore_all, take_main};

/// Commands waiting for the table; a connection that wants to add one more waits itself.
const INBOX: usize = 1024;

/// Commands carried out before the connections get their turn to pass frames on. A command makes
/// a few frames, so that a client that reads never finds its queue full.
const ROUND: usize = 16;

/// How long a table waits before it tries again to read what is in the log.
const READ_AGAIN: Duration = Duration::from_secs(1);

/// A table and the clients it speaks to; [`TableTask::run`] is its life.
pub(crate) struct TableTask {
    table: Table,
    inbox: mpsc::Receiver<(ClientId, Request)>,
    clients: Clients,
    /// What is told of who is here, if it has changed since it was told.
    players: Option<ServerMessage>,
    /// Who has come since.
    newcomers: Vec<ClientId>,
    watchers: Watchers,
    recent: Recent,
    /// Where events are kept; without it, nowhere.
    journal: Option<Journal>,
    /// Whether the log cannot be written to.
    is_failing: bool,
    /// Whether the log has another idea of the game, which takes no more events.
    is_read_only: bool,
    is_over: bool,
    status: watch::Sender<TableStatus>,
    game: Span,
    metrics: Arc<Metrics>,
}

/// The task of a table that has been restored, not started yet, and the way to it.
pub(crate) fn resume(
    restored: RestoredTable,
    log: Option<Arc<dyn EventLog>>,
    metrics: Arc<Metrics>,
) -> (TableHandle, TableTask) {
    let started = restored.started.unwrap_or_else(UnixMillis::now);
    let (handle, task) = begin(restored.table, log, started, metrics);
    let task = if restored.is_damaged {
        task.read_only()
    } else {
        task
    };
    (handle, task)
}

/// The task of a new table, not started yet, and the way to it. The events go to `log`, if there is
/// one.
pub(crate) fn channel(
    table: Table,
    log: Option<Arc<dyn EventLog>>,
    metrics: Arc<Metrics>,
) -> (TableHandle, TableTask) {
    begin(table, log, UnixMillis::now(), metrics)
}

fn begin(
    table: Table,
    log: Option<Arc<dyn EventLog>>,
    started: UnixMillis,
    metrics: Arc<Metrics>,
) -> (TableHandle, TableTask) {
    let (sender, inbox) = mpsc::channel(INBOX);
    let (status, status_seen) = watch::channel(table.status());
    let handle = TableHandle {
        inbox: sender,
        settings: Arc::clone(table.settings()),
        status: status_seen,
    };
    let journal = log.map(|log| Journal::new(log, &table.settings().id, started));
    let (game, seq) = table.place();
    let task = TableTask {
        inbox,
        clients: Clients::new(Arc::clone(&metrics)),
        players: None,
        newcomers: Vec::new(),
        watchers: Watchers::default(),
        recent: Recent::after(game, seq),
        journal,
        is_failing: false,
        is_read_only: false,
        is_over: false,
        status,
        game: Span::none(),
        metrics,
        table,
    };
    (handle, task)
}

impl TableTask {
    /// Makes the table one that takes no more events, since its log is damaged.
    fn read_only(mut self) -> TableTask {
        self.is_read_only = true;
        self.is_failing = true;
        self.table.suspend();
        self
    }

    /// Serves the table until every handle is gone or the table is closed.
    pub(crate) async fn run(mut self) {
        let broken_off = self.table.break_off_arranged();
        self.perform(None, broken_off).await;
        let mut round = Vec::with_capacity(ROUND);
        while !self.is_over {
            let due = self.next_due();
            tokio::select! {
                // What came before a flag fell counts before it.
                biased;
                received = self.inbox.recv_many(&mut round, ROUND) => {
                    if received == 0 {
                        return;
                    }
                }
                () = sleep_until(due) => self.time_out(Instant::now()).await,
                () = health_changed(&mut self.journal) => self.note_health(),
            }
            for (who, request) in round.drain(..) {
                self.serve(who, request).await;
            }
            self.tell_players();
            self.tell_watchers();
            self.drop_the_slow().await;
            let table = &self.table;
            self.status.send_if_modified(|status| table.update(status));
            if !self.inbox.is_empty() {
                tokio::task::yield_now().await;
            }
        }
    }

    fn next_due(&self) -> Option<Instant> {
        let table = self.table.poll_timeout();
        table.into_iter().chain(self.watchers.due()).min()
    }

    async fn serve(&mut self, who: ClientId, request: Request) {
        match request {
            Request::Attach(outbox) => self.clients.attach(who, outbox),
            Request::Command(command, arrived) => {
                let is_move = matches!(command, Command::Move(_));
                self.carry_out(who, command, arrived).await;
                if is_move {
                    self.metrics.move_queued(arrived.elapsed());
                }
            }
            Request::Refresh => self.refresh(who),
        }
    }

    async fn carry_out(&mut self, who: ClientId, command: Command, arrived: Instant) {
        self.time_out(arrived).await;
        let goes = matches!(command, Command::Exit | Command::Disconnect);
        if goes {
            // Even the shortest visit is told.
            self.tell_players();
        }
        if self.is_failing && !command.is_passing() {
            return self.refuse(who);
        }
        let comes = matches!(command, Command::Enter(_)) && !self.table.has(who);
        let effects = self.table.handle(who, command, arrived);
        if comes && self.table.has(who) {
            self.clients.enters(who);
            self.newcomers.push(who);
            self.watchers.count(self.table.watchers());
        }
        self.perform(Some(who), effects).await;
        if goes {
            self.clients.detach(who);
            self.watchers.count(self.table.watchers());
        }
    }

    async fn time_out(&mut self, now: Instant) {
        if self.table.poll_timeout().is_some_and(|due| due <= now) {
            let effects = self.table.handle_timeout(now);
            self.perform(None, effects).await;
        }
    }

    /// Has the log take what is to be remembered, and delivers what follows once it has.
    async fn perform(&mut self, who: Option<ClientId>, effects: Vec<Effect>) {
        let mut effects = VecDeque::from(effects);
        while !effects.is_empty() {
            let held = next_stream(&mut effects);
            if let Err(error) = self.remember(&held).await {
                return self.go_back(who, &held, &error).await;
            }
            for effect in held {
                self.deliver(effect);
            }
        }
    }

    /// Waits until the log has all records among these effects.
    async fn remember(&mut self, effects: &[Effect]) -> Result<(), JournalError> {
        if self.journal.is_none() {
            return Ok(());
        }
        let records: Vec<&Record> = effects.iter().filter_map(record).collect();
        if records.is_empty() {
            return Ok(());
        }
        let appended = self.append(&records).await;
        let asks = |record: &&Record| {
            matches!(
                record.event,
                TableEvent::Started(_) | TableEvent::Moved(_) | TableEvent::TookBack(_)
            )
        };
        if appended.is_ok() && records.iter().any(asks) {
            // Whoever is to move hears of it only now.
            self.table.told_late(Instant::now());
        }
        appended
    }

    /// Waits for the log, and tells everybody if that takes long because it fails.
    async fn append(&mut self, records: &[&Record]) -> Result<(), JournalError> {
        let Some(mut journal) = self.journal.take() else {
            return Ok(());
        };
        let mut health = journal.health();
        let appended = {
            let mut append = std::pin::pin!(journal.append(records));
            loop {
                tokio::select! {
                    biased;
                    appended = &mut append => break appended,
                    Ok(()) = health.changed() => {
                        if !health.borrow().is_ready() {
                            self.fail();
                        }
                    }
                }
            }
        };
        self.journal = Some(journal);
        appended
    }

    /// Goes back to what is in the log, which does not have what `who` has asked for.
    async fn go_back(&mut self, who: Option<ClientId>, effects: &[Effect], why: &JournalError) {
        let Some(game) = effects.iter().find_map(record).map(|record| record.game) else {
            return;
        };
        let table = &self.table.settings().id;
        if why.is_passing() {
            warn!(table, game, error = %why, "not stored");
        } else {
            error!(table, game, error = %why, "the log has another idea of the game");
            self.is_read_only = true;
        }
        self.fail();
        let events = self.read(game).await;
        if let Err(error) = self.table.rebuild(game, &events, Instant::now()) {
            error!(game, %error, "the game cannot be restored");
            self.is_read_only = true;
        }
        self.table.suspend();
        if let Some(who) = who {
            self.refuse(who);
        }
        self.players = Some(self.table.players());
        self.note_health();
    }

    /// The events of a game that are in the log.
    async fn read(&mut self, game: u64) -> Vec<TableEvent> {
        let Some(journal) = &self.journal else {
            return Vec::new();
        };
        loop {
            match journal.read(game).await {
                Ok(events) => return events,
                Err(error) => {
                    error!(game, %error, "the log cannot be read");
                    tokio::time::sleep(READ_AGAIN).await;
                }
            }
        }
    }

    fn refuse(&mut self, who: ClientId) {
        let message = "the server cannot store anything at the moment; nothing has happened";
        let refusal = Refusal::new(ErrorCode::NotStored, message);
        self.deliver(Effect::Tell(who, refusal.into()));
    }

    /// Takes in whether the log takes events.
    fn note_health(&mut self) {
        let is_ready = self.journal.as_ref().is_none_or(Journal::is_ready);
        if !is_ready {
            self.fail();
        } else if self.is_failing && !self.is_read_only {
            self.is_failing = false;
            self.tell_of_storage(true);
            for effect in self.table.resume(Instant::now()) {
                self.deliver(effect);
            }
        }
    }

    /// Takes in that the log takes no events.
    fn fail(&mut self) {
        self.table.suspend();
        if !self.is_failing {
            self.is_failing = true;
            self.tell_of_storage(false);
        }
    }

    fn tell_of_storage(&mut self, ok: bool) {
        let table = self.table.settings().id.clone();
        self.deliver(Effect::TellAll(ServerMessage::Storage { table, ok }));
    }

    fn deliver(&mut self, effect: Effect) {
        match effect {
            Effect::Record(_) => {}
            Effect::Tell(who, message) => {
                if let ServerMessage::Error { code, message, .. } = &message {
                    debug!(client = who.0, ?code, message, "refused");
                }
                self.clients.tell(&self.table, who, &Frame::new(&message));
            }
            Effect::TellAll(players @ ServerMessage::Players { .. }) => {
                self.players = Some(players);
            }
            Effect::TellAll(message) => {
                self.log(&message);
                let frame = Frame::new(&message);
                self.recent.told(&message, &frame);
                self.clients.tell_all(&self.table, &frame);
            }
            Effect::CatchUp(who, since) => {
                let Some(missed) = self.recent.since(since) else {
                    return self.show(who);
                };
                for frame in missed {
                    self.clients.tell(&self.table, who, frame);
                }
            }
            Effect::Show(who) => self.show(who),
            Effect::Release(who) => self.clients.detach(who),
            Effect::Close(reason) => {
                info!(table = self.table.settings().id, ?reason, "closed");
                self.is_over = true;
            }
        }
    }

    /// Tells a client the state.
    fn show(&mut self, who: ClientId) {
        let server_ms = u64::try_from(UnixMillis::now().0).unwrap_or_default();
        let state = self.table.snapshot(who, Instant::now(), server_ms);
        self.clients.tell(&self.table, who, &Frame::new(&state));
    }

    /// Tells the state to a client for whom too much was waiting.
    fn refresh(&mut self, who: ClientId) {
        self.clients.catches_up(who);
        if self.table.has(who) {
            self.show(who);
        }
    }

    /// Tells everybody the list of players, once however often it has changed; or only those who
    /// have come, if it is the same.
    fn tell_players(&mut self) {
        let Some(players) = self.players.take() else {
            return;
        };
        let frame = Frame::new(&players);
        let newcomers = std::mem::take(&mut self.newcomers);
        if self.watchers.told_players(&players) {
            self.clients.tell_all(&self.table, &frame);
        } else {
            for who in newcomers {
                self.clients.tell(&self.table, who, &frame);
            }
        }
    }

    fn tell_watchers(&mut self) {
        if let Some(count) = self.watchers.next_count(Instant::now()) {
            let table = self.table.settings().id.clone();
            self.deliver(Effect::TellAll(ServerMessage::Watchers { table, count }));
        }
    }

    /// Lets clients go that read too slowly.
    async fn drop_the_slow(&mut self) {
        while let Some(who) = self.clients.next_too_slow() {
            self.carry_out(who, Command::Disconnect, Instant::now())
                .await;
            self.tell_players();
        }
    }

    fn log(&mut self, message: &ServerMessage) {
        self.metrics.told(message);
        match message {
            ServerMessage::GameStarted(game) => {
                self.game = info_span!("game", id = game.id);
                info!(parent: &self.game, white = game.white, black = game.black, "started");
            }
            ServerMessage::Moved { played, .. } => {
                debug!(parent: &self.game, ply = played.ply, played.text, "move");
            }
            ServerMessage::GameOver {
                result,
                reason,
                ply,
                ..
            } => {
                info!(parent: &self.game, ?result, ?reason, ply, "over");
                self.game = Span::none();
            }
            _ => {}
        }
    }
}

fn record(effect: &Effect) -> Option<&Record> {
    match effect {
        Effect::Record(record) => Some(record),
        _ => None,
    }
}

/// Takes the effects up to the first record of another stream than the first one's.
fn next_stream(effects: &mut VecDeque<Effect>) -> Vec<Effect> {
    let first = effects.iter().find_map(record).map(|record| record.game);
    let is_of_another = |effect: &Effect| record(effect).is_some_and(|r| Some(r.game) != first);
    let end = effects.iter().position(is_of_another);
    effects.drain(..end.unwrap_or(effects.len())).collect()
}

/// Waits until a moment, or for ever.
async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment.into()).await,
        None => std::future::pending().await,
    }
}

/// Waits for word of the log's health, or for ever.
async fn health_changed(journal: &mut Option<Journal>) {
    match journal {
        Some(journal) => journal.health_changed().await,
        None => std::future::pending().await,
    }
}

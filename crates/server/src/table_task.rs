//! The task that owns a [`Table`]: commands in, events to the log, frames out.
//!
//! What is to be remembered is appended to the log, and whatever follows from it is held until the
//! log has it; the next command is carried out only then. Commands carry the moment of their
//! arrival, so that waiting costs nobody any time on the clock. If the log cannot take an event,
//! the table goes back to what is in the log, and nobody has heard of the event.

mod clients;
mod frame;
mod glance;
mod handle;
mod journal;
mod later;
mod news;
mod outbox;
mod recent;
mod remembering;
mod startup;
mod telling;
#[cfg(test)]
mod tests;
mod watchers;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use checkers_lib::protocol::ServerMessage;
use tokio::sync::mpsc;
use tracing::Span;

use crate::metrics::Metrics;
use crate::store::{EventLog, UnixMillis};
use crate::table::{ClientId, Command, Effect, Table};
use clients::Clients;
use handle::Request;
use journal::Journal;
use recent::Recent;
use watchers::Watchers;

pub(crate) use frame::Frame;
pub(crate) use glance::Glance;
pub(crate) use handle::{TableHandle, Waiting};
pub(crate) use later::Later;
pub(crate) use news::Step;
pub(crate) use outbox::{Frames, OUTBOX, Outbox, Outgoing, outbox, outbox_over};
pub(crate) use startup::{RestoredTable, restore_all, take_main};

/// Commands waiting for the table; a connection that wants to add one more waits itself.
const INBOX: usize = 1024;

/// Commands carried out before the connections get their turn to pass frames on. A command makes
/// a few frames, so that a client that reads never finds its queue full.
const ROUND: usize = 16;

/// A table and the clients it speaks to; [`TableTask::run`] is its life.
pub(crate) struct TableTask {
    table: Table,
    inbox: mpsc::Receiver<(ClientId, Box<Request>)>,
    /// What came while nobody knew what is in the log; first in, first out.
    put_off: VecDeque<(ClientId, Box<Request>)>,
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
    glance: Glance,
    game: Span,
    metrics: Arc<Metrics>,
}

/// The task of a table that has been restored, not started yet, and the way to it.
pub(crate) fn resume(
    restored: RestoredTable,
    log: Option<Arc<dyn EventLog>>,
    later: Later,
    metrics: Arc<Metrics>,
) -> (TableHandle, TableTask) {
    let started = restored.started.unwrap_or_else(UnixMillis::now);
    let (handle, task) = begin(restored.table, log, started, later, metrics);
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
    later: Later,
    metrics: Arc<Metrics>,
) -> (TableHandle, TableTask) {
    begin(table, log, UnixMillis::now(), later, metrics)
}

fn begin(
    table: Table,
    log: Option<Arc<dyn EventLog>>,
    started: UnixMillis,
    later: Later,
    metrics: Arc<Metrics>,
) -> (TableHandle, TableTask) {
    let (sender, inbox) = mpsc::channel(INBOX);
    let glance = Glance::new(table.status());
    let handle = TableHandle {
        inbox: sender,
        settings: Arc::clone(table.settings()),
        glance: glance.clone(),
    };
    let journal = log.map(|log| Journal::new(log, &table.settings().id, started));
    let (game, seq) = table.place();
    let task = TableTask {
        inbox,
        put_off: VecDeque::new(),
        clients: Clients::new(later, Arc::clone(&metrics)),
        players: None,
        newcomers: Vec::new(),
        watchers: Watchers::default(),
        recent: Recent::after(game, seq),
        journal,
        is_failing: false,
        is_read_only: false,
        is_over: false,
        glance,
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
        self.note_health();
        let broken_off = self.table.break_off_arranged();
        self.perform(None, broken_off).await;
        let mut round = Vec::with_capacity(ROUND);
        while !self.is_over {
            self.clients.flush().await;
            let due = self.next_due();
            round.extend(self.put_off.drain(..));
            tokio::select! {
                // What came before a flag fell counts before it.
                biased;
                () = std::future::ready(()), if !round.is_empty() => {}
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
            self.glance.update(&self.table);
            if !self.inbox.is_empty() {
                self.clients.flush().await;
                tokio::task::yield_now().await;
            }
        }
        self.clients.flush().await;
    }

    fn next_due(&self) -> Option<Instant> {
        let table = self.table.poll_timeout();
        table.into_iter().chain(self.watchers.due()).min()
    }

    /// Does what `who` asks for. What stays in the box until it is needed does not have to be remembered
    /// anywhere else while this waits.
    async fn serve(&mut self, who: ClientId, request: Box<Request>) {
        if let Request::Command(_, arrived) = *request {
            self.time_out(arrived).await;
        }
        match *request {
            Request::Attach(outbox) => self.clients.attach(who, outbox),
            Request::Refresh => self.refresh(who),
            Request::Command(command, arrived) => {
                let is_move = matches!(command, Command::Move(_));
                let is_leaving = command.is_leaving();
                let effects = self.carry_out(who, command, arrived);
                self.perform(Some(who), effects).await;
                if is_move {
                    self.metrics.move_queued(arrived.elapsed());
                }
                if is_leaving {
                    self.take_leave_of(who);
                }
            }
        }
    }

    /// Carries a command out; what follows from it is still to be performed.
    fn carry_out(&mut self, who: ClientId, command: Command, arrived: Instant) -> Vec<Effect> {
        if command.is_leaving() {
            // Even the shortest visit is told.
            self.tell_players();
        }
        if self.is_failing && !command.is_passing() {
            self.refuse(who);
            return Vec::new();
        }
        let comes = matches!(command, Command::Enter(_)) && !self.table.has(who);
        let effects = self.table.handle(who, command, arrived);
        if comes && self.table.has(who) {
            self.clients.enters(who);
            self.newcomers.push(who);
            self.watchers.count(self.table.watchers());
        }
        effects
    }

    /// Takes in that a client has gone.
    fn take_leave_of(&mut self, who: ClientId) {
        self.clients.detach(who);
        self.watchers.count(self.table.watchers());
    }

    async fn time_out(&mut self, now: Instant) {
        if self.table.poll_timeout().is_some_and(|due| due <= now) {
            let effects = self.table.handle_timeout(now);
            self.perform(None, effects).await;
        }
    }
}

/// Waits until a moment, or for ever.
pub(crate) async fn sleep_until(moment: Option<Instant>) {
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

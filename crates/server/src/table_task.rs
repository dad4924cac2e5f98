//! The task that owns a [`Table`]: commands in, events to the log, frames out.
//!
//! What is to be remembered is appended to the log, and whatever follows from it is held until the
//! log has it; the next command is carried out only then. Commands carry the moment of their
//! arrival, so that waiting costs nobody any time on the clock. If the log cannot take an event,
//! the table goes back to what is in the log, and nobody has heard of the event.

mod clients;
mod desk;
mod frame;
mod glance;
mod hall;
mod handle;
mod journal;
mod later;
mod news;
mod outbox;
mod recent;
mod remembering;
mod startup;
mod storage;
mod telling;
#[cfg(test)]
mod tests;
mod watchers;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc;
use tracing::Span;

use crate::metrics::Metrics;
use crate::store::{EventLog, UnixMillis};
use crate::table::{ClientId, Command, Table};
use clients::Clients;
use desk::Desk;
use hall::Hall;
use handle::Request;
use journal::{HealthChanges, Journal};
use recent::Recent;
use remembering::health_changed;
use watchers::Watchers;

pub(crate) use frame::{Frame, Kind};
pub(crate) use glance::Glance;
pub(crate) use handle::{TableHandle, Waiting};
pub(crate) use later::Later;
pub(crate) use news::Step;
pub(crate) use outbox::{Frames, OUTBOX, Outbox, Outgoing, outbox, outbox_over};
pub(crate) use startup::{RestoredTable, restore_all, take_main};

/// Commands waiting for the table; a connection that wants to add one more waits itself.
const INBOX: usize = 1024;

/// The beginning of a table's life is served like a request.
const BEGINNING: usize = 1;

/// Commands carried out before the connections get their turn to pass frames on. A command makes
/// a few frames, so that a client that reads never finds its queue full.
const ROUND: usize = 16;

/// What a table does that does not happen at once; [`TableTask::run`] is its life.
pub(crate) struct TableTask {
    /// Where the desk is while nothing is to be done there.
    hall: Arc<Hall>,
    inbox: mpsc::Receiver<(ClientId, Box<Request>)>,
    /// What came while nobody knew what is in the log; first in, first out.
    put_off: VecDeque<(ClientId, Box<Request>)>,
    /// How many requests came since the desk was put back.
    received: usize,
    health: Option<HealthChanges>,
}

/// The task of a table that has been restored, not started yet, and the way to it.
pub(crate) fn resume(
    restored: RestoredTable,
    log: Option<Arc<dyn EventLog>>,
    later: Later,
    metrics: Arc<Metrics>,
) -> (TableHandle, TableTask) {
    let started = restored.started.unwrap_or_else(UnixMillis::now);
    begin(restored, log, started, later, metrics)
}

/// The task of a new table, not started yet, and the way to it. The events go to `log`, if there is
/// one.
pub(crate) fn channel(
    table: Table,
    log: Option<Arc<dyn EventLog>>,
    later: Later,
    metrics: Arc<Metrics>,
) -> (TableHandle, TableTask) {
    let new = RestoredTable {
        table,
        started: None,
        is_damaged: false,
    };
    begin(new, log, UnixMillis::now(), later, metrics)
}

fn begin(
    RestoredTable {
        mut table,
        is_damaged,
        ..
    }: RestoredTable,
    log: Option<Arc<dyn EventLog>>,
    started: UnixMillis,
    later: Later,
    metrics: Arc<Metrics>,
) -> (TableHandle, TableTask) {
    if is_damaged {
        table.suspend();
    }
    let journal = log.map(|log| Journal::new(log, &table.settings().id, started));
    let health = journal.as_ref().map(Journal::health_changes);
    let (game, seq) = table.place();
    let desk = Desk {
        clients: Clients::new(later, Arc::clone(&metrics)),
        players: None,
        newcomers: Vec::new(),
        watchers: Watchers::default(),
        recent: Recent::after(game, seq),
        journal,
        held: None,
        is_failing: is_damaged,
        is_read_only: is_damaged,
        is_over: false,
        glance: Glance::new(table.status()),
        game: Span::none(),
        metrics,
        table,
    };
    let (sender, inbox) = mpsc::channel(INBOX);
    let (settings, glance) = (Arc::clone(desk.table.settings()), desk.glance.clone());
    let hall = Arc::new(Hall::new(desk, BEGINNING));
    let handle = TableHandle {
        hall: Arc::clone(&hall),
        inbox: sender,
        settings,
        glance,
    };
    let task = TableTask {
        hall,
        inbox,
        put_off: VecDeque::new(),
        received: BEGINNING,
        health,
    };
    (handle, task)
}

impl Drop for TableTask {
    fn drop(&mut self) {
        self.hall.close();
    }
}

/// Why the task comes to the desk.
enum Call {
    /// Somebody has asked for something.
    Requests,
    /// Something may be due.
    Due,
    /// The log's health has changed, or there is more to do than can be done at once.
    Look,
    /// Every handle is gone.
    Gone,
}

impl TableTask {
    /// Serves the table until every handle is gone or the table is closed.
    pub(crate) async fn run(mut self) {
        let Some((mut desk, _)) = self.hall.take() else {
            return;
        };
        desk.note_health();
        let broken_off = desk.table.break_off_arranged();
        self.perform(&mut desk, None, broken_off).await;
        let mut round = Vec::with_capacity(ROUND);
        while self.look_round(&mut desk).await {
            let due = (self.hall).put_back(desk, std::mem::take(&mut self.received));
            let call = self.wait(due, &mut round).await;
            let Some((taken, receipt)) = self.hall.take() else {
                return;
            };
            desk = taken;
            if let Some(held) = desk.held.take() {
                self.finish(&mut desk, held, receipt).await;
            }
            match call {
                Call::Requests => {}
                Call::Due => self.time_out(&mut desk, Instant::now()).await,
                Call::Look => desk.note_health(),
                Call::Gone => return,
            }
            for (who, request) in round.drain(..) {
                self.serve(&mut desk, who, request).await;
            }
        }
    }

    /// Does what is left to be done at the end of a round; `false` if it was the last one.
    async fn look_round(&mut self, desk: &mut Desk) -> bool {
        loop {
            desk.tell_players();
            desk.tell_watchers();
            self.drop_the_slow(desk).await;
            desk.glance.update(&desk.table);
            desk.clients.flush().await;
            if desk.is_over {
                return false;
            }
            if self.put_off.is_empty() {
                return true;
            }
            for (who, request) in std::mem::take(&mut self.put_off) {
                self.serve(desk, who, request).await;
            }
        }
    }

    /// Waits until there is something to do at the desk.
    async fn wait(
        &mut self,
        due: Option<Instant>,
        round: &mut Vec<(ClientId, Box<Request>)>,
    ) -> Call {
        if !self.inbox.is_empty() {
            tokio::task::yield_now().await;
        }
        tokio::select! {
            // What came before a flag fell counts before it.
            biased;
            received = self.inbox.recv_many(round, ROUND) => {
                self.received += received;
                if received > 0 { Call::Requests } else { Call::Gone }
            }
            () = self.hall.called() => Call::Look,
            () = sleep_until(due) => Call::Due,
            () = health_changed(&mut self.health) => Call::Look,
        }
    }

    /// Does what `who` asks for. What stays in the box until it is needed does not have to be remembered
    /// anywhere else while this waits.
    async fn serve(&mut self, desk: &mut Desk, who: ClientId, request: Box<Request>) {
        if let Request::Command(_, arrived) = *request {
            self.time_out(desk, arrived).await;
        }
        match *request {
            Request::Attach(outbox) => desk.clients.attach(who, outbox),
            Request::Refresh => desk.refresh(who),
            Request::Settle(done) => {
                desk.glance.update(&desk.table);
                // Whoever has waited may be gone.
                let _ = done.send(());
            }
            Request::Command(command, arrived) => {
                let is_move = matches!(command, Command::Move(_));
                let is_leaving = command.is_leaving();
                let is_entering = matches!(command, Command::Enter(_));
                let effects = desk.carry_out(who, command, arrived);
                self.perform(desk, Some(who), effects).await;
                if is_move {
                    desk.told_move(arrived);
                }
                if is_entering {
                    desk.warn_of_storage(who);
                }
                if is_leaving {
                    desk.take_leave_of(who);
                }
            }
        }
    }

    async fn time_out(&mut self, desk: &mut Desk, now: Instant) {
        if desk.table.poll_timeout().is_some_and(|due| due <= now) {
            let effects = desk.table.handle_timeout(now);
            self.perform(desk, None, effects).await;
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

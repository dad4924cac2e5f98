//! How connections, the lobby and bots reach a table.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::{mpsc, oneshot, watch};
use tracing::debug;

use super::HostedTable;
use crate::broadcast::Outbox;
use crate::table::{ClientId, Command, JoinRequest, TableSettings, TableStatus};

/// A request to a table, on its way to the table's shard.
#[derive(Debug)]
pub(super) struct Envelope {
    pub(super) table: Arc<TableSettings>,
    pub(super) who: ClientId,
    /// Boxed: the queue has room for many, and would be large otherwise.
    pub(super) request: Box<Request>,
}

#[derive(Debug)]
pub(super) enum Request {
    /// Own this table from now on.
    Open(Box<HostedTable>),
    /// Let the client in, which is reached through this outbox.
    Enter(Outbox, JoinRequest, Instant),
    /// Handle a command, which arrived at this moment.
    Command(Command, Instant),
    /// Send the state to a client whose outbox was full.
    Refresh,
    /// Answer once everything before has been handled.
    Settle(oneshot::Sender<()>),
}

/// The way to a table.
#[derive(Clone, Debug)]
pub(crate) struct TableHandle {
    pub(super) shard: mpsc::Sender<Envelope>,
    pub(super) settings: Arc<TableSettings>,
    pub(super) status: watch::Receiver<TableStatus>,
}

impl TableHandle {
    /// The table's id.
    pub(crate) fn id(&self) -> &str {
        &self.settings.id
    }

    /// The table's settings.
    pub(crate) fn settings(&self) -> &Arc<TableSettings> {
        &self.settings
    }

    /// The table's status, which is updated after each batch of requests. The table waits while this is
    /// held.
    pub(crate) fn status(&self) -> watch::Ref<'_, TableStatus> {
        self.status.borrow()
    }

    /// The status, if it has changed since this handle was asked last.
    pub(crate) fn changed_status(&mut self) -> Option<TableStatus> {
        // Of a closed table the last change is still to be seen.
        let status = self.status.borrow_and_update();
        status.has_changed().then(|| status.clone())
    }

    /// Whether the table is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.status.has_changed().is_err()
    }

    /// Lets a client in, which is reached through this outbox until it leaves, loses its connection, or
    /// another connection takes its place.
    pub(crate) async fn enter(&self, who: ClientId, outbox: Outbox, join_request: JoinRequest) {
        self.send(who, Request::Enter(outbox, join_request, Instant::now()))
            .await;
    }

    /// Sends a command that has just arrived.
    pub(crate) async fn command(&self, who: ClientId, command: Command) {
        self.command_of(who, command, Instant::now()).await;
    }

    /// Sends a command that arrived at this moment, which is the one that counts for the clocks.
    pub(crate) async fn command_of(&self, who: ClientId, command: Command, arrived: Instant) {
        self.send(who, Request::Command(command, arrived)).await;
    }

    /// Asks for the state, since the frames that waited for the client were dropped.
    pub(crate) async fn refresh(&self, who: ClientId) {
        self.send(who, Request::Refresh).await;
    }

    /// Waits until everything that was sent before has been handled and is in the
    /// [status](TableHandle::status).
    pub(crate) async fn settle(&self) {
        let (done, settled) = oneshot::channel();
        self.send(ClientId::SERVER, Request::Settle(done)).await;
        // A table that is gone has nothing more to do.
        let _ = settled.await;
    }

    /// Waits while the shard's queue is full.
    async fn send(&self, who: ClientId, request: Request) {
        let envelope = Envelope {
            table: Arc::clone(&self.settings),
            who,
            request: Box::new(request),
        };
        if self.shard.send(envelope).await.is_err() {
            debug!(table = self.id(), "the shard has stopped");
        }
    }
}

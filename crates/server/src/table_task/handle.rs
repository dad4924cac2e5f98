//! The way to a table.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tracing::debug;

use super::glance::Glance;
use super::outbox::Outbox;
use crate::table::{ClientId, Command, TableSettings};

/// What a table's task is asked for.
#[derive(Debug)]
pub(super) enum Request {
    /// Speak to a client.
    Attach(Outbox),
    /// Carry a command out, which came at this moment.
    Command(Command, Instant),
    /// Tell the state to a client for whom too much was waiting.
    Refresh,
}

/// The way to a table. Dropping every clone ends its task.
#[derive(Clone, Debug)]
pub(crate) struct TableHandle {
    /// In boxes: the queue has room for many that hardly ever come, and would not fit into the
    /// processor's cache otherwise.
    pub(super) inbox: mpsc::Sender<(ClientId, Box<Request>)>,
    pub(super) settings: Arc<TableSettings>,
    pub(super) glance: Glance,
}

impl TableHandle {
    /// The table's id.
    pub(crate) fn id(&self) -> &str {
        &self.settings.id
    }

    /// What the table is.
    pub(crate) fn settings(&self) -> &Arc<TableSettings> {
        &self.settings
    }

    /// The table at a glance, brought up to date after each round of commands.
    pub(crate) fn glance(&self) -> &Glance {
        &self.glance
    }

    /// Whether the table is served no longer.
    pub(crate) fn is_closed(&self) -> bool {
        self.inbox.is_closed()
    }

    /// Gives the table a way to speak to `who`. It ends with the client's disconnection or exit,
    /// or when another connection takes the client's place.
    pub(crate) async fn attach(&self, who: ClientId, outbox: Outbox) {
        self.send(who, Request::Attach(outbox)).await;
    }

    /// Passes a command on that has just come, waiting while the table's inbox is full.
    pub(crate) async fn command(&self, who: ClientId, command: Command) {
        let request = Request::Command(command, Instant::now());
        self.send(who, request).await;
    }

    /// Passes a command on that came at this moment: for the clocks that is when it counts. What the
    /// inbox has no room for is returned.
    pub(crate) fn try_command(
        &self,
        who: ClientId,
        command: Command,
        arrived: Instant,
    ) -> Option<Waiting> {
        self.try_send((who, Box::new(Request::Command(command, arrived))))
    }

    /// Asks for the state, since what waited for the client was dropped.
    pub(crate) async fn refresh(&self, who: ClientId) {
        self.send(who, Request::Refresh).await;
    }

    async fn send(&self, who: ClientId, request: Request) {
        if let Some(waiting) = self.try_send((who, Box::new(request))) {
            waiting.send().await;
        }
    }

    fn try_send(&self, request: (ClientId, Box<Request>)) -> Option<Waiting> {
        match self.inbox.try_send(request) {
            Ok(()) => None,
            Err(TrySendError::Full(request)) => Some(Waiting {
                table: self.clone(),
                request,
            }),
            Err(TrySendError::Closed(_)) => {
                self.note_gone();
                None
            }
        }
    }

    fn note_gone(&self) {
        debug!(table = self.id(), "the table is gone");
    }
}

/// What a table's inbox had no room for.
#[derive(Debug)]
#[must_use = "it is lost unless it is sent"]
pub(crate) struct Waiting {
    table: TableHandle,
    request: (ClientId, Box<Request>),
}

impl Waiting {
    /// Waits for room.
    pub(crate) async fn send(self) {
        if self.table.inbox.send(self.request).await.is_err() {
            self.table.note_gone();
        }
    }
}

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
        self.command_of(who, command, Instant::now()).await;
    }

    /// Passes a command on that came at this moment: for the clocks that is when it counts.
    pub(crate) async fn command_of(&self, who: ClientId, command: Command, arrived: Instant) {
        self.send(who, Request::Command(command, arrived)).await;
    }

    /// Asks for the state, since what waited for the client was dropped.
    pub(crate) async fn refresh(&self, who: ClientId) {
        self.send(who, Request::Refresh).await;
    }

    async fn send(&self, who: ClientId, request: Request) {
        let request = (who, Box::new(request));
        // There mostly is room, and then nothing has to wait for it.
        let sent = match self.inbox.try_send(request) {
            Err(TrySendError::Full(request)) => self.inbox.send(request).await.is_ok(),
            sent => sent.is_ok(),
        };
        if !sent {
            debug!(table = self.id(), "the table is gone");
        }
    }
}

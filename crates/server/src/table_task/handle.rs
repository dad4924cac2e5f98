//! The way to a table.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tracing::debug;

use super::glance::Glance;
use super::hall::Hall;
use super::outbox::Outbox;
use crate::table::{ClientId, Command, TableSettings};

type Refused = TrySendError<(ClientId, Box<Request>)>;

/// What a table's task is asked for.
#[derive(Debug)]
pub(super) enum Request {
    /// Speak to a client.
    Attach(Outbox),
    /// Carry a command out, which came at this moment.
    Command(Command, Instant),
    /// Tell the state to a client for whom too much was waiting.
    Refresh,
    /// Answer once all that came before is done and to be seen.
    Settle(oneshot::Sender<()>),
}

/// The way to a table. Dropping every clone ends its task.
#[derive(Clone, Debug)]
pub(crate) struct TableHandle {
    pub(super) hall: Arc<Hall>,
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
        self.hall.is_closed()
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

    /// Has a command carried out that came at this moment: for the clocks that is when it counts. A move
    /// is played at once if nothing is in its way. What the inbox has no room for is returned.
    pub(crate) fn try_command(
        &self,
        who: ClientId,
        command: Command,
        arrived: Instant,
    ) -> Option<Waiting> {
        let send = |command| self.queue((who, Box::new(Request::Command(command, arrived))));
        let done = match command {
            Command::Move(_) => self.hall.play(who, command, arrived, send),
            command => self.hall.count(|| send(command)),
        };
        self.what_waits(done)
    }

    /// Asks for the state, since what waited for the client was dropped.
    pub(crate) async fn refresh(&self, who: ClientId) {
        self.send(who, Request::Refresh).await;
    }

    /// Waits until all that was asked for before is done, and to be seen [at a glance](TableHandle::glance).
    pub(crate) async fn settle(&self) {
        let (done, settled) = oneshot::channel();
        self.send(ClientId::PLACE, Request::Settle(done)).await;
        // A table that is gone has nothing more to do.
        let _ = settled.await;
    }

    async fn send(&self, who: ClientId, request: Request) {
        if let Some(waiting) = self.try_send((who, Box::new(request))) {
            waiting.send().await;
        }
    }

    fn try_send(&self, request: (ClientId, Box<Request>)) -> Option<Waiting> {
        self.what_waits(self.hall.count(|| self.queue(request)))
    }

    fn queue(&self, request: (ClientId, Box<Request>)) -> Result<(), Refused> {
        self.inbox.try_send(request)
    }

    fn what_waits(&self, sent: Result<(), Refused>) -> Option<Waiting> {
        match sent {
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
        let Waiting { table, request } = self;
        match table.inbox.reserve().await {
            Ok(place) => table.hall.count(|| place.send(request)),
            Err(_) => table.note_gone(),
        }
    }
}

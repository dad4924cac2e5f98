//! The handle of a table, for connections, the lobby and bots.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use checkers_lib::Color;
use checkers_lib::protocol::BotRequest;
use event_store::{ShardId, TokenHash};
use tokio::sync::{oneshot, watch};
use tracing::debug;

use super::HostedTable;
use crate::broadcast::Outbox;
use crate::route::{Place, Route};
use crate::table::{ClientId, Command, JoinRequest, Policy, TableSettings, TableStatus};

/// A request to a table, in the queue of its shard.
#[derive(Debug)]
pub(crate) struct Envelope {
    pub(crate) table: Arc<TableSettings>,
    pub(crate) who: ClientId,
    /// Boxed, to keep the queue small.
    pub(crate) request: Box<ShardRequest>,
}

#[derive(Debug)]
pub(crate) enum ShardRequest {
    /// Add this table.
    Open(Box<HostedTable>),
    /// Open a new table.
    Create(Policy),
    /// Load a game by correspondence, unless it is here, and answer.
    Load(oneshot::Sender<()>),
    /// The row of a game by correspondence says where it stood after this event.
    Written(u32),
    /// Let the client join; messages for it go to this outbox.
    Enter(Outbox, JoinRequest, Instant),
    /// Handle a command that arrived at this time.
    Command(Command, Instant),
    /// Seat a bot, in this seat or in any, that the client with this key has requested.
    AddBot(Option<Color>, BotRequest, Option<TokenHash>),
    /// Send the state to a client whose outbox was full.
    Refresh,
    /// Answer when all earlier requests have been handled.
    Flush(oneshot::Sender<()>),
    /// Forget the table, which goes on elsewhere, and answer.
    Release(oneshot::Sender<()>),
    /// Load no games of these shards, which go on elsewhere, and answer.
    ReleaseLoads(Arc<HashSet<ShardId>>, oneshot::Sender<()>),
}

impl ShardRequest {
    /// The time of arrival, if it counts for the clocks.
    pub(super) fn arrived(&self) -> Option<Instant> {
        match self {
            ShardRequest::Enter(_, _, arrived) | ShardRequest::Command(_, arrived) => {
                Some(*arrived)
            }
            ShardRequest::Open(_)
            | ShardRequest::Create(_)
            | ShardRequest::AddBot(..)
            | ShardRequest::Load(_)
            | ShardRequest::Written(_)
            | ShardRequest::Refresh
            | ShardRequest::Flush(_)
            | ShardRequest::Release(_)
            | ShardRequest::ReleaseLoads(..) => None,
        }
    }

    /// Whether the client is no longer a member afterwards.
    pub(super) fn is_leaving(&self) -> bool {
        match self {
            ShardRequest::Command(command, _) => command.is_leaving(),
            ShardRequest::Open(_)
            | ShardRequest::Create(_)
            | ShardRequest::AddBot(..)
            | ShardRequest::Enter(..)
            | ShardRequest::Load(_)
            | ShardRequest::Written(_)
            | ShardRequest::Refresh
            | ShardRequest::Flush(_)
            | ShardRequest::Release(_)
            | ShardRequest::ReleaseLoads(..) => false,
        }
    }

    /// Whether a game by correspondence is loaded for it.
    pub(super) fn loads(&self) -> bool {
        match self {
            ShardRequest::Enter(..) | ShardRequest::Load(_) => true,
            ShardRequest::Command(command, _) => command.loads(),
            ShardRequest::Open(_)
            | ShardRequest::Create(_)
            | ShardRequest::AddBot(..)
            | ShardRequest::Written(_)
            | ShardRequest::Refresh
            | ShardRequest::Flush(_)
            | ShardRequest::Release(_)
            | ShardRequest::ReleaseLoads(..) => false,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct TableHandle {
    pub(super) route: Arc<Route<Envelope>>,
    pub(super) settings: Arc<TableSettings>,
    pub(super) status: watch::Receiver<TableStatus>,
}

impl TableHandle {
    pub(crate) fn id(&self) -> &str {
        &self.settings.id
    }

    pub(crate) fn settings(&self) -> &Arc<TableSettings> {
        &self.settings
    }

    /// The table's status, updated after each batch. The table waits while the returned guard is
    /// held.
    pub(crate) fn status(&self) -> watch::Ref<'_, TableStatus> {
        self.status.borrow()
    }

    /// The status alone, whose changes can be waited for.
    pub(crate) fn into_status(self) -> watch::Receiver<TableStatus> {
        self.status
    }

    /// The status, if it has changed since the last call.
    pub(crate) fn changed_status(&mut self) -> Option<TableStatus> {
        // A closed table may have a last change.
        let status = self.status.borrow_and_update();
        status.has_changed().then(|| status.clone())
    }

    /// Where the table is.
    pub(crate) fn place(&self) -> Place {
        self.route.place()
    }

    /// A number that changes when the table moves to another node.
    pub(crate) fn version(&self) -> u64 {
        self.route.version()
    }

    /// Whether the table is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.status.has_changed().is_err()
    }

    /// Lets a client join. Messages go to the outbox until the client leaves, disconnects or is
    /// replaced by another connection.
    pub(crate) async fn enter(&self, who: ClientId, outbox: Outbox, join_request: JoinRequest) {
        self.enter_at(who, outbox, join_request, Instant::now())
            .await;
    }

    /// The same for a client that arrived at this time.
    pub(crate) async fn enter_at(
        &self,
        who: ClientId,
        outbox: Outbox,
        join_request: JoinRequest,
        arrived: Instant,
    ) {
        self.send(who, ShardRequest::Enter(outbox, join_request, arrived))
            .await;
    }

    /// Sends a command that has just arrived.
    pub(crate) async fn command(&self, who: ClientId, command: Command) {
        self.command_of(who, command, Instant::now()).await;
    }

    /// Sends a command that arrived at this time, which counts for the clocks.
    pub(crate) async fn command_of(&self, who: ClientId, command: Command, arrived: Instant) {
        self.send(who, ShardRequest::Command(command, arrived))
            .await;
    }

    /// Requests the state, after the client's waiting frames were dropped.
    pub(crate) async fn refresh(&self, who: ClientId) {
        self.send(who, ShardRequest::Refresh).await;
    }

    /// Asks the node that has the table for a bot.
    pub(crate) async fn add_bot(
        &self,
        who: ClientId,
        color: Option<Color>,
        bot: BotRequest,
        by: Option<TokenHash>,
    ) {
        self.send(who, ShardRequest::AddBot(color, bot, by)).await;
    }

    /// Waits until all earlier requests have been handled and are visible in the
    /// [status](TableHandle::status).
    pub(crate) async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        self.send(ClientId::SERVER, ShardRequest::Flush(done)).await;
        // A closed table has no requests left.
        let _ = flushed.await;
    }

    /// Waits while the shard's queue is full.
    pub(super) async fn send(&self, who: ClientId, request: ShardRequest) {
        let envelope = Envelope {
            table: Arc::clone(&self.settings),
            who,
            request: Box::new(request),
        };
        if !self.route.send(envelope).await {
            debug!(table = self.id(), "the shard has stopped");
        }
    }
}

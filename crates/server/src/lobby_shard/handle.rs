//! Requests to the lobby.

use std::net::IpAddr;

use checkers_lib::Color;
use checkers_lib::TimeControl;
use checkers_lib::protocol::{
    CreateTable, ErrorCode, HeldSeat, ListTables, Refusal, ServerMessage, TableList,
};
use tokio::sync::{mpsc, oneshot};
use tracing::debug;

use crate::broadcast::Outbox;
use crate::lobby::Admission;
use crate::shard::TableHandle;
use crate::table::ClientId;

type Reply<T> = oneshot::Sender<T>;

#[derive(Debug)]
pub(super) enum LobbyRequest {
    Join(Join),
    /// A connection was closed; for good, if that is true.
    Leave(ClientId, bool),
    Find(String, Reply<Option<TableHandle>>),
    Create(
        ClientId,
        Box<CreateTable>,
        Reply<Result<CreatedTable, Refusal>>,
    ),
    Kick(String, Reply<bool>),
    List(ListTables, Reply<Result<TableList, Refusal>>),
    Players(Reply<(Vec<String>, usize)>),
    Subscribe(ClientId),
    Unsubscribe(ClientId),
    WatchTv(ClientId),
    LeaveTv(ClientId),
    Quick(ClientId, Option<TimeControl>),
    CancelQuick(ClientId),
    Decline(ClientId, String),
    Announce(Box<ServerMessage>),
    HasPositionInPlay(Vec<u64>, Reply<bool>),
}

#[derive(Debug)]
pub(super) struct Join {
    pub(super) who: ClientId,
    pub(super) name: String,
    pub(super) token: Option<String>,
    pub(super) table: Option<String>,
    /// The client's address; `None` if it is not limited.
    pub(super) address: Option<IpAddr>,
    pub(super) outbox: Outbox,
    pub(super) reply: Reply<Result<JoinedClient, Refusal>>,
}

/// The answer to a successful join.
#[derive(Debug)]
pub(crate) struct JoinedClient {
    pub(crate) admission: Admission,
    /// The client's secret, as text.
    pub(crate) token: String,
    /// The requested table.
    pub(crate) table: Option<TableHandle>,
    /// The client's seats.
    pub(crate) seats: Vec<HeldSeat>,
    /// Messages for the client from before the join.
    pub(crate) waiting: Vec<ServerMessage>,
}

/// A table that a client has created.
#[derive(Debug)]
pub(crate) struct CreatedTable {
    pub(crate) table: TableHandle,
    /// The side that the client wants to play.
    pub(crate) color: Option<Color>,
}

/// A handle to the lobby. Its task ends when all clones are dropped.
#[derive(Clone, Debug)]
pub(crate) struct LobbyHandle {
    inbox: mpsc::Sender<LobbyRequest>,
}

impl LobbyHandle {
    pub(super) fn new(inbox: mpsc::Sender<LobbyRequest>) -> LobbyHandle {
        LobbyHandle { inbox }
    }

    /// Registers a client: its name, its token if it has one, and the table it wants. `address` is
    /// `None` if it is not limited.
    pub(crate) async fn join(
        &self,
        who: ClientId,
        identity: (String, Option<String>, Option<String>),
        address: Option<IpAddr>,
        outbox: Outbox,
    ) -> Result<JoinedClient, Refusal> {
        let (name, token, table) = identity;
        let request = |reply| {
            LobbyRequest::Join(Join {
                who,
                name,
                token,
                table,
                address,
                outbox,
                reply,
            })
        };
        self.ask(request).await.unwrap_or_else(|| Err(going_down()))
    }

    /// Handles a closed connection; `for_good` if the client has left.
    pub(crate) async fn leave(&self, who: ClientId, for_good: bool) {
        self.send(LobbyRequest::Leave(who, for_good)).await;
    }

    /// The handle of a table.
    pub(crate) async fn find(&self, id: &str) -> Option<TableHandle> {
        let request = |reply| LobbyRequest::Find(id.to_owned(), reply);
        self.ask(request).await.flatten()
    }

    /// Creates a table.
    pub(crate) async fn create(
        &self,
        who: ClientId,
        wanted: Box<CreateTable>,
    ) -> Result<CreatedTable, Refusal> {
        let request = |reply| LobbyRequest::Create(who, wanted, reply);
        self.ask(request).await.unwrap_or_else(|| Err(going_down()))
    }

    /// Closes the connection of a client; `false` if no connected client has this name.
    pub(crate) async fn kick(&self, name: &str) -> bool {
        let request = |reply| LobbyRequest::Kick(name.to_owned(), reply);
        self.ask(request).await.unwrap_or_default()
    }

    /// Lists tables.
    pub(crate) async fn list(&self, wanted: ListTables) -> Result<TableList, Refusal> {
        let request = |reply| LobbyRequest::List(wanted, reply);
        self.ask(request).await.unwrap_or_else(|| Err(going_down()))
    }

    /// The first names of connected clients, and the number of all.
    pub(crate) async fn players(&self) -> (Vec<String>, usize) {
        self.ask(LobbyRequest::Players).await.unwrap_or_default()
    }

    /// Whether a person plays a game in one of these positions, given by their hash keys.
    /// O(tables).
    pub(crate) async fn has_position_in_play(&self, positions: Vec<u64>) -> bool {
        let request = |reply| LobbyRequest::HasPositionInPlay(positions, reply);
        self.ask(request).await.unwrap_or_default()
    }

    pub(crate) async fn subscribe(&self, who: ClientId) {
        self.send(LobbyRequest::Subscribe(who)).await;
    }

    pub(crate) async fn unsubscribe(&self, who: ClientId) {
        self.send(LobbyRequest::Unsubscribe(who)).await;
    }

    pub(crate) async fn watch_tv(&self, who: ClientId) {
        self.send(LobbyRequest::WatchTv(who)).await;
    }

    pub(crate) async fn leave_tv(&self, who: ClientId) {
        self.send(LobbyRequest::LeaveTv(who)).await;
    }

    pub(crate) async fn quick(&self, who: ClientId, clock: Option<TimeControl>) {
        self.send(LobbyRequest::Quick(who, clock)).await;
    }

    pub(crate) async fn cancel_quick(&self, who: ClientId) {
        self.send(LobbyRequest::CancelQuick(who)).await;
    }

    pub(crate) async fn decline(&self, who: ClientId, table: String) {
        self.send(LobbyRequest::Decline(who, table)).await;
    }

    /// Sends a message to all clients.
    pub(crate) async fn announce(&self, message: ServerMessage) {
        self.send(LobbyRequest::Announce(Box::new(message))).await;
    }

    async fn ask<T>(&self, request: impl FnOnce(Reply<T>) -> LobbyRequest) -> Option<T> {
        let (reply, answer) = oneshot::channel();
        self.send(request(reply)).await;
        answer.await.ok()
    }

    /// Waits while the queue is full.
    async fn send(&self, request: LobbyRequest) {
        if self.inbox.send(request).await.is_err() {
            debug!("the lobby is gone");
        }
    }
}

/// Sends the answer, if the requester still waits.
pub(super) fn reply<T>(reply: Reply<T>, answer: T) {
    let _ = reply.send(answer);
}

fn going_down() -> Refusal {
    Refusal::new(ErrorCode::NotStored, "the server is going down")
}

//! Requests to the lobby.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use checkers_lib::Color;
use checkers_lib::protocol::{
    CreateTable, ErrorCode, HeldSeat, ListTables, Refusal, ServerMessage, TableList,
};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::debug;

use crate::broadcast::Outbox;
use crate::lobby::secrets::Identity;
use crate::lobby::{Admission, QuickWish};
use crate::moderation::Opponents;
use crate::route::{Place, Route};
use crate::shard::TableHandle;
use crate::table::ClientId;

/// How long to wait for the lobby of another node, or for one that moves.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) type Reply<T> = oneshot::Sender<T>;

#[derive(Debug)]
pub(crate) enum LobbyRequest {
    Join(Join),
    /// A connection was closed; for good, if that is true.
    Leave(ClientId, bool),
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
    Quick(ClientId, QuickWish, Opponents),
    CancelQuick(ClientId),
    /// The player with this name waits at no tournament any more.
    LeaveTournaments(String),
    Decline(ClientId, String),
    Announce(Box<ServerMessage>),
}

#[derive(Debug)]
pub(crate) struct Join {
    pub(crate) who: ClientId,
    pub(crate) name: String,
    pub(crate) identity: Option<Identity>,
    pub(crate) table: Option<String>,
    /// The client's address; `None` if it is not limited.
    pub(crate) address: Option<IpAddr>,
    pub(crate) outbox: Outbox,
    /// Whether the client has joined before, at the lobby of another node: it keeps its identity.
    pub(crate) is_known: bool,
    /// The tables that it has created there.
    pub(crate) created: Vec<String>,
    pub(crate) reply: Reply<Result<JoinedClient, Refusal>>,
}

/// The answer to a successful join.
#[derive(Debug)]
pub(crate) struct JoinedClient {
    pub(crate) admission: Admission,
    /// The client's identity from now on.
    pub(crate) identity: Identity,
    /// The requested table.
    pub(crate) table: Option<TableHandle>,
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
    route: Arc<Route<LobbyRequest>>,
}

impl LobbyHandle {
    /// A handle to the lobby at the end of this route.
    pub(crate) fn new(route: Arc<Route<LobbyRequest>>) -> LobbyHandle {
        LobbyHandle { route }
    }

    /// Where the lobby is.
    pub(crate) fn place(&self) -> Place {
        self.route.place()
    }

    /// A number that changes when the lobby moves to another node.
    pub(crate) fn version(&self) -> u64 {
        self.route.version()
    }

    /// Registers a client: its name, its identity if it has one, and the table it wants. `address` is
    /// `None` if it is not limited.
    pub(crate) async fn join(
        &self,
        who: ClientId,
        client: (String, Option<Identity>, Option<String>),
        address: Option<IpAddr>,
        outbox: Outbox,
    ) -> Result<JoinedClient, Refusal> {
        let (name, identity, table) = client;
        let request = |reply| {
            LobbyRequest::Join(Join {
                who,
                name,
                identity,
                table,
                address,
                outbox,
                is_known: false,
                created: Vec::new(),
                reply,
            })
        };
        self.ask_patiently(request)
            .await
            .unwrap_or_else(|| Err(self.going_down()))
    }

    /// Registers a client again whose lobby has moved, with the tables that it has created.
    pub(crate) async fn rejoin(
        &self,
        who: ClientId,
        (name, identity): (String, Identity),
        address: Option<IpAddr>,
        outbox: Outbox,
        created: Vec<String>,
    ) -> Result<JoinedClient, Refusal> {
        let request = |reply| {
            LobbyRequest::Join(Join {
                who,
                name,
                identity: Some(identity),
                table: None,
                address,
                outbox,
                is_known: true,
                created,
                reply,
            })
        };
        self.ask_patiently(request)
            .await
            .unwrap_or_else(|| Err(self.going_down()))
    }

    /// Handles a closed connection; `for_good` if the client has left.
    pub(crate) async fn leave(&self, who: ClientId, for_good: bool) {
        self.send(LobbyRequest::Leave(who, for_good)).await;
    }

    /// Creates a table for a client that has joined.
    pub(crate) async fn create(
        &self,
        who: ClientId,
        wanted: Box<CreateTable>,
    ) -> Result<CreatedTable, Refusal> {
        let request = |reply| LobbyRequest::Create(who, wanted, reply);
        match self.ask(request).await {
            // The lobby has just moved: the client will join it.
            Some(Err(refusal)) if refusal.code == ErrorCode::NotJoined => Err(out_of_reach()),
            Some(created) => created,
            None => Err(self.going_down()),
        }
    }

    /// Closes the connection of a client; `false` if no connected client has this name.
    pub(crate) async fn kick(&self, name: &str) -> bool {
        let request = |reply| LobbyRequest::Kick(name.to_owned(), reply);
        self.ask(request).await.unwrap_or_default()
    }

    pub(crate) async fn list(&self, wanted: ListTables) -> Result<TableList, Refusal> {
        let request = |reply| LobbyRequest::List(wanted, reply);
        self.ask(request)
            .await
            .unwrap_or_else(|| Err(self.going_down()))
    }

    /// The first names of connected clients, and the number of all.
    pub(crate) async fn players(&self) -> (Vec<String>, usize) {
        self.ask(LobbyRequest::Players).await.unwrap_or_default()
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

    pub(crate) async fn quick(&self, who: ClientId, wish: QuickWish, avoids: Opponents) {
        self.send(LobbyRequest::Quick(who, wish, avoids)).await;
    }

    pub(crate) async fn cancel_quick(&self, who: ClientId) {
        self.send(LobbyRequest::CancelQuick(who)).await;
    }

    pub(crate) async fn leave_tournaments(&self, name: String) {
        self.send(LobbyRequest::LeaveTournaments(name)).await;
    }

    pub(crate) async fn decline(&self, who: ClientId, table: String) {
        self.send(LobbyRequest::Decline(who, table)).await;
    }

    /// Sends a message to all clients.
    pub(crate) async fn announce(&self, message: ServerMessage) {
        self.send(LobbyRequest::Announce(Box::new(message))).await;
    }

    /// Asks a lobby that has an owner.
    async fn ask<T>(&self, request: impl FnOnce(Reply<T>) -> LobbyRequest) -> Option<T> {
        if self.place() == Place::Nowhere {
            return None;
        }
        self.ask_patiently(request).await
    }

    /// Asks the lobby, and waits for its owner.
    async fn ask_patiently<T>(&self, request: impl FnOnce(Reply<T>) -> LobbyRequest) -> Option<T> {
        let (reply, answer) = oneshot::channel();
        let is_here = self.place() == Place::Here;
        let asking = async {
            self.send(request(reply)).await;
            answer.await.ok()
        };
        if is_here {
            return asking.await;
        }
        timeout(PATIENCE, asking).await.ok().flatten()
    }

    fn going_down(&self) -> Refusal {
        match self.place() {
            Place::Here => Refusal::new(ErrorCode::NotStored, "the server is going down"),
            Place::Node(_) | Place::Nowhere => out_of_reach(),
        }
    }

    /// Waits while the queue is full.
    pub(crate) async fn send(&self, request: LobbyRequest) {
        if !self.route.send(request).await {
            debug!("the lobby is gone");
        }
    }
}

fn out_of_reach() -> Refusal {
    let message = "the lobby cannot be reached now: try again in some seconds";
    Refusal::new(ErrorCode::NotStored, message)
}

/// Sends the answer, if the requester still waits.
pub(crate) fn reply<T>(reply: Reply<T>, answer: T) {
    let _ = reply.send(answer);
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn a_lobby_that_does_not_know_a_client_yet_cannot_be_reached() {
        let (inbox, mut requests) = mpsc::channel(1);
        let lobby = LobbyHandle::new(Arc::new(Route::here(inbox)));
        let create = lobby.create(ClientId(1), Box::default());
        let answer = async {
            let Some(LobbyRequest::Create(_, _, sender)) = requests.recv().await else {
                panic!("no request");
            };
            reply(
                sender,
                Err(Refusal::new(ErrorCode::NotJoined, "join first")),
            );
        };
        let (created, ()) = tokio::join!(create, answer);
        assert_eq!(
            created.map_err(|refusal| refusal.code).err(),
            Some(ErrorCode::NotStored)
        );
    }
}

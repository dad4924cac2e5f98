//! What connections ask of the lobby.

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

/// Where an answer goes.
type Reply<T> = oneshot::Sender<T>;

#[derive(Debug)]
pub(super) enum Request {
    Join(Join),
    /// A connection is gone; for good, if that is true.
    Leave(ClientId, bool),
    Find(String, Reply<Option<TableHandle>>),
    Create(ClientId, Box<CreateTable>, Reply<Result<Created, Refusal>>),
    Drop(String, Reply<bool>),
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
    IsThoughtAbout(Vec<u64>, Reply<bool>),
}

#[derive(Debug)]
pub(super) struct Join {
    pub(super) who: ClientId,
    pub(super) name: String,
    pub(super) token: Option<String>,
    pub(super) table: Option<String>,
    /// Where the client comes from, unless its address is not limited.
    pub(super) address: Option<IpAddr>,
    pub(super) outbox: Outbox,
    pub(super) reply: Reply<Result<Admitted, Refusal>>,
}

/// Somebody who is in.
#[derive(Debug)]
pub(crate) struct Admitted {
    pub(crate) admission: Admission,
    /// The client's secret.
    pub(crate) token: String,
    /// The table that it wants to enter.
    pub(crate) table: Option<TableHandle>,
    /// Where it sits.
    pub(crate) seats: Vec<HeldSeat>,
    /// What has waited for it.
    pub(crate) waiting: Vec<ServerMessage>,
}

/// A table that somebody has made.
#[derive(Debug)]
pub(crate) struct Created {
    pub(crate) table: TableHandle,
    /// The side that they want to play.
    pub(crate) color: Option<Color>,
}

/// The way to the lobby. Dropping every clone ends its task.
#[derive(Clone, Debug)]
pub(crate) struct LobbyHandle {
    inbox: mpsc::Sender<Request>,
}

impl LobbyHandle {
    pub(super) fn new(inbox: mpsc::Sender<Request>) -> LobbyHandle {
        LobbyHandle { inbox }
    }

    /// Lets a client in who speaks for itself: under a name, to a table, with the token it has, from an
    /// address unless that is not limited.
    pub(crate) async fn join(
        &self,
        who: ClientId,
        wanted: (String, Option<String>, Option<String>),
        address: Option<IpAddr>,
        outbox: Outbox,
    ) -> Result<Admitted, Refusal> {
        let (name, token, table) = wanted;
        let request = |reply| {
            Request::Join(Join {
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

    /// Takes in that a connection is gone; `for_good`, if its client said so.
    pub(crate) async fn leave(&self, who: ClientId, for_good: bool) {
        self.tell(Request::Leave(who, for_good)).await;
    }

    /// The way to a table.
    pub(crate) async fn find(&self, id: &str) -> Option<TableHandle> {
        let request = |reply| Request::Find(id.to_owned(), reply);
        self.ask(request).await.flatten()
    }

    /// Makes a table.
    pub(crate) async fn create(
        &self,
        who: ClientId,
        wanted: Box<CreateTable>,
    ) -> Result<Created, Refusal> {
        let request = |reply| Request::Create(who, wanted, reply);
        self.ask(request).await.unwrap_or_else(|| Err(going_down()))
    }

    /// Has a client's connection closed; `false` if nobody connected is called so.
    pub(crate) async fn drop_client(&self, name: &str) -> bool {
        let request = |reply| Request::Drop(name.to_owned(), reply);
        self.ask(request).await.unwrap_or_default()
    }

    /// Lists tables.
    pub(crate) async fn list(&self, wanted: ListTables) -> Result<TableList, Refusal> {
        let request = |reply| Request::List(wanted, reply);
        self.ask(request).await.unwrap_or_else(|| Err(going_down()))
    }

    /// The names of the first who are connected, and how many there are.
    pub(crate) async fn players(&self) -> (Vec<String>, usize) {
        self.ask(Request::Players).await.unwrap_or_default()
    }

    /// Whether somebody plays a game that has one of these positions now, by their keys. O(tables).
    pub(crate) async fn is_thought_about(&self, positions: Vec<u64>) -> bool {
        let request = |reply| Request::IsThoughtAbout(positions, reply);
        self.ask(request).await.unwrap_or_default()
    }

    pub(crate) async fn subscribe(&self, who: ClientId) {
        self.tell(Request::Subscribe(who)).await;
    }

    pub(crate) async fn unsubscribe(&self, who: ClientId) {
        self.tell(Request::Unsubscribe(who)).await;
    }

    pub(crate) async fn watch_tv(&self, who: ClientId) {
        self.tell(Request::WatchTv(who)).await;
    }

    pub(crate) async fn leave_tv(&self, who: ClientId) {
        self.tell(Request::LeaveTv(who)).await;
    }

    pub(crate) async fn quick(&self, who: ClientId, clock: Option<TimeControl>) {
        self.tell(Request::Quick(who, clock)).await;
    }

    pub(crate) async fn cancel_quick(&self, who: ClientId) {
        self.tell(Request::CancelQuick(who)).await;
    }

    pub(crate) async fn decline(&self, who: ClientId, table: String) {
        self.tell(Request::Decline(who, table)).await;
    }

    /// Tells everybody who has joined.
    pub(crate) async fn announce(&self, message: ServerMessage) {
        self.tell(Request::Announce(Box::new(message))).await;
    }

    async fn ask<T>(&self, request: impl FnOnce(Reply<T>) -> Request) -> Option<T> {
        let (reply, answer) = oneshot::channel();
        self.tell(request(reply)).await;
        answer.await.ok()
    }

    /// Waits while the lobby has too much to do.
    async fn tell(&self, request: Request) {
        if self.inbox.send(request).await.is_err() {
            debug!("the lobby is gone");
        }
    }
}

/// Answers, if anybody still waits.
pub(super) fn answer<T>(reply: Reply<T>, answer: T) {
    let _ = reply.send(answer);
}

fn going_down() -> Refusal {
    Refusal::new(ErrorCode::NotStored, "the server is going down")
}

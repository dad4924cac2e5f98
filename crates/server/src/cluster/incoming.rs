//! Serves another node: requests of its clients to tables and the lobby here.

use std::collections::{HashMap, HashSet, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use event_store::{ShardId, UnixMillis};
use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, SplitStream};
use futures::{FutureExt, StreamExt};
use tokio::sync::{oneshot, watch};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tracing::debug;

use super::handshake::LinkStream;
use super::link::{LinkEnd, LinkWriter};
use super::message::{
    Joined, LobbyAnswer, LobbyCall, NodeCommand, NodeEvent, NodeRequest, TableSnapshot, encode,
    encode_frame,
};
use super::owned::OwnedShards;
use crate::bots::Bots;
use crate::broadcast::{Frame, NodeItem, NodeQueue, Outbox};
use crate::lobby::{ArenaWish, EventWish, LadderWish, PrivateLadder, QuickWish};
use crate::lobby_shard::{
    CreatedTable, Join, JoinedClient, LobbyCommand, LobbyHandle, LobbyRequest,
};
use crate::metrics::ClusterMetrics;
use crate::moderation::Opponents;
use crate::route::Place;
use crate::shard::{Shards, TableHandle};
use crate::table::{ClientId, Command, Policy, TableStatus};

/// How often the other node is told of tables that have changed.
pub(crate) const TABLE_UPDATE: Duration = Duration::from_millis(500);

/// After how long without a word the connection is given up.
const SILENCE: Duration = Duration::from_secs(3);

/// What serving another node needs.
#[derive(Clone)]
pub(super) struct LinkContext {
    pub(super) shards: Shards,
    pub(super) lobby: LobbyHandle,
    pub(super) bots: Bots,
    pub(super) policy: Policy,
    pub(super) metrics: ClusterMetrics,
    pub(super) owned: watch::Receiver<Arc<OwnedShards>>,
}

/// A connection from another node.
pub(super) struct IncomingLink {
    context: LinkContext,
    writer: LinkWriter,
    stream: SplitStream<LinkStream>,
    /// What tables and the lobby send to its clients.
    queue: Arc<NodeQueue>,
    /// What was taken from there and is not sent yet.
    items: VecDeque<NodeItem>,
    /// The tables that its clients have entered.
    entered: HashMap<ClientId, Vec<TableHandle>>,
    /// Its clients in the lobby.
    joined: HashSet<ClientId>,
    /// The shards that it was told of.
    announced: Arc<OwnedShards>,
    /// The tables that it was told of.
    tables: HashMap<String, watch::Receiver<TableStatus>>,
    answers: FuturesUnordered<BoxFuture<'static, NodeEvent>>,
}

impl IncomingLink {
    pub(super) fn new(context: LinkContext, stream: LinkStream) -> IncomingLink {
        let (sink, stream) = stream.split();
        IncomingLink {
            context,
            writer: LinkWriter::start(sink),
            stream,
            queue: Arc::default(),
            items: VecDeque::new(),
            entered: HashMap::new(),
            joined: HashSet::new(),
            announced: Arc::default(),
            tables: HashMap::new(),
            answers: FuturesUnordered::new(),
        }
    }

    /// Serves the other node until its connection ends or is `ending`; then its clients are disconnected from
    /// their tables.
    pub(super) async fn serve(mut self, ending: CancellationToken) -> LinkEnd {
        let end = tokio::select! {
            end = self.work() => match end {
                Err(end) => end,
                Ok(never) => match never {},
            },
            () = ending.cancelled() => LinkEnd::Replaced,
        };
        // Clients of tables, or of a lobby, that have moved meanwhile are at the new owner.
        for (client, tables) in std::mem::take(&mut self.entered) {
            for table in tables.iter().filter(|table| table.place() == Place::Here) {
                table.command(client, Command::Disconnect).await;
            }
        }
        for client in std::mem::take(&mut self.joined) {
            if self.context.lobby.place() == Place::Here {
                self.context.lobby.leave(client, false).await;
            }
        }
        end
    }

    async fn work(&mut self) -> Result<Infallible, LinkEnd> {
        let mut update = interval(TABLE_UPDATE);
        update.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let queue = Arc::clone(&self.queue);
        let mut owned = self.context.owned.clone();
        self.announce()?;
        let mut last_heard = tokio::time::Instant::now();
        loop {
            tokio::select! {
                items = queue.take(), if self.items.is_empty() => self.items = items,
                () = self.writer.has_room(), if !self.items.is_empty() => {
                    while self.writer.has_room_now()
                        && let Some(item) = self.items.pop_front()
                    {
                        self.send_item(item)?;
                    }
                }
                message = self.stream.next() => {
                    let message = message.ok_or(LinkEnd::Closed)??;
                    last_heard = tokio::time::Instant::now();
                    match serde_json::from_slice(&message) {
                        Ok(request) => self.handle(request).await?,
                        Err(error) => debug!(%error, "a node sent a message of another version"),
                    }
                }
                Some(event) = self.answers.next() => self.send(&event)?,
                Ok(()) = owned.changed() => {
                    owned.borrow_and_update();
                    self.announce()?;
                }
                _ = update.tick() => {
                    if last_heard.elapsed() > SILENCE {
                        return Err(LinkEnd::Silent(SILENCE));
                    }
                    self.update_tables()?;
                }
            }
        }
    }

    fn send(&self, event: &NodeEvent) -> Result<(), LinkEnd> {
        Ok(self.writer.send(encode(event))?)
    }

    fn send_item(&self, item: NodeItem) -> Result<(), LinkEnd> {
        match item {
            NodeItem::Frame(clients, frame) => {
                self.context.metrics.frames.inc();
                Ok(self.writer.send(encode_frame(&clients, &frame))?)
            }
            NodeItem::Restart(who) => self.send(&NodeEvent::Restart(who)),
            NodeItem::Close(who) => self.send(&NodeEvent::Close(who)),
            NodeItem::Command(who, command) => {
                let command = match command {
                    LobbyCommand::Sit(table, color) => {
                        NodeCommand::Sit(Box::new(snapshot(&table)), color)
                    }
                    LobbyCommand::ShowTv(table) => {
                        NodeCommand::ShowTv(table.as_ref().map(|table| Box::new(snapshot(table))))
                    }
                    LobbyCommand::NotQueued => NodeCommand::NotQueued,
                    LobbyCommand::Replaced => NodeCommand::Replaced,
                    LobbyCommand::Kicked => NodeCommand::Kicked,
                };
                self.send(&NodeEvent::Command(who, command))
            }
        }
    }

    /// Tells the other node which shards are served here now.
    fn announce(&mut self) -> Result<(), LinkEnd> {
        let owned = Arc::clone(&*self.context.owned.borrow());
        let released: Vec<_> = self.announced.without(&owned);
        if !released.is_empty() {
            let is_released = |id: &str| {
                released
                    .iter()
                    .any(|(shard, _)| *shard == ShardId::of_table(id))
            };
            self.tables.retain(|id, _| !is_released(id));
            for tables in self.entered.values_mut() {
                tables.retain(|table| !is_released(table.id()));
            }
            self.entered.retain(|_, tables| !tables.is_empty());
            if released.iter().any(|(shard, _)| *shard == ShardId::LOBBY) {
                self.joined.clear();
            }
            self.send(&NodeEvent::Released(released))?;
        }
        let shards: Vec<_> = owned.without(&self.announced);
        if !shards.is_empty() {
            let new: HashSet<ShardId> = shards.iter().map(|(shard, _)| *shard).collect();
            let is_new = |id: &str| new.contains(&ShardId::of_table(id));
            let mut tables = Vec::new();
            for table in self.context.shards.tables(is_new) {
                tables.push(snapshot(&table));
                self.tables
                    .insert(table.id().to_owned(), table.into_status());
            }
            self.send(&NodeEvent::Serving { shards, tables })?;
        }
        self.announced = owned;
        Ok(())
    }

    /// Tells the other node of tables that have changed.
    fn update_tables(&mut self) -> Result<(), LinkEnd> {
        let mut changed = Vec::new();
        let shards = &self.context.shards;
        let is_new = |id: &str| shards.has_here(id) && !self.tables.contains_key(id);
        for table in shards.tables(is_new) {
            changed.push(snapshot(&table));
            self.tables
                .insert(table.id().to_owned(), table.into_status());
        }
        let mut closed = Vec::new();
        self.tables.retain(|id, status| match status.has_changed() {
            Ok(false) => true,
            Ok(true) => {
                changed.push(TableSnapshot::from(&*status.borrow_and_update()));
                true
            }
            Err(_) => {
                closed.push(id.clone());
                false
            }
        });
        if changed.is_empty() && closed.is_empty() {
            return Ok(());
        }
        self.send(&NodeEvent::Tables { changed, closed })
    }

    async fn handle(&mut self, request: NodeRequest) -> Result<(), LinkEnd> {
        match request {
            NodeRequest::Enter {
                table,
                client,
                join,
                age,
            } => {
                let outbox = self.outbox(client);
                if let Some(table) = self.table_to_load(&table) {
                    table.enter_at(client, outbox, join, age.instant()).await;
                    let tables = self.entered.entry(client).or_default();
                    if tables.iter().all(|entered| entered.id() != table.id()) {
                        tables.push(table);
                    }
                }
            }
            NodeRequest::Command {
                table,
                client,
                command,
                age,
            } => {
                let table = match client {
                    ClientId::SERVER => self.table_to_load(&table),
                    _ => self.table_of(client, &table),
                };
                if let Some(table) = table {
                    if command.is_leaving() {
                        self.forget(client, table.id());
                    }
                    table.command_of(client, command, age.instant()).await;
                }
            }
            NodeRequest::Refresh { table, client } => {
                if let Some(table) = self.table(&table) {
                    table.refresh(client).await;
                }
            }
            NodeRequest::Flush { table, number } => {
                let table = self.table(&table);
                let flush = async move {
                    if let Some(table) = table {
                        table.flush().await;
                    }
                    NodeEvent::Flushed(number)
                };
                self.answers.push(flush.boxed());
            }
            NodeRequest::Load { table, number } => {
                let shards = self.context.shards.clone();
                let load = async move {
                    if shards.has_here(&table) {
                        shards.load(&table).await;
                    }
                    NodeEvent::Flushed(number)
                };
                self.answers.push(load.boxed());
            }
            NodeRequest::Create(opened) => {
                if let Some(settings) = opened.settings()
                    && self.context.shards.find(&settings.id).is_none()
                {
                    self.context
                        .shards
                        .create(settings, self.context.policy)
                        .await;
                }
            }
            NodeRequest::AddBot {
                table,
                client,
                color,
                bot,
                by,
            } => {
                if let Some(table) = self.table(&table)
                    && let Err(refusal) = self.context.bots.seat_bot(&table, color, &bot, by)
                {
                    let outbox = self.outbox(client);
                    outbox.send(&Frame::new(&refusal.about(table.id())));
                }
            }
            NodeRequest::Lobby { number, call } => self.call_lobby(number, call).await,
            NodeRequest::Ping => {
                self.send(&NodeEvent::Pong)?;
            }
        }
        Ok(())
    }

    /// A table that is here, or would be: it may have a game by correspondence, which is loaded if necessary.
    fn table_to_load(&self, id: &str) -> Option<TableHandle> {
        let shards = &self.context.shards;
        let unloaded = || shards.has_here(id).then(|| shards.correspondence(id));
        self.table(id).or_else(unloaded)
    }

    /// A table that is here, or that the client enters once it is loaded.
    fn table_of(&self, client: ClientId, id: &str) -> Option<TableHandle> {
        let entered = || {
            let mut tables = self.entered.get(&client)?.iter();
            let table = tables.find(|table| table.id() == id)?;
            Some(table.clone()).filter(|table| table.place() == Place::Here)
        };
        self.table(id).or_else(entered)
    }

    /// A table that is here. If it is not, the other node hears of its owner.
    fn table(&self, id: &str) -> Option<TableHandle> {
        let table = self.context.shards.find(id);
        let here = table.filter(|table| table.place() == Place::Here);
        if here.is_none() {
            debug!(table = id, "a node asks for a table that is not here");
        }
        here
    }

    fn outbox(&self, who: ClientId) -> Outbox {
        Outbox::of_node(Arc::clone(&self.queue), who)
    }

    fn forget(&mut self, client: ClientId, table: &str) {
        if let Some(tables) = self.entered.get_mut(&client) {
            tables.retain(|entered| entered.id() != table);
            if tables.is_empty() {
                self.entered.remove(&client);
            }
        }
    }

    /// Passes a call on to the lobby. The answer follows.
    async fn call_lobby(&mut self, number: u64, call: LobbyCall) {
        if self.context.lobby.place() != Place::Here {
            let gone = async move { NodeEvent::LobbyGone(number) };
            self.answers.push(gone.boxed());
            return;
        }
        let request = match call {
            LobbyCall::Join {
                client,
                name,
                identity,
                table,
                address,
                is_known,
                created,
            } => {
                self.joined.insert(client);
                let reply = self.reply(number, |joined: Result<_, _>| {
                    LobbyAnswer::Join(joined.map(|joined| Box::new(Joined::from(joined))))
                });
                LobbyRequest::Join(Join {
                    who: client,
                    name,
                    identity,
                    table,
                    address,
                    outbox: self.outbox(client),
                    is_known,
                    created,
                    reply,
                })
            }
            LobbyCall::Leave(who, for_good) => {
                self.joined.remove(&who);
                LobbyRequest::Leave(who, for_good)
            }
            LobbyCall::Create(who, wanted) => {
                let reply = self.reply(number, |created: Result<_, _>| {
                    let parts =
                        |created: CreatedTable| (Box::new(snapshot(&created.table)), created.color);
                    LobbyAnswer::Create(created.map(parts))
                });
                LobbyRequest::Create(who, wanted, reply)
            }
            LobbyCall::Kick(name) => {
                LobbyRequest::Kick(name, self.reply(number, LobbyAnswer::Kick))
            }
            LobbyCall::List(wanted) => {
                LobbyRequest::List(wanted, self.reply(number, LobbyAnswer::List))
            }
            LobbyCall::Players => LobbyRequest::Players(
                self.reply(number, |(names, count)| LobbyAnswer::Players(names, count)),
            ),
            LobbyCall::Subscribe(who) => LobbyRequest::Subscribe(who),
            LobbyCall::Unsubscribe(who) => LobbyRequest::Unsubscribe(who),
            LobbyCall::WatchTv(who) => LobbyRequest::WatchTv(who),
            LobbyCall::LeaveTv(who) => LobbyRequest::LeaveTv(who),
            LobbyCall::Quick(who, clock) => quick(who, clock, false, None),
            LobbyCall::QuickRated(who, clock) => quick(who, clock, true, None),
            LobbyCall::QuickAvoiding {
                client,
                clock,
                rated,
                avoids,
            } => match quick(client, clock, rated, None) {
                LobbyRequest::Quick(client, wish, _) => LobbyRequest::Quick(client, wish, avoids),
                other => other,
            },
            LobbyCall::Ladder {
                client,
                clock,
                rating,
                owner,
                private,
            } => {
                let read = |(season, until): (String, i64)| {
                    let season = season.parse().ok()?;
                    let until = UnixMillis(until);
                    Some(PrivateLadder { season, until })
                };
                match private.map(read) {
                    // A season of a later version.
                    Some(None) => LobbyRequest::CancelQuick(client),
                    private => {
                        let private = private.flatten();
                        let wish = EventWish::Ladder(LadderWish {
                            rating,
                            owner,
                            private,
                        });
                        quick(client, clock, private.is_none(), Some(wish))
                    }
                }
            }
            LobbyCall::Arena {
                client,
                clock,
                rated,
                tournament,
                points,
                balance,
                opening,
                until,
            } => match tournament.parse() {
                Ok(tournament) => {
                    let wish = EventWish::Arena(ArenaWish {
                        tournament,
                        points,
                        balance,
                        has_opening: opening,
                        until: UnixMillis(until),
                    });
                    quick(client, clock, rated, Some(wish))
                }
                // An id of a later version.
                Err(_) => LobbyRequest::CancelQuick(client),
            },
            LobbyCall::Round {
                client,
                clock,
                rated,
                tournament,
            } => match tournament.parse() {
                Ok(tournament) => quick(client, clock, rated, Some(EventWish::Round(tournament))),
                // An id of a later version.
                Err(_) => LobbyRequest::CancelQuick(client),
            },
            LobbyCall::CancelQuick(who) => LobbyRequest::CancelQuick(who),
            LobbyCall::LeaveTournaments(name) => LobbyRequest::LeaveTournaments(name),
            LobbyCall::Decline(who, table) => LobbyRequest::Decline(who, table),
        };
        self.context.lobby.send(request).await;
    }

    /// Where the lobby is to send the answer to a call.
    fn reply<T: Send + 'static>(
        &self,
        number: u64,
        answer: impl FnOnce(T) -> LobbyAnswer + Send + 'static,
    ) -> oneshot::Sender<T> {
        let (reply, answered) = oneshot::channel();
        let event = async move {
            match answered.await {
                Ok(answered) => NodeEvent::Lobby(number, answer(answered)),
                Err(_) => NodeEvent::LobbyGone(number),
            }
        };
        self.answers.push(event.boxed());
        reply
    }
}

fn snapshot(table: &TableHandle) -> TableSnapshot {
    TableSnapshot::from(&*table.status())
}

impl From<JoinedClient> for Joined {
    fn from(joined: JoinedClient) -> Joined {
        let admission = joined.admission;
        Joined {
            name: admission.name,
            key: admission.key,
            resumed: admission.resumed,
            identity: joined.identity,
            table: joined.table.as_ref().map(snapshot),
            seats: joined.seats,
            waiting: joined.waiting,
        }
    }
}

/// The request for a quick game; a clock that cannot be read is the default.
fn quick(
    who: ClientId,
    clock: Option<String>,
    is_rated: bool,
    event: Option<EventWish>,
) -> LobbyRequest {
    let wish = QuickWish {
        clock: clock.and_then(|clock| clock.parse().ok()),
        is_rated,
        event,
    };
    LobbyRequest::Quick(who, wish, Opponents::new())
}

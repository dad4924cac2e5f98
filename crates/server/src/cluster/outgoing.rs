//! The connection to another node, for the tables and the lobby that it has.
//!
//! Requests of this server's clients go out; frames for them, and what is known of the other node's
//! tables, come back.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use event_store::SessionView;
use futures::StreamExt;
use futures::stream::SplitStream;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tracing::{debug, info, warn};

use super::handshake::{self, LinkStream};
use super::link::{LinkEnd, LinkWriter};
use super::lobby_calls::LobbyCalls;
use super::message::{
    Age, NodeCommand, NodeEvent, NodeRequest, Received, TableSnapshot, decode, encode,
};
use super::routes::{Inboxes, Routes};
use crate::broadcast::{Frame, Outbox};
use crate::lobby_shard::{LobbyCommand, LobbyRequest};
use crate::metrics::ClusterMetrics;
use crate::route::Place;
use crate::secret::Secret;
use crate::shard::{Envelope, ShardRequest};
use crate::table::ClientId;
use crate::table::event::Opened;

/// The most requests that wait for a node. A sender waits while the queue is full.
const INBOX: usize = 1024;

/// How often the other node is asked whether it is there.
const PING: Duration = Duration::from_millis(500);

/// After how long without a word the connection is given up.
const SILENCE: Duration = Duration::from_secs(2);

/// Between two attempts to connect.
const FIRST_RETRY: Duration = Duration::from_millis(100);
const LAST_RETRY: Duration = Duration::from_secs(1);

/// A client whose outbox is full twice within this time is disconnected.
const SECOND_CHANCE: Duration = Duration::from_secs(30);

/// Keeps a connection to a node.
pub(super) struct OutgoingLink {
    pub(super) peer: SessionView,
    /// The session of this node.
    pub(super) own: i32,
    pub(super) key: Arc<Secret>,
    pub(super) routes: Arc<Routes>,
    pub(super) metrics: ClusterMetrics,
}

/// A connection while it lasts.
struct OpenLink<'a> {
    link: &'a OutgoingLink,
    writer: LinkWriter,
    stream: SplitStream<LinkStream>,
    /// Where routes to the other node lead.
    inboxes: Inboxes,
    tables: mpsc::Receiver<Envelope>,
    lobby: mpsc::Receiver<LobbyRequest>,
    clients: HashMap<ClientId, RemoteClient>,
    calls: LobbyCalls,
    flushes: HashMap<u64, oneshot::Sender<()>>,
    last_flush: u64,
    last_heard: Instant,
}

/// A client of this server at a table, or in the lobby, of the other node.
struct RemoteClient {
    outbox: Outbox,
    /// Whether it receives nothing until it requests the state.
    is_behind: bool,
    /// When its outbox was last full.
    fell_behind: Option<Instant>,
}

impl OutgoingLink {
    /// Connects, and connects again whenever the connection ends. Runs until it is aborted.
    pub(super) async fn run(self) {
        let SessionView {
            id: session, name, ..
        } = &self.peer;
        let mut pause = FIRST_RETRY;
        let mut last_error = String::new();
        loop {
            let (address, key) = (&self.peer.address, &self.key);
            match handshake::connect(address, (self.own, *session), key).await {
                Ok(stream) => {
                    info!(node = name, session, "connected to a node");
                    pause = FIRST_RETRY;
                    let end = OpenLink::new(&self, stream).serve().await;
                    info!(node = name, session, reason = %end, "a connection to a node ended");
                }
                Err(error) => {
                    if error.is_refusal() {
                        self.metrics.refused.inc();
                    }
                    let error = error.to_string();
                    if error != last_error {
                        warn!(node = name, session, error, "cannot connect to a node");
                        last_error = error;
                    }
                }
            }
            sleep(pause).await;
            pause = (pause * 2).min(LAST_RETRY);
        }
    }
}

impl Drop for OpenLink<'_> {
    /// Requests wait for the next owner, or for the next connection.
    fn drop(&mut self) {
        self.link.routes.remove_node(self.link.peer.id);
    }
}

impl OpenLink<'_> {
    fn new(link: &OutgoingLink, stream: LinkStream) -> OpenLink<'_> {
        let (tables_inbox, tables) = mpsc::channel(INBOX);
        let (lobby_inbox, lobby) = mpsc::channel(INBOX);
        let (sink, stream) = stream.split();
        OpenLink {
            link,
            writer: LinkWriter::start(sink),
            stream,
            inboxes: Inboxes {
                tables: tables_inbox,
                lobby: lobby_inbox,
            },
            tables,
            lobby,
            clients: HashMap::new(),
            calls: LobbyCalls::default(),
            flushes: HashMap::new(),
            last_flush: 0,
            last_heard: Instant::now(),
        }
    }

    async fn serve(mut self) -> LinkEnd {
        match self.work().await {
            Ok(never) => match never {},
            Err(end) => end,
        }
    }

    async fn work(&mut self) -> Result<Infallible, LinkEnd> {
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let next = async {
                self.writer.has_room().await;
                tokio::select! {
                    Some(envelope) = self.tables.recv() => Ok(envelope),
                    Some(request) = self.lobby.recv() => Err(request),
                    else => pending().await,
                }
            };
            tokio::select! {
                next = next => match next {
                    Ok(envelope) => self.send_envelope(envelope)?,
                    Err(request) => self.send_lobby_request(request)?,
                },
                message = self.stream.next() => {
                    let message = message.ok_or(LinkEnd::Closed)??;
                    self.last_heard = Instant::now();
                    if let Some(received) = decode(&message) {
                        self.receive(received);
                    }
                }
                _ = ping.tick() => {
                    if self.last_heard.elapsed() > SILENCE {
                        return Err(LinkEnd::Silent(SILENCE));
                    }
                    self.clients.retain(|_, client| !client.outbox.is_abandoned());
                    self.send(&NodeRequest::Ping)?;
                }
            }
        }
    }

    fn send(&self, request: &NodeRequest) -> Result<(), LinkEnd> {
        Ok(self.writer.send(encode(request))?)
    }

    fn send_envelope(&mut self, envelope: Envelope) -> Result<(), LinkEnd> {
        self.link.metrics.requests.inc();
        let (table, client) = (envelope.table.id.clone(), envelope.who);
        let request = match *envelope.request {
            ShardRequest::Enter(outbox, join, arrived) => {
                self.add_client(client, outbox);
                let age = Age::of(arrived);
                NodeRequest::Enter {
                    table,
                    client,
                    join,
                    age,
                }
            }
            ShardRequest::Command(command, arrived) => NodeRequest::Command {
                table,
                client,
                command,
                age: Age::of(arrived),
            },
            ShardRequest::Refresh => {
                if let Some(client) = self.clients.get_mut(&client) {
                    client.is_behind = false;
                }
                NodeRequest::Refresh { table, client }
            }
            ShardRequest::Flush(done) => {
                self.last_flush += 1;
                let number = self.last_flush;
                self.flushes.insert(number, done);
                NodeRequest::Flush { table, number }
            }
            ShardRequest::Load(done) => {
                self.last_flush += 1;
                let number = self.last_flush;
                self.flushes.insert(number, done);
                NodeRequest::Load { table, number }
            }
            ShardRequest::Create(_) => NodeRequest::Create(Opened::from(&*envelope.table)),
            ShardRequest::AddBot(color, bot, by) => NodeRequest::AddBot {
                table,
                client,
                color,
                bot,
                by,
            },
            // These are for the shards of this server.
            ShardRequest::Open(_)
            | ShardRequest::Release(_)
            | ShardRequest::ReleaseLoads(..)
            | ShardRequest::Written(_) => {
                warn!(table, "a table was to move to another node as it is");
                return Ok(());
            }
        };
        self.send(&request)
    }

    fn send_lobby_request(&mut self, request: LobbyRequest) -> Result<(), LinkEnd> {
        if let LobbyRequest::Join(join) = &request {
            self.add_client(join.who, join.outbox.clone());
        }
        let Some((number, call)) = self.calls.begin(request) else {
            return Ok(());
        };
        if let Some(client) = call.client().and_then(|who| self.clients.get_mut(&who)) {
            client.is_behind = false;
        }
        self.send(&NodeRequest::Lobby { number, call })
    }

    fn add_client(&mut self, who: ClientId, outbox: Outbox) {
        self.clients.entry(who).or_insert(RemoteClient {
            outbox,
            is_behind: false,
            fell_behind: None,
        });
    }

    fn receive(&mut self, received: Received) {
        match received {
            Received::Frame(clients, frame) => {
                for who in clients {
                    if let Some(client) = self.clients.get_mut(&who) {
                        client.send(who, &frame);
                    }
                }
            }
            Received::Event(event) => self.handle(event),
        }
    }

    fn handle(&mut self, event: NodeEvent) {
        let routes = &self.link.routes;
        let session = self.link.peer.id;
        match event {
            NodeEvent::Serving { shards, tables } => {
                routes.replace_tables(
                    &shards,
                    tables.into_iter().filter_map(TableSnapshot::status),
                );
                for (shard, epoch) in shards {
                    routes.set_node(shard, epoch, &self.inboxes, session);
                }
                routes.announce();
            }
            NodeEvent::Released(shards) => {
                for (shard, epoch) in shards {
                    routes.release(shard, epoch, Place::Node(session));
                }
                routes.announce();
            }
            NodeEvent::Tables { changed, closed } => {
                for status in changed.into_iter().filter_map(TableSnapshot::status) {
                    routes.shards.update_remote(status);
                }
                for id in closed {
                    routes.shards.close_remote(&id);
                }
            }
            NodeEvent::Restart(who) => {
                if let Some(client) = self.clients.get_mut(&who) {
                    client.fall_behind(who);
                }
            }
            NodeEvent::Close(who) => {
                if let Some(client) = self.clients.get(&who) {
                    client.outbox.close();
                }
            }
            NodeEvent::Command(who, command) => {
                let command = self.command(command);
                if let Some(client) = self.clients.get(&who) {
                    client.outbox.send_command(command);
                }
            }
            NodeEvent::Flushed(number) => {
                if let Some(done) = self.flushes.remove(&number) {
                    let _ = done.send(());
                }
            }
            NodeEvent::Lobby(number, answer) => self.calls.end(number, answer, &routes.shards),
            NodeEvent::LobbyGone(number) => self.calls.give_up(number),
            NodeEvent::Pong => {}
        }
    }

    fn command(&self, command: NodeCommand) -> LobbyCommand {
        let table = |table: Box<TableSnapshot>| {
            let status = table.status()?;
            Some(self.link.routes.shards.remote(status))
        };
        match command {
            NodeCommand::Sit(sat_at, color) => match table(sat_at) {
                Some(table) => LobbyCommand::Sit(table, color),
                None => LobbyCommand::ShowTv(None),
            },
            NodeCommand::ShowTv(shown) => LobbyCommand::ShowTv(shown.and_then(table)),
            NodeCommand::NotQueued => LobbyCommand::NotQueued,
            NodeCommand::Replaced => LobbyCommand::Replaced,
            NodeCommand::Kicked => LobbyCommand::Kicked,
        }
    }
}

impl RemoteClient {
    fn send(&mut self, who: ClientId, frame: &Frame) {
        if !self.is_behind && !self.outbox.send(frame) {
            self.fall_behind(who);
        }
    }

    /// Handles a full outbox: the client gets the state afresh the first time, and is disconnected the second
    /// time.
    fn fall_behind(&mut self, who: ClientId) {
        let is_recent = |before: Instant| before.elapsed() < SECOND_CHANCE;
        self.is_behind = true;
        if self.fell_behind.is_some_and(is_recent) {
            warn!(client = who.0, "reads too slowly, disconnecting");
            self.outbox.close();
        } else {
            debug!(client = who.0, "reads too slowly, starting afresh");
            self.fell_behind = Some(Instant::now());
            self.outbox.restart();
        }
    }
}

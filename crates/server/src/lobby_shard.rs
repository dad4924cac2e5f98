//! The task that owns the [`Lobby`], the outboxes of all clients and the handles of all tables.

mod event_games;
mod handle;
mod table_factory;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    BotRequests, CreateTable, ErrorCode, Refusal, ServerMessage, TableKind, TableList, TablePhase,
};
use checkers_lib::{ByColor, Color, TimeControl};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::{MissedTickBehavior, interval};
use tracing::{debug, info, warn};

use crate::broadcast::{Frame, Outbox};
use crate::lobby::secrets::{self, ClientToken, Identity};
use crate::lobby::{Lobby, LobbyEffect, LobbyLimits, QuickWish, table_request};
use crate::metrics::OpenGuard;
use crate::route::Place;
use crate::shard::TableHandle;
use crate::table::{ClientId, Command, TableSettings};
use crate::tournaments::{TournamentSchedule, Tournaments, is_tournament};

pub(crate) use handle::{CreatedTable, Join, JoinedClient, LobbyHandle, LobbyRequest, Reply};
pub(crate) use table_factory::{ShowcaseGames, TableFactory};

/// The most requests that wait for the lobby. A sender waits while the queue is full.
const INBOX: usize = 1024;

/// The interval between two refreshes of all tables.
const TICK: Duration = Duration::from_secs(1);

/// The number of tables to refresh before yielding to other tasks.
const TABLES_PER_YIELD: usize = 32;

/// How much longer a table of a tournament waits for players who have lost their server.
const RETURN: Duration = Duration::from_secs(30);

/// The most ids that are drawn for one table.
const MAX_DRAWS: usize = 16;

/// The most joins between two ticks that refresh all tables.
const MAX_JOIN_REFRESHES: usize = 20;

/// A command of the lobby to a connection.
#[derive(Debug)]
pub(crate) enum LobbyCommand {
    /// Take a seat at the table of a quick game.
    Sit(TableHandle, Color),
    /// Show the client the table on TV; `None` if there is none.
    ShowTv(Option<TableHandle>),
    /// The client does not wait for a quick game: the lobby has refused it.
    NotQueued,
    /// Close: the client has reconnected.
    Replaced,
    /// Close: the operator requested it.
    Kicked,
}

/// The lobby's task; [`LobbyShard::run`] serves it.
#[derive(Debug)]
struct LobbyShard {
    lobby: Lobby,
    inbox: mpsc::Receiver<LobbyRequest>,
    clients: HashMap<ClientId, LobbyClient>,
    tables: HashMap<String, TableEntry>,
    factory: TableFactory,
    /// The default time control of quick games.
    quick_clock: TimeControl,
    /// The last overview sent to the subscribers.
    last_sent: Option<TableList>,
    /// The number of joins since the last tick that refreshed all tables.
    join_refreshes: usize,
    schedule: watch::Receiver<Arc<TournamentSchedule>>,
    tournaments: Option<Arc<Tournaments>>,
    /// The latest games of tournaments.
    begun: Vec<BegunGame>,
    /// Whether results by default are being stored.
    deciding: Option<AbortHandle>,
}

/// A game of a tournament whose players are on their way.
#[derive(Debug)]
struct BegunGame {
    at: Instant,
    table: TableHandle,
    /// The requests of its players; `None` if another lobby has paired them.
    wishes: ByColor<Option<QuickWish>>,
}

#[derive(Debug)]
struct LobbyClient {
    outbox: Outbox,
    /// Whether it has missed the last overview.
    is_behind: bool,
}

#[derive(Debug)]
struct TableEntry {
    table: TableHandle,
    _counted: OpenGuard,
}

/// What a lobby is started with.
#[derive(Clone, Debug)]
pub(crate) struct LobbySetup {
    pub(crate) limits: LobbyLimits,
    pub(crate) factory: TableFactory,
    /// The default time control of quick games.
    pub(crate) quick_clock: TimeControl,
    pub(crate) tournaments: Option<Arc<Tournaments>>,
}

impl LobbySetup {
    /// Starts the lobby's task with these tables. It ends when all clones of the returned sender are dropped.
    pub(crate) fn start(&self, tables: Vec<TableHandle>) -> mpsc::Sender<LobbyRequest> {
        let (sender, inbox) = mpsc::channel(INBOX);
        let mut task = LobbyShard {
            lobby: Lobby::new(self.limits),
            inbox,
            clients: HashMap::new(),
            tables: HashMap::new(),
            factory: self.factory.clone(),
            quick_clock: self.quick_clock,
            last_sent: None,
            join_refreshes: 0,
            schedule: match &self.tournaments {
                Some(tournaments) => tournaments.schedule(),
                None => watch::channel(Arc::default()).1,
            },
            tournaments: self.tournaments.clone(),
            begun: Vec::new(),
            deciding: None,
        };
        for table in tables {
            task.reopen(table);
        }
        tokio::spawn(task.run());
        sender
    }
}

impl LobbyShard {
    /// Adds a table that was there before the lobby.
    fn reopen(&mut self, table: TableHandle) {
        let status = table.status().clone();
        let event = status.settings.event.as_deref();
        let is_paired = event.is_some_and(is_tournament) && status.phase == TablePhase::Waiting;
        let now = Instant::now();
        self.lobby.reopen(status, now);
        if is_paired {
            // Its players may not come any more; they may need some time to find the server again.
            self.begun.push(BegunGame {
                at: now + RETURN,
                table: table.clone(),
                wishes: ByColor::default(),
            });
        }
        self.add_table(table);
    }

    /// Serves requests until all handles are dropped.
    async fn run(mut self) {
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                request = self.inbox.recv() => match request {
                    Some(request) => self.serve(request).await,
                    None => return,
                },
                _ = tick.tick() => self.tick().await,
            }
        }
    }

    async fn serve(&mut self, request: LobbyRequest) {
        let now = Instant::now();
        match request {
            LobbyRequest::Join(join) => {
                let admitted = self.join(&join, now).await;
                handle::reply(join.reply, admitted);
            }
            LobbyRequest::Leave(who, for_good) => {
                self.clients.remove(&who);
                self.lobby.leave(who, for_good, now);
            }
            LobbyRequest::Create(who, wanted, reply) => {
                let created = self.create(who, &wanted).await;
                handle::reply(reply, created);
            }
            LobbyRequest::Kick(name, reply) => handle::reply(reply, self.kick(&name)),
            LobbyRequest::List(wanted, reply) => {
                self.refresh(now).await;
                handle::reply(reply, self.lobby.list(&wanted, now));
            }
            LobbyRequest::Players(reply) => handle::reply(reply, self.lobby.players()),
            LobbyRequest::Subscribe(who) => self.subscribe(who, now).await,
            LobbyRequest::Unsubscribe(who) => self.lobby.unsubscribe(who),
            LobbyRequest::WatchTv(who) => {
                self.refresh(now).await;
                let done = self.lobby.watch_tv(who, now);
                self.execute_or_refuse(who, done).await;
            }
            LobbyRequest::LeaveTv(who) => self.lobby.leave_tv(who),
            LobbyRequest::Quick(who, wish, avoids) => {
                let wish = QuickWish {
                    clock: wish.clock.or(Some(self.quick_clock)),
                    ..wish
                };
                let done = (self.lobby).quick(who, wish, avoids, secrets::draw_color(), now);
                if done.is_err() {
                    self.send_command(who, LobbyCommand::NotQueued);
                }
                self.execute_or_refuse(who, done).await;
            }
            LobbyRequest::CancelQuick(who) => {
                let effects = self.lobby.cancel_quick(who);
                self.execute_or_refuse(who, Ok(effects)).await;
            }
            LobbyRequest::LeaveTournaments(name) => {
                if let Some(who) = self.lobby.leave_tournaments(&name) {
                    self.send_command(who, LobbyCommand::NotQueued);
                    self.send(who, &ServerMessage::Unqueued);
                }
            }
            LobbyRequest::Announce(message) => self.announce(&message),
            LobbyRequest::Decline(who, table) => match self.lobby.decline(who, &table) {
                Ok(effects) => self.execute(effects).await,
                Err(refusal) => self.send(who, &refusal.about(table)),
            },
        }
    }

    async fn join(&mut self, join: &Join, now: Instant) -> Result<JoinedClient, Refusal> {
        let table = match &join.table {
            Some(id) => Some(self.find(id).ok_or_else(|| no_such_table(id))?),
            None => None,
        };
        let shown = join.identity.clone();
        // A token of a client that this lobby does not know, perhaps since the node of the last one has died,
        // stays its token: its seats are reserved for it.
        let fresh = match &shown {
            Some(known) => known.clone(),
            None => Identity::Guest(ClientToken::draw().map_err(|error| {
                warn!(%error, "no randomness");
                Refusal::new(ErrorCode::NotStored, "the server cannot make a token now")
            })?),
        };
        if join.is_known {
            // It may be here already, by a connection to its node that has ended.
            self.clients.remove(&join.who);
            self.lobby.leave(join.who, false, now);
        }
        let shown_hash = shown.as_ref().map(Identity::hash);
        // The owner of the name may be gone, or wants to know its seats. Thousands of owners
        // reconnect after a restart, so only some of the joins refresh all tables.
        let belongs_to_another = self.lobby.belongs_to_another(&join.name, shown_hash);
        if belongs_to_another || shown_hash.is_some() && self.join_refreshes < MAX_JOIN_REFRESHES {
            self.join_refreshes += 1;
            self.refresh(now).await;
        }
        if fresh.is_account() {
            self.lobby.displace(&join.name, fresh.hash());
        }
        let (admission, effects) =
            self.lobby
                .join(join.who, &join.name, shown_hash, fresh.hash(), now)?;
        let client = LobbyClient {
            outbox: join.outbox.clone(),
            is_behind: false,
        };
        self.clients.insert(join.who, client);
        if let Some(address) = join.address {
            self.lobby.set_address(join.who, address);
        }
        for id in &join.created {
            self.restore_creator(join.who, id);
        }
        // Messages for the client itself are sent after `joined`.
        let later = effects.into_iter();
        let (later, first): (Vec<LobbyEffect>, Vec<LobbyEffect>) = later
            .partition(|effect| matches!(effect, LobbyEffect::Send(who, _) if *who == join.who));
        self.execute_or_refuse(join.who, Ok(first)).await;
        let identity = shown.filter(|_| admission.resumed).unwrap_or(fresh);
        let messages = later.into_iter().filter_map(|effect| match effect {
            LobbyEffect::Send(_, message) => Some(message),
            _ => None,
        });
        Ok(JoinedClient {
            waiting: messages.collect(),
            seats: self.lobby.seats_of(admission.key),
            identity,
            admission,
            table,
        })
    }

    /// Counts a table from before this lobby as one of its creator.
    fn restore_creator(&mut self, who: ClientId, id: &str) {
        if !self.tables.contains_key(id)
            && let Some(table) = self.find(id).filter(|table| !table.is_closed())
        {
            self.reopen(table);
        }
        self.lobby.restore_creator(id, who);
    }

    fn find(&self, id: &str) -> Option<TableHandle> {
        self.factory.shards.find(id)
    }

    async fn create(
        &mut self,
        who: ClientId,
        wanted: &CreateTable,
    ) -> Result<CreatedTable, Refusal> {
        if self.lobby.check_room(who).is_err() {
            // Some tables may have closed.
            self.refresh(Instant::now()).await;
            let closed = self.lobby.make_room(who);
            self.execute(Vec::from_iter(closed)).await;
            self.lobby.check_room(who)?;
        }
        if let Some(opponent) = &wanted.opponent {
            self.lobby.check_opponent(who, opponent)?;
        }
        let opponent_key = (wanted.opponent.as_deref()).and_then(|name| self.lobby.key_of(name));
        let color = table_request::creator_side(wanted, secrets::draw_color());
        let (rules, lot) = (self.factory.draw_rules(), secrets::draw_number());
        let mut settings =
            table_request::settings(wanted, self.draw_id()?, rules, self.factory.openings(), lot)?;
        settings.opponent_key = opponent_key;
        self.factory.check_bots(wanted)?;
        let table = self.open(settings, Some(who)).await;
        self.seat_bots(&table, &wanted.bots).await;
        if let Some(opponent) = &wanted.opponent {
            let now = Instant::now();
            let done = self.lobby.challenge(who, opponent, table.id(), now);
            self.execute_or_refuse(who, done).await;
        }
        Ok(CreatedTable { table, color })
    }

    async fn open(&mut self, settings: TableSettings, creator: Option<ClientId>) -> TableHandle {
        info!(table = settings.id, kind = ?settings.kind, "opened");
        let table = self.factory.open(settings).await;
        let status = table.status().clone();
        self.lobby.open(status, creator);
        self.add_table(table.clone());
        table
    }

    /// Seats the bots of a new table, if they come.
    async fn seat_bots(&self, table: &TableHandle, bots: &BotRequests) {
        if let Err(refusal) = self.factory.seat_bots(table, bots).await {
            warn!(table = table.id(), ?refusal, "a bot does not come");
        }
    }

    fn add_table(&mut self, table: TableHandle) {
        let id = table.id().to_owned();
        let entry = TableEntry {
            table,
            _counted: self.factory.metrics.table_opened(),
        };
        self.tables.insert(id, entry);
    }

    async fn subscribe(&mut self, who: ClientId, now: Instant) {
        self.refresh(now).await;
        self.lobby.subscribe(who);
        let overview = ServerMessage::Lobby(self.lobby.overview(now));
        self.send(who, &overview);
    }

    /// Refreshes all tables, chooses the game on TV, and updates the subscribers.
    async fn tick(&mut self) {
        let now = Instant::now();
        self.join_refreshes = 0;
        self.refresh(now).await;
        let effects = self.lobby.choose_tv(now);
        self.execute(effects).await;
        self.start_showcase_games().await;
        self.start_ladder_games(now).await;
        self.give_up_event_games(now).await;
        self.start_tournament_games(now).await;
        if self.lobby.subscribers().is_empty() {
            self.last_sent = None;
            return;
        }
        self.send_overview(self.lobby.overview(now));
    }

    /// Updates the lobby with all tables, and removes expired names.
    async fn refresh(&mut self, now: Instant) {
        let mut effects = self.refresh_tables().await;
        effects.extend(self.lobby.expire(now));
        self.execute(effects).await;
    }

    /// Updates the lobby with all tables, a few at a time: there may be thousands, and moves must
    /// not wait for that.
    async fn refresh_tables(&mut self) -> Vec<LobbyEffect> {
        // Another node may have restored tables after this lobby was started.
        let is_new = |id: &str| !self.tables.contains_key(id);
        for table in self.factory.shards.tables(is_new) {
            self.reopen(table);
        }
        let mut effects = Vec::new();
        let settings = |entry: &TableEntry| Arc::clone(entry.table.settings());
        let tables: Vec<_> = self.tables.values().map(settings).collect();
        for some in tables.chunks(TABLES_PER_YIELD) {
            for settings in some {
                effects.extend(self.refresh_table(&settings.id));
            }
            tokio::task::yield_now().await;
        }
        effects
    }

    fn refresh_table(&mut self, id: &str) -> Vec<LobbyEffect> {
        let Some(entry) = self.tables.get_mut(id) else {
            return Vec::new();
        };
        let is_closed = entry.table.is_closed();
        let mut effects = Vec::new();
        let changed = entry.table.changed_status();
        let last = || entry.table.status().clone();
        if let Some(mut status) = changed.or_else(|| is_closed.then(last)) {
            status.is_closed |= is_closed;
            effects = self.lobby.update(status);
        }
        if is_closed {
            debug!(table = id, "gone");
            self.tables.remove(id);
        }
        effects
    }

    /// Starts the missing showcase games.
    async fn start_showcase_games(&mut self) {
        let Some(showcase) = self.factory.showcase.clone() else {
            return;
        };
        for _ in 0..self.lobby.missing_showcase_games(showcase.games) {
            let Ok(id) = self.draw_id() else { return };
            let settings = TableSettings {
                kind: TableKind::Showcase,
                casual: false,
                ..TableSettings::new(id, self.factory.draw_rules())
            };
            let table = self.open(settings, None).await;
            self.seat_bots(&table, &showcase.bots).await;
        }
    }

    /// A new id, if possible of a table that a node serves now.
    fn draw_id(&self) -> Result<String, Refusal> {
        self.draw_id_for(false)
    }

    /// A new id, if possible of a table that a node serves now; of one that is here, for a table `with_bot`: whether
    /// a bot of another node comes cannot be known.
    fn draw_id_for(&self, with_bot: bool) -> Result<String, Refusal> {
        let mut id = Err(Refusal::new(
            ErrorCode::BadTable,
            "the server cannot name a table now",
        ));
        for _ in 0..MAX_DRAWS {
            match secrets::draw_table_id() {
                Ok(drawn) => {
                    let is_good = match self.factory.shards.place_of(&drawn) {
                        Place::Here => true,
                        Place::Node(_) => !with_bot,
                        Place::Nowhere => false,
                    };
                    if is_good {
                        return Ok(drawn);
                    }
                    id = Ok(drawn);
                }
                Err(error) => warn!(%error, "no randomness"),
            }
        }
        id
    }

    /// Executes the effects, or sends the refusal to `who`.
    async fn execute_or_refuse(&mut self, who: ClientId, done: Result<Vec<LobbyEffect>, Refusal>) {
        match done {
            Ok(effects) => self.execute(effects).await,
            Err(refusal) => {
                debug!(client = who.0, ?refusal, "refused");
                self.send(who, &refusal.into());
            }
        }
    }

    async fn execute(&mut self, effects: Vec<LobbyEffect>) {
        for effect in effects {
            match effect {
                LobbyEffect::Send(who, message) => self.send(who, &message),
                LobbyEffect::Replace(who) => self.send_command(who, LobbyCommand::Replaced),
                LobbyEffect::ShowTv(who, table) => {
                    let table = table.and_then(|id| self.find(&id));
                    self.send_command(who, LobbyCommand::ShowTv(table));
                }
                LobbyEffect::Pair(players, wish) => self.pair(players, wish).await,
                LobbyEffect::Close(id) => {
                    if let Some(table) = self.find(&id) {
                        let close = Command::CloseUnused;
                        table.command(ClientId::SERVER, close).await;
                    }
                }
            }
        }
    }

    async fn pair(&mut self, players: ByColor<ClientId>, wish: QuickWish) {
        let id = match self.draw_id() {
            Ok(id) => id,
            Err(refusal) => return self.refuse_quick(&[players.white, players.black], &refusal),
        };
        let settings = TableSettings {
            kind: TableKind::Quick,
            clocks: ByColor::new_with(|_| wish.clock),
            casual: !wish.is_rated,
            rated: wish.is_rated,
            ..TableSettings::new(id, self.factory.draw_rules())
        };
        let table = self.open(settings, Some(players.white)).await;
        for (color, &who) in players.iter() {
            self.send_command(who, LobbyCommand::Sit(table.clone(), color));
        }
    }

    /// Informs clients that they are not queued any more.
    fn refuse_quick(&self, clients: &[ClientId], refusal: &Refusal) {
        for &who in clients {
            self.send_command(who, LobbyCommand::NotQueued);
            self.send(who, &refusal.clone().into());
            self.send(who, &ServerMessage::Unqueued);
        }
    }

    /// Closes the connection of a client; `false` if no client has this name.
    fn kick(&self, name: &str) -> bool {
        let client = self.lobby.client_named(name);
        client
            .inspect(|&who| self.send_command(who, LobbyCommand::Kicked))
            .is_some()
    }

    fn send_command(&self, who: ClientId, command: LobbyCommand) {
        if let Some(client) = self.clients.get(&who)
            && !client.outbox.send_command(command)
        {
            debug!(client = who.0, "too many lobby commands wait");
        }
    }

    /// Sends a message to all clients whose outbox has room.
    fn announce(&self, message: &ServerMessage) {
        let frame = Frame::new(message);
        for client in self.clients.values() {
            client.outbox.send(&frame);
        }
    }

    /// Sends a message. A client whose outbox is full is disconnected, as by a table: it gets what waits
    /// for it when it reconnects.
    fn send(&self, who: ClientId, message: &ServerMessage) {
        if let Some(client) = self.clients.get(&who)
            && !client.outbox.send(&Frame::new(message))
        {
            debug!(client = who.0, "reads too slowly for the lobby");
            client.outbox.close();
        }
    }

    /// Sends the overview to all subscribers if it has changed, and to those that missed the last one. A
    /// client whose outbox is full gets a later one: only the latest counts.
    fn send_overview(&mut self, overview: TableList) {
        let has_changed = self.last_sent.as_ref() != Some(&overview);
        let mut frame = None;
        for who in self.lobby.subscribers() {
            if let Some(client) = self.clients.get_mut(who)
                && (has_changed || client.is_behind)
            {
                let message = || Frame::new(&ServerMessage::Lobby(overview.clone()));
                let frame = frame.get_or_insert_with(message);
                client.is_behind = !client.outbox.send(frame);
            }
        }
        self.last_sent = Some(overview);
    }
}

/// The refusal for an unknown id of a table.
pub(crate) fn no_such_table(id: &str) -> Refusal {
    let message = format!("there is no table {id:?}, or you are not at it");
    Refusal::new(ErrorCode::NoSuchTable, message)
}

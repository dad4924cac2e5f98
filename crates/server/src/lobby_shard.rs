//! The task that owns the [`Lobby`], the outboxes of all clients and the handles of all tables.

mod handle;
mod table_factory;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    ClosedReason, CreateTable, ErrorCode, Refusal, ServerMessage, TableKind, TableList,
};
use checkers_lib::{ByColor, Color, TimeControl};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};
use tracing::{debug, info, warn};

use crate::broadcast::{Frame, Outbox};
use crate::lobby::secrets::{self, Token};
use crate::lobby::{Effect, Lobby, table_request};
use crate::metrics::Open;
use crate::shard::TableHandle;
use crate::table::{ClientId, Command, TableSettings};
use handle::Request;

pub(crate) use handle::{Admitted, Created, LobbyHandle};
pub(crate) use table_factory::{ShowcaseGames, TableFactory};

/// Requests that wait for the lobby; a connection that wants to add one more waits itself.
const INBOX: usize = 1024;

/// How often the lobby looks at its tables.
const TICK: Duration = Duration::from_secs(1);

/// Tables that are looked at before others have their turn.
const LOOKS: usize = 32;

/// How many who come back between two ticks have all tables looked at.
const MOST_LOOKS: usize = 20;

/// What the lobby wants a connection to do.
#[derive(Debug)]
pub(crate) enum LobbyCommand {
    /// Sit down at a table for a quick game.
    Sit(TableHandle, Color),
    /// Bring the client to the table that is on, or tell it that none is.
    ShowTv(Option<TableHandle>),
    /// Close: another connection is this client now.
    Replaced,
    /// Close: the operator wants it.
    Dropped,
}

/// The lobby, its clients and its tables; [`LobbyShard::run`] is its life.
#[derive(Debug)]
pub(crate) struct LobbyShard {
    lobby: Lobby,
    inbox: mpsc::Receiver<Request>,
    clients: HashMap<ClientId, Client>,
    tables: HashMap<String, TableEntry>,
    factory: TableFactory,
    /// The clock of quick games for which none is asked.
    quick_clock: TimeControl,
    /// What the subscribers were last sent.
    last_sent: Option<TableList>,
    /// How often all tables were looked at for who came, since the last tick.
    looks: usize,
}

#[derive(Debug)]
struct Client {
    outbox: Outbox,
    /// Whether it has missed what the subscribers were last sent.
    is_behind: bool,
}

#[derive(Debug)]
struct TableEntry {
    table: TableHandle,
    _counted: Open,
}

/// The lobby's task, not started yet, and the way to it.
pub(crate) fn channel(
    lobby: Lobby,
    factory: TableFactory,
    quick_clock: TimeControl,
) -> (LobbyHandle, LobbyShard) {
    let (sender, inbox) = mpsc::channel(INBOX);
    let task = LobbyShard {
        lobby,
        inbox,
        clients: HashMap::new(),
        tables: HashMap::new(),
        factory,
        quick_clock,
        last_sent: None,
        looks: 0,
    };
    (LobbyHandle::new(sender), task)
}

impl LobbyShard {
    /// Whether there is a table of this id.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.tables.contains_key(id)
    }

    /// Adds a restored table.
    pub(crate) fn reopen(&mut self, table: TableHandle) {
        let status = table.status().clone();
        self.lobby.reopen(status, Instant::now());
        self.keep(table);
    }

    /// Serves until every handle is gone.
    pub(crate) async fn run(mut self) {
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                request = self.inbox.recv() => match request {
                    Some(request) => self.serve(request).await,
                    None => return,
                },
                _ = tick.tick() => self.look().await,
            }
        }
    }

    async fn serve(&mut self, request: Request) {
        let now = Instant::now();
        match request {
            Request::Join(join) => {
                let admitted = self.join(&join, now).await;
                handle::answer(join.reply, admitted);
            }
            Request::Leave(who, for_good) => {
                self.clients.remove(&who);
                self.lobby.leave(who, for_good, now);
            }
            Request::Find(id, reply) => handle::answer(reply, self.find(&id)),
            Request::Create(who, wanted, reply) => {
                let created = self.create(who, &wanted).await;
                handle::answer(reply, created);
            }
            Request::Drop(name, reply) => handle::answer(reply, self.drop_client(&name)),
            Request::List(wanted, reply) => {
                self.refresh(now).await;
                handle::answer(reply, self.lobby.list(&wanted, now));
            }
            Request::Players(reply) => handle::answer(reply, self.lobby.players()),
            Request::IsThoughtAbout(positions, reply) => {
                handle::answer(reply, self.is_thought_about(&positions));
            }
            Request::Subscribe(who) => self.subscribe(who, now).await,
            Request::Unsubscribe(who) => self.lobby.unsubscribe(who),
            Request::WatchTv(who) => {
                self.refresh(now).await;
                let done = self.lobby.watch_tv(who, now);
                self.carry_out(who, done).await;
            }
            Request::LeaveTv(who) => self.lobby.leave_tv(who),
            Request::Quick(who, clock) => {
                let clock = clock.unwrap_or(self.quick_clock);
                let done = self.lobby.quick(who, clock, secrets::draw_color());
                self.carry_out(who, done).await;
            }
            Request::CancelQuick(who) => {
                let effects = self.lobby.cancel_quick(who);
                self.carry_out(who, Ok(effects)).await;
            }
            Request::Announce(message) => self.announce(&message),
            Request::Decline(who, table) => {
                let done = self.lobby.decline(who, &table);
                self.carry_out(who, done).await;
            }
        }
    }

    async fn join(&mut self, join: &handle::Join, now: Instant) -> Result<Admitted, Refusal> {
        let table = match &join.table {
            Some(id) => Some(self.find(id).ok_or_else(|| no_such_table(id))?),
            None => None,
        };
        let shown = match &join.token {
            Some(text) => Some(Token::parse(text).ok_or_else(bad_token)?),
            None => None,
        };
        let fresh = Token::draw().map_err(|error| {
            warn!(%error, "no randomness");
            Refusal::new(ErrorCode::NotStored, "the server cannot make a token now")
        })?;
        let shown_hash = shown.as_ref().map(Token::hash);
        // The owner of a name may be gone for good, or come back and want to know where it sits. Owners
        // come back by the thousand after a restart, and not each of them has all tables looked at.
        let is_anothers = self.lobby.is_anothers(&join.name, shown_hash);
        if is_anothers || shown_hash.is_some() && self.looks < MOST_LOOKS {
            self.looks += 1;
            self.refresh(now).await;
        }
        let (admission, effects) =
            self.lobby
                .join(join.who, &join.name, shown_hash, fresh.hash(), now)?;
        let client = Client {
            outbox: join.outbox.clone(),
            is_behind: false,
        };
        self.clients.insert(join.who, client);
        if let Some(address) = join.address {
            self.lobby.counts_for(join.who, address);
        }
        // Messages for the client itself follow once it has joined.
        let later = effects.into_iter();
        let (later, first): (Vec<Effect>, Vec<Effect>) =
            later.partition(|effect| matches!(effect, Effect::Tell(who, _) if *who == join.who));
        self.carry_out(join.who, Ok(first)).await;
        let token = shown.filter(|_| admission.resumed).unwrap_or(fresh);
        let messages = later.into_iter().filter_map(|effect| match effect {
            Effect::Tell(_, message) => Some(message),
            _ => None,
        });
        Ok(Admitted {
            waiting: messages.collect(),
            seats: self.lobby.seats_of(admission.key),
            token: token.to_text(),
            admission,
            table,
        })
    }

    fn find(&self, id: &str) -> Option<TableHandle> {
        let kept = self.tables.get(id)?;
        (!kept.table.is_closed()).then(|| kept.table.clone())
    }

    async fn create(&mut self, who: ClientId, wanted: &CreateTable) -> Result<Created, Refusal> {
        if self.lobby.check_room(who).is_err() {
            // Some of the tables may be gone.
            self.refresh(Instant::now()).await;
            let closed = self.lobby.make_room(who);
            self.do_all(Vec::from_iter(closed)).await;
            self.lobby.check_room(who)?;
        }
        if let Some(opponent) = &wanted.opponent {
            self.lobby.check_opponent(who, opponent)?;
        }
        let opponent_key = (wanted.opponent.as_deref()).and_then(|name| self.lobby.key_of(name));
        let color = table_request::side_of_creator(wanted, secrets::draw_color());
        let (rules, lot) = (self.factory.draw_rules(), secrets::draw_number());
        let mut settings =
            table_request::settings(wanted, draw_id()?, rules, self.factory.openings(), lot)?;
        settings.opponent_key = opponent_key;
        self.factory.check_bots(wanted)?;
        let table = self.open(settings, Some(who)).await;
        self.factory.invite(&table, &wanted.bots);
        if let Some(opponent) = &wanted.opponent {
            let now = Instant::now();
            let done = self.lobby.challenge(who, opponent, table.id(), now);
            self.carry_out(who, done).await;
        }
        Ok(Created { table, color })
    }

    async fn open(&mut self, settings: TableSettings, maker: Option<ClientId>) -> TableHandle {
        info!(table = settings.id, kind = ?settings.kind, "opened");
        let table = self.factory.open(settings).await;
        let status = table.status().clone();
        self.lobby.open(status, maker);
        self.keep(table.clone());
        table
    }

    fn keep(&mut self, table: TableHandle) {
        let id = table.id().to_owned();
        let kept = TableEntry {
            table,
            _counted: self.factory.metrics.table_opened(),
        };
        self.tables.insert(id, kept);
    }

    fn is_thought_about(&self, positions: &[u64]) -> bool {
        let mut tables = self.tables.values();
        tables.any(|kept| {
            let status = kept.table.status();
            positions
                .iter()
                .any(|&position| status.is_thought_about(position))
        })
    }

    async fn subscribe(&mut self, who: ClientId, now: Instant) {
        self.refresh(now).await;
        self.lobby.subscribe(who);
        let overview = ServerMessage::Lobby(self.lobby.overview(now));
        self.tell(who, &overview);
    }

    /// Looks at all tables, as a tick of the clock.
    async fn look(&mut self) {
        let now = Instant::now();
        self.looks = 0;
        self.refresh(now).await;
        let effects = self.lobby.choose_tv(now);
        self.do_all(effects).await;
        self.begin_house_games().await;
        if self.lobby.subscribers().is_empty() {
            self.last_sent = None;
            return;
        }
        self.tell_subscribers(self.lobby.overview(now));
    }

    /// Takes in what has changed.
    async fn refresh(&mut self, now: Instant) {
        let mut effects = self.see_tables().await;
        effects.extend(self.lobby.expire(now));
        self.do_all(effects).await;
    }

    /// Looks at one table after the other, a few at a time: there may be thousands, and whoever plays
    /// has no time to wait for that.
    async fn see_tables(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let settings = |kept: &TableEntry| Arc::clone(kept.table.settings());
        let tables: Vec<_> = self.tables.values().map(settings).collect();
        for some in tables.chunks(LOOKS) {
            for settings in some {
                effects.extend(self.see_table(&settings.id));
            }
            tokio::task::yield_now().await;
        }
        effects
    }

    fn see_table(&mut self, id: &str) -> Vec<Effect> {
        let Some(kept) = self.tables.get_mut(id) else {
            return Vec::new();
        };
        let is_closed = kept.table.is_closed();
        let mut effects = Vec::new();
        let news = kept.table.changed_status();
        let last = || kept.table.status().clone();
        if let Some(mut status) = news.or_else(|| is_closed.then(last)) {
            status.is_closed |= is_closed;
            effects = self.lobby.update(status);
        }
        if is_closed {
            debug!(table = id, "gone");
            self.tables.remove(id);
        }
        effects
    }

    /// Begins games of bots, so that there is something to see.
    async fn begin_house_games(&mut self) {
        let Some(house) = self.factory.house.clone() else {
            return;
        };
        for _ in 0..self.lobby.missing_house_games(house.games) {
            let Ok(id) = draw_id() else { return };
            let settings = TableSettings {
                kind: TableKind::House,
                casual: false,
                ..TableSettings::new(id, self.factory.draw_rules())
            };
            let table = self.open(settings, None).await;
            self.factory.invite(&table, &house.bots);
        }
    }

    /// Executes effects, or sends the refusal to `who`.
    async fn carry_out(&mut self, who: ClientId, done: Result<Vec<Effect>, Refusal>) {
        match done {
            Ok(effects) => self.do_all(effects).await,
            Err(refusal) => {
                debug!(client = who.0, ?refusal, "refused");
                self.tell(who, &refusal.into());
            }
        }
    }

    async fn do_all(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Tell(who, message) => self.tell(who, &message),
                Effect::Replace(who) => self.direct(who, LobbyCommand::Replaced),
                Effect::ShowTv(who, table) => {
                    let table = table.and_then(|id| self.find(&id));
                    self.direct(who, LobbyCommand::ShowTv(table));
                }
                Effect::Pair(players, clock) => self.pair(players, clock).await,
                Effect::Close(id) => {
                    if let Some(table) = self.find(&id) {
                        table
                            .command(ClientId::SERVER, Command::Close(ClosedReason::Ended))
                            .await;
                    }
                }
            }
        }
    }

    async fn pair(&mut self, players: ByColor<ClientId>, clock: TimeControl) {
        let id = match draw_id() {
            Ok(id) => id,
            Err(refusal) => {
                for (_, &who) in players.iter() {
                    self.tell(who, &refusal.clone().into());
                }
                return;
            }
        };
        let settings = TableSettings {
            kind: TableKind::Quick,
            clocks: ByColor::new_with(|_| Some(clock)),
            ..TableSettings::new(id, self.factory.draw_rules())
        };
        let table = self.open(settings, Some(players.white)).await;
        for (color, &who) in players.iter() {
            self.direct(who, LobbyCommand::Sit(table.clone(), color));
        }
    }

    /// Closes the connection of a client; `false` if no client has this name.
    fn drop_client(&self, name: &str) -> bool {
        let client = self.lobby.client_called(name);
        client
            .inspect(|&who| self.direct(who, LobbyCommand::Dropped))
            .is_some()
    }

    fn direct(&self, who: ClientId, command: LobbyCommand) {
        if let Some(client) = self.clients.get(&who)
            && !client.outbox.direct(command)
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
    fn tell(&self, who: ClientId, message: &ServerMessage) {
        if let Some(client) = self.clients.get(&who)
            && !client.outbox.send(&Frame::new(message))
        {
            debug!(client = who.0, "reads too slowly for the lobby");
            client.outbox.close();
        }
    }

    /// Sends the overview to all subscribers if it has changed, and to those that missed the last one. A
    /// client whose outbox is full gets a later one: only the latest counts.
    fn tell_subscribers(&mut self, overview: TableList) {
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

fn draw_id() -> Result<String, Refusal> {
    secrets::draw_table_id().map_err(|error| {
        warn!(%error, "no randomness");
        Refusal::new(ErrorCode::BadTable, "the server cannot name a table now")
    })
}

/// There is no table of this id.
pub(crate) fn no_such_table(id: &str) -> Refusal {
    let message = format!("there is no table {id:?}, or you are not at it");
    Refusal::new(ErrorCode::NoSuchTable, message)
}

fn bad_token() -> Refusal {
    let message = "a token has 32 hexadecimal digits";
    Refusal::new(ErrorCode::BadToken, message)
}

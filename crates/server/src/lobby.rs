//! The lobby as a pure state machine: connected clients, tables, challenges and quick games.
//!
//! It owns no socket, no task, no clock and no randomness. Arrivals, table statuses and fresh
//! secrets are arguments; what is to be done is returned as [`LobbyEffect`]s.

mod arena;
mod challenges;
mod ladder;
mod name_registry;
mod quick;
mod rounds;
pub(crate) mod secrets;
mod table_index;
pub(crate) mod table_request;
mod tv;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    ErrorCode, HeldSeat, ListTables, Refusal, ServerMessage, TableFilter, TableKind, TableList,
    TablePhase,
};
use checkers_lib::{ByColor, Color, TimeControl};

use crate::moderation::Opponents;
use crate::names;
use crate::table::{ClientId, TableStatus};
use crate::tournaments::{ByDefault, Stages, TournamentSchedule};
use arena::ArenaQueue;
pub(crate) use arena::{ArenaGame, ArenaPlayer, ArenaWish};
use challenges::Challenge;
use event_store::{TokenHash, UnixMillis};
use ladder::LadderQueue;
pub(crate) use ladder::{LadderClient, LadderGame, LadderSeat, LadderWish, PrivateLadder};
use name_registry::NameRegistry;
pub(crate) use quick::{EventWish, QuickWish};
use quick::{QuickQueue, WaitingPlayer};
use rounds::RoundQueue;
pub(crate) use rounds::{PairedGame, RoundPlayer};
use table_index::{TableCreator, TableIndex};
use tv::Tv;

pub(crate) use name_registry::Admission;

/// The most time controls of waiting quick-game players in a list.
const MAX_CLOCKS: usize = 20;

/// The most names in a list of connected clients.
const MAX_NAMES: usize = 100;

#[derive(Clone, Copy, Debug)]
pub(crate) struct LobbyLimits {
    /// How long the name of a disconnected client stays reserved.
    pub(crate) grace: Duration,
    /// The most tables that one client may have open.
    pub(crate) client_tables: usize,
    /// The most tables created from one address whose game is not over.
    pub(crate) address_tables: usize,
    /// The most tables in all.
    pub(crate) tables: usize,
}

/// An effect of a request to the lobby.
#[derive(Clone, PartialEq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "they are few, and carried out at once"
)]
pub(crate) enum LobbyEffect {
    Send(ClientId, ServerMessage),
    /// Close a connection whose client has reconnected.
    Replace(ClientId),
    /// Open a table with this time control and seat two players.
    Pair(ByColor<ClientId>, QuickWish),
    /// Show a client the table on TV; `None` if there is none.
    ShowTv(ClientId, Option<String>),
    /// Close an unused table.
    Close(String),
}

#[derive(Debug)]
pub(crate) struct Lobby {
    limits: LobbyLimits,
    names: NameRegistry,
    tables: TableIndex,
    /// By the id of the challenger's table.
    challenges: BTreeMap<String, Challenge>,
    quick: QuickQueue,
    ladder: LadderQueue,
    arena: ArenaQueue,
    rounds: RoundQueue,
    tv: Tv,
    subscribers: BTreeSet<ClientId>,
    /// The addresses of the clients, except those without limits.
    addresses: HashMap<ClientId, IpAddr>,
}

impl Lobby {
    pub(crate) fn new(limits: LobbyLimits) -> Lobby {
        Lobby {
            limits,
            names: NameRegistry::default(),
            tables: TableIndex::default(),
            challenges: BTreeMap::new(),
            quick: QuickQueue::default(),
            ladder: LadderQueue::default(),
            arena: ArenaQueue::default(),
            rounds: RoundQueue::default(),
            tv: Tv::default(),
            subscribers: BTreeSet::new(),
            addresses: HashMap::new(),
        }
    }

    /// Gives an account its name if a guest has it. When the owner then joins, the guest's connection is replaced.
    pub(crate) fn displace(&mut self, name: &str, key: TokenHash) {
        self.names.displace(name, key);
    }

    /// Registers `who` under a name. If `shown` is the secret's hash of the client with this name,
    /// `who` takes its place; otherwise `fresh` is the hash of a new client's secret.
    ///
    /// # Errors
    /// The name is invalid or taken.
    pub(crate) fn join(
        &mut self,
        who: ClientId,
        name: &str,
        shown: Option<TokenHash>,
        fresh: TokenHash,
        now: Instant,
    ) -> Result<(Admission, Vec<LobbyEffect>), Refusal> {
        let admission = self.names.join(who, name, shown, fresh, now)?;
        let mut effects = Vec::from_iter(admission.replaces.map(|earlier| {
            self.forget(earlier);
            LobbyEffect::Replace(earlier)
        }));
        effects.extend(
            self.challenges_of(admission.key, now)
                .map(|message| LobbyEffect::Send(who, message)),
        );
        Ok((admission, effects))
    }

    /// Counts the tables of `who` for an address.
    pub(crate) fn set_address(&mut self, who: ClientId, address: IpAddr) {
        self.addresses.insert(who, address);
    }

    /// Whether another client has this name or a confusable one; `shown` is the hash of the
    /// caller's secret.
    pub(crate) fn belongs_to_another(&self, name: &str, shown: Option<TokenHash>) -> bool {
        self.names.belongs_to_another(name, shown)
    }

    /// Handles a closed connection. The name stays reserved for a while, unless the client has left
    /// `for_good`.
    pub(crate) fn leave(&mut self, who: ClientId, for_good: bool, now: Instant) {
        let hold = if for_good {
            Duration::ZERO
        } else {
            self.limits.grace
        };
        self.forget(who);
        self.names.leave(who, hold, now);
    }

    /// The seats of a player at tables where a game runs or is to start.
    pub(crate) fn seats_of(&self, key: TokenHash) -> Vec<HeldSeat> {
        let seats = self.tables.seats_of(key);
        // Games by correspondence have a list of their own.
        let seats = seats.filter(|status| !status.settings.is_correspondence());
        let held = seats.filter_map(|status| {
            let color = table_index::side_of(status, key)?.into();
            let table = status.settings.id.clone();
            let state = status.phase;
            Some(HeldSeat {
                table,
                color,
                state,
            })
        });
        held.collect()
    }

    fn forget(&mut self, who: ClientId) {
        self.leave_queues(who);
        self.tv.leave(who);
        self.subscribers.remove(&who);
        self.addresses.remove(&who);
    }

    /// Removes clients that were disconnected for longer than the grace period, unless they play,
    /// and challenges whose challenger has left. O(names + tables + challenges).
    pub(crate) fn expire(&mut self, now: Instant) -> Vec<LobbyEffect> {
        let plays = |key| {
            let mut seats = self.tables.seats_of(key);
            seats.any(|status| status.phase == TablePhase::Running)
        };
        self.ladder.expire(now);
        let gone = self.names.expire(self.limits.grace, now, plays);
        let withdrawn = self.challenges.iter();
        let withdrawn = withdrawn.filter(|(_, challenge)| gone.contains(&challenge.by));
        let withdrawn: Vec<String> = withdrawn.map(|(table, _)| table.clone()).collect();
        let mut effects = Vec::new();
        for table in withdrawn {
            effects.extend(self.withdraw(&table));
            effects.push(LobbyEffect::Close(table));
        }
        effects.extend(self.withdraw_abandoned(now));
        effects
    }

    /// Checks that `who` may create one more table.
    ///
    /// # Errors
    /// `who` has not joined, or there are too many tables.
    pub(crate) fn check_room(&self, who: ClientId) -> Result<(), Refusal> {
        let key = self.key(who)?;
        let most = self.limits.client_tables;
        if self.tables.created_by(key) >= most {
            let message = format!("you have {most} tables where a game runs or is to begin");
            return Err(Refusal::new(ErrorCode::TooManyTables, message));
        }
        self.check_not_full(who)
    }

    /// Closes an unused table of `who`, if it has as many as allowed. The table no longer counts.
    pub(crate) fn make_room(&mut self, who: ClientId) -> Option<LobbyEffect> {
        let key = self.key(who).ok()?;
        let is_full = self.tables.created_by(key) >= self.limits.client_tables;
        let id = is_full.then(|| self.tables.oldest_unused(key)).flatten()?;
        let id = id.to_owned();
        self.tables.remove(&id);
        Some(LobbyEffect::Close(id))
    }

    fn check_not_full(&self, who: ClientId) -> Result<(), Refusal> {
        let message = if self.is_full() {
            format!("this server has at most {} tables", self.limits.tables)
        } else if self.is_address_full(who) {
            let most = self.limits.address_tables;
            format!("{most} tables were made from your address and are still in use")
        } else {
            return Ok(());
        };
        Err(Refusal::new(ErrorCode::TooManyTables, message))
    }

    fn is_address_full(&self, who: ClientId) -> bool {
        let address = self.addresses.get(&who);
        address
            .is_some_and(|&address| self.tables.created_from(address) >= self.limits.address_tables)
    }

    /// Whether the maximum number of tables is reached.
    pub(crate) fn is_full(&self) -> bool {
        self.tables.len() >= self.limits.tables
    }

    /// Adds a new table. The creator of a quick game is the first of its players, White before Black.
    pub(crate) fn open(&mut self, status: TableStatus, creator: Option<ClientId>) {
        let creator = creator.map(|who| self.creator(who));
        self.tables.insert(status, creator.unwrap_or_default());
    }

    /// Sets the creator of a restored table.
    pub(crate) fn restore_creator(&mut self, id: &str, who: ClientId) {
        let creator = self.creator(who);
        self.tables.restore_creator(id, creator);
    }

    fn creator(&self, who: ClientId) -> TableCreator {
        TableCreator {
            key: self.key(who).ok(),
            address: self.addresses.get(&who).copied(),
        }
    }

    /// Adds a restored table, and reserves the names of its players.
    pub(crate) fn reopen(&mut self, status: TableStatus, now: Instant) {
        for player in status.players() {
            if let Some(key) = player.key {
                self.names
                    .reserve(&player.name, key, now + self.limits.grace);
            }
        }
        self.restore_challenge(&status, now);
        self.tables.insert(status, TableCreator::default());
    }

    /// Updates the status of a table.
    pub(crate) fn update(&mut self, status: TableStatus) -> Vec<LobbyEffect> {
        let id = status.settings.id.clone();
        let effects = self.update_challenge(&status);
        if status.is_closed {
            self.tables.remove(&id);
        } else {
            self.tables.update(status);
        }
        effects
    }

    /// The key of the connected client with this name.
    pub(crate) fn key_of(&self, name: &str) -> Option<TokenHash> {
        self.names.find(name).map(|(_, key)| key)
    }

    /// The connection of the client with this name.
    pub(crate) fn client_named(&self, name: &str) -> Option<ClientId> {
        self.names.find(name).map(|(who, _)| who)
    }

    /// Queues `who` for a quick game, not with the players to avoid, or for one of an event; `first` is the side of the player who has waited longer.
    ///
    /// # Errors
    /// `who` has not joined, or there are too many tables.
    pub(crate) fn quick(
        &mut self,
        who: ClientId,
        wish: QuickWish,
        avoids: Opponents,
        first: Color,
        now: Instant,
    ) -> Result<Vec<LobbyEffect>, Refusal> {
        let identity = self.names.identity_of(who);
        let (name, key) = identity.ok_or_else(not_joined)?;
        let is_bot = names::is_of_bot_account(name);
        self.check_not_full(who)?;
        let queued = ServerMessage::Queued {
            clock: wish.clock.map(|clock| clock.to_string()),
            rated: wish.is_rated,
            tournament: match wish.event {
                Some(EventWish::Arena(arena)) => Some(arena.tournament.to_string()),
                Some(EventWish::Round(tournament)) => Some(tournament.to_string()),
                Some(EventWish::Ladder(_)) | None => None,
            },
        };
        let mut effects = vec![LobbyEffect::Send(who, queued)];
        match (wish.clock, wish.event) {
            (Some(clock), Some(EventWish::Ladder(ladder))) => {
                self.leave_queues(who);
                self.ladder.wait(who, key, (clock, ladder), now);
            }
            (_, Some(EventWish::Arena(arena))) => {
                self.quick.leave(who);
                self.ladder.leave(who);
                self.rounds.leave(who);
                let player = ArenaPlayer {
                    who,
                    key,
                    wish,
                    arena,
                };
                self.arena.wait(player, now);
            }
            (_, Some(EventWish::Round(tournament))) => {
                let player = RoundPlayer {
                    who,
                    key,
                    name: name.to_owned(),
                    tournament,
                    wish,
                };
                self.leave_queues(who);
                self.rounds.wait(player);
            }
            (None, Some(EventWish::Ladder(_))) | (_, None) => {
                self.leave_queues(who);
                let waiting = WaitingPlayer {
                    who,
                    key,
                    wish,
                    is_bot,
                    avoids,
                };
                if let Some(other) = self.quick.wait(waiting) {
                    let players = ByColor::new_with(|side| if side == first { other } else { who });
                    effects.push(LobbyEffect::Pair(players, wish));
                }
            }
        }
        Ok(effects)
    }

    /// The games of arenas that are to be started now. `draw` draws a side.
    pub(crate) fn next_arena_games(
        &mut self,
        now: Instant,
        stages: &Stages,
        draw: impl FnMut() -> Color,
    ) -> Vec<ArenaGame> {
        if self.is_full() || self.arena.is_empty() {
            return Vec::new();
        }
        let busy = self.tables.players_of_tournaments();
        self.arena.next_games(now, stages, &busy, draw)
    }

    /// The games of rounds that are to be started now.
    pub(crate) fn next_round_games(
        &mut self,
        now: Instant,
        schedule: &TournamentSchedule,
    ) -> Vec<PairedGame> {
        if self.is_full() {
            return Vec::new();
        }
        let busy = self.tables.players_of_tournaments();
        let tables = &self.tables;
        let has_table = |id: &str| tables.get(id).is_some();
        self.rounds.next_games(now, schedule, &busy, has_table)
    }

    /// The results of games for which a player has not come in time. None while players cannot come.
    pub(crate) fn decide_by_default(
        &mut self,
        now: Instant,
        schedule: &TournamentSchedule,
    ) -> Vec<ByDefault> {
        if self.is_full() {
            return Vec::new();
        }
        self.rounds.by_default(now, schedule)
    }

    /// Whether the table is still waiting for a player to come.
    pub(crate) fn waits_for_players(&self, table: &str) -> bool {
        let status = self.tables.get(table);
        status.is_some_and(|status| status.phase == TablePhase::Waiting)
    }

    /// The players who wait at tournaments that are over at this time. They wait no longer.
    pub(crate) fn expire_tournaments(
        &mut self,
        now: Instant,
        today: UnixMillis,
        schedule: &TournamentSchedule,
    ) -> Vec<ClientId> {
        let mut gone = self.arena.expire(now, today, &schedule.stages);
        gone.extend(self.rounds.expire(schedule));
        gone
    }

    /// Removes the player with this name from the queues of tournaments. Returns the client, if it was there.
    pub(crate) fn leave_tournaments(&mut self, name: &str) -> Option<ClientId> {
        let who = self.client_named(name)?;
        let was_there = self.arena.leave(who) || self.rounds.leave(who);
        was_there.then_some(who)
    }

    fn leave_queues(&mut self, who: ClientId) {
        self.quick.leave(who);
        self.ladder.leave(who);
        self.arena.leave(who);
        self.rounds.leave(who);
    }

    /// A game of the ladder that is to be started now, if there is one. `server_plays` says whether the server can play
    /// one more bot; `draw` draws random numbers.
    pub(crate) fn next_ladder_game(
        &mut self,
        now: Instant,
        server_plays: impl Fn() -> bool,
        draw: impl FnMut() -> u32,
    ) -> Option<LadderGame> {
        if self.is_full() {
            return None;
        }
        self.ladder.next_game(now, server_plays, draw)
    }

    /// Queues a bot again whose game could not start.
    pub(crate) fn return_to_ladder(
        &mut self,
        client: LadderClient,
        clock: TimeControl,
        now: Instant,
    ) {
        let LadderClient { who, key, wish } = client;
        self.ladder.wait(who, key, (clock, wish), now);
    }

    /// Removes `who` from the queues of quick games, the ladder and tournaments.
    pub(crate) fn cancel_quick(&mut self, who: ClientId) -> Vec<LobbyEffect> {
        self.leave_queues(who);
        vec![LobbyEffect::Send(who, ServerMessage::Unqueued)]
    }

    /// Lists tables.
    ///
    /// # Errors
    /// The cursor is malformed.
    pub(crate) fn list(&self, wanted: &ListTables, now: Instant) -> Result<TableList, Refusal> {
        let page = self.tables.list(wanted, now)?;
        let (open, live) = self.tables.counts();
        let clocks = |is_rated| {
            let clocks = self.quick.clocks(is_rated);
            let clocks = clocks.map(|clock| clock.to_string());
            clocks.take(MAX_CLOCKS).collect()
        };
        let count = |n| u32::try_from(n).unwrap_or(u32::MAX);
        Ok(TableList {
            tables: page.tables,
            next: page.next,
            open: count(open),
            live: count(live),
            players: count(self.names.count()),
            quick: clocks(false),
            quick_rated: clocks(true),
        })
    }

    /// The first names of connected clients, and the number of all.
    pub(crate) fn players(&self) -> (Vec<String>, usize) {
        (self.names.first_connected(MAX_NAMES), self.names.count())
    }

    /// The overview for subscribers: the first live tables and the first open ones.
    pub(crate) fn overview(&self, now: Instant) -> TableList {
        let part = |state| {
            let wanted = ListTables {
                state,
                ..ListTables::default()
            };
            self.list(&wanted, now).unwrap_or_default()
        };
        let (mut all, open) = (part(TableFilter::Live), part(TableFilter::Open));
        all.tables.extend(open.tables);
        TableList { next: None, ..all }
    }

    /// Subscribes `who` to the overview.
    pub(crate) fn subscribe(&mut self, who: ClientId) {
        self.subscribers.insert(who);
    }

    pub(crate) fn unsubscribe(&mut self, who: ClientId) {
        self.subscribers.remove(&who);
    }

    /// The subscribers to the overview.
    pub(crate) fn subscribers(&self) -> &BTreeSet<ClientId> {
        &self.subscribers
    }

    /// Subscribes `who` to TV.
    ///
    /// # Errors
    /// `who` has not joined.
    pub(crate) fn watch_tv(
        &mut self,
        who: ClientId,
        now: Instant,
    ) -> Result<Vec<LobbyEffect>, Refusal> {
        self.key(who)?;
        let mut effects = self.choose_tv(now);
        let on = self.tv.follow(who).map(str::to_owned);
        effects.push(LobbyEffect::ShowTv(who, on));
        Ok(effects)
    }

    pub(crate) fn leave_tv(&mut self, who: ClientId) {
        self.tv.leave(who);
    }

    /// Chooses the game on TV.
    pub(crate) fn choose_tv(&mut self, now: Instant) -> Vec<LobbyEffect> {
        let Some(choice) = self.tv.choose(&self.tables, now) else {
            return Vec::new();
        };
        let choice = choice.map(str::to_owned);
        let followers = self.tv.followers().iter();
        followers
            .map(|&who| LobbyEffect::ShowTv(who, choice.clone()))
            .collect()
    }

    /// How many showcase games between bots to start: up to `wanted`, while clients watch and no
    /// people play.
    pub(crate) fn missing_showcase_games(&self, wanted: usize) -> usize {
        let is_watched = !self.tv.followers().is_empty() || !self.subscribers.is_empty();
        let mut games = self.tables.running();
        let is_played =
            games.any(|status| table_index::is_public(status) && tv::is_of_people(status));
        if !is_watched || is_played || self.is_full() {
            return 0;
        }
        let is_showcase = |status: &&TableStatus| status.settings.kind == TableKind::Showcase;
        wanted.saturating_sub(self.tables.all().filter(is_showcase).count())
    }

    fn key(&self, who: ClientId) -> Result<TokenHash, Refusal> {
        let identity = self.names.identity_of(who);
        let key = identity.map(|(_, key)| key);
        key.ok_or_else(not_joined)
    }
}

fn not_joined() -> Refusal {
    Refusal::new(ErrorCode::NotJoined, "join first")
}

#[cfg(test)]
mod tests;

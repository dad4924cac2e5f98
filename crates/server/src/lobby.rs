//! The lobby as a pure state machine: who is here, which tables there are, and how players find each
//! other.
//!
//! It owns no socket, no task, no clock and no randomness: who has come, what a table is like now, a
//! fresh secret, all of it comes in as arguments, and what is to be done goes out as [`Effect`]s.

mod challenges;
mod name_registry;
mod quick;
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

use crate::store::TokenHash;
use crate::table::{ClientId, TableStatus};
use challenges::Challenge;
use name_registry::NameRegistry;
use quick::Quick;
use table_index::{Maker, TableIndex};
use tv::Tv;

pub(crate) use name_registry::Admission;

/// How many clocks are told for which somebody waits for a quick game.
const MOST_CLOCKS: usize = 20;

/// How many names are told of those who are here.
const MOST_NAMES: usize = 100;

/// How much of everything there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How long a name is kept for a client that has gone.
    pub(crate) grace: Duration,
    /// How many tables of one client there may be.
    pub(crate) client_tables: usize,
    /// How many of one address there may be at which no game is over.
    pub(crate) address_tables: usize,
    /// How many tables there may be in all.
    pub(crate) tables: usize,
}

/// What the lobby wants done.
#[derive(Clone, PartialEq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "they are few, and carried out at once"
)]
pub(crate) enum Effect {
    /// Tell a client.
    Tell(ClientId, ServerMessage),
    /// Let a connection go whose client has come back by another one.
    Replace(ClientId),
    /// Make a table for two, with this clock, and seat them.
    Pair(ByColor<ClientId>, TimeControl),
    /// Bring a client to the table that is on, or tell it that none is.
    ShowTv(ClientId, Option<String>),
    /// Close a table that nobody needs.
    Close(String),
}

/// The lobby.
#[derive(Debug)]
pub(crate) struct Lobby {
    limits: Limits,
    names: NameRegistry,
    tables: TableIndex,
    /// By the table where the challenger waits.
    challenges: BTreeMap<String, Challenge>,
    quick: Quick,
    tv: Tv,
    subscribers: BTreeSet<ClientId>,
    /// Where those who are here come from, unless their address is not limited.
    addresses: HashMap<ClientId, IpAddr>,
}

impl Lobby {
    pub(crate) fn new(limits: Limits) -> Lobby {
        Lobby {
            limits,
            names: NameRegistry::default(),
            tables: TableIndex::default(),
            challenges: BTreeMap::new(),
            quick: Quick::default(),
            tv: Tv::default(),
            subscribers: BTreeSet::new(),
            addresses: HashMap::new(),
        }
    }

    /// Lets `who` in under a name: as who it was, if it has `shown` the hash of that client's secret,
    /// else anew, with `fresh` as the hash of its own.
    ///
    /// # Errors
    /// A bad name, or one that is somebody's.
    pub(crate) fn join(
        &mut self,
        who: ClientId,
        name: &str,
        shown: Option<TokenHash>,
        fresh: TokenHash,
        now: Instant,
    ) -> Result<(Admission, Vec<Effect>), Refusal> {
        let admission = self.names.join(who, name, shown, fresh, now)?;
        let mut effects = Vec::from_iter(admission.replaces.map(|earlier| {
            self.forget(earlier);
            Effect::Replace(earlier)
        }));
        effects.extend(
            self.challenges_of(admission.key, now)
                .map(|news| Effect::Tell(who, news)),
        );
        Ok((admission, effects))
    }

    /// Takes in that what `who` does counts for an address.
    pub(crate) fn counts_for(&mut self, who: ClientId, address: IpAddr) {
        self.addresses.insert(who, address);
    }

    /// Whether somebody has this name, or one that looks like it, who has not `shown` the hash of
    /// that client's secret.
    pub(crate) fn is_anothers(&self, name: &str, shown: Option<TokenHash>) -> bool {
        self.names.is_anothers(name, shown)
    }

    /// Takes in that a connection is gone. The name is kept for a while, unless the client has left
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

    /// The seats that somebody has at tables where a game runs or is to begin.
    pub(crate) fn seats_of(&self, key: TokenHash) -> Vec<HeldSeat> {
        let seats = self.tables.seats_of(key);
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
        self.quick.leave(who);
        self.tv.leave(who);
        self.subscribers.remove(&who);
        self.addresses.remove(&who);
    }

    /// Forgets who has been away for longer than the grace, and what they wanted, and the challenges of
    /// those who do not wait any more. Those who still play are kept. O(names + tables + challenges).
    pub(crate) fn expire(&mut self, now: Instant) -> Vec<Effect> {
        let plays = |key| {
            let mut seats = self.tables.seats_of(key);
            seats.any(|status| status.phase == TablePhase::Running)
        };
        let gone = self.names.expire(self.limits.grace, now, plays);
        let withdrawn = self.challenges.iter();
        let withdrawn = withdrawn.filter(|(_, challenge)| gone.contains(&challenge.by));
        let withdrawn: Vec<String> = withdrawn.map(|(table, _)| table.clone()).collect();
        let mut effects = Vec::new();
        for table in withdrawn {
            effects.extend(self.withdraw(&table));
            effects.push(Effect::Close(table));
        }
        effects.extend(self.withdraw_deserted(now));
        effects
    }

    /// Checks that `who` may have one more table.
    ///
    /// # Errors
    /// It has not joined, or there are too many tables.
    pub(crate) fn check_room(&self, who: ClientId) -> Result<(), Refusal> {
        let key = self.key(who)?;
        let most = self.limits.client_tables;
        if self.tables.made_by(key) >= most {
            let message = format!("you have {most} tables where a game runs or is to begin");
            return Err(Refusal::new(ErrorCode::TooManyTables, message));
        }
        self.check_not_full(who)
    }

    /// Closes a table of `who` that nobody needs any more, if it has made as many as it may. The table
    /// counts no longer.
    pub(crate) fn make_room(&mut self, who: ClientId) -> Option<Effect> {
        let key = self.key(who).ok()?;
        let is_full = self.tables.made_by(key) >= self.limits.client_tables;
        let id = is_full.then(|| self.tables.oldest_unused(key)).flatten()?;
        let id = id.to_owned();
        self.tables.remove(&id);
        Some(Effect::Close(id))
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
        address.is_some_and(|&address| self.tables.made_from(address) >= self.limits.address_tables)
    }

    /// Whether there are as many tables as there may be.
    pub(crate) fn is_full(&self) -> bool {
        self.tables.len() >= self.limits.tables
    }

    /// Takes in a new table, and who has made it; for a quick game that is whoever plays White.
    pub(crate) fn open(&mut self, status: TableStatus, maker: Option<ClientId>) {
        let maker = maker.map(|who| Maker {
            key: self.key(who).ok(),
            address: self.addresses.get(&who).copied(),
        });
        self.tables.insert(status, maker.unwrap_or_default());
    }

    /// Takes in a table of before the server was started, and keeps its players' names for them.
    pub(crate) fn reopen(&mut self, status: TableStatus, now: Instant) {
        for (_, seat) in status.seats.iter() {
            let Some(seat) = seat else { continue };
            if let Some(key) = seat.key {
                self.names
                    .remember(&seat.name, key, now + self.limits.grace);
            }
        }
        self.renew_challenge(&status, now);
        self.tables.insert(status, Maker::default());
    }

    /// Takes in how a table is now.
    pub(crate) fn update(&mut self, status: TableStatus) -> Vec<Effect> {
        let id = status.settings.id.clone();
        let effects = self.follow_challenge(&status);
        if status.is_closed {
            self.tables.remove(&id);
        } else {
            self.tables.update(status);
        }
        effects
    }

    /// By what the client is known that is called so and connected.
    pub(crate) fn key_of(&self, name: &str) -> Option<TokenHash> {
        self.names.called(name).map(|(_, key)| key)
    }

    /// The connection of whoever is called so.
    pub(crate) fn client_called(&self, name: &str) -> Option<ClientId> {
        self.names.called(name).map(|(who, _)| who)
    }

    /// Lets `who` wait for somebody to play with this clock; `first` is the side of whoever has
    /// waited longer.
    ///
    /// # Errors
    /// It has not joined, or there is no room for one more table.
    pub(crate) fn quick(
        &mut self,
        who: ClientId,
        clock: TimeControl,
        first: Color,
    ) -> Result<Vec<Effect>, Refusal> {
        self.key(who)?;
        self.check_not_full(who)?;
        let text = Some(clock.to_string());
        let mut effects = vec![Effect::Tell(who, ServerMessage::Queued { clock: text })];
        if let Some(other) = self.quick.wait(who, clock) {
            let players = ByColor::new_with(|side| if side == first { other } else { who });
            effects.push(Effect::Pair(players, clock));
        }
        Ok(effects)
    }

    /// Lets `who` wait no longer.
    pub(crate) fn cancel_quick(&mut self, who: ClientId) -> Vec<Effect> {
        self.quick.leave(who);
        vec![Effect::Tell(who, ServerMessage::Unqueued)]
    }

    /// Lists tables.
    ///
    /// # Errors
    /// A cursor that no list has given.
    pub(crate) fn list(&self, wanted: &ListTables, now: Instant) -> Result<TableList, Refusal> {
        let page = self.tables.list(wanted, now)?;
        let (open, live) = self.tables.counts();
        let count = |n| u32::try_from(n).unwrap_or(u32::MAX);
        Ok(TableList {
            tables: page.tables,
            next: page.next,
            open: count(open),
            live: count(live),
            players: count(self.names.count()),
            quick: self
                .quick
                .clocks()
                .map(TimeControl::to_string)
                .take(MOST_CLOCKS)
                .collect(),
        })
    }

    /// The names of the first who are connected, and how many there are.
    pub(crate) fn players(&self) -> (Vec<String>, usize) {
        (self.names.names(MOST_NAMES), self.names.count())
    }

    /// What is told of the lobby: the first live tables and the first open ones.
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

    /// Tells `who` from now on what happens in the lobby.
    pub(crate) fn subscribe(&mut self, who: ClientId) {
        self.subscribers.insert(who);
    }

    /// Tells it no longer.
    pub(crate) fn unsubscribe(&mut self, who: ClientId) {
        self.subscribers.remove(&who);
    }

    /// Those who are told.
    pub(crate) fn subscribers(&self) -> &BTreeSet<ClientId> {
        &self.subscribers
    }

    /// Shows `who` the game that is on, from now on whichever that is.
    ///
    /// # Errors
    /// It has not joined.
    pub(crate) fn watch_tv(&mut self, who: ClientId, now: Instant) -> Result<Vec<Effect>, Refusal> {
        self.key(who)?;
        let mut effects = self.choose_tv(now);
        let on = self.tv.follow(who).map(str::to_owned);
        effects.push(Effect::ShowTv(who, on));
        Ok(effects)
    }

    /// Does so no longer.
    pub(crate) fn leave_tv(&mut self, who: ClientId) {
        self.tv.leave(who);
    }

    /// Chooses anew what is on.
    pub(crate) fn choose_tv(&mut self, now: Instant) -> Vec<Effect> {
        let Some(choice) = self.tv.choose(&self.tables, now) else {
            return Vec::new();
        };
        let choice = choice.map(str::to_owned);
        let followers = self.tv.followers().iter();
        followers
            .map(|&who| Effect::ShowTv(who, choice.clone()))
            .collect()
    }

    /// How many games of bots are to be begun so that there is something to see: `wanted` at one time,
    /// while anybody looks and no people play.
    pub(crate) fn missing_house_games(&self, wanted: usize) -> usize {
        let is_watched = !self.tv.followers().is_empty() || !self.subscribers.is_empty();
        let mut games = self.tables.running();
        let is_played =
            games.any(|status| table_index::is_public(status) && tv::is_of_people(status));
        if !is_watched || is_played || self.is_full() {
            return 0;
        }
        let is_house = |status: &&TableStatus| status.settings.kind == TableKind::House;
        wanted.saturating_sub(self.tables.all().filter(is_house).count())
    }

    fn key(&self, who: ClientId) -> Result<TokenHash, Refusal> {
        let identity = self.names.of(who);
        let key = identity.map(|(_, key)| key);
        key.ok_or_else(|| Refusal::new(ErrorCode::NotJoined, "join first"))
    }
}

#[cfg(test)]
mod tests;

//! The latest status of every table, and lists of tables.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::IpAddr;
use std::time::Instant;

use checkers_lib::Color;
use checkers_lib::protocol::{
    ErrorCode, ListTables, Refusal, TableFilter, TableInfo, TableKind, TablePhase, Visibility,
};
use event_store::TokenHash;

use crate::table::TableStatus;
use crate::tournaments::is_tournament;

/// The default length of a list.
const PAGE: usize = 50;

/// The maximum length of a list.
const LARGEST_PAGE: usize = 100;

/// All tables, by their ids.
#[derive(Debug, Default)]
pub(super) struct TableIndex {
    tables: BTreeMap<String, IndexEntry>,
    /// The tables where a client has a seat, by the client's key.
    seated: HashMap<TokenHash, BTreeSet<String>>,
    /// The number of tables opened so far.
    opened: u64,
}

#[derive(Debug)]
struct IndexEntry {
    status: TableStatus,
    creator: TableCreator,
    /// Its number in the order of opening.
    number: u64,
}

/// The creator of a table, for the limits on open tables.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TableCreator {
    pub(super) key: Option<TokenHash>,
    pub(super) address: Option<IpAddr>,
}

/// The sort key of lists: live tables first, then the most watched, then by id.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct TableRank {
    is_idle: bool,
    watchers: Reverse<u32>,
    id: String,
}

/// A page of a list.
#[derive(Debug)]
pub(super) struct TablePage {
    pub(super) tables: Vec<TableInfo>,
    /// The cursor of the next page.
    pub(super) next: Option<String>,
}

impl TableIndex {
    pub(super) fn insert(&mut self, status: TableStatus, creator: TableCreator) {
        let id = status.settings.id.clone();
        self.seat(&status);
        self.opened += 1;
        let entry = IndexEntry {
            status,
            creator,
            number: self.opened,
        };
        self.tables.insert(id, entry);
    }

    /// Sets the creator of a table that has none.
    pub(super) fn restore_creator(&mut self, id: &str, creator: TableCreator) {
        if let Some(entry) = self.tables.get_mut(id)
            && entry.creator.key.is_none()
            && entry.creator.address.is_none()
        {
            entry.creator = creator;
        }
    }

    /// Updates the status of a table.
    pub(super) fn update(&mut self, status: TableStatus) {
        let Some(entry) = self.tables.get_mut(&status.settings.id) else {
            return;
        };
        let before = std::mem::replace(&mut entry.status, status.clone());
        self.unseat(&before);
        self.seat(&status);
    }

    pub(super) fn remove(&mut self, id: &str) {
        if let Some(entry) = self.tables.remove(id) {
            self.unseat(&entry.status);
        }
    }

    fn seat(&mut self, status: &TableStatus) {
        for key in keys(status) {
            let id = status.settings.id.clone();
            self.seated.entry(key).or_default().insert(id);
        }
    }

    fn unseat(&mut self, status: &TableStatus) {
        for key in keys(status) {
            if let Some(tables) = self.seated.get_mut(&key) {
                tables.remove(&status.settings.id);
                if tables.is_empty() {
                    self.seated.remove(&key);
                }
            }
        }
    }

    /// The players for whom the seats of a tournament's games are that are not over. O(tables).
    pub(super) fn players_of_tournaments(&self) -> HashSet<TokenHash> {
        let is_played = |status: &&TableStatus| {
            let event = status.settings.event.as_deref();
            status.phase != TablePhase::Over && event.is_some_and(is_tournament)
        };
        let tables = self.tables.values().map(|entry| &entry.status);
        tables
            .filter(is_played)
            .flat_map(|status| status.settings.players.iter())
            .filter_map(|(_, key)| *key)
            .collect()
    }

    /// The tables where the client has a seat.
    pub(super) fn seats_of(&self, key: TokenHash) -> impl Iterator<Item = &TableStatus> {
        let ids = self.seated.get(&key).into_iter().flatten();
        ids.filter_map(|id| self.get(id))
    }

    pub(super) fn get(&self, id: &str) -> Option<&TableStatus> {
        self.tables.get(id).map(|entry| &entry.status)
    }

    pub(super) fn len(&self) -> usize {
        self.tables.len()
    }

    /// The number of open tables that a client has created, except quick games. O(tables).
    pub(super) fn created_by(&self, key: TokenHash) -> usize {
        self.all_created_by(key).count()
    }

    /// The oldest unused table of a client: its game is over, or all have left before one started.
    /// Never the latest one, which may be about to be used. O(tables).
    pub(super) fn oldest_unused(&self, key: TokenHash) -> Option<&str> {
        let latest = self.all_created_by(key).map(|entry| entry.number).max();
        let is_unused = |entry: &&IndexEntry| {
            let status = &entry.status;
            let is_free = status.seats.iter().all(|(_, seat)| seat.is_none());
            is_free
                && match status.phase {
                    TablePhase::Over => true,
                    TablePhase::Waiting => status.watchers == 0 && Some(entry.number) != latest,
                    TablePhase::Running => false,
                }
        };
        let unused = self.all_created_by(key).filter(is_unused);
        let oldest = unused.min_by_key(|entry| entry.number)?;
        Some(&oldest.status.settings.id)
    }

    fn all_created_by(&self, key: TokenHash) -> impl Iterator<Item = &IndexEntry> {
        let is_theirs = move |entry: &&IndexEntry| {
            entry.creator.key == Some(key) && entry.status.settings.kind != TableKind::Quick
        };
        self.tables.values().filter(is_theirs)
    }

    /// The number of tables created from an address whose game is not over. O(tables).
    pub(super) fn created_from(&self, address: IpAddr) -> usize {
        let is_in_use = |entry: &&IndexEntry| {
            entry.creator.address == Some(address) && entry.status.phase != TablePhase::Over
        };
        self.tables.values().filter(is_in_use).count()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &TableStatus> {
        self.tables.values().map(|entry| &entry.status)
    }

    /// The tables where a game runs.
    pub(super) fn running(&self) -> impl Iterator<Item = &TableStatus> {
        (self.all()).filter(|status| status.phase == TablePhase::Running)
    }

    /// The numbers of open and of live public tables.
    pub(super) fn counts(&self) -> (usize, usize) {
        let count = |filter| self.listed(filter).count();
        (count(TableFilter::Open), count(TableFilter::Live))
    }

    /// A page of the list, from the cursor on.
    ///
    /// # Errors
    /// The cursor is malformed.
    pub(super) fn list(&self, wanted: &ListTables, now: Instant) -> Result<TablePage, Refusal> {
        let after = match &wanted.cursor {
            Some(cursor) => Some(TableRank::parse(cursor).ok_or_else(bad_cursor)?),
            None => None,
        };
        let limit = (wanted.limit).map_or(PAGE, |limit| (limit as usize).clamp(1, LARGEST_PAGE));
        let mut ranked: Vec<(TableRank, &TableStatus)> = self
            .listed(wanted.state)
            .map(|status| (TableRank::of(status), status))
            .filter(|(rank, _)| after.as_ref().is_none_or(|after| rank > after))
            .collect();
        ranked.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let is_all = ranked.len() <= limit;
        ranked.truncate(limit);
        let last = ranked.last().filter(|_| !is_all);
        Ok(TablePage {
            next: last.map(|(rank, _)| rank.to_text()),
            tables: ranked.iter().map(|(_, status)| status.info(now)).collect(),
        })
    }

    fn listed(&self, filter: TableFilter) -> impl Iterator<Item = &TableStatus> {
        (self.all()).filter(move |status| is_public(status) && matches_filter(status, filter))
    }
}

/// The side of a player at a table.
pub(super) fn side_of(status: &TableStatus, key: TokenHash) -> Option<Color> {
    let sits = |color: &Color| {
        let seat = status.seats[*color].as_ref();
        seat.is_some_and(|seat| seat.key == Some(key))
    };
    Color::ALL.into_iter().find(sits)
}

/// Whether lists include a table. Not while two known players are about to start, and not while all
/// players of a running game are away.
pub(super) fn is_public(status: &TableStatus) -> bool {
    let settings = &status.settings;
    let is_of_two = matches!(settings.kind, TableKind::Quick | TableKind::Challenge);
    settings.visibility == Visibility::Public
        && !status.is_closed
        && match status.phase {
            TablePhase::Waiting => !is_of_two,
            TablePhase::Running => !is_left_by_all(status),
            TablePhase::Over => true,
        }
}

/// Whether all people who play there are disconnected.
fn is_left_by_all(status: &TableStatus) -> bool {
    let mut people = (status.players())
        .filter(|player| player.bot.is_none())
        .peekable();
    people.peek().is_some() && people.all(|seat| seat.absent_since.is_some())
}

/// The keys of the seated players.
fn keys(status: &TableStatus) -> impl Iterator<Item = TokenHash> {
    status.players().filter_map(|player| player.key)
}

fn matches_filter(status: &TableStatus, filter: TableFilter) -> bool {
    let is_live = status.phase == TablePhase::Running;
    let seats = &status.seats;
    let is_free = seats.white.is_none() || seats.black.is_none();
    match filter {
        TableFilter::Live => is_live,
        TableFilter::Open => {
            status.settings.event.is_none()
                && !is_live
                && is_free
                && status.settings.director.is_none()
        }
        TableFilter::All => true,
    }
}

fn bad_cursor() -> Refusal {
    Refusal::new(ErrorCode::BadMessage, "list_tables: unknown cursor")
}

impl TableRank {
    fn of(status: &TableStatus) -> TableRank {
        TableRank {
            is_idle: status.phase != TablePhase::Running,
            watchers: Reverse(status.watchers),
            id: status.settings.id.clone(),
        }
    }

    fn to_text(&self) -> String {
        let TableRank {
            is_idle,
            watchers,
            id,
        } = self;
        format!("{}.{:x}.{id}", u8::from(*is_idle), watchers.0)
    }

    fn parse(text: &str) -> Option<TableRank> {
        let mut parts = text.splitn(3, '.');
        let is_idle = match parts.next()? {
            "0" => false,
            "1" => true,
            _ => return None,
        };
        let watchers = Reverse(u32::from_str_radix(parts.next()?, 16).ok()?);
        let id = parts.next()?.to_owned();
        Some(TableRank {
            is_idle,
            watchers,
            id,
        })
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::DrawRules;

    use super::*;
    use crate::table::{SeatStatus, Table, TableSettings};

    fn status(id: &str, phase: TablePhase, watchers: u32) -> TableStatus {
        let settings = TableSettings::new(id, DrawRules::Fmjd64);
        TableStatus {
            phase,
            watchers,
            ..Table::open(settings).status()
        }
    }

    fn table_index() -> TableIndex {
        let mut table_index = TableIndex::default();
        for (id, phase, watchers) in [
            ("a", TablePhase::Waiting, 0),
            ("b", TablePhase::Running, 3),
            ("c", TablePhase::Running, 300),
            ("d", TablePhase::Over, 9),
            ("e", TablePhase::Running, 3),
        ] {
            table_index.insert(status(id, phase, watchers), TableCreator::default());
        }
        let mut hidden = TableSettings::new("hidden", DrawRules::Fmjd64);
        hidden.visibility = Visibility::Link;
        table_index.insert(Table::open(hidden).status(), TableCreator::default());
        table_index
    }

    fn ids(page: &TablePage) -> Vec<&str> {
        page.tables.iter().map(|info| info.id.as_str()).collect()
    }

    #[test]
    fn live_and_watched_tables_come_first_and_hidden_ones_never() {
        let table_index = table_index();
        let list = |state| {
            let wanted = ListTables {
                state,
                ..ListTables::default()
            };
            table_index.list(&wanted, Instant::now()).unwrap()
        };
        assert_eq!(ids(&list(TableFilter::All)), ["c", "b", "e", "d", "a"]);
        assert_eq!(ids(&list(TableFilter::Live)), ["c", "b", "e"]);
        assert_eq!(ids(&list(TableFilter::Open)), ["d", "a"]);
        assert_eq!(table_index.counts(), (2, 3));
    }

    #[test]
    fn a_game_without_connected_players_is_not_listed() {
        let mut table_index = TableIndex::default();
        let seat = |bot: bool, is_away: bool| SeatStatus {
            name: "anna".into(),
            key: None,
            bot: bot.then(|| "level 3".into()),
            absent_since: is_away.then(Instant::now),
        };
        let mut counts = |white, black| {
            let mut status = status("a", TablePhase::Running, 0);
            status.seats.white = Some(white);
            status.seats.black = Some(black);
            table_index.insert(status, TableCreator::default());
            table_index.counts().1
        };
        assert_eq!(counts(seat(false, true), seat(false, false)), 1);
        assert_eq!(counts(seat(false, true), seat(false, true)), 0);
        assert_eq!(counts(seat(false, true), seat(true, false)), 0);
        assert_eq!(counts(seat(true, true), seat(true, false)), 1);
    }

    #[test]
    fn a_list_continues_at_its_cursor_after_changes() {
        let mut table_index = table_index();
        let mut wanted = ListTables {
            limit: Some(2),
            ..ListTables::default()
        };
        let page = table_index.list(&wanted, Instant::now()).unwrap();
        assert_eq!(ids(&page), ["c", "b"]);
        table_index.remove("b");
        wanted.cursor = page.next;
        let page = table_index.list(&wanted, Instant::now()).unwrap();
        assert_eq!(ids(&page), ["e", "d"]);
        wanted.cursor = page.next;
        let page = table_index.list(&wanted, Instant::now()).unwrap();
        assert_eq!((ids(&page), page.next.as_deref()), (vec!["a"], None));
    }

    #[test]
    fn unknown_cursors_are_refused() {
        for cursor in ["", "2.0.a", "0.x.a", "0.1"] {
            let wanted = ListTables {
                cursor: Some(cursor.into()),
                ..ListTables::default()
            };
            let refused = table_index().list(&wanted, Instant::now());
            assert_eq!(refused.unwrap_err().code, ErrorCode::BadMessage, "{cursor}");
        }
    }
}

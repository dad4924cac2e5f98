//! The tables that a client is at.

use checkers_lib::protocol::TablePhase;

use crate::store::TokenHash;
use crate::table_task::TableHandle;

/// The tables that a client is at, and the one it has come to last.
#[derive(Debug, Default)]
pub(super) struct Visits {
    /// In the order of coming.
    visits: Vec<Visit>,
    last: Option<TableHandle>,
}

#[derive(Debug)]
struct Visit {
    table: TableHandle,
    /// Whether the client is there only because it is on.
    is_for_tv: bool,
}

impl Visits {
    /// Takes in that the client comes to a table of its own accord; `false` if it is there already.
    pub(super) fn come(&mut self, table: &TableHandle) -> bool {
        self.last = Some(table.clone());
        if let Some(visit) = self.visit_mut(table.id()) {
            visit.is_for_tv = false;
            return false;
        }
        self.add(table, false)
    }

    /// Takes in that the client is to see a table because it is on; `false` if it is there already.
    pub(super) fn see(&mut self, table: &TableHandle) -> bool {
        self.visit_mut(table.id()).is_none() && self.add(table, true)
    }

    /// Whether the client is at a table only because it is on.
    pub(super) fn is_for_tv(&self, table: &TableHandle) -> bool {
        let mut visits = self.visits.iter();
        visits.any(|visit| visit.is_for_tv && visit.table.id() == table.id())
    }

    fn add(&mut self, table: &TableHandle, is_for_tv: bool) -> bool {
        let table = table.clone();
        self.visits.push(Visit { table, is_for_tv });
        true
    }

    /// Takes in that the client goes from a table.
    pub(super) fn go(&mut self, id: &str) -> Option<TableHandle> {
        let at = (self.visits.iter()).position(|visit| visit.table.id() == id)?;
        if self.last.as_ref().is_some_and(|last| last.id() == id) {
            self.last = None;
        }
        Some(self.visits.remove(at).table)
    }

    /// The table that the client, whose key this is, came to first of those where a game is over and
    /// it has no seat for the next one.
    pub(super) fn first_over(&self, own: Option<TokenHash>) -> Option<&TableHandle> {
        let is_over = |table: &&TableHandle| {
            let status = table.glance().status();
            let mut seats = status.seats.iter().filter_map(|(_, seat)| seat.as_ref());
            status.phase == TablePhase::Over && !seats.any(|seat| seat.key == own)
        };
        self.all().find(is_over)
    }

    /// Takes in that the client is at no table any more.
    pub(super) fn go_all(&mut self) -> Vec<TableHandle> {
        self.last = None;
        self.visits.drain(..).map(|visit| visit.table).collect()
    }

    /// Takes in that the client is to see nothing any more because it is on.
    pub(super) fn leave_tv(&mut self) -> Option<TableHandle> {
        let at = self.visits.iter().position(|visit| visit.is_for_tv)?;
        Some(self.visits.remove(at).table)
    }

    /// The table of an id, or else the one the client has come to last.
    pub(super) fn pick(&self, id: Option<&str>) -> Option<&TableHandle> {
        let table = match id {
            Some(id) => self.all().find(|table| table.id() == id),
            None => self.last.as_ref(),
        };
        table.filter(|table| !table.is_closed())
    }

    /// At how many tables the client is of its own accord, those that are gone forgotten.
    pub(super) fn count(&mut self) -> usize {
        self.visits.retain(|visit| !visit.table.is_closed());
        self.visits.iter().filter(|visit| !visit.is_for_tv).count()
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &TableHandle> {
        self.visits.iter().map(|visit| &visit.table)
    }

    fn visit_mut(&mut self, id: &str) -> Option<&mut Visit> {
        self.visits.iter_mut().find(|visit| visit.table.id() == id)
    }
}

//! The tables that a client is at.

use checkers_lib::protocol::TablePhase;

use crate::shard::TableHandle;
use crate::store::TokenHash;

/// The tables that a client is at, and the one it has come to last.
#[derive(Debug, Default)]
pub(super) struct Subscriptions {
    /// In the order of coming.
    subscriptions: Vec<Subscription>,
    last: Option<TableHandle>,
}

#[derive(Debug)]
struct Subscription {
    table: TableHandle,
    /// Whether the client is there only because it is on.
    is_for_tv: bool,
}

impl Subscriptions {
    /// Takes in that the client comes to a table of its own accord; `false` if it is there already.
    pub(super) fn come(&mut self, table: &TableHandle) -> bool {
        self.last = Some(table.clone());
        if let Some(subscription) = self.find(table.id()) {
            subscription.is_for_tv = false;
            return false;
        }
        self.add(table, false)
    }

    /// Takes in that the client is to see a table because it is on; `false` if it is there already.
    pub(super) fn see(&mut self, table: &TableHandle) -> bool {
        self.find(table.id()).is_none() && self.add(table, true)
    }

    /// Whether the client is at a table only because it is on.
    pub(super) fn is_for_tv(&self, table: &TableHandle) -> bool {
        let mut subscriptions = self.subscriptions.iter();
        subscriptions
            .any(|subscription| subscription.is_for_tv && subscription.table.id() == table.id())
    }

    fn add(&mut self, table: &TableHandle, is_for_tv: bool) -> bool {
        let table = table.clone();
        self.subscriptions.push(Subscription { table, is_for_tv });
        true
    }

    /// Takes in that the client goes from a table.
    pub(super) fn go(&mut self, id: &str) -> Option<TableHandle> {
        let at =
            (self.subscriptions.iter()).position(|subscription| subscription.table.id() == id)?;
        if self.last.as_ref().is_some_and(|last| last.id() == id) {
            self.last = None;
        }
        Some(self.subscriptions.remove(at).table)
    }

    /// The table that the client, whose key this is, came to first of those where a game is over and
    /// it has no seat for the next one.
    pub(super) fn first_over(&self, own: Option<TokenHash>) -> Option<&TableHandle> {
        let is_over = |table: &&TableHandle| {
            let status = table.status();
            let mut seats = status.seats.iter().filter_map(|(_, seat)| seat.as_ref());
            status.phase == TablePhase::Over && !seats.any(|seat| seat.key == own)
        };
        self.all().find(is_over)
    }

    /// Takes in that the client is at no table any more.
    pub(super) fn go_all(&mut self) -> Vec<TableHandle> {
        self.last = None;
        self.subscriptions
            .drain(..)
            .map(|subscription| subscription.table)
            .collect()
    }

    /// Takes in that the client is to see nothing any more because it is on.
    pub(super) fn leave_tv(&mut self) -> Option<TableHandle> {
        let at = self
            .subscriptions
            .iter()
            .position(|subscription| subscription.is_for_tv)?;
        Some(self.subscriptions.remove(at).table)
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
        self.subscriptions
            .retain(|subscription| !subscription.table.is_closed());
        self.subscriptions
            .iter()
            .filter(|subscription| !subscription.is_for_tv)
            .count()
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &TableHandle> {
        self.subscriptions
            .iter()
            .map(|subscription| &subscription.table)
    }

    fn find(&mut self, id: &str) -> Option<&mut Subscription> {
        self.subscriptions
            .iter_mut()
            .find(|subscription| subscription.table.id() == id)
    }
}

//! The tables of a client.

use checkers_lib::protocol::TablePhase;

use crate::shard::TableHandle;
use crate::store::TokenHash;

/// The tables of a client, and the one it joined last.
#[derive(Debug, Default)]
pub(super) struct Subscriptions {
    /// In order of joining.
    subscriptions: Vec<Subscription>,
    last: Option<TableHandle>,
}

#[derive(Debug)]
struct Subscription {
    table: TableHandle,
    /// Whether only TV shows the table.
    is_tv_only: bool,
}

impl Subscriptions {
    /// Adds a table at the client's request; `false` if it is there already.
    pub(super) fn join(&mut self, table: &TableHandle) -> bool {
        self.last = Some(table.clone());
        if let Some(subscription) = self.find(table.id()) {
            subscription.is_tv_only = false;
            return false;
        }
        self.add(table, false)
    }

    /// Adds a table shown on TV; `false` if it is there already.
    pub(super) fn show_on_tv(&mut self, table: &TableHandle) -> bool {
        self.find(table.id()).is_none() && self.add(table, true)
    }

    /// Whether only TV shows the table.
    pub(super) fn is_tv_only(&self, table: &TableHandle) -> bool {
        let mut subscriptions = self.subscriptions.iter();
        subscriptions
            .any(|subscription| subscription.is_tv_only && subscription.table.id() == table.id())
    }

    fn add(&mut self, table: &TableHandle, is_tv_only: bool) -> bool {
        let table = table.clone();
        self.subscriptions.push(Subscription { table, is_tv_only });
        true
    }

    /// Removes a table.
    pub(super) fn leave(&mut self, id: &str) -> Option<TableHandle> {
        let at =
            (self.subscriptions.iter()).position(|subscription| subscription.table.id() == id)?;
        if self.last.as_ref().is_some_and(|last| last.id() == id) {
            self.last = None;
        }
        Some(self.subscriptions.remove(at).table)
    }

    /// The earliest table whose game is over and where the client with this key has no seat for the
    /// next one.
    pub(super) fn first_over(&self, own: Option<TokenHash>) -> Option<&TableHandle> {
        let is_over = |table: &&TableHandle| {
            let status = table.status();
            let mut players = status.players();
            status.phase == TablePhase::Over && !players.any(|player| player.key == own)
        };
        self.all().find(is_over)
    }

    /// Removes all tables.
    pub(super) fn leave_all(&mut self) -> Vec<TableHandle> {
        self.last = None;
        self.subscriptions
            .drain(..)
            .map(|subscription| subscription.table)
            .collect()
    }

    /// Removes the table shown on TV.
    pub(super) fn leave_tv(&mut self) -> Option<TableHandle> {
        let at = self
            .subscriptions
            .iter()
            .position(|subscription| subscription.is_tv_only)?;
        Some(self.subscriptions.remove(at).table)
    }

    /// The table with this id, or else the last one joined.
    pub(super) fn get(&self, id: Option<&str>) -> Option<&TableHandle> {
        let table = match id {
            Some(id) => self.all().find(|table| table.id() == id),
            None => self.last.as_ref(),
        };
        table.filter(|table| !table.is_closed())
    }

    /// The number of tables joined at the client's request. Removes closed tables.
    pub(super) fn count(&mut self) -> usize {
        self.subscriptions
            .retain(|subscription| !subscription.table.is_closed());
        self.subscriptions
            .iter()
            .filter(|subscription| !subscription.is_tv_only)
            .count()
    }

    /// All tables.
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

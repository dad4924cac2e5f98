//! The tables of a client.

use std::time::Instant;

use checkers_lib::protocol::TablePhase;

use crate::route::Place;
use crate::shard::TableHandle;
use crate::store::TokenHash;
use crate::table::MoveRequest;

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
    /// The version of the route by which the client entered.
    version: u64,
    /// A move with an id that was not answered, and when it arrived.
    last_move: Option<(MoveRequest, Instant)>,
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
        self.subscriptions.push(Subscription {
            version: table.version(),
            table: table.clone(),
            is_tv_only,
            last_move: None,
        });
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

    /// Keeps a move, to send it again if the table changes its owner. Whether it has to wait for that, since the
    /// table has none.
    pub(super) fn note_move(
        &mut self,
        id: Option<&str>,
        request: &MoveRequest,
        arrived: Instant,
    ) -> bool {
        let Some(table) = self.get(id).cloned() else {
            return false;
        };
        if let Some(subscription) = self.find(table.id()) {
            subscription.last_move = Some((request.clone(), arrived));
        }
        table.place() == Place::Nowhere
    }

    /// The client has received the answer to its last move.
    pub(super) fn forget_last_moves(&mut self) {
        for subscription in &mut self.subscriptions {
            subscription.last_move = None;
        }
    }

    /// The tables whose owner has changed since the last call, with the unanswered move of the client.
    pub(super) fn relocated(&mut self) -> Vec<(TableHandle, Option<(MoveRequest, Instant)>)> {
        let mut relocated = Vec::new();
        for subscription in &mut self.subscriptions {
            let version = subscription.table.version();
            if subscription.version != version {
                subscription.version = version;
                relocated.push((subscription.table.clone(), subscription.last_move.clone()));
            }
        }
        relocated
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

//! The tables of a client.

use std::time::Instant;

use checkers_lib::protocol::TablePhase;
use event_store::TokenHash;

use crate::route::Place;
use crate::shard::{Shards, TableHandle};
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

    /// Finds tables again whose handles are closed: a game by correspondence may be dropped from memory while the client
    /// enters, and is then loaded for it.
    pub(super) fn renew(&mut self, tables: &Shards) {
        for subscription in &mut self.subscriptions {
            let table = &subscription.table;
            if !table.is_closed() || !table.settings().is_correspondence() {
                continue;
            }
            let Some(again) = tables.find(table.id()) else {
                continue;
            };
            if let Some(last) = &mut self.last
                && last.id() == again.id()
            {
                *last = again.clone();
            }
            subscription.table = again;
        }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use checkers_lib::DrawRules;
    use checkers_lib::protocol::{ClosedReason, TableKind};

    use super::*;
    use crate::metrics::Metrics;
    use crate::table::{ClientId, Command, Table, TableSettings};

    #[tokio::test]
    async fn a_game_by_correspondence_that_was_dropped_and_loaded_again_is_found() {
        let shards = Shards::start(None, None, &Arc::new(Metrics::new()));
        for kind in [TableKind::Correspondence, TableKind::Main] {
            let is_found_again = kind == TableKind::Correspondence;
            let table = Table::open(TableSettings {
                kind,
                ..TableSettings::new("k3x", DrawRules::Fmjd64)
            });
            let settings = table.settings().as_ref().clone();
            let first = shards.open(table.into()).await;
            let mut subscriptions = Subscriptions::default();
            subscriptions.join(&first);
            let close = Command::Close(ClosedReason::Idle);
            first.command(ClientId::SERVER, close.clone()).await;
            first.flush().await;
            while !first.is_closed() {
                tokio::task::yield_now().await;
            }
            subscriptions.renew(&shards);
            assert!(subscriptions.get(None).is_none());
            let second = shards.open(Table::open(settings).into()).await;
            subscriptions.renew(&shards);
            assert_eq!(subscriptions.get(None).is_some(), is_found_again);
            assert_eq!(subscriptions.get(Some("k3x")).is_some(), is_found_again);
            second.command(ClientId::SERVER, close).await;
            while !second.is_closed() {
                tokio::task::yield_now().await;
            }
        }
    }
}

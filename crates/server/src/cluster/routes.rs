//! Who owns which shard, as far as this node has heard, and the ways there.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use event_store::ShardId;
use tokio::sync::mpsc;
use tracing::debug;

use crate::lobby_shard::LobbyRequest;
use crate::route::{Place, Route};
use crate::shard::{Envelope, Shards};
use crate::table::TableStatus;

/// The routes to all shards and to the lobby.
#[derive(Debug)]
pub(super) struct Routes {
    pub(super) shards: Shards,
    lobby: Arc<Route<LobbyRequest>>,
    /// The highest number of an owner that each shard has had. Routes change while it is locked.
    epochs: Mutex<HashMap<ShardId, i64>>,
}

/// The queues of the node that serves shards.
pub(super) struct Inboxes {
    pub(super) tables: mpsc::Sender<Envelope>,
    pub(super) lobby: mpsc::Sender<LobbyRequest>,
}

impl Routes {
    pub(super) fn new(shards: Shards, lobby: Arc<Route<LobbyRequest>>) -> Routes {
        Routes {
            shards,
            lobby,
            epochs: Mutex::default(),
        }
    }

    /// Tells all connections that tables or the lobby have moved.
    pub(super) fn announce(&self) {
        self.shards.announce_route_change();
    }

    /// This node serves a shard, whose tables it has restored; and the lobby, if that is there. `false` if a
    /// later owner is known.
    pub(super) fn set_here(
        &self,
        shard: ShardId,
        epoch: i64,
        lobby: Option<mpsc::Sender<LobbyRequest>>,
    ) -> bool {
        let mut epochs = self.lock();
        let is_new = note(&mut epochs, shard, epoch);
        if is_new {
            self.shards.serve(shard);
            if let Some(inbox) = lobby {
                self.lobby.set_owner(inbox, Place::Here);
            }
        }
        is_new
    }

    /// The node with a session serves a shard, and the lobby with its shard.
    pub(super) fn set_node(&self, shard: ShardId, epoch: i64, inboxes: &Inboxes, session: i32) {
        let mut epochs = self.lock();
        if note(&mut epochs, shard, epoch) {
            let place = Place::Node(session);
            let route = self.shards.route(shard);
            route.set_owner(inboxes.tables.clone(), place);
            if shard == ShardId::LOBBY {
                self.lobby.set_owner(inboxes.lobby.clone(), place);
            }
        }
    }

    /// The owner with this number, at this place, serves a shard no more.
    pub(super) fn release(&self, shard: ShardId, epoch: i64, place: Place) {
        let epochs = self.lock();
        if epochs.get(&shard) == Some(&epoch) {
            self.shards.route(shard).remove_owner(place);
            if shard == ShardId::LOBBY {
                self.lobby.remove_owner(place);
            }
        }
    }

    /// The connection to a node has ended.
    pub(super) fn remove_node(&self, session: i32) {
        let place = Place::Node(session);
        for shard in ShardId::all() {
            self.shards.route(shard).remove_owner(place);
        }
        self.lobby.remove_owner(place);
        self.announce();
    }

    /// Replaces what is known of the tables of shards that another node has begun to serve.
    pub(super) fn replace_tables(
        &self,
        shards: &[(ShardId, i64)],
        tables: impl Iterator<Item = TableStatus>,
    ) {
        let epochs = self.lock();
        let is_known = |shard: ShardId, epoch| epochs.get(&shard).is_none_or(|last| epoch >= *last);
        let shards: HashSet<ShardId> = shards
            .iter()
            .filter(|(shard, epoch)| is_known(*shard, *epoch))
            .map(|(shard, _)| *shard)
            .collect();
        let mut found = HashSet::new();
        for status in tables {
            if shards.contains(&ShardId::of_table(&status.settings.id)) {
                found.insert(status.settings.id.clone());
                self.shards.update_remote(status);
            }
        }
        self.shards.retain(&shards, &found);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ShardId, i64>> {
        self.epochs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes the number of an owner; `false` if a later one is known.
fn note(epochs: &mut HashMap<ShardId, i64>, shard: ShardId, epoch: i64) -> bool {
    let known = epochs.entry(shard).or_default();
    let is_new = epoch >= *known;
    if is_new {
        *known = epoch;
    } else {
        debug!(%shard, epoch, known, "an earlier owner is heard of");
    }
    is_new
}

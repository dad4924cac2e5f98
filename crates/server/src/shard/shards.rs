//! All tables that this server knows, and the ways to their shards.

use std::collections::{HashMap, HashSet};
use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use checkers_lib::DrawRules;
use checkers_lib::protocol::TableKind;
use event_store::{EventLog, ShardId};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

use super::handle::{Envelope, ShardRequest, TableHandle};
use super::hosted_table::HostedTable;
use super::{INBOX, Shard};
use crate::correspondence::Correspondence;
use crate::metrics::Metrics;
use crate::restore::RestoredTable;
use crate::route::{Place, Route};
use crate::table::{ClientId, Policy, Table, TableSettings, TableStatus};

/// How long another node has to open a table.
const CREATION: Duration = Duration::from_millis(500);

/// The shards, and the tables in them.
#[derive(Clone, Debug)]
pub(crate) struct Shards {
    /// The tasks of this server.
    inboxes: Arc<[mpsc::Sender<Envelope>]>,
    /// By [`ShardId`].
    routes: Arc<[Arc<Route<Envelope>>]>,
    tables: Arc<KnownTables>,
    /// Whether this server is a node of a cluster, so that tables move between servers.
    is_node: bool,
    /// Counts how often routes have changed.
    route_changes: Arc<watch::Sender<u64>>,
    metrics: Arc<Metrics>,
}

/// The tables that this server knows.
#[derive(Debug, Default)]
pub(super) struct KnownTables(Mutex<HashMap<String, KnownTable>>);

#[derive(Clone, Debug)]
struct KnownTable {
    settings: Arc<TableSettings>,
    /// Kept here and by the shard: without both, handles say that the table is closed.
    status: Arc<watch::Sender<TableStatus>>,
}

impl Shards {
    /// Starts two tasks per core, which share the shards: while one waits for the log, the other works.
    pub(crate) fn start(
        log: Option<&Arc<dyn EventLog>>,
        correspondence: Option<&Arc<Correspondence>>,
        metrics: &Arc<Metrics>,
    ) -> Shards {
        let cores = available_parallelism().map_or(1, NonZero::get);
        let tables = Arc::<KnownTables>::default();
        let start_one = |_| {
            let (sender, inbox) = mpsc::channel(INBOX);
            let tables = Arc::clone(&tables);
            let (log, correspondence) = (log.cloned(), correspondence.cloned());
            let shard = Shard::new(inbox, tables, log, correspondence, Arc::clone(metrics));
            tokio::spawn(shard.run());
            sender
        };
        let inboxes: Arc<[_]> = (0..2 * cores).map(start_one).collect();
        let each = inboxes.iter().cycle().take(ShardId::COUNT);
        Shards {
            routes: each
                .map(|inbox| Arc::new(Route::here(inbox.clone())))
                .collect(),
            inboxes,
            tables,
            is_node: false,
            route_changes: Arc::default(),
            metrics: Arc::clone(metrics),
        }
    }

    /// The same for a node of a cluster, which serves no shard yet.
    pub(crate) fn start_node(
        log: &Arc<dyn EventLog>,
        correspondence: Option<&Arc<Correspondence>>,
        metrics: &Arc<Metrics>,
    ) -> Shards {
        Shards {
            routes: (0..ShardId::COUNT)
                .map(|_| Arc::new(Route::without_owner()))
                .collect(),
            is_node: true,
            ..Shards::start(Some(log), correspondence, metrics)
        }
    }

    /// Gives a table to its shard, which this server serves.
    pub(crate) async fn open(&self, table: RestoredTable) -> TableHandle {
        let mut hosted = HostedTable::new(table, Arc::clone(&self.metrics));
        self.tables.adopt(&mut hosted);
        let settings = Arc::clone(hosted.table.settings());
        let handle = self.handle(&settings, hosted.status());
        // Without the shard the handle says that the table is closed.
        let request = ShardRequest::Open(Box::new(hosted));
        self.send_here(settings, request).await;
        handle
    }

    /// Opens a new table, wherever its shard is.
    pub(crate) async fn create(&self, settings: TableSettings, policy: Policy) -> TableHandle {
        let table = Table::open(settings).with_policy(policy);
        if self.route_of(&table.settings().id).place() == Place::Here {
            return self.open(table.into()).await;
        }
        let handle = self.remote(table.status());
        handle
            .send(ClientId::SERVER, ShardRequest::Create(policy))
            .await;
        if handle.place() != Place::Nowhere {
            // Clients enter by other connections between nodes: the table has to be there before.
            let _ = timeout(CREATION, handle.flush()).await;
        }
        handle
    }

    /// Lets the owner of a table load its game by correspondence, unless it has done so. Then [`Shards::find`] finds it, on
    /// this server at once.
    pub(crate) async fn load(&self, id: &str) {
        let (done, is_done) = oneshot::channel();
        let table = self.correspondence(id);
        let loading = async {
            table.send(ClientId::SERVER, ShardRequest::Load(done)).await;
            let _ = is_done.await;
        };
        // A shard without an owner loads it when it has one.
        let _ = timeout(CREATION, loading).await;
    }

    /// The way to a table with a game by correspondence, which need not be in memory. Its status says nothing.
    pub(crate) fn correspondence(&self, id: &str) -> TableHandle {
        let table = Table::open(TableSettings {
            kind: TableKind::Correspondence,
            ..TableSettings::new(id, DrawRules::default())
        });
        let (_, status) = watch::channel(table.status());
        self.handle(table.settings(), status)
    }

    /// Tells a shard of this server that the row of a game by correspondence is written.
    pub(crate) async fn written(&self, id: &str, seq: u32) {
        if self.has_here(id)
            && let Some(table) = self.find(id)
        {
            table
                .send(ClientId::SERVER, ShardRequest::Written(seq))
                .await;
        }
    }

    /// Whether a table with this id would be on this server.
    pub(crate) fn has_here(&self, id: &str) -> bool {
        self.route_of(id).place() == Place::Here
    }

    /// Where a table with this id would be.
    pub(crate) fn place_of(&self, id: &str) -> Place {
        self.route_of(id).place()
    }

    /// A table that is open.
    pub(crate) fn find(&self, id: &str) -> Option<TableHandle> {
        let known = self.tables.lock().get(id).cloned()?;
        Some(self.handle(&known.settings, known.status.subscribe()))
    }

    /// The tables whose ids are wanted. O(tables).
    pub(crate) fn tables(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<TableHandle> {
        let tables = self.tables.lock();
        let wanted = tables.iter().filter(|(id, _)| is_wanted(id));
        wanted
            .map(|(_, known)| self.handle(&known.settings, known.status.subscribe()))
            .collect()
    }

    /// The tables whose games count for an event. O(tables), but only theirs are looked into.
    pub(crate) fn tables_of(&self, event: &str) -> Vec<TableHandle> {
        let tables = self.tables.lock();
        let is_wanted = |known: &&KnownTable| known.settings.event.as_deref() == Some(event);
        let wanted = tables.values().filter(is_wanted);
        wanted
            .map(|known| self.handle(&known.settings, known.status.subscribe()))
            .collect()
    }

    /// Whether a person plays a game in one of these positions, given by their hash keys. O(tables).
    pub(crate) fn has_position_in_play(&self, positions: &[u64]) -> bool {
        let tables = self.tables.lock();
        tables.values().any(|table| {
            let status = table.status.borrow();
            let mut positions = positions.iter();
            positions.any(|&position| status.has_position_in_play(position))
        })
    }

    /// Whether this server is a node of a cluster, so that tables move between servers.
    pub(crate) fn is_node(&self) -> bool {
        self.is_node
    }

    /// A number that changes when shards or the lobby move to another node.
    pub(crate) fn route_changes(&self) -> watch::Receiver<u64> {
        self.route_changes.subscribe()
    }

    /// Tells all connections that routes have changed.
    pub(crate) fn announce_route_change(&self) {
        self.route_changes.send_modify(|count| *count += 1);
    }

    /// The way to a shard.
    pub(crate) fn route(&self, shard: ShardId) -> &Arc<Route<Envelope>> {
        &self.routes[usize::from(shard.0)]
    }

    /// Leads the route of a shard to its task here.
    pub(crate) fn serve(&self, shard: ShardId) {
        let inbox = self.inbox(shard).clone();
        self.route(shard).set_owner(inbox, Place::Here);
    }

    /// Forgets the tables of shards that this server has served, and those that it loads. Their handles lead to the next owner.
    pub(crate) async fn release(&self, shards: &HashSet<ShardId>) {
        let released = Arc::new(shards.clone());
        for inbox in &*self.inboxes {
            let (done, is_done) = oneshot::channel();
            let envelope = Envelope {
                // It is for no table.
                table: Arc::new(TableSettings::new("", DrawRules::default())),
                who: ClientId::SERVER,
                request: Box::new(ShardRequest::ReleaseLoads(Arc::clone(&released), done)),
            };
            let _ = inbox.send(envelope).await;
            let _ = is_done.await;
        }
        for table in self.tables(|id| shards.contains(&ShardId::of_table(id))) {
            let (done, is_done) = oneshot::channel();
            let settings = Arc::clone(table.settings());
            self.send_here(settings, ShardRequest::Release(done)).await;
            // Otherwise the task has ended.
            let _ = is_done.await;
        }
    }

    /// Notes the status of a table of another node. Returns the table's handle.
    pub(crate) fn remote(&self, status: TableStatus) -> TableHandle {
        if self.has_here(&status.settings.id) {
            // What this server knows itself is newer. A table that is not there is closed.
            let closed = || {
                let settings = Arc::clone(&status.settings);
                self.handle(&settings, watch::channel(status.clone()).1)
            };
            return self.find(&status.settings.id).unwrap_or_else(closed);
        }
        let (settings, status) = self.tables.note(status);
        self.handle(&settings, status.subscribe())
    }

    /// Notes the status of a table of another node, unless this server has the table.
    pub(crate) fn update_remote(&self, status: TableStatus) {
        if self.route_of(&status.settings.id).place() != Place::Here {
            self.tables.note(status);
        }
    }

    /// A table of another node is closed.
    pub(crate) fn close_remote(&self, id: &str) {
        if self.route_of(id).place() != Place::Here {
            self.tables.remove(id);
        }
    }

    /// Forgets the tables of these shards that are not among `found`: nobody has kept them. Games by correspondence are
    /// loaded when somebody enters them.
    pub(crate) fn retain(&self, shards: &HashSet<ShardId>, found: &HashSet<String>) {
        let is_kept = |id: &String| found.contains(id) || !shards.contains(&ShardId::of_table(id));
        (self.tables.lock()).retain(|id, known| is_kept(id) || known.settings.is_correspondence());
    }

    fn route_of(&self, table: &str) -> &Arc<Route<Envelope>> {
        self.route(ShardId::of_table(table))
    }

    fn inbox(&self, shard: ShardId) -> &mpsc::Sender<Envelope> {
        &self.inboxes[usize::from(shard.0) % self.inboxes.len()]
    }

    async fn send_here(&self, table: Arc<TableSettings>, request: ShardRequest) {
        let inbox = self.inbox(ShardId::of_table(&table.id));
        let envelope = Envelope {
            table,
            who: ClientId::SERVER,
            request: Box::new(request),
        };
        // The task ends with the server.
        let _ = inbox.send(envelope).await;
    }

    fn handle(
        &self,
        settings: &Arc<TableSettings>,
        status: watch::Receiver<TableStatus>,
    ) -> TableHandle {
        TableHandle {
            route: Arc::clone(self.route_of(&settings.id)),
            settings: Arc::clone(settings),
            status,
        }
    }
}

impl KnownTables {
    /// Adds a table of this server. If it was on another node before, its handles stay.
    pub(super) fn adopt(&self, hosted: &mut HostedTable) {
        let settings = Arc::clone(hosted.table.settings());
        let mut tables = self.lock();
        if let Some(known) = tables.get(&settings.id) {
            hosted.set_status_sender(Arc::clone(&known.status));
        }
        let status = hosted.status_sender();
        let id = settings.id.clone();
        tables.insert(id, KnownTable { settings, status });
    }

    /// Adds or updates a table of another node.
    fn note(&self, status: TableStatus) -> (Arc<TableSettings>, Arc<watch::Sender<TableStatus>>) {
        let mut tables = self.lock();
        let known = match tables.get(&status.settings.id) {
            Some(known) => {
                known.status.send_replace(status);
                known
            }
            None => {
                let id = status.settings.id.clone();
                let settings = Arc::clone(&status.settings);
                let status = Arc::new(watch::Sender::new(status));
                tables.entry(id).or_insert(KnownTable { settings, status })
            }
        };
        (Arc::clone(&known.settings), Arc::clone(&known.status))
    }

    /// Removes a closed table.
    pub(super) fn remove(&self, id: &str) {
        self.lock().remove(id);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, KnownTable>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

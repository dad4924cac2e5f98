//! A node of a cluster: it keeps its session alive, owns shards, and hands them over.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Display;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use event_store::{
    ClusterView, EventLog, Membership, MembershipError, ReadError, SessionView, ShardId, StreamId,
    UnixMillis,
};
use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tracing::{error, info, warn};

use super::failure_detector::FailureDetector;
use super::outgoing::OutgoingLink;
use super::owned::OwnedShards;
use super::routes::Routes;
use crate::bots::Bots;
use crate::connection::MAIN_TABLE;
use crate::lobby_shard::LobbySetup;
use crate::metrics::ClusterMetrics;
use crate::restore::{self, RestoredTable};
use crate::route::Place;
use crate::secret::Secret;
use crate::shard::Shards;
use crate::table::event::TakenOver;
use crate::table::{Policy, TableSettings};

/// How often a node counts its heartbeat up, and looks at those of the others.
const BEAT: Duration = Duration::from_millis(400);

/// A node whose heartbeat has not changed for this time is dead.
const TIME_TO_LIVE: Duration = Duration::from_millis(2700);

/// The most shards that are taken up, or handed over, between two heartbeats.
const SHARDS_AT_ONCE: usize = 64;

/// How long the same nodes have to run before shards move between them.
const SETTLED: Duration = Duration::from_secs(10);

/// How long a node waits before it reads games again that it could not read.
const RESTORE_AGAIN: Duration = Duration::from_secs(1);

/// How many games are read at one time when shards are taken up.
const READS: usize = 8;

/// How a node ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeEnd {
    /// Another node has declared it dead: it has to start again.
    Dead,
    /// It has handed over all of its shards.
    Drained,
}

/// What a node works with.
pub(crate) struct NodeParts {
    pub(crate) name: String,
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) shards: Shards,
    pub(crate) lobby: LobbySetup,
    pub(crate) bots: Bots,
    pub(crate) policy: Policy,
    pub(crate) main: TableSettings,
    pub(crate) key: Arc<Secret>,
    pub(crate) metrics: ClusterMetrics,
}

/// The task of a node.
pub(super) struct ClusterNode {
    membership: Membership,
    parts: NodeParts,
    routes: Arc<Routes>,
    owned: watch::Sender<Arc<OwnedShards>>,
    /// Shards that are owned, and served no more.
    leaving: Vec<ShardId>,
    /// The connections to other nodes, by their sessions.
    links: HashMap<i32, AbortHandle>,
    detector: FailureDetector,
    /// The nodes that are not draining, and since when they are the same.
    active: (Vec<i32>, Instant),
    is_cut_off: bool,
}

impl ClusterNode {
    pub(super) fn new(
        membership: Membership,
        parts: NodeParts,
        routes: Arc<Routes>,
        owned: watch::Sender<Arc<OwnedShards>>,
    ) -> ClusterNode {
        ClusterNode {
            membership,
            parts,
            routes,
            owned,
            leaving: Vec::new(),
            links: HashMap::new(),
            detector: FailureDetector::new(TIME_TO_LIVE),
            active: (Vec::new(), Instant::now()),
            is_cut_off: false,
        }
    }

    /// Runs the node until it is declared dead, or is aborted: a node that is drained still serves its clients.
    pub(super) async fn run(
        mut self,
        drain: watch::Receiver<bool>,
        ended: watch::Sender<Option<NodeEnd>>,
    ) {
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            beat.tick().await;
            let is_draining = *drain.borrow();
            match self.step(is_draining).await {
                Ok(None) => {
                    if std::mem::take(&mut self.is_cut_off) {
                        info!("the node reaches the database again");
                    }
                }
                Ok(Some(end)) => _ = ended.send_replace(Some(end)),
                Err(MembershipError::Dead) => {
                    error!("another node has declared this one dead");
                    ended.send_replace(Some(NodeEnd::Dead));
                    return;
                }
                Err(error) => {
                    self.parts.metrics.heartbeats_failed.inc();
                    self.detector.interrupted();
                    if !std::mem::replace(&mut self.is_cut_off, true) {
                        warn!(%error, "the node does not reach the database");
                    }
                }
            }
        }
    }

    /// One heartbeat, and what follows from what it shows.
    async fn step(&mut self, is_draining: bool) -> Result<Option<NodeEnd>, MembershipError> {
        let own = self.membership.session();
        let view = self.membership.beat().await?;
        self.parts.metrics.heartbeats.inc();
        for (session, beat) in self.detector.observe(Instant::now(), &view) {
            if self.membership.declare_dead(session, beat).await? {
                self.parts.metrics.dead_nodes.inc();
                let mut nodes = view.sessions.iter();
                let node = nodes.find(|node| node.id == session);
                let node = node.map(|node| node.name.as_str());
                warn!(node, session, "a node is dead; its shards are taken over");
            }
        }
        self.connect(own, &view.sessions);
        self.reconcile(own, &view).await?;
        let ours = view.sessions.iter().find(|session| session.id == own);
        if is_draining || ours.is_some_and(|session| session.draining) {
            if ours.is_some_and(|session| !session.draining) {
                self.membership.drain().await?;
            }
            self.hand_over(SHARDS_AT_ONCE).await?;
            let is_empty = self.owned.borrow().0.is_empty() && self.leaving.is_empty();
            return Ok(is_empty.then_some(NodeEnd::Drained));
        }
        let surplus = ours.map_or(0, |session| session.surplus);
        let surplus = usize::try_from(surplus).unwrap_or(ShardId::COUNT);
        self.share(&view, surplus).await?;
        Ok(None)
    }

    /// Serves the shards that the database says this node owns, and no others: the answer to a claim or a
    /// release may have been lost.
    async fn reconcile(&mut self, own: i32, view: &ClusterView) -> Result<(), MembershipError> {
        let owned = Arc::clone(&*self.owned.borrow());
        let ours = view
            .shards
            .iter()
            .filter(|(_, owner, _)| *owner == Some(own));
        let ours: BTreeMap<ShardId, i64> = ours.map(|(shard, _, epoch)| (*shard, *epoch)).collect();
        let lost = owned.without(&OwnedShards(ours.clone()));
        if !lost.is_empty() {
            error!(shards = lost.len(), "shards have another owner");
            self.stop_serving(&lost).await?;
        }
        self.leaving.retain(|shard| ours.contains_key(shard));
        let unserved = ours
            .iter()
            .filter(|(shard, _)| !owned.0.contains_key(shard) && !self.leaving.contains(shard));
        let unserved: Vec<(ShardId, i64)> =
            unserved.map(|(shard, epoch)| (*shard, *epoch)).collect();
        if !unserved.is_empty() {
            self.take_up(&unserved).await?;
        }
        Ok(())
    }

    /// Connects to new nodes, and gives up the connections to those that are gone.
    fn connect(&mut self, own: i32, sessions: &[SessionView]) {
        self.links.retain(|id, link| {
            let lives = sessions.iter().any(|session| session.id == *id);
            if !lives {
                link.abort();
            }
            lives
        });
        for session in sessions.iter().filter(|session| session.id != own) {
            self.links.entry(session.id).or_insert_with(|| {
                let link = OutgoingLink {
                    peer: session.clone(),
                    own,
                    key: Arc::clone(&self.parts.key),
                    routes: Arc::clone(&self.routes),
                    metrics: self.parts.metrics.clone(),
                };
                tokio::spawn(link.run()).abort_handle()
            });
        }
    }

    /// Takes this node's share of the shards, and hands over what is beyond it.
    async fn share(&mut self, view: &ClusterView, surplus: usize) -> Result<(), MembershipError> {
        let active = view.sessions.iter().filter(|session| !session.draining);
        let active: Vec<i32> = active.map(|session| session.id).collect();
        let fair = ShardId::COUNT.div_ceil(active.len().max(1));
        if self.active.0 != active {
            self.active = (active, Instant::now());
        }
        let owned = self.owned.borrow().0.len();
        let is_settled = self.active.1.elapsed() >= SETTLED;
        let excess = owned.saturating_sub(fair);
        let wanted = if is_settled {
            excess.max(surplus)
        } else {
            surplus
        };
        if wanted > 0 || !self.leaving.is_empty() {
            return self.hand_over(wanted.min(SHARDS_AT_ONCE)).await;
        }
        let lives = |id: i32| view.sessions.iter().any(|session| session.id == id);
        let is_free = |session: Option<i32>| session.is_none_or(|session| !lives(session));
        let has_free = view.shards.iter().any(|(_, session, _)| is_free(*session));
        if owned < fair && has_free {
            let most = (fair - owned).min(SHARDS_AT_ONCE);
            let claimed = self.membership.claim(most).await?;
            if !claimed.is_empty() {
                self.take_up(&claimed).await?;
            }
        }
        Ok(())
    }

    /// Restores the tables of shards that this node owns now, and serves them.
    async fn take_up(&mut self, claimed: &[(ShardId, i64)]) -> Result<(), MembershipError> {
        let started = Instant::now();
        let ids: Vec<ShardId> = claimed.iter().map(|(shard, _)| *shard).collect();
        let streams = loop {
            match self.membership.unfinished(&ids).await {
                Err(error @ MembershipError::Dead) => return Err(error),
                Err(error) => self.wait_for_database(&error).await?,
                Ok(streams) => break streams,
            }
        };
        let restored = loop {
            let NodeParts {
                log, main, policy, ..
            } = &self.parts;
            let restoring = restore(log, main, *policy, &ids, streams.clone());
            match keep_alive_during(&mut self.membership, restoring).await? {
                Err(error) => self.wait_for_database(&error).await?,
                Ok(restored) => break restored,
            }
        };
        let shards = &self.parts.shards;
        let mut tables = Vec::new();
        let mut seen = HashSet::new();
        let epochs: HashMap<ShardId, i64> = claimed.iter().copied().collect();
        for mut table in restored {
            let id = table.table.settings().id.clone();
            if let Some(&epoch) = epochs.get(&ShardId::of_table(&id)) {
                let node = self.parts.name.clone();
                let at_ms = UnixMillis::now().0;
                table.take_over(TakenOver { node, epoch, at_ms });
            }
            if seen.insert(id) {
                tables.push(shards.open(table).await);
            }
        }
        shards.retain(&ids.iter().copied().collect(), &seen);
        for (shard, epoch) in claimed {
            let lobby =
                (*shard == ShardId::LOBBY).then(|| self.parts.lobby.start(shards.tables(|_| true)));
            let is_lobby = lobby.is_some();
            if self.routes.set_here(*shard, *epoch, lobby) && is_lobby {
                info!("this node has the lobby");
            }
        }
        for table in &tables {
            self.parts.bots.reseat(table);
        }
        // What this node knows of games by correspondence is what another one had in memory.
        let is_left = |id: &str| epochs.contains_key(&ShardId::of_table(id)) && !seen.contains(id);
        for table in shards.tables(is_left) {
            shards.load(table.id()).await;
        }
        self.change_owned(|owned| owned.extend(claimed.iter().copied()));
        info!(
            shards = ids.len(),
            tables = tables.len(),
            took = ?started.elapsed(),
            "shards taken up"
        );
        Ok(())
    }

    async fn wait_for_database(&mut self, error: &impl Display) -> Result<(), MembershipError> {
        warn!(%error, "shards cannot be taken up yet");
        self.detector.interrupted();
        keep_alive_during(&mut self.membership, sleep(RESTORE_AGAIN)).await
    }

    /// Stops serving some shards, and releases them: another node takes them.
    async fn hand_over(&mut self, most: usize) -> Result<(), MembershipError> {
        let owned = Arc::clone(&*self.owned.borrow());
        // The lobby goes last.
        let going: Vec<(ShardId, i64)> = (owned.0.iter().rev().take(most))
            .map(|(&shard, &epoch)| (shard, epoch))
            .collect();
        if going.is_empty() && self.leaving.is_empty() {
            return Ok(());
        }
        self.stop_serving(&going).await?;
        self.leaving.extend(going.iter().map(|(shard, _)| *shard));
        self.membership.release(&self.leaving).await?;
        info!(shards = self.leaving.len(), "shards handed over");
        self.leaving.clear();
        Ok(())
    }

    async fn stop_serving(&mut self, going: &[(ShardId, i64)]) -> Result<(), MembershipError> {
        for (shard, epoch) in going {
            self.routes.release(*shard, *epoch, Place::Here);
        }
        let ids: HashSet<ShardId> = going.iter().map(|(shard, _)| *shard).collect();
        let leaving = self.parts.shards.release(&ids);
        keep_alive_during(&mut self.membership, leaving).await?;
        self.change_owned(|owned| owned.retain(|shard, _| !ids.contains(shard)));
        Ok(())
    }

    fn change_owned(&self, change: impl FnOnce(&mut BTreeMap<ShardId, i64>)) {
        self.owned
            .send_modify(|owned| change(&mut Arc::make_mut(owned).0));
        let shards = self.owned.borrow().0.len();
        let shards = i64::try_from(shards).unwrap_or(i64::MAX);
        self.parts.metrics.shards.set(shards);
        self.routes.announce();
    }
}

impl Drop for ClusterNode {
    fn drop(&mut self) {
        self.links.values().for_each(AbortHandle::abort);
    }
}

/// Restores the tables of shards.
async fn restore(
    log: &Arc<dyn EventLog>,
    main: &TableSettings,
    policy: Policy,
    shards: &[ShardId],
    streams: Vec<StreamId>,
) -> Result<Vec<RestoredTable>, ReadError> {
    let read = |stream: StreamId| restore::restore_one(&**log, stream, main, policy);
    let restored = stream::iter(streams).map(read).buffered(READS);
    let restored: Vec<Option<RestoredTable>> = restored.try_collect().await?;
    let mut restored: Vec<RestoredTable> = restored.into_iter().flatten().collect();
    if shards.contains(&ShardId::of_table(MAIN_TABLE)) {
        let main = restore::take_main(Some(log), &mut restored, main, policy).await?;
        restored.insert(0, main);
    }
    Ok(restored)
}

/// Counts the heartbeat up while something takes long.
async fn keep_alive_during<T>(
    membership: &mut Membership,
    work: impl Future<Output = T>,
) -> Result<T, MembershipError> {
    let mut work = pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return Ok(done),
            () = sleep(BEAT) => {
                if let Err(error @ MembershipError::Dead) = membership.beat().await {
                    return Err(error);
                }
            }
        }
    }
}

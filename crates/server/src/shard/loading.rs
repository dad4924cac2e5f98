//! Loads games by correspondence from the log, beside the shard: the other tables do not wait for the store.

use std::collections::HashSet;
use std::sync::Arc;

use checkers_lib::protocol::{ErrorCode, Refusal};
use event_store::{ReadError, ShardId};
use tokio::task::{Id, JoinError};
use tracing::{debug, warn};

use super::hosted_table::HostedTable;
use super::{Envelope, Shard, ShardBatch, ShardRequest};
use crate::broadcast::Frame;
use crate::correspondence::LoadedGame;

/// The games that a shard loads at a time; others wait.
pub(super) const LOADS: usize = 8;

/// The most requests that wait for games that are being loaded. Further ones are refused.
const WAITING: usize = 1024;

/// What a task that loads a game returns.
pub(super) type Load = Result<Option<LoadedGame>, ReadError>;

/// A task that has ended.
pub(super) type EndedLoad = Result<(Id, Load), JoinError>;

/// A game by correspondence that is being loaded.
#[derive(Debug)]
pub(super) struct Loading {
    task: Id,
    /// What the table is asked for, in the order of arrival.
    waiting: Vec<Envelope>,
}

impl Shard {
    /// Whether a request to a table that is not here waits for a game that is being loaded, or begins to load it.
    pub(super) fn is_for_loading(&self, envelope: &Envelope) -> bool {
        let begins = || {
            let is_wanted = envelope.table.is_correspondence() && envelope.request.loads();
            is_wanted && self.correspondence.is_some()
        };
        self.loading.contains_key(&envelope.table.id) || begins()
    }

    /// Lets a request wait for its game, which is loaded if that has not begun.
    pub(super) fn wait_for_game(&mut self, envelope: Envelope) {
        let id = envelope.table.id.clone();
        if self.waiting() >= WAITING {
            for loading in self.loading.values_mut() {
                loading.waiting.retain(|envelope| !envelope.is_abandoned());
            }
        }
        let has_room = self.waiting() < WAITING;
        match self.loading.get_mut(&id) {
            Some(loading) if has_room => loading.waiting.push(envelope),
            Some(loading) if envelope.request.is_leaving() => {
                let who = envelope.who;
                loading.waiting.retain(|envelope| envelope.who != who);
            }
            None if has_room => self.begin_load(envelope),
            Some(_) | None => refuse(envelope),
        }
    }

    /// Forgets the games of these shards that are being loaded: they go on elsewhere, and so do those who wait for them.
    pub(super) fn release_loads(&mut self, shards: &HashSet<ShardId>) {
        let is_kept = |id: &String| !shards.contains(&ShardId::of_table(id));
        self.loading.retain(|id, _| is_kept(id));
    }

    fn waiting(&self) -> usize {
        let waiting = self.loading.values().map(|loading| loading.waiting.len());
        waiting.sum()
    }

    fn begin_load(&mut self, envelope: Envelope) {
        let Some(correspondence) = self.correspondence.clone() else {
            return;
        };
        let (permits, id) = (Arc::clone(&self.load_permits), envelope.table.id.clone());
        let load = async move {
            // It is never closed.
            let _permit = permits.acquire_owned().await;
            correspondence.load(&id).await
        };
        let id = envelope.table.id.clone();
        let task = self.loads.spawn(load).id();
        let waiting = vec![envelope];
        self.loading.insert(id, Loading { task, waiting });
    }

    /// Adds the games that have been loaded. Returns the requests that have waited for them.
    pub(super) async fn finish_loads(&mut self, batch: &mut ShardBatch) -> Vec<Envelope> {
        let mut ready = Vec::new();
        while let Some(ended) =
            (self.ended_load.take()).or_else(|| self.loads.try_join_next_with_id())
        {
            let (task, load) = match ended {
                Ok((task, load)) => (task, load),
                Err(error) => (error.id(), Err(ReadError::Cancelled)),
            };
            let mut loading = self.loading.iter();
            let Some((id, _)) = loading.find(|(_, loading)| loading.task == task) else {
                // It was released meanwhile.
                continue;
            };
            let id = id.clone();
            let waiting = self.loading.remove(&id).map(|loading| loading.waiting);
            let waiting = waiting.unwrap_or_default();
            match load {
                Ok(Some(loaded)) => {
                    let mut hosted = HostedTable::loaded(loaded, Arc::clone(&self.metrics));
                    self.known.adopt(&mut hosted);
                    self.adopt(hosted, batch).await;
                    ready.extend(waiting);
                }
                Ok(None) => {
                    debug!(table = id, "there is no such game by correspondence");
                    for envelope in waiting {
                        match self.tables.contains_key(&id) {
                            true => ready.push(envelope),
                            false => self.handle_without_table(envelope, batch).await,
                        }
                    }
                    if !self.tables.contains_key(&id) {
                        self.known.remove(&id);
                    }
                }
                Err(error) => {
                    warn!(table = id, %error, "a game cannot be loaded");
                    waiting.into_iter().for_each(refuse);
                }
            }
        }
        ready
    }
}

impl Envelope {
    /// Whether the sender no longer waits for the game.
    fn is_abandoned(&self) -> bool {
        match &*self.request {
            ShardRequest::Load(done) | ShardRequest::Flush(done) => done.is_closed(),
            ShardRequest::Open(_)
            | ShardRequest::Create(_)
            | ShardRequest::AddBot(..)
            | ShardRequest::Enter(..)
            | ShardRequest::Command(..)
            | ShardRequest::Written(_)
            | ShardRequest::Refresh
            | ShardRequest::Release(_)
            | ShardRequest::ReleaseLoads(..) => false,
        }
    }
}

/// Refuses a request whose game cannot be loaded now. Dropping it answers those who wait for that alone.
fn refuse(envelope: Envelope) {
    if let ShardRequest::Enter(outbox, ..) = *envelope.request {
        let message = "the game cannot be read at the moment: try again";
        let refusal = Refusal::new(ErrorCode::NotStored, message);
        outbox.send(&Frame::new(&refusal.into()));
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use checkers_lib::protocol::{ServerMessage, TableKind};
    use checkers_lib::{ByColor, DrawRules};
    use event_store::{
        Append, BatchOutcome, EventLog, Health, SqliteStore, Store, StoreConfig, StreamId,
        StreamRead, TokenHash,
    };
    use futures::FutureExt;
    use futures::future::BoxFuture;
    use tempfile::TempDir;
    use tokio::sync::watch;
    use tokio::time::timeout;

    use super::*;
    use crate::broadcast::{OutboxReader, Outgoing, outbox};
    use crate::correspondence::Correspondence;
    use crate::metrics::Metrics;
    use crate::shard::Shards;
    use crate::table::{
        ClientId, Command, Correspondent, JoinRequest, MoveRequest, Policy, Table, TableSettings,
    };

    const TABLE: &str = "k3x9w2ab";
    const ANNA: ClientId = ClientId(1);

    /// A log whose streams can be read once the gate is open.
    struct SlowLog {
        log: Arc<dyn EventLog>,
        gate: watch::Receiver<bool>,
    }

    impl EventLog for SlowLog {
        fn append(&self, batch: Vec<Append>) -> BoxFuture<'_, BatchOutcome> {
            self.log.append(batch)
        }

        fn read(&self, stream: StreamId) -> BoxFuture<'_, Result<Option<StreamRead>, ReadError>> {
            let mut gate = self.gate.clone();
            let read = async move {
                gate.wait_for(|is_open| *is_open).await.unwrap();
                self.log.read(stream).await
            };
            read.boxed()
        }

        fn unfinished(&self) -> BoxFuture<'_, Result<Vec<StreamId>, ReadError>> {
            self.log.unfinished()
        }

        fn latest(&self, prefix: StreamId) -> BoxFuture<'_, Result<Option<StreamId>, ReadError>> {
            self.log.latest(prefix)
        }

        fn health(&self) -> watch::Receiver<Health> {
            self.log.health()
        }

        fn close(&self) -> BoxFuture<'_, ()> {
            self.log.close()
        }
    }

    struct LoadingScene {
        shards: Shards,
        correspondence: Arc<Correspondence>,
        gate: watch::Sender<bool>,
        store: Arc<dyn Store>,
        _directory: TempDir,
    }

    impl LoadingScene {
        /// A server with a running game that is not in memory.
        async fn new() -> LoadingScene {
            let directory = tempfile::tempdir().unwrap();
            let store = SqliteStore::open(StoreConfig::new(directory.path())).unwrap();
            let store = Arc::new(store) as Arc<dyn Store>;
            let (gate, is_open) = watch::channel(false);
            let start = || {
                let log = Arc::clone(&store) as Arc<dyn EventLog>;
                let slow = SlowLog {
                    log: Arc::clone(&log),
                    gate: is_open.clone(),
                };
                let correspondence =
                    Correspondence::new(&store, DrawRules::Fmjd64, Policy::default());
                let correspondence = Arc::new(correspondence.with_log(Arc::new(slow)));
                let metrics = Arc::new(Metrics::new());
                let shards = Shards::start(Some(&log), Some(&correspondence), &metrics);
                (shards, correspondence)
            };
            let (shards, correspondence) = start();
            let settings = TableSettings {
                kind: TableKind::Correspondence,
                clocks: ByColor::new_with(|_| "3d/move".parse().ok()),
                casual: false,
                ..TableSettings::new(TABLE, DrawRules::Fmjd64)
            };
            let player = |name: &str, who: u8| Correspondent {
                name: name.to_owned(),
                key: TokenHash([who; 32]),
                vacation: Duration::ZERO,
            };
            let players = ByColor {
                white: player("anna", 1),
                black: player("boris", 2),
            };
            let table = shards.create(settings, Policy::default()).await;
            let begin = Command::Begin(Box::new(players));
            table.command(ClientId::SERVER, begin).await;
            table.flush().await;
            assert_eq!(correspondence.write().await.unwrap().len(), 1);
            let (shards, correspondence) = start();
            LoadingScene {
                shards,
                correspondence,
                gate,
                store,
                _directory: directory,
            }
        }

        async fn enter(&self, id: &str) -> OutboxReader {
            let (outbox, frames) = outbox();
            let join_request = JoinRequest::named("anna").with_key(TokenHash([1; 32]));
            let table = self.shards.correspondence(id);
            table.enter(ANNA, outbox, join_request).await;
            frames
        }
    }

    async fn wait_for(frames: &mut OutboxReader, kind: &str) -> ServerMessage {
        let wanted = async {
            loop {
                let Outgoing::Frame(frame) = frames.next().await else {
                    panic!("{kind} was not sent");
                };
                if frame.text().starts_with(&format!(r#"{{"type":"{kind}""#)) {
                    return serde_json::from_str(frame.text()).unwrap();
                }
            }
        };
        timeout(Duration::from_secs(10), wanted).await.unwrap()
    }

    #[tokio::test]
    async fn other_tables_do_not_wait_for_a_game_that_is_loaded() {
        let scene = LoadingScene::new().await;
        let mut anna = scene.enter(TABLE).await;
        // Every task of the shards loads some.
        for number in 0..100 {
            scene.enter(&format!("other{number}")).await;
        }
        let live = Table::new("main", DrawRules::Fmjd64);
        let live = scene.shards.open(live.into()).await;
        timeout(Duration::from_secs(10), live.flush())
            .await
            .unwrap();
        assert!(anna.try_next().is_none());
        // What is asked of the game meanwhile is done when it is there.
        let play = Command::Move(MoveRequest {
            text: "c3-d4".to_owned(),
            ..MoveRequest::default()
        });
        let table = scene.shards.correspondence(TABLE);
        table.command(ANNA, play).await;
        scene.gate.send_replace(true);
        wait_for(&mut anna, "joined").await;
        let ServerMessage::Moved { played, .. } = wait_for(&mut anna, "moved").await else {
            panic!();
        };
        assert_eq!(&*played.text, "c3-d4");
        scene.store.close().await;
    }

    #[tokio::test]
    async fn a_game_that_nobody_has_kept_is_not_found() {
        let scene = LoadingScene::new().await;
        scene.gate.send_replace(true);
        let mut anna = scene.enter("other").await;
        wait_for(&mut anna, "error").await;
        scene.store.close().await;
    }

    #[tokio::test]
    async fn a_game_that_is_released_while_it_is_loaded_is_not_here() {
        let scene = LoadingScene::new().await;
        let anna = scene.enter(TABLE).await;
        let shards = HashSet::from([ShardId::of_table(TABLE)]);
        scene.shards.release(&shards).await;
        scene.gate.send_replace(true);
        let table = scene.shards.correspondence(TABLE);
        for _ in 0..20 {
            table.flush().await;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(scene.shards.find(TABLE).is_none());
        drop(anna);
        scene.store.close().await;
    }

    #[tokio::test]
    async fn a_game_that_is_loaded_is_not_written_again() {
        let scene = LoadingScene::new().await;
        scene.gate.send_replace(true);
        let mut anna = scene.enter(TABLE).await;
        wait_for(&mut anna, "joined").await;
        let table = scene.shards.correspondence(TABLE);
        table.flush().await;
        assert_eq!(scene.correspondence.write().await.unwrap(), []);
        // A vacation moves the deadline.
        let day = Duration::from_secs(24 * 3600);
        let vacation = Command::Vacation(TokenHash([1; 32]), day);
        table
            .command_of(ClientId::SERVER, vacation, Instant::now())
            .await;
        table.flush().await;
        table.flush().await;
        let written = scene.correspondence.write().await.unwrap();
        let running = written[0].running.clone().unwrap();
        let left = running.deadline.0 - running.since.0;
        assert!((left - 4 * 24 * 3_600_000).abs() < 60_000, "{left}");
        scene.store.close().await;
    }
}

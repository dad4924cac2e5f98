//! The writer over a database that fails on demand.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, mpsc};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::checkpoint::Checkpoints;
use super::database::SqliteDatabase;
use super::directory::{DataDirectory, database_path};
use super::{SqliteStore, schema};
use crate::database::{AppendResult, CommitFailure, Database};
use crate::{
    Append, Durability, EventLog, Health, NewEvent, Seq, Store, StoreConfig, UnixMillis, WriteError,
};

/// What goes wrong with the next commits.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum StoreFault {
    None,
    /// The disk is full before the commit.
    Full,
    /// The commit fails, nothing of it stays, and nobody knows.
    LostUnknown,
    /// The commit fails, all of it stays, and nobody knows.
    KeptUnknown,
}

const FAULTS: [StoreFault; 4] = [
    StoreFault::None,
    StoreFault::Full,
    StoreFault::LostUnknown,
    StoreFault::KeptUnknown,
];

#[derive(Default)]
struct Switches {
    fault: AtomicU8,
    stays_broken: AtomicBool,
}

impl Switches {
    fn set(&self, fault: StoreFault) {
        self.fault.store(fault as u8, SeqCst);
        self.stays_broken.store(fault != StoreFault::None, SeqCst);
    }

    fn repair(&self) {
        self.set(StoreFault::None);
    }
}

struct FaultyDatabase {
    inner: SqliteDatabase,
    switches: Arc<Switches>,
}

impl Database for FaultyDatabase {
    fn commit(&mut self, group: &[Append]) -> Result<Vec<AppendResult>, CommitFailure> {
        match FAULTS[usize::from(self.switches.fault.load(SeqCst))] {
            StoreFault::None => self.inner.commit(group),
            StoreFault::Full => Err(failure(false)),
            StoreFault::LostUnknown => Err(failure(true)),
            StoreFault::KeptUnknown => {
                self.inner.commit(group)?;
                Err(failure(true))
            }
        }
    }

    fn recover(&mut self, unknown: &[Append]) -> Result<Vec<bool>, CommitFailure> {
        if self.switches.stays_broken.load(SeqCst) {
            return Err(failure(false));
        }
        self.inner.recover(unknown)
    }
}

fn failure(is_unknown: bool) -> CommitFailure {
    CommitFailure {
        cause: "broken for the test".into(),
        is_unknown,
        is_final: false,
    }
}

struct FaultyStore {
    store: SqliteStore,
    switches: Arc<Switches>,
    _directory: tempfile::TempDir,
}

fn scene() -> FaultyStore {
    let directory = tempfile::tempdir().unwrap();
    let config = StoreConfig::new(directory.path()).durability(Durability::Crash);
    let inner = database(&config);
    let switches = Arc::<Switches>::default();
    let database = FaultyDatabase {
        inner,
        switches: Arc::clone(&switches),
    };
    let lock = DataDirectory::lock(directory.path()).unwrap();
    let store = SqliteStore::start(&config, database, lock).unwrap();
    FaultyStore {
        store,
        switches,
        _directory: directory,
    }
}

fn database(config: &StoreConfig) -> SqliteDatabase {
    let path = database_path(&config.directory);
    let connection = schema::open(&path, config.durability).unwrap();
    let checkpoints = Checkpoints::start(path.clone(), config.durability).unwrap();
    SqliteDatabase::new(path, config.durability, connection, checkpoints)
}

fn append(after: u32, text: &str) -> Append {
    append_to("a", after, text)
}

fn append_to(stream: &str, after: u32, text: &str) -> Append {
    let event = NewEvent::new(UnixMillis(0), "moved", text);
    Append::new(stream.parse().unwrap(), Seq(after), vec![event])
}

impl FaultyStore {
    async fn write(&self, append: Append) -> Result<Seq, WriteError> {
        self.store.append(vec![append]).await?.remove(0)
    }

    async fn texts(&self) -> Vec<String> {
        let read = self.store.read("a".parse().unwrap()).await.unwrap();
        let events = read.map(|read| read.events).unwrap_or_default();
        events
            .into_iter()
            .map(|event| String::from_utf8(event.payload).unwrap())
            .collect()
    }

    async fn until_failing(&self) {
        let mut health = self.store.health();
        health
            .wait_for(|health| matches!(health, Health::Failing { .. }))
            .await
            .unwrap();
    }

    async fn until_ready(&self) {
        self.store
            .health()
            .wait_for(Health::is_ready)
            .await
            .unwrap();
    }
}

fn unavailable() -> Result<Seq, WriteError> {
    Err(no_room())
}

fn no_room() -> WriteError {
    WriteError::Unavailable {
        cause: "broken for the test".into(),
    }
}

#[tokio::test]
async fn a_full_disk_refuses_at_once_and_recovers() {
    let scene = scene();
    scene.write(append(0, "one")).await.unwrap();
    scene.switches.set(StoreFault::Full);
    assert_eq!(scene.write(append(1, "lost")).await, unavailable());
    assert_eq!(scene.write(append(1, "lost")).await, unavailable());
    assert_eq!(scene.texts().await, ["one"], "reading goes on");
    scene.switches.repair();
    scene.until_ready().await;
    assert_eq!(scene.write(append(1, "two")).await, Ok(Seq(2)));
    assert_eq!(scene.texts().await, ["one", "two"]);
    assert_eq!(scene.store.stats().failures, 1);
}

#[tokio::test]
async fn a_commit_of_unknown_fate_is_answered_when_it_is_known() {
    for (fault, answer, texts) in [
        (StoreFault::LostUnknown, Err(no_room()), vec!["one"]),
        (
            StoreFault::KeptUnknown,
            Ok(vec![Ok(Seq(2))]),
            vec!["one", "two"],
        ),
    ] {
        let scene = scene();
        scene.write(append(0, "one")).await.unwrap();
        scene.switches.set(fault);
        let mut unknown = scene.store.append(vec![append(1, "two")]);
        scene.until_failing().await;
        assert_eq!(scene.write(append(2, "three")).await, unavailable());
        assert!(futures::poll!(&mut unknown).is_pending(), "not known yet");
        scene.switches.repair();
        assert_eq!(unknown.await, answer);
        scene.until_ready().await;
        assert_eq!(scene.texts().await, texts);
        let last = u32::try_from(texts.len()).unwrap();
        assert_eq!(scene.write(append(last, "next")).await, Ok(Seq(last + 1)));
    }
}

#[tokio::test]
async fn a_batch_fails_as_a_whole_with_the_disk() {
    let scene = scene();
    scene.write(append(0, "one")).await.unwrap();
    let batch = || {
        vec![
            append_to("b", 0, "first"),
            append(1, "two"),
            append(0, "late"),
        ]
    };
    let conflict = WriteError::Conflict {
        stream: "a".parse().unwrap(),
        expected: Seq(0),
        actual: Seq(2),
    };
    for (fault, answer, texts) in [
        (StoreFault::Full, Err(no_room()), vec!["one"]),
        (StoreFault::LostUnknown, Err(no_room()), vec!["one"]),
        (
            StoreFault::KeptUnknown,
            Ok(vec![Ok(Seq(1)), Ok(Seq(2)), Err(no_room())]),
            vec!["one", "two"],
        ),
    ] {
        scene.switches.set(fault);
        let outcome = scene.store.append(batch());
        let repair = async {
            scene.until_failing().await;
            scene.switches.repair();
        };
        assert_eq!(futures::join!(outcome, repair).0, answer);
        scene.until_ready().await;
        assert_eq!(scene.texts().await, texts);
    }
    let late = scene.store.append(vec![append(0, "late")]).await;
    assert_eq!(late, Ok(vec![Err(conflict)]));
}

#[tokio::test]
async fn a_store_that_closes_while_failing_leaves_the_unknown_open() {
    let scene = scene();
    scene.switches.set(StoreFault::KeptUnknown);
    let unknown = scene.store.append(vec![append(0, "one")]);
    scene.until_failing().await;
    scene.store.close().await;
    assert_eq!(unknown.await, Err(WriteError::Stopped));
    assert_eq!(*scene.store.health().borrow(), Health::Stopped);
}

#[test]
fn a_database_without_room_refuses_for_certain_and_takes_up_again() {
    let directory = tempfile::tempdir().unwrap();
    let mut database = database(&StoreConfig::new(directory.path()));
    let group = |after, text: &str| [append(after, text)];
    assert_eq!(database.commit(&group(0, "one")).unwrap(), [Ok(Seq(1))]);
    database.limit_pages(1); // as many as there are
    let large = "x".repeat(100_000);
    let failure = database.commit(&group(1, &large)).unwrap_err();
    assert!(!failure.is_unknown, "{}", failure.cause);
    assert_eq!(database.recover(&group(1, &large)).unwrap(), [false]);
    assert_eq!(database.recover(&group(0, "one")).unwrap(), [true]);
    assert_eq!(database.commit(&group(1, &large)).unwrap(), [Ok(Seq(2))]);
}

/// A database that waits before each commit until it is told to go on.
struct HeldDatabase {
    inner: SqliteDatabase,
    /// Word of each commit that waits.
    holds: UnboundedSender<()>,
    go_on: mpsc::Receiver<()>,
}

impl Database for HeldDatabase {
    fn commit(&mut self, group: &[Append]) -> Result<Vec<AppendResult>, CommitFailure> {
        let _ = self.holds.send(());
        let _ = self.go_on.recv();
        self.inner.commit(group)
    }

    fn recover(&mut self, unknown: &[Append]) -> Result<Vec<bool>, CommitFailure> {
        self.inner.recover(unknown)
    }
}

/// A store whose commits wait for a word, the sender of those, and the receiver of one for each commit
/// that waits.
fn held_store(config: &StoreConfig) -> (SqliteStore, mpsc::Sender<()>, UnboundedReceiver<()>) {
    let (release, go_on) = mpsc::channel();
    let (holds, held) = unbounded_channel();
    let database = HeldDatabase {
        inner: database(config),
        holds,
        go_on,
    };
    let lock = DataDirectory::lock(&config.directory).unwrap();
    let store = SqliteStore::start(config, database, lock).unwrap();
    (store, release, held)
}

#[tokio::test]
async fn a_group_is_limited_in_jobs_and_keeps_the_order_of_batches() {
    let directory = tempfile::tempdir().unwrap();
    let config = StoreConfig {
        group: 2,
        ..StoreConfig::new(directory.path())
    };
    let (store, release, mut held) = held_store(&config);
    let first = store.append(vec![append(0, "first")]);
    held.recv().await.unwrap();
    // Each batch needs the one before it.
    let batches = [1, 3, 5, 7].map(|after| {
        let appends = vec![append(after, "one"), append(after + 1, "two")];
        store.append(appends)
    });
    let all = futures::future::join_all(batches);
    assert_eq!(store.stats().queued, 4);

    drop(release);
    assert_eq!(first.await, Ok(vec![Ok(Seq(1))]));
    let expected = [1, 3, 5, 7].map(|after| Ok(vec![Ok(Seq(after + 1)), Ok(Seq(after + 2))]));
    assert_eq!(all.await, expected);
    assert_eq!((store.stats().commits, store.stats().events), (3, 9));
}

#[tokio::test]
async fn a_full_queue_makes_the_caller_wait_and_then_becomes_one_group() {
    let directory = tempfile::tempdir().unwrap();
    let config = StoreConfig {
        queue: 10,
        ..StoreConfig::new(directory.path())
    };
    let (store, release, mut held) = held_store(&config);
    let first = store.append(vec![append(0, "first")]);
    held.recv().await.unwrap();
    let batches = (1..=10).map(|after| store.append(vec![append(after, "queued")]));
    let queued = futures::future::join_all(batches);
    assert_eq!((store.stats().queued, store.stats().queue_limit), (10, 10));
    let mut waiting = store.append(vec![append(11, "waits")]);
    assert!(futures::poll!(&mut waiting).is_pending());
    drop(waiting); // it has queued nothing

    release.send(()).unwrap();
    drop(release);
    assert_eq!(first.await, Ok(vec![Ok(Seq(1))]));
    let expected: Vec<_> = (2..=11).map(|seq| Ok(vec![Ok(Seq(seq))])).collect();
    assert_eq!(queued.await, expected);
    assert_eq!((store.stats().commits, store.stats().events), (2, 11));
    let last = store.append(vec![append(11, "last")]).await;
    assert_eq!(last, Ok(vec![Ok(Seq(12))]));
}

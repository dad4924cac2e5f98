//! What the tests of the store have in common.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use checkers_server::store::{
    Append, Durability, EventLog, NewEvent, Seq, SqliteStore, StoreConfig, StreamId, StreamRead,
    Summary, UnixMillis, WriteError,
};

/// Where a child finds the directory it is to work in.
pub(crate) const DIRECTORY: &str = "STORE_TEST_DIRECTORY";

pub(crate) fn open(directory: &Path) -> SqliteStore {
    let config = StoreConfig::new(directory).durability(Durability::Crash);
    SqliteStore::open(config).unwrap()
}

pub(crate) fn id(text: &str) -> StreamId {
    text.parse().unwrap()
}

/// An event that says which one it is.
pub(crate) fn event(text: &str) -> NewEvent {
    NewEvent::new(UnixMillis(1_700_000_000_000), "moved", text)
}

pub(crate) fn append(stream: &str, after: u32, texts: &[&str]) -> Append {
    let events = texts.iter().map(|text| event(text)).collect();
    Append::new(id(stream), Seq(after), events)
}

pub(crate) fn summary(finished_at: i64, result: &str, white: &str, black: &str) -> Summary {
    Summary {
        finished_at: UnixMillis(finished_at),
        result: result.into(),
        reason: "resignation".into(),
        clock: "none".into(),
        plies: 1,
        white: Some(white.into()),
        black: Some(black.into()),
        white_bot: None,
        black_bot: None,
        document: b"{}".into(),
        rated: 0,
        event: None,
        gave_up: None,
    }
}

/// Appends and waits until it is durable.
pub(crate) async fn write(store: &dyn EventLog, append: Append) -> Result<Seq, WriteError> {
    store.append(vec![append]).await?.remove(0)
}

/// Begins a stream by itself, and then others in one commit.
pub(crate) async fn write_together(directory: &Path, streams: &[&str]) -> SqliteStore {
    let mut config = StoreConfig::new(directory).durability(Durability::Crash);
    // Long enough to queue all of them after the first commit, however busy the machine is.
    config.gather = Duration::from_secs(1);
    let store = SqliteStore::open(config).unwrap();
    write(&store, append("alone", 0, &["first"])).await.unwrap();
    let all = streams
        .iter()
        .map(|stream| write(&store, append(stream, 0, &["first"])));
    let written = futures::future::join_all(all).await;
    assert_eq!(written, vec![Ok(Seq(1)); streams.len()]);
    store
}

/// A stream that is there.
pub(crate) async fn read(store: &dyn EventLog, stream: &str) -> StreamRead {
    store.read(id(stream)).await.unwrap().unwrap()
}

/// The payloads of a stream.
pub(crate) fn texts(read: &StreamRead) -> Vec<String> {
    let payloads = read.events.iter().map(|event| event.payload.clone());
    payloads
        .map(|payload| String::from_utf8(payload).unwrap())
        .collect()
}

/// This program again, to run only the test `child`, which sees the directory and prints into a
/// pipe.
pub(crate) fn child(child: &str, directory: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", child, "--nocapture"])
        .env(DIRECTORY, directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

//! What the tests of the store have in common.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use event_store::{Durability, Seq, SqliteStore, StoreConfig};
use test_support::store::{append, write};

/// Where a child finds the directory it is to work in.
pub(crate) const DIRECTORY: &str = "STORE_TEST_DIRECTORY";

pub(crate) fn open(directory: &Path) -> SqliteStore {
    let config = StoreConfig::new(directory).durability(Durability::Crash);
    SqliteStore::open(config).unwrap()
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

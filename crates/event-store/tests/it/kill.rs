//! Whatever was acknowledged is there after a kill, once, and nothing is missing before it.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::Path;
use std::sync::Arc;

use event_store::{Durability, EventLog, Seq, Store, StoreAddress};
use test_support::PostgresServer;
use test_support::store::{append, id, read, texts, write};

use crate::conformance::open_database;
use crate::is_exhaustive;
use crate::support::{DIRECTORY, child, open};

const STREAMS: usize = 20;

/// Appends to many streams at once and prints what was acknowledged, until it is killed. Only
/// does so as a child.
#[test]
fn writer_child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let store = open_address(directory.to_str().unwrap());
        writeln!(stdout()).unwrap();
        let mut tasks = tokio::task::JoinSet::new();
        for stream in 0..STREAMS {
            tasks.spawn(play_on(Arc::clone(&store), format!("s{stream}")));
        }
        tasks.join_all().await;
    });
}

async fn play_on(store: Arc<dyn Store>, stream: String) {
    let found = store.read(id(&stream)).await.unwrap();
    let mut last = found.map_or(Seq::NONE, |found| found.last());
    loop {
        last = write(
            &*store,
            append(&stream, last.0, &[&last.next().to_string()]),
        )
        .await
        .unwrap();
        // A line is one write, so that the kill cannot leave half of it.
        stdout()
            .write_all(format!("ack {stream} {last}\n").as_bytes())
            .unwrap();
    }
}

/// Lets a child write, kills it after some acknowledgements, and returns the last one of each
/// stream, those included that were on their way.
fn kill_after(acknowledgements: usize, address: &str) -> HashMap<String, u32> {
    let mut writer = child("kill::writer_child", Path::new(address))
        .spawn()
        .unwrap();
    let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
    let mut last = HashMap::new();
    let mut count = 0;
    for line in lines.map_while(Result::ok) {
        let Some((stream, seq)) = line
            .strip_prefix("ack ")
            .and_then(|ack| ack.split_once(' '))
        else {
            continue;
        };
        last.insert(stream.to_owned(), seq.parse().unwrap());
        count += 1;
        if count == acknowledgements {
            writer.kill().unwrap(); // SIGKILL
        }
    }
    writer.wait().unwrap();
    last
}

/// A store at an address, which does not wait for the disk.
fn open_address(address: &str) -> Arc<dyn Store> {
    let address: StoreAddress = address.parse().unwrap();
    address.open(Durability::Crash).unwrap()
}

#[tokio::test]
async fn kills_lose_and_double_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", directory.path().display());
    for (round, acknowledged) in kills(&address) {
        let store = open(directory.path());
        assert_eq!(store.verify().await.unwrap(), [], "round {round}");
        expect(&store, round, &acknowledged).await;
        store.close().await;
    }
}

#[tokio::test]
async fn kills_lose_and_double_nothing_in_a_database() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    for (round, acknowledged) in kills(&url) {
        let store = open_database(&url);
        expect(&store, round, &acknowledged).await;
        store.close().await;
    }
}

/// Kills a writer twenty times in exhaustive tests, and four times otherwise. Yields the round, and the last acknowledgement of each stream so far.
fn kills(address: &str) -> impl Iterator<Item = (usize, HashMap<String, u32>)> {
    let mut acknowledged: HashMap<String, u32> = HashMap::new();
    let step = if is_exhaustive() { 1 } else { 5 };
    (0..20).step_by(step).map(move |round| {
        let seen = kill_after(1 + round * 137, address);
        assert!(!seen.is_empty());
        acknowledged.extend(seen);
        (round, acknowledged.clone())
    })
}

async fn expect(store: &dyn Store, round: usize, acknowledged: &HashMap<String, u32>) {
    for (stream, &last) in acknowledged {
        let found = read(store, stream).await;
        assert!(
            found.last() >= Seq(last),
            "round {round}: {stream} lost {last}"
        );
        let expected: Vec<String> = (1..=found.last().0).map(|seq| seq.to_string()).collect();
        assert_eq!(texts(&found), expected, "round {round}: {stream}");
        assert_eq!(found.damage, None, "round {round}: {stream}");
    }
}

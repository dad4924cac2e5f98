//! Appends are grouped into commits, and counted.

use std::sync::Arc;

use event_store::{EventLog, Seq, Store};
use test_support::store::{append, write};

use crate::support::{open, write_together};

#[tokio::test(flavor = "multi_thread")]
async fn many_streams_share_commits() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(open(directory.path()));
    let mut tasks = tokio::task::JoinSet::new();
    for stream in 0..200 {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            for ply in 0..50 {
                let append = append(&format!("game/{stream}"), ply, &["x"]);
                assert_eq!(write(&*store, append).await, Ok(Seq(ply + 1)));
            }
        });
    }
    tasks.join_all().await;
    let stats = store.stats();
    assert_eq!((stats.events, stats.group_sizes.sum), (10_000, 10_000));
    assert!(
        stats.commits < stats.events / 4,
        "{} commits",
        stats.commits
    );
}

#[tokio::test]
async fn what_comes_soon_after_a_commit_waits_for_company() {
    let directory = tempfile::tempdir().unwrap();
    let store = write_together(directory.path(), &["a", "b", "c"]).await;
    assert_eq!((store.stats().commits, store.stats().events), (2, 4));
}

#[tokio::test]
async fn a_batch_is_one_commit_and_its_refusals_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let batch = vec![
        append("a", 0, &["one", "two"]),
        append("b", 1, &["late"]),
        append("c", 0, &[]),
        append("d", 0, &["one"]),
    ];
    store.append(batch).await.unwrap().remove(0).unwrap();
    let stats = store.stats();
    assert_eq!((stats.commits, stats.refused, stats.events), (1, 2, 3));
}

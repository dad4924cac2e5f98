//! Events go in once, in order and in groups, and come out as they went in.

use std::sync::Arc;

use checkers_server::store::{Append, EventLog, Health, NewEvent, Seq, SqliteStore, WriteError};
use tokio::task::JoinSet;

use crate::support::{append, event, id, open, read, summary, texts, write, write_together};

#[tokio::test]
async fn what_was_appended_is_read_after_reopening() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    assert_eq!(
        write(&store, append("a", 0, &["one", "two"])).await,
        Ok(Seq(2))
    );
    assert_eq!(write(&store, append("a", 2, &["three"])).await, Ok(Seq(3)));
    store.close().await;
    let found = read(&open(directory.path()), "a").await;
    assert_eq!(texts(&found), ["one", "two", "three"]);
    assert_eq!(found.events[2].seq, Seq(3));
    assert_eq!((found.is_closed, found.damage), (false, None));
}

#[tokio::test]
async fn a_writer_with_a_wrong_idea_of_the_stream_writes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    write(&store, append("a", 0, &["one"])).await.unwrap();
    for expected in [0, 2] {
        let conflict = WriteError::Conflict {
            stream: id("a"),
            expected: Seq(expected),
            actual: Seq(1),
        };
        assert_eq!(
            write(&store, append("a", expected, &["x"])).await,
            Err(conflict)
        );
    }
    assert_eq!(texts(&read(&store, "a").await), ["one"]);
    assert_eq!(store.stats().refused, 2);
}

#[tokio::test]
async fn of_many_who_append_the_same_event_one_succeeds() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(open(directory.path()));
    let mut tasks = JoinSet::new();
    for text in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let store = Arc::clone(&store);
        tasks.spawn(async move { write(&store, append("race", 0, &[text])).await });
    }
    let results = tasks.join_all().await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    assert_eq!(read(&store, "race").await.last(), Seq(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_streams_keep_their_order_and_share_commits() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(open(directory.path()));
    let mut tasks = JoinSet::new();
    for stream in 0..200 {
        tasks.spawn(play(Arc::clone(&store), format!("game/{stream}"), 50));
    }
    tasks.join_all().await;
    let expected: Vec<String> = (0..50).map(|ply| ply.to_string()).collect();
    for stream in 0..200 {
        assert_eq!(
            texts(&read(&store, &format!("game/{stream}")).await),
            expected
        );
    }
    let stats = store.stats();
    assert_eq!(stats.events, 10_000);
    assert_eq!(stats.group_sizes.sum, 10_000);
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

async fn play(store: Arc<SqliteStore>, stream: String, plies: u32) {
    for ply in 0..plies {
        let seq = write(&store, append(&stream, ply, &[&ply.to_string()])).await;
        assert_eq!(seq, Ok(Seq(ply + 1)));
    }
}

#[tokio::test]
async fn appends_may_follow_each_other_without_waiting() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let all: Vec<_> = (0..500)
        .map(|ply| store.append(vec![append("a", ply, &["x"])]))
        .collect();
    for (written, seq) in all.into_iter().zip(1..) {
        assert_eq!(written.await, Ok(vec![Ok(Seq(seq))]));
    }
}

#[tokio::test]
async fn a_closed_stream_takes_nothing_more() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    write(&store, append("a", 0, &["one"])).await.unwrap();
    write(&store, append("b", 0, &["one"])).await.unwrap();
    assert_eq!(store.unfinished().await.unwrap(), [id("a"), id("b")]);
    let end = append("a", 1, &["end"]).closing(summary(5, "1-0", "Ann", "Bob"));
    assert_eq!(write(&store, end).await, Ok(Seq(2)));
    let closed = Err(WriteError::Closed { stream: id("a") });
    assert_eq!(write(&store, append("a", 2, &["more"])).await, closed);
    assert!(read(&store, "a").await.is_closed);
    assert_eq!(store.unfinished().await.unwrap(), [id("b")]);
}

#[tokio::test]
async fn what_is_no_proper_append_is_refused_alone() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    assert_eq!(
        write(&store, append("a", 0, &[])).await,
        Err(WriteError::Empty)
    );
    let long = NewEvent {
        payload: vec![0; NewEvent::MAX_PAYLOAD + 1],
        ..event("")
    };
    let odd = NewEvent {
        kind: "a\0b".into(),
        ..event("")
    };
    for bad in [long, odd] {
        let malformed = WriteError::Malformed {
            stream: id("a"),
            seq: Seq(2),
        };
        let append = Append::new(id("a"), Seq::NONE, vec![event("good"), bad]);
        assert_eq!(write(&store, append).await, Err(malformed));
    }
    assert_eq!(store.read(id("a")).await.unwrap(), None);
    assert!(store.health().borrow().is_ready());
}

#[tokio::test]
async fn closing_writes_what_was_queued() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let written = store.append(vec![append("a", 0, &["one"])]);
    store.close().await;
    assert_eq!(written.await, Ok(vec![Ok(Seq(1))]));
    assert_eq!(
        write(&store, append("a", 1, &["two"])).await,
        Err(WriteError::Stopped)
    );
    assert_eq!(*store.health().borrow(), Health::Stopped);
    assert_eq!(texts(&read(&store, "a").await), ["one"], "reading goes on");
}

#[tokio::test]
async fn a_batch_appends_to_several_streams_in_one_commit() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    assert_eq!(store.append(Vec::new()).await, Ok(Vec::new()));
    write(&store, append("b", 0, &["one"])).await.unwrap();
    let batch = vec![
        append("a", 0, &["one", "two"]),
        append("b", 0, &["late"]),
        append("c", 0, &[]),
        append("a", 2, &["end"]).closing(summary(5, "1-0", "Ann", "Bob")),
        append("a", 3, &["more"]),
        append("d", 0, &["one"]),
    ];
    let conflict = WriteError::Conflict {
        stream: id("b"),
        expected: Seq(0),
        actual: Seq(1),
    };
    let closed = WriteError::Closed { stream: id("a") };
    let expected = vec![
        Ok(Seq(2)),
        Err(conflict),
        Err(WriteError::Empty),
        Ok(Seq(3)),
        Err(closed),
        Ok(Seq(1)),
    ];
    assert_eq!(store.append(batch).await, Ok(expected));
    assert_eq!((store.stats().commits, store.stats().refused), (2, 3));
    assert_eq!(texts(&read(&store, "a").await), ["one", "two", "end"]);
    assert_eq!(texts(&read(&store, "b").await), ["one"]);
    assert_eq!(store.unfinished().await.unwrap(), [id("b"), id("d")]);

    store.close().await;
    let stopped = store.append(vec![append("d", 1, &["two"])]).await;
    assert_eq!(stopped, Err(WriteError::Stopped));
}

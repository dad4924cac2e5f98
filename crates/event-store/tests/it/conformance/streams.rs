//! Events go in once, in order and in groups, and come out as they went in.

use std::sync::Arc;

use event_store::{Append, Health, NewEvent, Seq, Store, WriteError};
use test_support::store::{append, event, id, read, summary, texts, write};
use tokio::task::JoinSet;

use super::Backend;

async fn what_was_appended_is_read_after_reopening(backend: &dyn Backend) {
    let store = backend.open();
    assert_eq!(
        write(&*store, append("a", 0, &["one", "two"])).await,
        Ok(Seq(2))
    );
    assert_eq!(write(&*store, append("a", 2, &["three"])).await, Ok(Seq(3)));
    store.close().await;
    let found = read(&*backend.open(), "a").await;
    assert_eq!(texts(&found), ["one", "two", "three"]);
    assert_eq!(found.events[2].seq, Seq(3));
    assert_eq!((found.is_closed, found.damage), (false, None));
}

async fn a_writer_with_a_wrong_idea_of_the_stream_writes_nothing(backend: &dyn Backend) {
    let store = backend.open();
    write(&*store, append("a", 0, &["one"])).await.unwrap();
    for expected in [0, 2] {
        let conflict = WriteError::Conflict {
            stream: id("a"),
            expected: Seq(expected),
            actual: Seq(1),
        };
        assert_eq!(
            write(&*store, append("a", expected, &["x"])).await,
            Err(conflict)
        );
    }
    assert_eq!(texts(&read(&*store, "a").await), ["one"]);
}

async fn of_many_who_append_the_same_event_one_succeeds(backend: &dyn Backend) {
    let store = backend.open();
    let mut tasks = JoinSet::new();
    for text in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let store = Arc::clone(&store);
        tasks.spawn(async move { write(&*store, append("race", 0, &[text])).await });
    }
    let results = tasks.join_all().await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    assert_eq!(read(&*store, "race").await.last(), Seq(1));
}

async fn many_streams_keep_their_order(backend: &dyn Backend) {
    let store = backend.open();
    let mut tasks = JoinSet::new();
    for stream in 0..200 {
        tasks.spawn(play(Arc::clone(&store), format!("game/{stream}"), 50));
    }
    tasks.join_all().await;
    let expected: Vec<String> = (0..50).map(|ply| ply.to_string()).collect();
    for stream in 0..200 {
        assert_eq!(
            texts(&read(&*store, &format!("game/{stream}")).await),
            expected
        );
    }
}

async fn play(store: Arc<dyn Store>, stream: String, plies: u32) {
    for ply in 0..plies {
        let seq = write(&*store, append(&stream, ply, &[&ply.to_string()])).await;
        assert_eq!(seq, Ok(Seq(ply + 1)));
    }
}

async fn appends_may_follow_each_other_without_waiting(backend: &dyn Backend) {
    let store = backend.open();
    let all: Vec<_> = (0..500)
        .map(|ply| store.append(vec![append("a", ply, &["x"])]))
        .collect();
    for (written, seq) in all.into_iter().zip(1..) {
        assert_eq!(written.await, Ok(vec![Ok(Seq(seq))]));
    }
}

async fn a_closed_stream_takes_nothing_more(backend: &dyn Backend) {
    let store = backend.open();
    write(&*store, append("a", 0, &["one"])).await.unwrap();
    write(&*store, append("b", 0, &["one"])).await.unwrap();
    assert_eq!(store.unfinished().await.unwrap(), [id("a"), id("b")]);
    let end = append("a", 1, &["end"]).closing(summary(5, "1-0", "Ann", "Bob"));
    assert_eq!(write(&*store, end).await, Ok(Seq(2)));
    let closed = Err(WriteError::Closed { stream: id("a") });
    assert_eq!(write(&*store, append("a", 2, &["more"])).await, closed);
    assert!(read(&*store, "a").await.is_closed);
    assert_eq!(store.unfinished().await.unwrap(), [id("b")]);
}

async fn what_is_no_proper_append_is_refused_alone(backend: &dyn Backend) {
    let store = backend.open();
    assert_eq!(
        write(&*store, append("a", 0, &[])).await,
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
        assert_eq!(write(&*store, append).await, Err(malformed));
    }
    assert_eq!(store.read(id("a")).await.unwrap(), None);
    assert!(store.health().borrow().is_ready());
}

async fn closing_writes_what_was_queued(backend: &dyn Backend) {
    let store = backend.open();
    let written = store.append(vec![append("a", 0, &["one"])]);
    store.close().await;
    assert_eq!(written.await, Ok(vec![Ok(Seq(1))]));
    assert_eq!(
        write(&*store, append("a", 1, &["two"])).await,
        Err(WriteError::Stopped)
    );
    assert_eq!(*store.health().borrow(), Health::Stopped);
    assert_eq!(texts(&read(&*store, "a").await), ["one"], "reading goes on");
}

async fn a_batch_appends_to_several_streams(backend: &dyn Backend) {
    let store = backend.open();
    assert_eq!(store.append(Vec::new()).await, Ok(Vec::new()));
    write(&*store, append("b", 0, &["one"])).await.unwrap();
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
    assert_eq!(texts(&read(&*store, "a").await), ["one", "two", "end"]);
    assert_eq!(texts(&read(&*store, "b").await), ["one"]);
    assert_eq!(store.unfinished().await.unwrap(), [id("b"), id("d")]);

    store.close().await;
    let stopped = store.append(vec![append("d", 1, &["two"])]).await;
    assert_eq!(stopped, Err(WriteError::Stopped));
}

super::tests! {
    what_was_appended_is_read_after_reopening
    a_writer_with_a_wrong_idea_of_the_stream_writes_nothing
    of_many_who_append_the_same_event_one_succeeds
    many_streams_keep_their_order
    appends_may_follow_each_other_without_waiting
    a_closed_stream_takes_nothing_more
    what_is_no_proper_append_is_refused_alone
    closing_writes_what_was_queued
    a_batch_appends_to_several_streams
}

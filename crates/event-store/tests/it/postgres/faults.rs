//! Connections that break, a server that crashes, a disk that is full: nothing is lost, nothing is doubled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use event_store::{Durability, EventLog, Health, PostgresStore, Seq, Store, WriteError};
use futures::poll;
use test_support::store::{append, id, read, summary, texts, write};
use test_support::{PostgresServer, query};
use test_support::{Proxy, ProxyLink};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_postgres::NoTls;

use crate::conformance::{open_database, open_durable};

/// A database of its own, and a store that reaches it through a proxy; `None` if there is no PostgreSQL.
fn behind_proxy() -> Option<(String, Proxy, PostgresStore)> {
    let server = PostgresServer::shared()?;
    let url = server.database();
    let proxy = Proxy::start(server.directory());
    let store = open_database(&proxy.url(&url));
    Some((url, proxy, store))
}

fn is_failing(health: &Health) -> bool {
    matches!(health, Health::Failing { .. })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_append_whose_answer_is_lost_is_written_once() {
    for link in [
        ProxyLink::LosesRequests,
        ProxyLink::LosesAnswers,
        ProxyLink::KeepsServer,
    ] {
        let Some((_, proxy, store)) = behind_proxy() else {
            return;
        };
        write(&store, append("a", 0, &["one"])).await.unwrap();
        write(&store, append("b", 0, &["one"])).await.unwrap();
        write(&store, append("c", 0, &["one"])).await.unwrap();

        proxy.set(link);
        let mut in_doubt = store.append(vec![
            append("a", 1, &["two"]),
            append("a", 1, &["late"]),
            append("b", 1, &[]).closing(summary(5, "1-0", "Ann", "Bob")),
            append("c", 1, &["two"]).discarding(),
        ]);
        store.health().wait_for(is_failing).await.unwrap();
        let refused = write(&store, append("d", 0, &["one"])).await;
        assert!(
            matches!(refused, Err(WriteError::Unavailable { .. })),
            "{link:?} {refused:?}"
        );
        assert!(poll!(&mut in_doubt).is_pending(), "{link:?}");

        proxy.set(ProxyLink::Good);
        let outcomes = in_doubt.await.unwrap();
        assert_eq!(outcomes[0], Ok(Seq(2)), "{link:?}");
        assert!(outcomes[1].is_err(), "{link:?}");
        assert_eq!(outcomes[2..], [Ok(Seq(1)), Ok(Seq(2))], "{link:?}");
        store.health().wait_for(Health::is_ready).await.unwrap();
        assert_eq!(texts(&read(&store, "a").await), ["one", "two"], "{link:?}");
        assert!(read(&store, "b").await.is_closed && read(&store, "c").await.is_closed);
        write(&store, append("a", 2, &["three"])).await.unwrap();
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_close_whose_answer_is_lost_is_written_once() {
    let Some((url, proxy, store)) = behind_proxy() else {
        return;
    };
    write(&store, append("a", 0, &["one"])).await.unwrap();
    proxy.set(ProxyLink::LosesAnswers);
    let end = append("a", 1, &[]).closing(summary(5, "1-0", "Ann", "Bob"));
    let in_doubt = store.append(vec![end]);
    store.health().wait_for(is_failing).await.unwrap();
    proxy.set(ProxyLink::Good);
    assert_eq!(in_doubt.await, Ok(vec![Ok(Seq(1))]));
    let games = query(&url, "SELECT count(*) FROM game").unwrap();
    assert_eq!(games[0].get::<_, i64>(0), 1);
}

/// Appends to a stream, one event after the other, again where the store is unavailable. Returns the last
/// number that was acknowledged, and counts the acknowledgements.
async fn play(
    store: Arc<PostgresStore>,
    stream: String,
    durability: Durability,
    acknowledged: watch::Sender<u32>,
    is_over: Arc<AtomicBool>,
) -> (String, Seq) {
    let mut last = Seq::NONE;
    while !is_over.load(Relaxed) {
        let next = append(&stream, last.0, &[&last.next().to_string()]);
        match write(&*store, next).await {
            Ok(seq) => {
                last = seq;
                acknowledged.send_modify(|count| *count += 1);
            }
            Err(WriteError::Unavailable { .. }) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            // A crash of the database may take the last events.
            Err(WriteError::Conflict { actual, .. }) if durability == Durability::Crash => {
                assert!(actual < last, "{stream}");
                last = actual;
            }
            Err(error) => panic!("{stream} at {last}: {error}"),
        }
    }
    (stream, last)
}

#[tokio::test(flavor = "multi_thread")]
async fn crashes_of_the_database_lose_and_double_nothing() {
    crash(Durability::PowerLoss).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn crashes_of_the_database_leave_no_gap() {
    crash(Durability::Crash).await;
}

async fn crash(durability: Durability) {
    // A crash of the database without that of its machine keeps what was written.
    let Some(mut server) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let url = server.database();
    let store = Arc::new(open_durable(&url, durability));
    let (is_over, mut tasks) = (Arc::<AtomicBool>::default(), JoinSet::new());
    let mut streams = Vec::new();
    for stream in 0..20 {
        let stream = format!("s-{stream}");
        let store = Arc::clone(&store);
        let (sender, acknowledged) = watch::channel(0);
        streams.push(acknowledged);
        tasks.spawn(play(
            store,
            stream,
            durability,
            sender,
            Arc::clone(&is_over),
        ));
    }
    for _ in 0..3 {
        all_go_on(&mut streams).await;
        let mut health = store.health();
        server.stop();
        health.wait_for(is_failing).await.unwrap();
        server.start_again();
        health.wait_for(Health::is_ready).await.unwrap();
    }
    all_go_on(&mut streams).await;
    is_over.store(true, Relaxed);
    let acknowledged = tasks.join_all().await;
    store.close().await;
    let store = open_database(&url);
    for (stream, last) in acknowledged {
        let found = read(&store, &stream).await;
        let expected: Vec<String> = (1..=last.0).map(|seq| seq.to_string()).collect();
        assert_eq!((texts(&found), found.damage), (expected, None), "{stream}");
    }
    store.close().await;
}

/// Waits until five more events of each stream have been acknowledged.
async fn all_go_on(streams: &mut [watch::Receiver<u32>]) {
    for acknowledged in streams {
        let enough = *acknowledged.borrow() + 5;
        let is_enough = acknowledged.wait_for(|count| *count >= enough);
        is_enough.await.expect("the task has failed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_restarts_between_two_appends_is_not_noticed() {
    let Some(mut server) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let store = open_durable(&server.database(), Durability::PowerLoss);
    write(&store, append("a", 0, &["one"])).await.unwrap();
    assert_eq!(read(&store, "a").await.last(), Seq(1));
    server.stop();
    server.start_again();
    assert_eq!(write(&store, append("a", 1, &["two"])).await, Ok(Seq(2)));
    assert_eq!(texts(&read(&store, "a").await), ["one", "two"]);
    assert_eq!(store.stats().failures, 0);
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_written_behind_events_that_the_database_has_lost() {
    let Some((url, proxy, store)) = behind_proxy() else {
        return;
    };
    write(&store, append("a", 0, &["one", "two", "three"]))
        .await
        .unwrap();
    proxy.set(ProxyLink::LosesRequests);
    let in_doubt = store.append(vec![append("a", 3, &["four"]), append("b", 0, &["one"])]);
    store.health().wait_for(is_failing).await.unwrap();
    query(&url, "DELETE FROM event WHERE seq = 3").unwrap();
    proxy.set(ProxyLink::Good);
    let refused = in_doubt.await;
    assert!(
        matches!(refused, Err(WriteError::Unavailable { .. })),
        "{refused:?}"
    );
    store.health().wait_for(Health::is_ready).await.unwrap();
    let conflict = |expected, actual| {
        Err(WriteError::Conflict {
            stream: id("a"),
            expected: Seq(expected),
            actual: Seq(actual),
        })
    };
    let behind = write(&store, append("a", 3, &["four"])).await;
    assert_eq!(behind, conflict(3, 2));
    assert_eq!(write(&store, append("b", 0, &["one"])).await, Ok(Seq(1)));

    // Also if the connection is lost between two appends.
    query(&url, "DELETE FROM event WHERE seq = 2").unwrap();
    let end = "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    query(&url, end).unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let behind = write(&store, append("a", 2, &["three"])).await;
    assert_eq!(behind, conflict(2, 1));
    assert_eq!(write(&store, append("a", 1, &["two"])).await, Ok(Seq(2)));
    let found = read(&store, "a").await;
    assert_eq!((texts(&found).len(), found.damage), (2, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dump_of_the_database_does_not_keep_it_failing() {
    let Some((url, proxy, store)) = behind_proxy() else {
        return;
    };
    write(&store, append("a", 0, &["one"])).await.unwrap();
    let (dump, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    tokio::spawn(connection);
    let tables = "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE schemaname = 'public'";
    let tables: String = dump.query_one(tables, &[]).await.unwrap().get(0);
    let lock = format!("BEGIN; LOCK TABLE {tables} IN ACCESS SHARE MODE");
    dump.batch_execute(&lock).await.unwrap();
    proxy.set(ProxyLink::LosesAnswers);
    let in_doubt = store.append(vec![append("a", 1, &["two"])]);
    store.health().wait_for(is_failing).await.unwrap();
    proxy.set(ProxyLink::Good);
    assert_eq!(in_doubt.await, Ok(vec![Ok(Seq(2))]));
    dump.batch_execute("COMMIT").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_takes_long_is_noticed_and_goes_on() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let store = open_database(&url);
    let (other, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    tokio::spawn(connection);
    other
        .batch_execute("BEGIN; LOCK TABLE event")
        .await
        .unwrap();
    let mut slow = store.append(vec![append("a", 0, &["one"])]);
    store.health().wait_for(is_failing).await.unwrap();
    assert!(poll!(&mut slow).is_pending());
    other.batch_execute("COMMIT").await.unwrap();
    assert_eq!(slow.await, Ok(vec![Ok(Seq(1))]));
    store.health().wait_for(Health::is_ready).await.unwrap();
    assert_eq!(store.stats().failures, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_replaced_answers_an_append_in_doubt() {
    let Some((url, proxy, store)) = behind_proxy() else {
        return;
    };
    write(&store, append("a", 0, &["one"])).await.unwrap();
    proxy.set(ProxyLink::LosesAnswers);
    let in_doubt = store.append(vec![append("a", 1, &["two"])]);
    store.health().wait_for(is_failing).await.unwrap();
    let other = open_database(&url);
    proxy.set(ProxyLink::Good);
    assert_eq!(in_doubt.await, Err(WriteError::Stopped));
    write(&other, append("a", 2, &["three"])).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_without_room_refuses_and_recovers() {
    let Some(server) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let url = server.database();
    let store = open_database(&url);
    server.limit_files(Some(2_000_000));
    let payload = "x".repeat(1_500);
    let mut last = 0;
    let cause = loop {
        match write(&store, append("a", last, &[payload.as_str(); 20])).await {
            Ok(seq) => last = seq.0,
            Err(WriteError::Unavailable { cause }) => break cause,
            Err(error) => panic!("{error}"),
        }
    };
    assert!(cause.starts_with("could not extend file"), "{cause}");
    assert!(last > 100, "some of it fitted");
    assert_eq!(read(&store, "a").await.last(), Seq(last), "reading goes on");
    server.limit_files(None);
    let mut health = store.health();
    loop {
        health.wait_for(Health::is_ready).await.unwrap();
        match write(&store, append("a", last, &[payload.as_str(); 20])).await {
            Ok(seq) => break last = seq.0,
            Err(WriteError::Unavailable { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(read(&store, "a").await.last(), Seq(last));
}

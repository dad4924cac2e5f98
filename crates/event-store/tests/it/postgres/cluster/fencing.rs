//! A node that was declared dead writes nothing more, whatever it has sent.

use std::sync::Arc;
use std::time::{Duration, Instant};

use event_store::{EventLog, Health, Membership, MembershipError, PostgresStore, Seq, WriteError};
use test_support::store::{append, read, texts, write};
use test_support::{PostgresServer, query};
use test_support::{Proxy, ProxyLink};
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_postgres::Client;

use super::{connect, join};

/// The heartbeat of a session, as another sees it.
async fn beat_of(member: &mut Membership, session: i32) -> i64 {
    let view = member.beat().await.unwrap();
    let found = view.sessions.iter().find(|node| node.id == session);
    found.unwrap().beat
}

/// Appends events to a stream, one after the other, until that fails. Returns the last that was acknowledged.
async fn play(store: Arc<PostgresStore>, stream: String) -> (String, Seq) {
    let mut last = Seq::NONE;
    while let Ok(seq) = write(&*store, append(&stream, last.0, &["moved"])).await {
        last = seq;
    }
    (stream, last)
}

/// Lets each append pause between its last row and its commit.
fn slow_down(url: &str) {
    for step in [
        "CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN PERFORM pg_sleep(0.01); RETURN NULL; END'",
        "CREATE TRIGGER pause AFTER INSERT ON event EXECUTE FUNCTION pause()",
    ] {
        query(url, step).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_stream_grows_after_its_new_owner_has_read_it() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let (own, mut member) = join(&url, "n1");
    slow_down(&url);
    let (begin, mut rounds) = (Instant::now(), 0);
    while rounds < 3 || (rounds < 300 && begin.elapsed() < Duration::from_secs(2)) {
        rounds += 1;
        let (store, mut other) = join(&url, "n2");
        let store = Arc::new(store);
        assert_eq!(other.claim(999).await.unwrap().len(), 256);
        let mut tasks = JoinSet::new();
        for stream in 0..4 {
            tasks.spawn(play(Arc::clone(&store), format!("t{rounds}-{stream}")));
        }
        sleep(Duration::from_millis(10 + rounds % 20)).await;
        let beat = beat_of(&mut member, other.session()).await;
        let declared = member.declare_dead(other.session(), beat).await;
        assert_eq!(declared, Ok(true));

        let shards = member.claim(999).await.unwrap();
        let shards: Vec<_> = shards.into_iter().map(|(shard, _)| shard).collect();
        assert_eq!(shards.len(), 256);
        let open = member.unfinished(&shards).await.unwrap();
        let mut batch = Vec::new();
        for stream in &open {
            let end = read(&own, stream.as_str()).await.last();
            batch.push(append(stream.as_str(), end.0, &["taken over"]));
        }
        let expected: Vec<_> = batch.iter().map(|next| Ok(next.after.next())).collect();
        assert_eq!(own.append(batch).await.unwrap(), expected);
        let mut ends = Vec::new();
        for (stream, last) in tasks.join_all().await {
            let Some(found) = own.read(stream.parse().unwrap()).await.unwrap() else {
                assert_eq!(last, Seq::NONE);
                continue;
            };
            // The last event is that of the new owner.
            assert!(last < found.last(), "{stream}");
            let texts = texts(&found);
            let of_new = texts.iter().filter(|text| *text == "taken over").count();
            assert_eq!((of_new, texts.last().unwrap().as_str()), (1, "taken over"));
            ends.push(append(&stream, found.last().0, &[]).discarding());
        }
        assert_eq!(own.append(ends).await.unwrap().len(), open.len());
        member.release(&shards).await.unwrap();
        assert_eq!(other.beat().await, Err(MembershipError::Dead));
    }
    own.close().await;
}

/// Locks the row of a session, as a statement does, and then does nothing more.
async fn freeze(client: &Client, session: i32) {
    let lock = format!("BEGIN; SELECT FROM session WHERE id = {session} FOR SHARE");
    client.batch_execute(&lock).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_writer_that_froze_in_a_transaction_does_not_keep_its_shards() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let (_store, mut member) = join(&url, "n1");
    let (_frozen_store, mut frozen) = join(&url, "n2");
    assert_eq!(frozen.claim(999).await.unwrap().len(), 256);
    let client = connect(&url).await;
    let limit = "SET idle_in_transaction_session_timeout = '1s'";
    client.batch_execute(limit).await.unwrap();
    freeze(&client, frozen.session()).await;

    let (begin, beat) = (Instant::now(), beat_of(&mut member, frozen.session()).await);
    while let Err(error) = member.declare_dead(frozen.session(), beat).await {
        let MembershipError::Unavailable(cause) = error else {
            panic!("{error}");
        };
        assert_eq!(cause, "canceling statement due to lock timeout");
    }
    let took = begin.elapsed();
    assert!(took > Duration::from_millis(500) && took < Duration::from_secs(10));
    assert_eq!(member.claim(999).await.unwrap().len(), 256);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_connection_of_a_writer_that_froze_is_ended() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let (_store, mut member) = join(&url, "n1");
    let (_frozen_store, mut frozen) = join(&url, "n2");
    assert_eq!(frozen.claim(999).await.unwrap().len(), 256);
    // In the place of its writer, since that has no transaction to freeze in.
    let session = frozen.session();
    let of_session = format!(
        "locktype = 'advisory' AND objsubid = 1 AND objid = {session}
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    );
    let end = format!("SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE {of_session}");
    assert_eq!(query(&url, &end).unwrap().len(), 1);
    let client = connect(&url).await;
    let lock =
        format!("SELECT pg_advisory_lock(hashtext(current_schema())::bigint << 32 | {session})");
    client.batch_execute(&lock).await.unwrap();
    freeze(&client, session).await;

    let beat = beat_of(&mut member, session).await;
    assert_eq!(member.declare_dead(session, beat).await, Ok(true));
    assert_eq!(member.claim(999).await.unwrap().len(), 256);
    assert!(client.batch_execute("COMMIT").await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn heartbeats_do_not_wait_for_an_append() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let (_store, mut member) = join(&url, "n1");
    let client = connect(&url).await;
    let session = member.session();
    freeze(&client, session).await;
    let beat = beat_of(&mut member, session).await;
    assert_eq!(beat_of(&mut member, session).await, beat + 1);
    client.batch_execute("COMMIT").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_immediate_stop_of_the_database_ends_no_node() {
    let Some(mut server) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let url = server.database();
    let mut nodes = [join(&url, "n1"), join(&url, "n2")];
    for (_, member) in &mut nodes {
        assert_eq!(member.claim(128).await.unwrap().len(), 128);
    }
    // A crash may take what was not yet written.
    query(&url, "CHECKPOINT").unwrap();
    let before = nodes[0].1.beat().await.unwrap();
    for _ in 0..3 {
        server.stop();
        for (_, member) in &mut nodes {
            let error = member.beat().await.unwrap_err();
            assert!(matches!(error, MembershipError::Unavailable(_)), "{error}");
        }
        server.start_again();
        for (store, member) in &mut nodes {
            let view = member.beat().await.unwrap();
            assert_eq!((view.sessions.len(), &view.shards), (2, &before.shards));
            let stream = format!("of-{}", member.session());
            let end = store.read(stream.parse().unwrap()).await.unwrap();
            let end = end.map_or(Seq::NONE, |read| read.last());
            let written = write(store, append(&stream, end.0, &["one"])).await;
            assert_eq!(written, Ok(end.next()));
        }
    }
    for (store, _) in nodes {
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_append_of_a_node_whose_answer_is_lost_is_written_once_or_fenced() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let (_store, mut member) = join(&url, "n1");
    for is_declared in [false, true] {
        let proxy = Proxy::start(server.directory());
        let (store, other) = join(&proxy.url(&url), "n2");
        let stream = format!("of-{}", other.session());
        write(&store, append(&stream, 0, &["one"])).await.unwrap();
        proxy.set(ProxyLink::KeepsServer);
        let in_doubt = store.append(vec![append(&stream, 1, &["two"])]);
        let failing = |health: &Health| matches!(health, Health::Failing { .. });
        store.health().wait_for(failing).await.unwrap();
        if is_declared {
            let beat = beat_of(&mut member, other.session()).await;
            let declared = member.declare_dead(other.session(), beat).await;
            assert_eq!(declared, Ok(true));
        }
        proxy.set(ProxyLink::Good);
        let expected = if is_declared {
            Err(WriteError::Stopped)
        } else {
            Ok(vec![Ok(Seq(2))])
        };
        assert_eq!(in_doubt.await, expected);
        store.close().await;
    }
}

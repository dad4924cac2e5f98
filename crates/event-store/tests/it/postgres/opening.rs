//! Who may open a database, and which databases are a store.

use std::time::Duration;

use event_store::{Defect, EventLog, Health, PostgresError, Seq, Store, StreamDamage, WriteError};
use test_support::store::{append, event, id, read, texts, write};
use test_support::{PostgresServer, query};

use super::{open_error, try_open};
use crate::conformance::open_database;
use postgres_kit::{Connection, Connector, PostgresAddress, Schema};
use tokio::time::timeout;

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_cannot_share_a_database() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let store = open_database(&url);
    let error = open_error(&url);
    assert!(matches!(error, PostgresError::InUse { .. }), "{error}");
    assert!(
        error
            .to_string()
            .starts_with("another server uses postgres://postgres@")
    );
    store.close().await;
    let store = open_database(&url);
    write(&store, append("a", 0, &["one"])).await.unwrap();
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_share_a_database_in_schemas_of_their_own() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let stores: Vec<_> = ["one", "two"]
        .iter()
        .map(|schema| {
            query(&url, &format!("CREATE SCHEMA {schema}")).unwrap();
            let options = format!("?options=-csearch_path%3D{schema}");
            open_database(&format!("{url}{options}"))
        })
        .collect();
    for store in &stores {
        let written = write(store, append("a", 0, &["one"])).await;
        assert_eq!(written, Ok(Seq(1)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_replaced_writes_nothing_more() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let store = open_database(&url);
    write(&store, append("a", 0, &["one"])).await.unwrap();
    query(&url, "UPDATE session SET dead = true").unwrap();
    let refused = write(&store, append("a", 1, &["two"])).await;
    let Err(WriteError::Unavailable { cause }) = refused else {
        panic!("{refused:?}");
    };
    assert!(
        cause.contains("another server has taken over the database"),
        "{cause}"
    );
    let stopped = |health: &Health| *health == Health::Stopped;
    store.health().wait_for(stopped).await.unwrap();
    let refused = write(&store, append("a", 1, &["two"])).await;
    assert_eq!(refused, Err(WriteError::Stopped));
    store.close().await;
    let store = open_database(&url);
    assert_eq!(texts(&read(&store, "a").await), ["one"]);
    write(&store, append("a", 1, &["two"])).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_schema_is_refused_and_left_alone() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    open_database(&url).close().await;
    query(&url, "INSERT INTO checkers_schema VALUES (99)").unwrap();
    let error = open_error(&url);
    let expected = "has version 99; this program knows versions up to 12";
    assert!(error.to_string().ends_with(expected), "{error}");
    let sessions = query(&url, "SELECT count(*) FROM session").unwrap();
    assert_eq!(sessions[0].get::<_, i64>(0), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_another_program_are_left_alone() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    query(&url, "CREATE TABLE game (id integer)").unwrap();
    let error = open_error(&url).to_string();
    assert!(
        error.contains("has a table game of another program"),
        "{error}"
    );
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(query(&url, tables).unwrap()[0].get::<_, i64>(0), 1);
}

#[test]
fn a_database_of_another_encoding_is_refused() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    server.query(
        "postgres",
        "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0",
    );
    let error = open_error(&server.url("postgres", "latin")).to_string();
    assert!(error.contains("has the encoding LATIN1: "), "{error}");
}

#[test]
fn a_database_that_cannot_be_used_is_explained() {
    let prepare = |data: &std::path::Path| {
        let rules = data.join("pg_hba.conf");
        let others = std::fs::read_to_string(&rules).unwrap();
        let own = "local all anna scram-sha-256\n";
        std::fs::write(&rules, format!("{own}{others}")).unwrap();
    };
    let Some(server) = PostgresServer::start_prepared(&["fsync=off"], prepare) else {
        return;
    };
    server.query("postgres", "CREATE USER anna PASSWORD 'right'");
    server.query("postgres", "CREATE USER boris");
    server.query("postgres", "CREATE DATABASE games");
    server.query("postgres", "CREATE DATABASE annas OWNER anna");
    let place = server.directory().display();
    for (user, database, expected) in [
        (
            "anna:wrong",
            "games",
            format!("PostgreSQL at {place} refuses user anna: password authentication failed"),
        ),
        (
            "postgres",
            "nothing",
            format!("PostgreSQL at {place} has no database nothing: make it with"),
        ),
        (
            "boris",
            "games",
            "user boris lacks rights in postgres://boris@".to_owned(),
        ),
    ] {
        let error = open_error(&server.url(user, database)).to_string();
        assert!(error.contains(&expected), "{error}");
        assert!(!error.contains("wrong"), "{error}");
    }
    drop(try_open(&server.url("anna:right", "annas")).unwrap());
    let nowhere = open_error("postgres://anna:right@127.0.0.1:1/games").to_string();
    let expected = "cannot reach PostgreSQL at 127.0.0.1:1: ";
    assert!(nowhere.starts_with(expected), "{nowhere}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_event_is_reported_and_its_stream_not_continued() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let store = open_database(&url);
    for (stream, change) in [
        ("a", "UPDATE event SET payload = 'x' WHERE seq = 2"),
        ("b", "DELETE FROM event WHERE seq = 2"),
    ] {
        write(&store, append(stream, 0, &["one", "two", "three"]))
            .await
            .unwrap();
        let of_stream = "stream = (SELECT id FROM stream WHERE name = ";
        query(&url, &format!("{change} AND {of_stream}'{stream}')")).unwrap();
    }
    store.close().await;
    let store = open_database(&url);
    for (stream, defect) in [("a", Defect::Checksum), ("b", Defect::Missing)] {
        let damage = StreamDamage {
            stream: id(stream),
            seq: Seq(2),
            defect,
        };
        let found = read(&store, stream).await;
        assert_eq!(
            (texts(&found), found.damage),
            (vec!["one".to_owned()], Some(damage.clone()))
        );
        let refused = write(&store, append(stream, 3, &["four"])).await;
        assert_eq!(refused, Err(WriteError::Damaged(damage)));
    }
    assert!(store.health().borrow().is_ready());
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_rows_that_psql_reads() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let store = open_database(&url);
    let mut moved = event("");
    moved.payload = br#"{"path":"c3-d4"}"#.to_vec();
    let mut first = append("main-1", 0, &[]);
    first.events.push(moved);
    write(&store, first).await.unwrap();
    assert_eq!(store.count_streams().await.unwrap(), 1);
    let select = "SELECT seq, kind, payload::json ->> 'path', to_timestamp(at / 1000)::text
                  FROM event JOIN stream ON stream.id = event.stream WHERE name = 'main-1'";
    let rows = query(&url, select).unwrap();
    let row = (rows[0].get(0), rows[0].get(1), rows[0].get(2));
    assert_eq!(row, (1, "moved", "c3-d4"));
    let owners = "SELECT DISTINCT shard.session, session.dead FROM shard JOIN session ON session.id = session";
    let owners = query(&url, owners).unwrap();
    assert_eq!((owners.len(), owners[0].get(1)), (1, false));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_and_a_running_transaction_do_not_end_each_other() {
    const SCHEMA: Schema = Schema {
        table: "version",
        steps: &[
            "CREATE TABLE a (n integer); CREATE TABLE b (n integer)",
            "ALTER TABLE a ADD COLUMN m integer; SELECT pg_advisory_xact_lock(1); ALTER TABLE b ADD COLUMN m integer",
        ],
    };
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    // Of the two that wait for each other, PostgreSQL ends the one that finds it out first.
    let hasty = format!("{url}?options=-cdeadlock_timeout%3D50ms");
    let address = PostgresAddress::parse(&hasty).unwrap();
    let mut migrating = connect(&hasty).await;
    let writing = connect(&format!("{url}?options=-cdeadlock_timeout%3D1h")).await;
    let watching = connect(&url).await;
    let first = Schema {
        steps: &SCHEMA.steps[..1],
        ..SCHEMA
    };
    first
        .migrate(&mut migrating.client, &address)
        .await
        .unwrap();

    let execute = async |connection: &Connection, text: &str| {
        connection.client.batch_execute(text).await.unwrap();
    };
    execute(&watching, "SELECT pg_advisory_lock(1)").await;
    execute(&writing, "BEGIN; INSERT INTO b VALUES (1)").await;
    let migrates = async {
        let migrated = SCHEMA.migrate(&mut migrating.client, &address);
        migrated.await.unwrap();
    };
    let unlocks = async {
        wait_for(
            &watching,
            "pg_locks WHERE NOT granted AND relation = 'a'::regclass",
        )
        .await;
        execute(&watching, "SELECT pg_advisory_unlock(1)").await;
    };
    let writes = async {
        wait_for(
            &watching,
            "pg_locks WHERE NOT granted AND locktype = 'advisory' AND objid = 1",
        )
        .await;
        let inserts = execute(&writing, "INSERT INTO a VALUES (1); COMMIT");
        tokio::join!(inserts, unlocks);
    };
    tokio::join!(migrates, writes);
    let columns = "SELECT m FROM a UNION ALL SELECT m FROM b";
    assert_eq!(query(&url, columns).unwrap().len(), 2);
    // Statistics arrive when their session ends.
    drop(migrating);
    let deadlocks = "pg_stat_database WHERE datname = current_database() AND deadlocks > 0";
    wait_for(&watching, deadlocks).await;
}

async fn connect(url: &str) -> Connection {
    let address = PostgresAddress::parse(url).unwrap();
    let connector = Connector::new(address, "test").unwrap();
    connector.connect().await.unwrap()
}

/// Waits until there is such a row.
async fn wait_for(connection: &Connection, rows: &str) {
    let select = format!("SELECT FROM {rows}");
    let is_there = async || {
        let rows = connection.client.query(&select, &[]).await.unwrap();
        !rows.is_empty()
    };
    let seen = async { while !is_there().await {} };
    timeout(Duration::from_secs(60), seen)
        .await
        .unwrap_or_else(|_| panic!("there is no row of {rows}"));
}

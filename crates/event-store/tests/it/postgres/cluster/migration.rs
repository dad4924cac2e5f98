//! A database of the first version becomes that of a cluster.

use event_store::{Archive, ArchiveFilter, EventLog, Health, Seq};
use test_support::store::{append, read, summary, texts, write};
use test_support::{PostgresServer, query};

use super::join;
use crate::conformance::open_database;

const FIRST: &str = include_str!("../../../../src/postgres/migrations/v1.sql");

#[tokio::test(flavor = "multi_thread")]
async fn the_first_version_is_migrated_with_its_games() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let store = open_database(&url);
    write(&store, append("main-1", 0, &["one"])).await.unwrap();
    let end = append("main-1", 1, &["two"]).closing(summary(5, "1-0", "Ann", "Bob"));
    write(&store, end).await.unwrap();
    write(&store, append("main-2", 0, &["one"])).await.unwrap();
    store.close().await;
    // The same rows in tables of the first version.
    let tables = ["stream", "event", "game", "participant"];
    let copies =
        tables.map(|table| format!("INSERT INTO old.{table} SELECT * FROM public.{table};"));
    let client = super::connect(&url).await;
    let as_before =
        "ALTER TABLE game DROP COLUMN rated, DROP COLUMN event, DROP COLUMN white_moves,
        DROP COLUMN white_lost, DROP COLUMN black_moves, DROP COLUMN black_lost, DROP COLUMN gave_up;
        ALTER TABLE participant DROP COLUMN opening, DROP COLUMN ending, DROP COLUMN moves, DROP COLUMN lost";
    client.batch_execute(as_before).await.unwrap();
    let copy = format!(
        "CREATE SCHEMA old; SET search_path = old;
         CREATE TABLE checkers_schema (version integer PRIMARY KEY, migrated_at timestamptz DEFAULT now());
         INSERT INTO checkers_schema VALUES (1);
         {FIRST}
         {}
         INSERT INTO session (name, beat) VALUES ('single', 7);
         UPDATE shard SET session = 1, epoch = 1;
         SELECT setval('stream_id', 2);",
        copies.join("\n")
    );
    client.batch_execute(&copy).await.unwrap();

    let url_of_old = format!("{url}?options=-csearch_path%3Dold");
    let (store, mut member) = join(&url_of_old, "n1");
    assert_eq!(member.claim(999).await.unwrap().len(), 256);
    let versions = query(
        &url,
        "SELECT max(version), count(*) FROM old.checkers_schema",
    )
    .unwrap();
    assert_eq!((versions[0].get(0), versions[0].get(1)), (12, 12_i64));
    let found = read(&store, "main-1").await;
    assert_eq!(
        (texts(&found), found.is_closed),
        (vec!["one".into(), "two".into()], true)
    );
    let games = store
        .games(ArchiveFilter::default(), None, 10)
        .await
        .unwrap();
    assert_eq!(games.games.len(), 1);
    assert_eq!(
        write(&store, append("main-2", 1, &["two"])).await,
        Ok(Seq(2))
    );
    assert_eq!(*store.health().borrow(), Health::Ready);
    store.close().await;
}

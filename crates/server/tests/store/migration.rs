//! Files that earlier versions wrote are taken up.

use std::path::Path;

use checkers_server::store::{
    ArchiveFilter, Damage, Defect, EventLog, Played, Seq, SqliteStore, StoreConfig, Summary,
    WriteError,
};
use rusqlite::{Connection, params};

use crate::support::{append, id, open, read, summary, texts, write};

const AT: i64 = 1_700_000_000_000;

/// A file as version 1 wrote it: a game that runs, one with an event that was changed afterwards, one
/// that is over, and more games than events have room in one bundle.
fn write_version_1(directory: &Path) {
    let database = Connection::open(directory.join("checkers.db")).unwrap();
    let form = include_str!("../../src/store/schema/v1.sql");
    database.execute_batch(form).unwrap();
    database
        .pragma_update(None, "application_id", 0x5244_5354)
        .unwrap();
    database.pragma_update(None, "user_version", 1).unwrap();
    let streams = [
        ("open", true),
        ("bad", true),
        ("done", false),
        ("long", true),
    ];
    for (name, is_open) in streams {
        let insert = "INSERT INTO stream (name, open) VALUES (?1, ?2)";
        database.execute(insert, params![name, is_open]).unwrap();
    }
    // In the order in which they came, the games mixed.
    for seq in 1..=3 {
        for stream in ["open", "bad", "done"] {
            insert_event(&database, stream, seq, &format!("{stream} {seq}"));
        }
        insert_event(&database, "long", seq, &"x".repeat(3_000));
    }
    let change = "UPDATE event SET payload = x'00' WHERE payload = CAST('bad 2' AS BLOB)";
    database.execute(change, []).unwrap();
    let game = "INSERT INTO game VALUES (3, 3, ?1, '1-0', 'Ann', 'Bob', NULL, NULL, x'7b7d')";
    database.execute(game, [AT]).unwrap();
    let player = "INSERT INTO participant VALUES ('player', 'Ann', ?1, 3)";
    database.execute(player, [AT]).unwrap();
}

fn insert_event(database: &Connection, stream: &str, seq: u32, payload: &str) {
    let mut sum = crc32fast::Hasher::new();
    for part in [
        stream.as_bytes(),
        b"\0",
        b"moved",
        b"\0",
        &seq.to_le_bytes(),
        &AT.to_le_bytes(),
    ] {
        sum.update(part);
    }
    sum.update(payload.as_bytes());
    let insert = "INSERT INTO event (stream, seq, at, kind, payload, checksum)
                  SELECT id, ?2, ?3, 'moved', ?4, ?5 FROM stream WHERE name = ?1";
    let row = params![stream, seq, AT, payload.as_bytes(), sum.finalize()];
    assert_eq!(database.execute(insert, row).unwrap(), 1);
}

fn version(directory: &Path) -> i64 {
    let database = Connection::open(directory.join("checkers.db")).unwrap();
    database
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap()
}

#[tokio::test]
async fn a_log_of_version_1_is_taken_up() {
    let directory = tempfile::tempdir().unwrap();
    write_version_1(directory.path());
    for _ in 0..2 {
        let store = open(directory.path());
        let unfinished = store.unfinished().await.unwrap();
        assert_eq!(unfinished, [id("open"), id("bad"), id("long")]);
        assert_eq!(
            texts(&read(&store, "open").await),
            ["open 1", "open 2", "open 3"]
        );
        let done = read(&store, "done").await;
        assert!(done.is_closed);
        assert_eq!(texts(&done), ["done 1", "done 2", "done 3"]);
        let game = store.game(id("done")).await.unwrap().unwrap();
        let told = Summary {
            reason: String::new(),
            plies: 0,
            document: b"{}".into(),
            ..summary(AT, "1-0", "Ann", "Bob")
        };
        assert_eq!(game.summary, told);
        assert_eq!(
            texts(&read(&store, "long").await),
            vec!["x".repeat(3_000); 3]
        );
        store.close().await;
        assert_eq!(version(directory.path()), 4);
    }
}

#[tokio::test]
async fn a_log_that_was_taken_up_is_written_on() {
    let directory = tempfile::tempdir().unwrap();
    write_version_1(directory.path());
    let store = open(directory.path());
    assert_eq!(
        write(&store, append("open", 3, &["open 4"])).await,
        Ok(Seq(4))
    );
    let end = append("open", 4, &["last"]).closing(summary(AT + 1, "0-1", "Ann", "Cid"));
    assert_eq!(write(&store, end).await, Ok(Seq(5)));
    let refused = write(&store, append("done", 3, &["more"])).await;
    assert_eq!(refused, Err(WriteError::Closed { stream: id("done") }));
    store.close().await;
    let store = open(directory.path());
    let texts = texts(&read(&store, "open").await);
    assert_eq!(texts, ["open 1", "open 2", "open 3", "open 4", "last"]);
}

#[tokio::test]
async fn damage_stays_where_it_was() {
    let directory = tempfile::tempdir().unwrap();
    write_version_1(directory.path());
    let store = open(directory.path());
    let damage = Damage {
        stream: id("bad"),
        seq: Seq(2),
        defect: Defect::Checksum,
    };
    assert_eq!(store.verify().await.unwrap(), [damage]);
    assert_eq!(texts(&read(&store, "bad").await), ["bad 1"]);
}

#[tokio::test]
async fn the_second_form_under_the_first_number_is_taken_for_what_it_is() {
    let directory = tempfile::tempdir().unwrap();
    write_version_3(directory.path());
    let database = Connection::open(directory.path().join("checkers.db")).unwrap();
    database.pragma_update(None, "user_version", 1).unwrap();
    drop(database);
    let store = SqliteStore::open(StoreConfig::new(directory.path())).unwrap();
    expect_version_3(&store).await;
    write(&store, append("a", 0, &["one"])).await.unwrap();
    assert_eq!(texts(&read(&store, "a").await), ["one"]);
    store.close().await;
    assert_eq!(version(directory.path()), 4);
}

/// Documents of finished games: as they are kept since version 3, as they were before, and something
/// else.
const DOCUMENTS: [&str; 3] = [
    r#"{"reason":"time","white_clock":"5m+3s","black_clock":"5m+3s","line":"a b","elapsed_ms":[1,2]}"#,
    r#"{"reason":"agreement","white_clock":"5m+3s","moves":[{},{},{}]}"#,
    "not JSON",
];

/// A file as version 3 wrote it, with these documents.
fn write_version_3(directory: &Path) {
    write_version_1(directory);
    let database = Connection::open(directory.join("checkers.db")).unwrap();
    database
        .execute_batch("DELETE FROM game; DELETE FROM participant; DROP TABLE event;")
        .unwrap();
    let form = include_str!("../../src/store/schema/v2.sql");
    database.execute_batch(form).unwrap();
    database
        .execute_batch("UPDATE stream SET open = 0")
        .unwrap();
    database.pragma_update(None, "user_version", 3).unwrap();
    for (row, document) in (1..).zip(DOCUMENTS) {
        let game = "INSERT INTO game VALUES (?1, 0, ?1, 'draw', 'Ann', 'Bob', NULL, 'level 3', ?2)";
        database
            .execute(game, params![row, document.as_bytes()])
            .unwrap();
        for (role, name) in [("player", "Ann"), ("player", "Bob"), ("bot", "level 3")] {
            let insert = "INSERT INTO participant VALUES (?1, ?2, ?3, ?3)";
            database.execute(insert, params![role, name, row]).unwrap();
        }
    }
}

async fn expect_version_3(store: &SqliteStore) {
    let all = ArchiveFilter::default;
    let games = store.games(all(), None, 10).await.unwrap().games;
    let told = games.iter().map(|game| {
        let Summary {
            reason,
            clock,
            plies,
            ..
        } = &game.summary;
        (game.stream.as_str(), &**reason, &**clock, *plies)
    });
    let expected = [
        ("done", "", "none", 0),
        ("bad", "agreement", "5m+3s,none", 3),
        ("open", "time", "5m+3s", 2),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    for (filter, expected) in [
        (
            ArchiveFilter {
                reason: Some("time".into()),
                ..all()
            },
            1,
        ),
        (
            ArchiveFilter {
                player: Some("Bob".into()),
                is_white: Some(false),
                ..all()
            },
            3,
        ),
        (
            ArchiveFilter {
                player: Some("Bob".into()),
                is_white: Some(true),
                ..all()
            },
            0,
        ),
        (
            ArchiveFilter {
                bot: Some("level 3".into()),
                min_plies: Some(3),
                ..all()
            },
            1,
        ),
    ] {
        let games = store.games(filter.clone(), None, 10).await.unwrap().games;
        assert_eq!(games.len(), expected, "{filter:?}");
        assert_eq!(store.count(filter, 10).await.unwrap() as usize, expected);
    }
    let add = |levels: &mut Vec<_>, game: Played| levels.push(game.opponent_bot);
    let levels = store
        .played("Ann".to_owned(), Vec::new(), add)
        .await
        .unwrap();
    assert_eq!(levels, vec![Some("level 3".to_owned()); 3]);
}

#[tokio::test]
async fn what_is_searched_for_is_read_from_documents_of_version_3() {
    let directory = tempfile::tempdir().unwrap();
    write_version_3(directory.path());
    let store = open(directory.path());
    expect_version_3(&store).await;
    store.close().await;
    assert_eq!(version(directory.path()), 4);
}

/// A damaged file is not migrated, and can be read all the same.
#[tokio::test]
async fn version_3_is_read_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    write_version_3(directory.path());
    let store = SqliteStore::open_read_only(directory.path()).unwrap();
    expect_version_3(&store).await;
    assert_eq!(version(directory.path()), 3);
}

//! Files that earlier versions wrote are taken up.

use std::fs;
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

use event_store::{
    Archive, ArchiveFilter, Defect, EventLog, OpenError, Seq, SqliteStore, StoreConfig,
    StreamDamage, Summary, WriteError,
};
use rusqlite::{Connection, params};
use test_support::store::{append, id, read, summary, texts, write};

use crate::support::{DIRECTORY, child, open};

const AT: i64 = 1_700_000_000_000;

/// A file as version 1 wrote it: a game that runs, one with an event that was changed afterwards, one
/// that is over, and more games than events have room in one bundle.
fn write_version_1(directory: &Path) {
    let database = Connection::open(directory.join("checkers.db")).unwrap();
    let form = include_str!("../../src/sqlite/migrations/v1.sql");
    database.execute_batch(form).unwrap();
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
    let insert = "INSERT INTO event (stream, seq, at, kind, payload, checksum)
                  SELECT id, ?2, ?3, 'moved', ?4, ?5 FROM stream WHERE name = ?1";
    let sum = checksum(stream, seq, payload);
    let row = params![stream, seq, AT, payload.as_bytes(), sum];
    assert_eq!(database.execute(insert, row).unwrap(), 1);
}

fn checksum(stream: &str, seq: u32, payload: &str) -> u32 {
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
    sum.finalize()
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
        assert_eq!(version(directory.path()), 15);
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
    let damage = StreamDamage {
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
    assert_eq!(version(directory.path()), 15);
}

/// What version 2 had in the place of a row for each event.
const BUNDLES: &str = "
    ALTER TABLE stream ADD COLUMN first INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE stream ADD COLUMN bundles BLOB;
    CREATE TABLE bundle (id INTEGER PRIMARY KEY, events BLOB NOT NULL) STRICT;";

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
    database.execute_batch(BUNDLES).unwrap();
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
    let games = store.played("Ann".to_owned()).await.unwrap();
    let levels: Vec<_> = games.into_iter().map(|game| game.opponent_bot).collect();
    assert_eq!(levels, vec![Some("level 3".to_owned()); 3]);
}

#[tokio::test]
async fn what_is_searched_for_is_read_from_documents_of_version_3() {
    let directory = tempfile::tempdir().unwrap();
    write_version_3(directory.path());
    let store = open(directory.path());
    expect_version_3(&store).await;
    store.close().await;
    assert_eq!(version(directory.path()), 15);
}

/// The middle of a file, past the pages that every other one depends on.
fn damage_bundles(directory: &Path) {
    let path = directory.join("checkers.db");
    let page: u32 = Connection::open(&path)
        .unwrap()
        .query_row(
            "SELECT max(pageno) FROM dbstat WHERE name = 'bundle' AND pagetype = 'leaf'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let begin = (page as usize - 1) * 4096;
    bytes[begin..begin + 4096].fill(0xff);
    fs::write(&path, bytes).unwrap();
}

#[tokio::test]
async fn of_a_damaged_file_of_version_3_a_copy_is_taken_up() {
    let directory = tempfile::tempdir().unwrap();
    write_version_3(directory.path());
    let database = Connection::open(directory.path().join("checkers.db")).unwrap();
    for _ in 0..5 {
        let insert = "INSERT INTO bundle (events) VALUES (zeroblob(3000))";
        database.execute(insert, []).unwrap();
    }
    drop(database);
    damage_bundles(directory.path());
    let error = SqliteStore::open(StoreConfig::new(directory.path())).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
    let store = SqliteStore::open_damaged(directory.path()).unwrap();
    expect_version_3(&store).await;
    assert_eq!(version(directory.path()), 3);
}

/// An event as versions 2 to 4 had it in a bundle.
fn bundled(row: i64, stream: &str, seq: u32, payload: &str) -> Vec<u8> {
    let mut event = checksum(stream, seq, payload).to_le_bytes().to_vec();
    event.extend(row.to_le_bytes());
    event.extend(seq.to_le_bytes());
    event.extend(AT.to_le_bytes());
    event.push(b"moved".len() as u8);
    event.extend((payload.len() as u32).to_le_bytes());
    event.extend(b"moved");
    event.extend(payload.as_bytes());
    event
}

/// A file with bundles, of games that run: each bundle is a commit.
fn write_bundles(directory: &Path, streams: &[&str], bundles: impl Iterator<Item = Vec<u8>>) {
    write_version_1(directory);
    let mut database = Connection::open(directory.join("checkers.db")).unwrap();
    let transaction = database.transaction().unwrap();
    transaction
        .execute_batch(
            "DELETE FROM game; DELETE FROM participant; DROP TABLE event; DELETE FROM stream;",
        )
        .unwrap();
    transaction.execute_batch(BUNDLES).unwrap();
    transaction.pragma_update(None, "user_version", 3).unwrap();
    for (row, stream) in (1..).zip(streams) {
        let insert = "INSERT INTO stream (id, name) VALUES (?1, ?2)";
        transaction.execute(insert, params![row, stream]).unwrap();
    }
    for bundle in bundles {
        let insert = "INSERT INTO bundle (events) VALUES (?1)";
        transaction.execute(insert, [bundle]).unwrap();
    }
    transaction.commit().unwrap();
}

#[tokio::test]
async fn damaged_bundles_harm_only_what_they_hold() {
    let directory = tempfile::tempdir().unwrap();
    let event = |row, stream, seq| bundled(row, stream, seq, &format!("{stream} {seq}"));
    let changed = |mut event: Vec<u8>| {
        let last = event.len() - 1;
        event[last] ^= 1;
        event
    };
    let bundles = [
        [
            event(1, "a", 1),
            changed(event(2, "b", 1)),
            event(3, "c", 1),
        ]
        .concat(),
        // It claims to be an event of another game, whose place that one keeps.
        [changed(event(1, "a", 2)), event(3, "c", 2)].concat(),
        [
            event(1, "a", 2),
            changed(event(3, "c", 1)),
            event(3, "c", 3)[..20].to_vec(),
        ]
        .concat(),
        event(4, "d", 1),
    ];
    let streams = ["a", "b", "c", "d"];
    write_bundles(directory.path(), &streams, bundles.into_iter());
    let store = open(directory.path());
    let damage = StreamDamage {
        stream: id("b"),
        seq: Seq(1),
        defect: Defect::Checksum,
    };
    assert_eq!(store.verify().await.unwrap(), [damage]);
    for (stream, expected) in [
        ("a", vec!["a 1", "a 2"]),
        ("b", vec![]),
        ("c", vec!["c 1", "c 2"]),
        ("d", vec!["d 1"]),
    ] {
        assert_eq!(texts(&read(&store, stream).await), expected, "{stream}");
    }
}

/// Opens a store, which migrates it. Only does so as a child.
#[test]
fn migrating_child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    writeln!(stdout(), "\nopening").unwrap();
    open(&PathBuf::from(directory));
}

#[tokio::test]
async fn a_kill_in_the_middle_of_a_migration_loses_nothing() {
    const BUNDLES: u32 = 2_000;
    let directory = tempfile::tempdir().unwrap();
    let bundles = (1..=BUNDLES).map(|seq| {
        let games = ["a", "b", "c", "d"];
        let events = (1..)
            .zip(games)
            .map(|(row, stream)| bundled(row, stream, seq, "text"));
        events.collect::<Vec<_>>().concat()
    });
    write_bundles(directory.path(), &["a", "b", "c", "d"], bundles);
    for millis in [0, 5, 10, 20, 40, 80] {
        let mut child = child("migration::migrating_child", directory.path())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.map_while(Result::ok).any(|line| line == "opening"));
        std::thread::sleep(Duration::from_millis(millis));
        child.kill().unwrap(); // SIGKILL
        child.wait().unwrap();
        let found = version(directory.path());
        assert!([3, 5].contains(&found), "{found}");
    }
    let store = open(directory.path());
    assert_eq!(version(directory.path()), 15);
    assert_eq!(store.verify().await.unwrap(), []);
    for stream in ["a", "b", "c", "d"] {
        assert_eq!(read(&store, stream).await.last(), Seq(BUNDLES));
    }
}

/// Events of the game that runs.
const RUNNING: u32 = 19;

/// A file that a server of version 4 wrote: three finished games of two bots, and one that runs.
#[tokio::test]
async fn a_real_file_of_version_4_is_taken_up() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("checkers.db");
    fs::write(&path, include_bytes!("version_4.db")).unwrap();
    let store = open(directory.path());
    assert_eq!(store.verify().await.unwrap(), []);
    for (stream, events) in [("main-1", 80), ("main-2", 42), ("main-3", 62)] {
        let found = read(&store, stream).await;
        assert!(found.is_closed, "{stream}");
        assert_eq!(found.last(), Seq(events), "{stream}");
        assert_eq!(found.events[0].kind, "opened");
        assert_eq!(found.events.last().unwrap().kind, "ended");
    }
    assert_eq!(store.unfinished().await.unwrap(), [id("main-4")]);
    assert_eq!(read(&store, "main-4").await.last(), Seq(RUNNING));
    let games = store
        .games(ArchiveFilter::default(), None, 10)
        .await
        .unwrap();
    let plies = games.games.iter().map(|game| game.summary.plies);
    assert_eq!(plies.collect::<Vec<_>>(), [57, 37, 75]);
    let next = append("main-4", RUNNING, &["next"]);
    assert_eq!(write(&store, next).await, Ok(Seq(RUNNING + 1)));
    store.close().await;

    let database = Connection::open(&path).unwrap();
    let moves =
        "SELECT count(payload ->> 'path') FROM event JOIN stream ON stream.id = event.stream
                 WHERE name = 'main-1' AND kind = 'moved'";
    let moves: u32 = database.query_row(moves, [], |row| row.get(0)).unwrap();
    assert_eq!(moves, 75);
    let check: String = database
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok");
}

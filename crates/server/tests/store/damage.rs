//! Damage is found, named precisely, and does not spread.

use std::fs;
use std::path::Path;

use checkers_server::store::{
    Damage, Defect, EventLog, OpenError, Seq, SqliteStore, StoreConfig, WriteError,
};

use crate::support::{append, id, open, read, summary, texts, write, write_together};

/// Two running games and a finished one, as a file that nobody has open. Each event was committed by
/// itself: event `n` of the first game is in bundle `n`, of the second one in bundle `3 + n`.
async fn three_games(directory: &Path) {
    let store = open(directory);
    for stream in ["good", "bad"] {
        for (after, text) in (0..).zip(["first", "second", "third"]) {
            write(&store, append(stream, after, &[text])).await.unwrap();
        }
    }
    write(&store, append("done", 0, &["first"])).await.unwrap();
    let end = append("done", 1, &["last"]).closing(summary(1, "1-0", "Ann", "Bob"));
    write(&store, end).await.unwrap();
    store.close().await;
}

/// The bundle with the second event of the second game.
const SECOND_OF_BAD: i64 = 5;

/// The bundle with the end of the finished game.
const LAST_OF_DONE: i64 = 8;

fn database(directory: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(directory.join("checkers.db")).unwrap()
}

/// Changes the bytes of a bundle behind the back of the store.
fn change(directory: &Path, bundle: i64, change: impl FnOnce(&mut Vec<u8>)) {
    let database = database(directory);
    let select = "SELECT events FROM bundle WHERE id = ?1";
    let mut events: Vec<u8> = database
        .query_row(select, [bundle], |row| row.get(0))
        .unwrap();
    change(&mut events);
    let update = "UPDATE bundle SET events = ?2 WHERE id = ?1";
    assert_eq!(database.execute(update, (bundle, events)).unwrap(), 1);
}

fn delete(directory: &Path, bundle: i64) {
    let delete = "DELETE FROM bundle WHERE id = ?1";
    assert_eq!(database(directory).execute(delete, [bundle]).unwrap(), 1);
}

async fn expect_damage(directory: &Path, defect: Defect) {
    let store = open(directory);
    let damage = Damage {
        stream: id("bad"),
        seq: Seq(2),
        defect,
    };
    let found = read(&store, "bad").await;
    assert_eq!(texts(&found), ["first"], "up to the damage");
    assert_eq!(found.damage.as_ref(), Some(&damage));
    assert_eq!(store.verify().await.unwrap(), std::slice::from_ref(&damage));
    for after in [1, 3] {
        let refused = write(&store, append("bad", after, &["more"])).await;
        assert_eq!(refused, Err(WriteError::Damaged(damage.clone())));
    }
    assert_eq!(
        write(&store, append("good", 3, &["fourth"])).await,
        Ok(Seq(4))
    );
}

#[tokio::test]
async fn a_flipped_bit_in_the_file_is_found() {
    let directory = tempfile::tempdir().unwrap();
    three_games(directory.path()).await;
    let path = directory.path().join("checkers.db");
    let mut bytes = fs::read(&path).unwrap();
    // The payloads stand in the file as they are; the later event is nearer to the page's begin.
    let places: Vec<usize> = (0..bytes.len() - 6)
        .filter(|&i| bytes[i..].starts_with(b"second"))
        .collect();
    assert_eq!(places.len(), 2);
    bytes[places[0]] ^= 0x04;
    fs::write(&path, bytes).unwrap();
    expect_damage(directory.path(), Defect::Checksum).await;
}

#[tokio::test]
async fn a_changed_time_is_found() {
    let directory = tempfile::tempdir().unwrap();
    three_games(directory.path()).await;
    // It stands behind the checksum, the row and the number.
    change(directory.path(), SECOND_OF_BAD, |events| events[16] ^= 1);
    expect_damage(directory.path(), Defect::Checksum).await;
}

#[tokio::test]
async fn a_missing_event_is_found() {
    let directory = tempfile::tempdir().unwrap();
    three_games(directory.path()).await;
    delete(directory.path(), SECOND_OF_BAD);
    expect_damage(directory.path(), Defect::Missing).await;
}

#[tokio::test]
async fn an_event_that_breaks_off_is_found() {
    let directory = tempfile::tempdir().unwrap();
    three_games(directory.path()).await;
    change(directory.path(), SECOND_OF_BAD, |events| _ = events.pop());
    expect_damage(directory.path(), Defect::Missing).await;
}

#[tokio::test]
async fn an_event_that_is_damaged_harms_none_of_its_bundle() {
    let directory = tempfile::tempdir().unwrap();
    let streams = ["before", "bad", "after"];
    write_together(directory.path(), &streams)
        .await
        .close()
        .await;
    let second = |events: &mut Vec<u8>| {
        let middle = events.len() / 2;
        events[middle] ^= 1;
    };
    change(directory.path(), 2, second);
    let store = open(directory.path());
    for (stream, good) in streams.into_iter().zip([1, 0, 1]) {
        let found = read(&store, stream).await;
        assert_eq!(found.last(), Seq(good), "{stream}");
        assert_eq!(found.damage.is_some(), good == 0, "{stream}");
    }
}

#[tokio::test]
async fn a_missing_end_of_a_finished_game_is_found() {
    let directory = tempfile::tempdir().unwrap();
    three_games(directory.path()).await;
    delete(directory.path(), LAST_OF_DONE);
    let found = read(&open(directory.path()), "done").await;
    let damage = Damage {
        stream: id("done"),
        seq: Seq(2),
        defect: Defect::Missing,
    };
    assert_eq!(
        (texts(&found), found.damage),
        (vec!["first".into()], Some(damage))
    );
}

#[tokio::test]
async fn a_broken_structure_is_reported_and_the_rest_can_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    write(&store, append("early", 0, &["first"])).await.unwrap();
    let long = "x".repeat(1000);
    for after in 0..200 {
        write(&store, append("late", after, &[&long]))
            .await
            .unwrap();
    }
    store.close().await;
    let path = directory.path().join("checkers.db");
    let mut bytes = fs::read(&path).unwrap();
    let page = leaf_with(&bytes, long.as_bytes());
    bytes[page..page + 4096].fill(0xff);
    fs::write(&path, bytes).unwrap();

    let error = SqliteStore::open(StoreConfig::new(directory.path())).unwrap_err();
    assert!(matches!(&error, OpenError::Damaged { problems, .. } if !problems.is_empty()));
    let store = SqliteStore::open_read_only(directory.path()).unwrap();
    assert_eq!(texts(&read(&store, "early").await), ["first"]);
    let late = read(&store, "late").await;
    let damage = late.damage.clone().unwrap();
    assert!(late.last() > Seq::NONE);
    assert_eq!(
        (damage.stream, damage.seq),
        (id("late"), late.last().next())
    );
    assert!(matches!(damage.defect, Defect::Unreadable { .. }));
    assert_eq!(store.unfinished().await.unwrap(), [id("early"), id("late")]);
}

/// Where a page in the last third of those that hold `text` begins.
fn leaf_with(bytes: &[u8], text: &[u8]) -> usize {
    let pages: Vec<usize> = (0..bytes.len())
        .step_by(4096)
        .filter(|&page| {
            bytes[page..page + 4096]
                .windows(text.len())
                .any(|part| part == text)
        })
        .collect();
    pages[pages.len() * 2 / 3]
}

//! Damage is found, named precisely, and does not spread.

use std::fs;
use std::path::Path;

use checkers_server::store::{
    Damage, Defect, EventLog, OpenError, Seq, SqliteStore, StoreConfig, WriteError,
};

use crate::support::{append, id, open, read, summary, texts, write};

/// Two running games and a finished one, as a file that nobody has open.
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

fn database(directory: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(directory.join("checkers.db")).unwrap()
}

/// Changes an event behind the back of the store.
fn change(directory: &Path, stream: &str, seq: u32, change: &str) {
    let place = "stream = (SELECT id FROM stream WHERE name = ?1) AND seq = ?2";
    let statement = format!("{change} WHERE {place}");
    let changed = database(directory).execute(&statement, (stream, seq));
    assert_eq!(changed.unwrap(), 1);
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
async fn a_changed_field_is_found() {
    for field in [
        "at = at + 1",
        "kind = 'move'",
        "payload = payload || ' '",
        "checksum = checksum + 1",
    ] {
        let directory = tempfile::tempdir().unwrap();
        three_games(directory.path()).await;
        let update = format!("UPDATE event SET {field}");
        change(directory.path(), "bad", 2, &update);
        expect_damage(directory.path(), Defect::Checksum).await;
    }
}

#[tokio::test]
async fn a_missing_event_is_found() {
    for removal in ["DELETE FROM event", "UPDATE event SET seq = 7"] {
        let directory = tempfile::tempdir().unwrap();
        three_games(directory.path()).await;
        change(directory.path(), "bad", 2, removal);
        expect_damage(directory.path(), Defect::Missing).await;
    }
}

#[tokio::test]
async fn a_missing_end_of_a_finished_game_is_found() {
    let directory = tempfile::tempdir().unwrap();
    three_games(directory.path()).await;
    change(directory.path(), "done", 2, "DELETE FROM event");
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
    write(&store, append("later", 0, &["first"])).await.unwrap();
    store.close().await;
    let path = directory.path().join("checkers.db");
    let mut bytes = fs::read(&path).unwrap();
    let page = leaf_with(&bytes, long.as_bytes());
    bytes[page..page + 4096].fill(0xff);
    fs::write(&path, bytes).unwrap();

    let error = SqliteStore::open(StoreConfig::new(directory.path())).unwrap_err();
    assert!(matches!(&error, OpenError::Damaged { problems, .. } if !problems.is_empty()));
    let store = SqliteStore::open_damaged(directory.path()).unwrap();
    assert_eq!(texts(&read(&store, "early").await), ["first"]);
    assert_eq!(texts(&read(&store, "later").await), ["first"]);
    let late = read(&store, "late").await;
    let damage = late.damage.clone().unwrap();
    assert!(late.last() > Seq::NONE);
    let missing = Damage {
        stream: id("late"),
        seq: late.last().next(),
        defect: Defect::Missing,
    };
    assert_eq!(damage, missing);
    assert_eq!(
        store.unfinished().await.unwrap(),
        [id("early"), id("late"), id("later")]
    );
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

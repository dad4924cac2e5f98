//! Damage is found, named precisely, and does not spread.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use event_store::{
    Archive, ArchiveFilter, Defect, EventLog, OpenError, Seq, SqliteStore, StoreConfig,
    StreamDamage, WriteError, all_games,
};
use futures::TryStreamExt;
use test_support::store::{append, finish, id, read, summary, texts, write};

use crate::conformance::archive::{OF_ANN, expect, narrow_cases, played, some_longer_games};
use crate::support::open;

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
    let damage = StreamDamage {
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
    let damage = StreamDamage {
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
    let missing = StreamDamage {
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

/// Overwrites the pages of a table or an index but the first. Returns how many it has.
fn overwrite(directory: &Path, object: &str) -> usize {
    let path = directory.join("checkers.db");
    let pages = leaves(&rusqlite::Connection::open(&path).unwrap(), object);
    let mut bytes = fs::read(&path).unwrap();
    for page in pages.iter().skip(1) {
        let begin = usize::try_from(page - 1).unwrap() * 4096;
        bytes[begin..begin + 4096].fill(0xff);
    }
    fs::write(&path, bytes).unwrap();
    pages.len()
}

/// The numbers of the pages in which a table or an index has its rows, in their order.
fn leaves(database: &rusqlite::Connection, object: &str) -> Vec<u32> {
    let pages = "SELECT pageno FROM dbstat WHERE name = ?1 AND pagetype = 'leaf' ORDER BY path";
    let mut pages = database.prepare(pages).unwrap();
    let pages = pages.query_map([object], |row| row.get(0)).unwrap();
    pages.map(Result::unwrap).collect()
}

#[tokio::test]
async fn what_is_left_of_a_damaged_archive_is_found() {
    for object in ["game_finished", "game_result", "participant", "game"] {
        let directory = tempfile::tempdir().unwrap();
        let store = open(directory.path());
        some_longer_games(&store).await;
        for i in 0..200 {
            let game = summary(100 + i, "1-0", "Eve", "Fay");
            finish(&store, &format!("later-{i}"), game).await;
        }
        store.close().await;
        assert!(overwrite(directory.path(), object) > 1, "{object}");
        let store = SqliteStore::open(StoreConfig::new(directory.path()));
        assert!(matches!(store, Err(OpenError::Damaged { .. })), "{object}");
        let store = SqliteStore::open_damaged(directory.path()).unwrap();
        expect(&store, narrow_cases()).await;
        assert_eq!(played(&store, "Ann").await, OF_ANN);
        let game = store.game(id("g1")).await.unwrap().unwrap();
        assert_eq!(game.summary, summary(10, "1-0", "Ann", "Bob"));
        let games = all_games(Arc::new(store), ArchiveFilter::default());
        let games: Vec<_> = games.try_collect().await.unwrap();
        let is_whole = object != "game";
        assert_eq!(games.len() == 206, is_whole, "{object}: {}", games.len());
        assert!(games.len() > 6, "{object}: {}", games.len());
    }
}

//! Who may open a store, and which files are one.

use std::fs;
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::PathBuf;

use event_store::{EventLog, Health, OpenError, SqliteStore, StoreConfig, WriteError};
use test_support::store::{append, id, read, texts, write};

use crate::support::{DIRECTORY, child, open};

fn open_error(directory: &std::path::Path) -> OpenError {
    SqliteStore::open(StoreConfig::new(directory)).unwrap_err()
}

#[tokio::test]
async fn the_directory_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a/b");
    write(&open(&path), append("a", 0, &["one"])).await.unwrap();
    assert!(path.join("checkers.db").exists());
}

/// Holds the directory until its input ends. Only does so as a child.
#[test]
fn holder_child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    let _store = open(&PathBuf::from(directory));
    writeln!(stdout(), "\nopen").unwrap();
    std::io::stdin().lines().for_each(drop);
}

#[tokio::test]
async fn two_processes_cannot_share_a_directory() {
    let directory = tempfile::tempdir().unwrap();
    let mut holder = child("opening::holder_child", directory.path())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "open"));
    assert!(matches!(
        open_error(directory.path()),
        OpenError::Locked { .. }
    ));
    drop(holder.stdin.take());
    assert!(holder.wait().unwrap().success());
    write(&open(directory.path()), append("a", 0, &["one"]))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_store_that_was_closed_can_be_opened_at_once() {
    let directory = tempfile::tempdir().unwrap();
    for i in 0..20 {
        let store = open(directory.path());
        write(&store, append("a", i, &["x"])).await.unwrap();
        store.close().await;
    }
}

#[tokio::test]
async fn a_newer_file_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    write(&store, append("a", 0, &["one"])).await.unwrap();
    store.close().await;
    let path = directory.path().join("checkers.db");
    let database = rusqlite::Connection::open(&path).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    drop(database);
    let before = fs::read(&path).unwrap();
    let error = open_error(directory.path());
    assert!(
        matches!(error, OpenError::Newer { found: 99, .. }),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_of_another_program_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("checkers.db");
    let text = "a letter to a friend, long enough to be taken for a header ".repeat(20);
    fs::write(&path, &text).unwrap();
    let error = open_error(directory.path());
    assert!(matches!(error, OpenError::Foreign { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);

    fs::remove_file(&path).unwrap();
    let database = rusqlite::Connection::open(&path).unwrap();
    database
        .execute("CREATE TABLE recipes (title TEXT)", [])
        .unwrap();
    assert!(matches!(
        open_error(directory.path()),
        OpenError::Foreign { .. }
    ));
}

#[tokio::test]
async fn a_copy_of_a_damaged_file_cannot_be_written() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    write(&store, append("a", 0, &["one"])).await.unwrap();
    store.close().await;
    let copy = SqliteStore::open_damaged(directory.path()).unwrap();
    assert_eq!(texts(&read(&copy, "a").await), ["one"]);
    assert_eq!(*copy.health().borrow(), Health::ReadOnly);
    assert_eq!(
        write(&copy, append("a", 1, &["two"])).await,
        Err(WriteError::ReadOnly)
    );
    assert_eq!(copy.unfinished().await.unwrap(), [id("a")]);
    assert!(matches!(
        open_error(directory.path()),
        OpenError::Locked { .. }
    ));
}

#[test]
fn there_is_nothing_to_copy_where_no_store_is() {
    let directory = tempfile::tempdir().unwrap();
    let error = SqliteStore::open_damaged(directory.path()).unwrap_err();
    assert!(matches!(error, OpenError::Database { .. }), "{error}");
}

//! A journal on a disk that is full.

use std::path::Path;
use std::process::Command;

use checkers_bot_test::journal::{Header, Journal, JournalError};

use super::support::{place, plan, record};

/// Tells the copy of this test with little room where its journal is.
const PATH: &str = "JOURNAL_ON_A_FULL_DISK";

/// A file may become a few KiB long, and the write that crosses that line is a short one: as it is
/// when a disk is full.
#[test]
fn a_short_write_is_taken_back() {
    if let Ok(path) = std::env::var(PATH) {
        return fill(Path::new(&path));
    }
    let (_directory, path) = place();
    let child = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "journal::full_disk::a_short_write_is_taken_back"])
        .env(PATH, &path)
        .output()
        .unwrap();
    assert!(child.status.success(), "{child:?}");
    let mut reopened = Journal::open(&path).unwrap();
    assert_eq!(reopened.damage, None);
    let recorded = reopened.records.len() as u64;
    assert!(recorded > 0);
    assert!(
        (0..)
            .zip(&reopened.records)
            .all(|(id, kept)| *kept == record(id))
    );
    reopened.journal.append(&[record(recorded)]).unwrap();
    drop(reopened);
    let records = Journal::open(&path).unwrap().records;
    assert_eq!(records.len() as u64, recorded + 1);
}

/// Records pairings until there is no more room, and checks that nothing half is left.
fn fill(path: &Path) {
    let mut journal = Journal::create(path, &Header::new(&plan(), Vec::new())).unwrap();
    let mut whole = std::fs::read(path).unwrap();
    for id in 0.. {
        match journal.append(&[record(id)]) {
            Ok(()) => whole = std::fs::read(path).unwrap(),
            Err(JournalError::Io { action, .. }) => {
                assert_eq!(action, "write");
                break;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(std::fs::read(path).unwrap(), whole);
}

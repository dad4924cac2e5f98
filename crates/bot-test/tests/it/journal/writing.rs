//! Beginning a journal, adding to it and taking it up again.

use checkers_bot_test::Format;
use checkers_bot_test::journal::{Header, Journal, JournalError};

use super::support::{journal, place, plan, record, records};

#[test]
fn what_was_recorded_is_read_again() {
    let (_directory, path) = place();
    let header = Header::new(&plan(), Vec::new());
    let mut journal = Journal::create(&path, &header).unwrap();
    journal.append(&[record(1), record(0)]).unwrap();
    journal.append(&[]).unwrap();
    journal.append(&[record(2)]).unwrap();
    drop(journal);
    let reopened = Journal::open(&path).unwrap();
    assert_eq!(reopened.header, header);
    assert_eq!(reopened.records, [record(1), record(0), record(2)]);
    assert_eq!(reopened.damage, None);
}

#[test]
fn it_makes_no_difference_when_records_came() {
    let whole = journal(3);
    let (_directory, path) = place();
    drop(Journal::create(&path, &Header::new(&plan(), Vec::new())).unwrap());
    for record in records(3) {
        let mut reopened = Journal::open(&path).unwrap();
        reopened.journal.append(&[record]).unwrap();
    }
    assert_eq!(std::fs::read(&path).unwrap(), whole);
}

#[test]
fn only_one_run_writes_a_journal() {
    let (_directory, path) = place();
    let header = Header::new(&plan(), Vec::new());
    let journal = Journal::create(&path, &header).unwrap();
    let is_locked = |error| matches!(error, JournalError::Locked { .. });
    assert!(is_locked(Journal::open(&path).unwrap_err()));
    assert!(is_locked(Journal::create(&path, &header).unwrap_err()));
    drop(journal);
    let reopened = Journal::open(&path).unwrap();
    assert!(is_locked(Journal::open(&path).unwrap_err()));
    drop(reopened);
    assert!(Journal::open(&path).is_ok());
}

#[test]
fn nothing_is_overwritten() {
    let header = Header::new(&plan(), Vec::new());
    for content in [
        journal(2),
        journal(0),
        b"c3-d4 b6-a5\n".to_vec(),
        b"notes".to_vec(),
    ] {
        let (_directory, path) = place();
        std::fs::write(&path, &content).unwrap();
        let error = Journal::create(&path, &header).unwrap_err();
        assert!(matches!(error, JournalError::NotEmpty { .. }), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), content);
    }
}

#[test]
fn what_records_nothing_can_be_begun_again() {
    let whole = journal(0);
    for length in 0..whole.len() {
        let (_directory, path) = place();
        std::fs::write(&path, &whole[..length]).unwrap();
        let error = Journal::open(&path).unwrap_err();
        assert!(matches!(error, JournalError::NoHeader { .. }), "{error}");
        drop(Journal::create(&path, &Header::new(&plan(), Vec::new())).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn a_pairing_is_recorded_once() {
    let (_directory, path) = place();
    let mut journal = Journal::create(&path, &Header::new(&plan(), Vec::new())).unwrap();
    journal.append(&[record(0)]).unwrap();
    let before = std::fs::read(&path).unwrap();
    for again in [vec![record(0)], vec![record(1), record(2), record(1)]] {
        let error = journal.append(&again).unwrap_err();
        assert!(matches!(error, JournalError::Twice { .. }), "{error}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    journal.append(&[record(1)]).unwrap();
}

#[test]
fn what_is_no_file_is_refused() {
    let (directory, path) = place();
    let header = Header::new(&plan(), Vec::new());
    for path in [
        directory.path().to_owned(),
        directory.path().join("no/such/directory"),
        "/dev/null".into(),
    ] {
        let error = Journal::create(&path, &header).unwrap_err();
        assert!(matches!(error, JournalError::Io { .. }), "{error}");
    }
    let error = Journal::open(&path).unwrap_err();
    assert!(error.to_string().starts_with("cannot open "), "{error}");
}

#[test]
fn a_journal_is_read_while_it_is_written() {
    let (_directory, path) = place();
    let header = Header::new(&plan(), Vec::new());
    let mut journal = Journal::create(&path, &header).unwrap();
    journal.append(&[record(0)]).unwrap();
    // A line that is not written to its end.
    let mut text = std::fs::read(&path).unwrap();
    text.extend(b"0123abcd {\"pairing\"");
    std::fs::write(&path, &text).unwrap();
    assert_eq!(Journal::read(&path).unwrap(), (header, vec![record(0)]));
    assert_eq!(std::fs::read(&path).unwrap(), text);
}

#[test]
fn the_last_header_counts() {
    let (_directory, path) = place();
    let header = Header::new(&plan(), Vec::new());
    let mut journal = Journal::create(&path, &header).unwrap();
    journal.append(&[record(0)]).unwrap();
    let mut longer = plan();
    longer.format = Format::RoundRobin { pairs: 9 };
    let longer = Header::new(&longer, Vec::new());
    journal.extend(&longer).unwrap();
    journal.append(&[record(1)]).unwrap();
    drop(journal);
    let reopened = Journal::open(&path).unwrap();
    assert_eq!(reopened.header, longer);
    assert_eq!(reopened.records, [record(0), record(1)]);
}

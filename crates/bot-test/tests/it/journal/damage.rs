//! Journals that were cut short, or that something has changed.

use std::path::Path;

use checkers_bot_test::PairRecord;
use checkers_bot_test::journal::{Defect, Journal, JournalDamage, JournalError};

use super::support::{journal, place, records};
use crate::is_exhaustive;

const PAIRINGS: u64 = 3;

/// Where each line begins, and where the last one ends.
fn boundaries(text: &[u8]) -> Vec<usize> {
    let breaks = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    std::iter::once(0)
        .chain(breaks.map(|(index, _)| index + 1))
        .collect()
}

/// Takes up a file of this text.
fn reopen(
    path: &Path,
    text: &[u8],
) -> Result<(Vec<PairRecord>, Option<JournalDamage>), JournalError> {
    std::fs::write(path, text).unwrap();
    let reopened = Journal::open(path)?;
    Ok((reopened.records, reopened.damage))
}

/// The damage that keeps a file of this text from being taken up. It is left as it is.
fn damage(text: &[u8]) -> JournalDamage {
    let (_directory, path) = place();
    let error = reopen(&path, text).unwrap_err();
    assert_eq!(std::fs::read(&path).unwrap(), text);
    match error {
        JournalError::Damaged { damage, .. } => damage,
        error => panic!("{error}"),
    }
}

#[test]
fn a_journal_may_end_at_any_byte() {
    let whole = journal(PAIRINGS);
    let boundaries = boundaries(&whole);
    let (_directory, path) = place();
    let is_sampled = |length: &usize| {
        let is_near = |end: &usize| end.abs_diff(*length) <= 1;
        is_exhaustive() || length.is_multiple_of(7) || boundaries.iter().any(is_near)
    };
    for length in (boundaries[1]..=whole.len()).filter(is_sampled) {
        std::fs::write(&path, &whole[..length]).unwrap();
        let mut reopened = Journal::open(&path).unwrap();
        let kept = boundaries.iter().rposition(|&end| end <= length).unwrap();
        assert_eq!(reopened.records, records(kept as u64 - 1));
        let torn = (boundaries[kept] < length).then(|| JournalDamage {
            line: kept as u64 + 1,
            byte: boundaries[kept] as u64,
            defect: Defect::Unfinished,
        });
        assert_eq!(reopened.damage, torn);
        let rest = &records(PAIRINGS)[kept - 1..];
        reopened.journal.append(rest).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn a_changed_byte_is_found() {
    let whole = journal(PAIRINGS);
    let boundaries = boundaries(&whole);
    let last = PAIRINGS as usize;
    let (_directory, path) = place();
    let step = if is_exhaustive() { 1 } else { 5 };
    for position in (0..whole.len()).step_by(step) {
        let mut text = whole.clone();
        text[position] ^= [0x01, 0x20, 0x80, 0xff][position % 4];
        let line = (boundaries.iter().rposition(|&start| start <= position)).unwrap();
        let found = match reopen(&path, &text) {
            Ok((kept, Some(damage))) if line == last => {
                assert_eq!(kept, records(PAIRINGS - 1));
                damage
            }
            Err(JournalError::Damaged { damage, .. }) if line < last => damage,
            other => panic!("byte {position}: {other:?}"),
        };
        let place = (line as u64 + 1, boundaries[line] as u64);
        assert_eq!((found.line, found.byte), place, "byte {position}");
    }
}

#[test]
fn lines_that_are_missing_or_elsewhere_are_found() {
    let whole = journal(PAIRINGS);
    let ends = boundaries(&whole);
    let line = |index: usize| &whole[ends[index]..ends[index + 1]];
    let missing = [line(0), line(2), line(3)].concat();
    let swapped = [line(0), line(2), line(1), line(3)].concat();
    let doubled = [line(0), line(1), line(1), line(2)].concat();
    for (text, expected) in [(missing, 2), (swapped, 2), (doubled, 3)] {
        let damage = damage(&text);
        assert_eq!(damage.line, expected);
        assert!(matches!(damage.defect, Defect::Checksum { .. }), "{damage}");
    }
}

/// The journal with one more line: good in itself, whatever it says.
fn with_line(text: &[u8], json: &str) -> Vec<u8> {
    let ends = boundaries(text);
    let previous = ends.len().checked_sub(2).map_or(0, |last| {
        let digits = std::str::from_utf8(&text[ends[last]..ends[last] + 8]).unwrap();
        u32::from_str_radix(digits, 16).unwrap()
    });
    let checked = [&previous.to_be_bytes(), json.as_bytes()].concat();
    let line = format!("{:08x} {json}\n", crc32fast::hash(&checked));
    [text, line.as_bytes()].concat()
}

#[test]
fn a_pairing_that_is_recorded_twice_is_damage() {
    let again = serde_json::to_string(&super::support::record(1)).unwrap();
    let damage = damage(&with_line(&journal(PAIRINGS), &again));
    assert_eq!(damage.line, 5);
    assert_eq!(damage.defect, Defect::Twice { id: 1 });
}

#[test]
fn what_was_written_but_makes_no_sense_is_not_cut_off() {
    let damage = damage(&with_line(&journal(1), "{\"pairing\":null}"));
    assert_eq!(damage.line, 3);
    let told = damage.to_string();
    assert!(
        told.contains(": line 3 cannot be read: invalid type: null"),
        "{told}"
    );
}

#[test]
fn another_version_is_reported() {
    let (_directory, path) = place();
    let error = reopen(&path, &with_line(b"", "{\"journal\":2,\"new\":true}")).unwrap_err();
    let told = error.to_string();
    assert!(
        told.ends_with("is a journal of version 2, and this program reads version 1"),
        "{told}"
    );
}

#[test]
fn what_is_no_journal_is_left_alone() {
    for text in ["c3-d4 b6-a5\nc3-b4\n", "c3-d4 b6-a5", "0123456789"] {
        let damage = damage(text.as_bytes());
        assert_eq!((damage.line, damage.byte), (1, 0));
    }
}

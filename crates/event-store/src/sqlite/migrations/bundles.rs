//! The bundles of versions 2 to 4: rows with many events each.
//!
//! An event in a bundle is: checksum (4 bytes), id of its stream (8), seq (4), at (8), length of the kind
//! (1), length of the payload (4), little endian; then the kind and the payload.

use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, params};
use tracing::info;

use crate::event::{Seq, StreamId, UnixMillis, checksum};
use crate::sqlite::streams::Text;

/// Between two reports of progress.
const REPORT: Duration = Duration::from_secs(2);

/// Whether the database has bundles.
pub(super) fn exist(connection: &Connection) -> rusqlite::Result<bool> {
    let tables = "SELECT count(*) FROM sqlite_schema WHERE name = 'bundle'";
    connection.query_row(tables, [], |row| row.get(0))
}

/// Copies the events of all bundles, one bundle at a time, into rows of `event_5`. Events keep their
/// checksums, so that a damaged one still is.
pub(super) fn unpack(connection: &Connection) -> rusqlite::Result<()> {
    let last: Option<i64> =
        connection.query_row("SELECT max(id) FROM bundle", [], |row| row.get(0))?;
    let mut reported = Instant::now();
    let mut select = connection.prepare("SELECT id, events FROM bundle ORDER BY id")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let bundle = row.get_ref(1)?.as_bytes_or_null()?.unwrap_or_default();
        for event in events(bundle) {
            insert(connection, event)?;
        }
        if reported.elapsed() > REPORT {
            reported = Instant::now();
            info!(bundle = row.get::<_, i64>(0)?, ?last, "migrating events");
        }
    }
    connection.execute_batch(
        "DROP TABLE bundle;
         ALTER TABLE stream DROP COLUMN first;
         ALTER TABLE stream DROP COLUMN bundles;",
    )
}

/// A damaged event may claim the place of another one, which then keeps it.
fn insert(connection: &Connection, event: Bundled<'_>) -> rusqlite::Result<()> {
    let Bundled { kind, payload, .. } = event;
    let insert = if is_intact(connection, event)? {
        "INSERT OR REPLACE INTO event_5 VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6)"
    } else {
        "INSERT OR IGNORE INTO event_5 VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6)"
    };
    connection.prepare_cached(insert)?.execute(params![
        event.stream,
        event.seq,
        event.at,
        Text(kind),
        Text(payload),
        event.checksum
    ])?;
    Ok(())
}

fn is_intact(connection: &Connection, event: Bundled<'_>) -> rusqlite::Result<bool> {
    let stream: Option<StreamId> = connection
        .prepare_cached("SELECT name FROM stream WHERE id = ?1")?
        .query_row([event.stream], |row| row.get(0))
        .optional()?;
    let sum = |id| checksum(&id, event.seq, event.at, event.kind, event.payload);
    Ok(stream.map(sum) == Some(event.checksum))
}

/// An event in a bundle, as it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bundled<'a> {
    stream: i64,
    seq: Seq,
    at: UnixMillis,
    kind: &'a [u8],
    payload: &'a [u8],
    checksum: u32,
}

/// The events of a bundle, up to where it makes no sense any more.
fn events(mut bundle: &[u8]) -> impl Iterator<Item = Bundled<'_>> {
    std::iter::from_fn(move || decode(&mut bundle))
}

fn decode<'a>(bundle: &mut &'a [u8]) -> Option<Bundled<'a>> {
    let checksum = u32::from_le_bytes(take(bundle)?);
    let stream = i64::from_le_bytes(take(bundle)?);
    let seq = Seq(u32::from_le_bytes(take(bundle)?));
    let at = UnixMillis(i64::from_le_bytes(take(bundle)?));
    let [kind_length] = take(bundle)?;
    let payload_length = u32::from_le_bytes(take(bundle)?);
    let kind = bundle.split_off(..usize::from(kind_length))?;
    let payload = bundle.split_off(..usize::try_from(payload_length).ok()?)?;
    Some(Bundled {
        stream,
        seq,
        at,
        kind,
        payload,
        checksum,
    })
}

fn take<const N: usize>(bundle: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bundle.split_first_chunk()?;
    *bundle = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_that_breaks_off_is_read_up_to_there() {
        let mut event = vec![1, 0, 0, 0];
        event.extend(7_i64.to_le_bytes());
        event.extend(2_u32.to_le_bytes());
        event.extend(5_i64.to_le_bytes());
        event.push(2);
        event.extend(3_u32.to_le_bytes());
        event.extend(b"abxyz");
        let bundle = event.repeat(2);
        let expected = Bundled {
            stream: 7,
            seq: Seq(2),
            at: UnixMillis(5),
            kind: b"ab",
            payload: b"xyz",
            checksum: 1,
        };
        for length in 0..=bundle.len() {
            let found: Vec<_> = events(&bundle[..length]).collect();
            assert_eq!(found, vec![expected; length / event.len()], "{length}");
        }
    }
}

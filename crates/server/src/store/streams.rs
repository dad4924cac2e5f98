//! Streams in the database: how they are found, begun, closed and read.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, params};

use super::bundle;
use super::event::{
    Append, Damage, Defect, Event, NewEvent, Seq, StreamId, StreamRead, UnixMillis,
};
use super::open_streams::OpenStreams;

/// Where the events of a stream are.
#[derive(Clone, Debug)]
struct Places {
    row: i64,
    is_closed: bool,
    /// The number of the bundle for each event.
    bundles: Vec<i64>,
    /// Why that may not be all.
    broken_off: Option<Defect>,
}

/// Begins a stream, whose first event will be in this bundle or one after it.
pub(super) fn begin(connection: &Connection, id: &StreamId, first: i64) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("INSERT INTO stream (name, first) VALUES (?1, ?2)")?
        .insert(params![id, first])
}

/// Closes a stream whose events are in these bundles.
pub(super) fn close(connection: &Connection, row: i64, bundles: &[i64]) -> rusqlite::Result<()> {
    let bytes: Vec<u8> = bundles
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    connection
        .prepare_cached("UPDATE stream SET open = 0, bundles = ?2 WHERE id = ?1")?
        .execute(params![row, bytes])?;
    Ok(())
}

/// Whether every event of `append` is there, and its stream closed if it closes it.
pub(super) fn contains(
    connection: &Connection,
    open: &OpenStreams,
    append: &Append,
) -> rusqlite::Result<bool> {
    let Some(read) = read(connection, Some(open), &append.stream)? else {
        return Ok(false);
    };
    if append.closes() && !read.is_closed {
        return Ok(false);
    }
    let is_there = |(seq, new): (Seq, &NewEvent)| {
        let index = (seq.0 as usize).checked_sub(1);
        let found = index.and_then(|index| read.events.get(index));
        found.is_some_and(|event| {
            (event.at, &*event.kind, &event.payload) == (new.at, &*new.kind, &new.payload)
        })
    };
    Ok(append.numbered().all(is_there))
}

/// The row of a stream, and whether it is open.
pub(super) fn find(
    connection: &Connection,
    id: &StreamId,
) -> rusqlite::Result<Option<(i64, bool)>> {
    connection
        .prepare_cached("SELECT id, open FROM stream WHERE name = ?1")?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// Reads a stream up to its end or its first damage. Where nobody knows the open streams by heart,
/// their events are looked for.
pub(super) fn read(
    connection: &Connection,
    open: Option<&OpenStreams>,
    id: &StreamId,
) -> rusqlite::Result<Option<StreamRead>> {
    let Some(places) = places(connection, open, id)? else {
        return Ok(None);
    };
    let mut read = StreamRead {
        is_closed: places.is_closed,
        events: Vec::with_capacity(places.bundles.len()),
        damage: None,
    };
    let found = read_events(connection, id, places, &mut read.events);
    read.damage = found.err().map(|defect| Damage {
        stream: id.clone(),
        seq: read.last().next(),
        defect,
    });
    Ok(Some(read))
}

/// The streams that are open, the oldest first.
pub(super) fn unfinished(connection: &Connection) -> rusqlite::Result<Vec<StreamId>> {
    let mut select =
        connection.prepare_cached("SELECT name FROM stream WHERE open = 1 ORDER BY id")?;
    select.query_map([], |row| row.get(0))?.collect()
}

/// The stream that was begun last among those whose names begin like this.
pub(super) fn latest(connection: &Connection, prefix: &str) -> rusqlite::Result<Option<StreamId>> {
    // The index on the names finds a range, which ends where no name with this beginning comes.
    let mut end = prefix.as_bytes().to_vec();
    if let Some(last) = end.last_mut() {
        *last += 1;
    }
    let end = String::from_utf8(end).unwrap_or_default();
    connection
        .prepare_cached(
            "SELECT name FROM stream WHERE name >= ?1 AND name < ?2 ORDER BY id DESC LIMIT 1",
        )?
        .query_row([prefix, &end], |row| row.get(0))
        .optional()
}

/// The next `limit` streams after a row, with their rows.
pub(super) fn after(
    connection: &Connection,
    row: i64,
    limit: u32,
) -> rusqlite::Result<Vec<(i64, StreamId)>> {
    let mut select = connection
        .prepare_cached("SELECT id, name FROM stream WHERE id > ?1 ORDER BY id LIMIT ?2")?;
    select
        .query_map([row, i64::from(limit)], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .collect()
}

fn places(
    connection: &Connection,
    open: Option<&OpenStreams>,
    id: &StreamId,
) -> rusqlite::Result<Option<Places>> {
    let mut select =
        connection.prepare_cached("SELECT id, open, first, bundles FROM stream WHERE name = ?1")?;
    let found = select.query_row([id], |row| {
        let (is_open, closed): (bool, Option<Vec<u8>>) = (row.get(1)?, row.get(3)?);
        Ok((row.get(0)?, is_open, row.get(2)?, closed))
    });
    let Some((row, is_open, first, closed)) = found.optional()? else {
        return Ok(None);
    };
    let mut places = Places {
        row,
        is_closed: !is_open,
        bundles: closed.map_or_else(Vec::new, |bytes| numbers(&bytes)),
        broken_off: None,
    };
    if !is_open {
        return Ok(Some(places));
    }
    if let Some(known) = open.and_then(|open| open.find(row)) {
        places.bundles = known;
    } else {
        let bundles = &mut places.bundles;
        let scanned = bundle::scan(connection, first, |number, event| {
            if event.row == row {
                bundles.push(number);
            }
        });
        places.broken_off = scanned.err().map(Defect::from);
    }
    Ok(Some(places))
}

fn numbers(bytes: &[u8]) -> Vec<i64> {
    let (chunks, _) = bytes.as_chunks();
    chunks
        .iter()
        .map(|chunk| i64::from_le_bytes(*chunk))
        .collect()
}

fn read_events(
    connection: &Connection,
    id: &StreamId,
    places: Places,
    events: &mut Vec<Event>,
) -> Result<(), Defect> {
    for (seq, bundle) in (1..).map(Seq).zip(places.bundles) {
        let found = bundle::read(connection, bundle, |bundle| {
            let is_it = |event: &bundle::Bundled<'_>| (event.row, event.seq) == (places.row, seq);
            let event = bundle::events(bundle).find(is_it).ok_or(Defect::Missing)?;
            event.intact(id).ok_or(Defect::Checksum)
        });
        events.push(found?.ok_or(Defect::Missing)??);
    }
    if let Some(defect) = places.broken_off {
        return Err(defect);
    }
    let last = Seq::NONE.plus(events.len());
    if archived_length(connection, places.row)?.is_some_and(|length| length != last) {
        return Err(Defect::Missing);
    }
    Ok(())
}

/// How many events a closed stream had when it was closed.
fn archived_length(connection: &Connection, row: i64) -> rusqlite::Result<Option<Seq>> {
    connection
        .prepare_cached("SELECT events FROM game WHERE stream = ?1")?
        .query_row([row], |row| row.get(0))
        .optional()
}

impl From<rusqlite::Error> for Defect {
    fn from(error: rusqlite::Error) -> Defect {
        Defect::Unreadable {
            message: error.to_string(),
        }
    }
}

impl ToSql for StreamId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.as_str().to_sql()
    }
}

impl FromSql for StreamId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<StreamId> {
        value.as_str()?.parse().map_err(FromSqlError::other)
    }
}

impl ToSql for Seq {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for Seq {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Seq> {
        u32::column_result(value).map(Seq)
    }
}

impl ToSql for UnixMillis {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for UnixMillis {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<UnixMillis> {
        i64::column_result(value).map(UnixMillis)
    }
}

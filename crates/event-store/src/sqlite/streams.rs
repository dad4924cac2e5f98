//! Streams and their events in the database.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, Statement, params};

use crate::event::{
    Append, Defect, Event, NewEvent, Seq, StreamDamage, StreamEnd, StreamId, StreamRead,
    UnixMillis, checksum,
};
use crate::query::STREAM_ENDS;

/// Begins a stream. Returns its row.
pub(super) fn begin(connection: &Connection, id: &StreamId) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("INSERT INTO stream (name) VALUES (?1)")?
        .insert([id])
}

/// Closes the stream in a row.
pub(super) fn close(connection: &Connection, row: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE stream SET open = 0 WHERE id = ?1")?
        .execute([row])?;
    Ok(())
}

/// Prepares what [`insert`] executes for each event of a transaction.
pub(super) fn prepare_insert(connection: &Connection) -> rusqlite::Result<CachedStatement<'_>> {
    connection.prepare_cached("INSERT INTO event VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6)")
}

/// Adds an event to the stream in a row.
pub(super) fn insert(
    statement: &mut Statement<'_>,
    row: i64,
    id: &StreamId,
    seq: Seq,
    event: &NewEvent,
) -> rusqlite::Result<()> {
    let NewEvent { at, kind, payload } = event;
    let sum = checksum(id, seq, *at, kind.as_bytes(), payload);
    statement.execute(params![row, seq, at, kind, Text(payload), sum])?;
    Ok(())
}

/// Whether every event of `append` is there, and its stream closed if it closes it.
pub(super) fn contains(connection: &Connection, append: &Append) -> rusqlite::Result<bool> {
    let Some(read) = read(connection, &append.stream)? else {
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

/// Reads a stream up to its end or its first damage.
pub(super) fn read(connection: &Connection, id: &StreamId) -> rusqlite::Result<Option<StreamRead>> {
    let Some((row, is_open)) = find(connection, id)? else {
        return Ok(None);
    };
    let mut read = StreamRead {
        is_closed: !is_open,
        events: Vec::new(),
        damage: None,
    };
    let found = read_events(connection, id, row, &mut read.events);
    read.damage = found.err().map(|defect| StreamDamage {
        stream: id.clone(),
        seq: read.last().next(),
        defect,
    });
    Ok(Some(read))
}

/// The streams that are open, the oldest first, without those of games by correspondence with a row.
pub(super) fn unfinished(connection: &Connection) -> rusqlite::Result<Vec<StreamId>> {
    let mut select = connection.prepare_cached(
        "SELECT name FROM stream WHERE open = 1
            AND NOT EXISTS (SELECT 1 FROM correspondence WHERE game = name) ORDER BY id",
    )?;
    select.query_map([], |row| row.get(0))?.collect()
}

/// The stream that was begun last among those whose names begin like this.
pub(super) fn latest(connection: &Connection, prefix: &str) -> rusqlite::Result<Option<StreamId>> {
    // The index on the names finds a range, which ends before the next possible beginning.
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

/// How many streams there are.
pub(super) fn count(connection: &Connection) -> rusqlite::Result<u64> {
    let count: i64 = connection.query_row("SELECT count(*) FROM stream", [], |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

/// The next `limit` streams after a row, with their rows.
pub(super) fn after(
    connection: &Connection,
    row: i64,
    limit: u32,
) -> rusqlite::Result<Vec<(i64, StreamEnd)>> {
    let select = format!("{STREAM_ENDS} WHERE stream.id > ?1 ORDER BY stream.id LIMIT ?2");
    let mut select = connection.prepare_cached(&select)?;
    select
        .query_map([row, i64::from(limit)], |row| Ok((row.get(0)?, end(row)?)))?
        .collect()
}

/// The end of a stream, if it exists.
pub(super) fn find_end(
    connection: &Connection,
    id: &StreamId,
) -> rusqlite::Result<Option<StreamEnd>> {
    connection
        .prepare_cached(&format!("{STREAM_ENDS} WHERE name = ?1"))?
        .query_row([id], end)
        .optional()
}

fn end(row: &Row<'_>) -> rusqlite::Result<StreamEnd> {
    Ok(StreamEnd {
        stream: row.get(1)?,
        is_closed: !row.get::<_, bool>(2)?,
        last: row.get::<_, Option<Seq>>(3)?.unwrap_or(Seq::NONE),
        checksum: row.get(4)?,
    })
}

fn read_events(
    connection: &Connection,
    id: &StreamId,
    row: i64,
    events: &mut Vec<Event>,
) -> Result<(), Defect> {
    let mut select = connection.prepare_cached(
        "SELECT seq, at, kind, payload, checksum FROM event WHERE stream = ?1 ORDER BY seq",
    )?;
    let mut rows = select.query([row])?;
    let mut last = Seq::NONE;
    while let Some(row) = rows.next()? {
        if row.get::<_, Seq>(0)? != last.next() {
            return Err(Defect::Missing);
        }
        last = last.next();
        events.push(intact(row, id, last)?);
    }
    if archived_length(connection, row)?.is_some_and(|length| length != last) {
        return Err(Defect::Missing);
    }
    Ok(())
}

/// The event in a row, if it is as it was written.
fn intact(row: &Row<'_>, id: &StreamId, seq: Seq) -> Result<Event, Defect> {
    let at = row.get(1)?;
    let (kind, payload) = (bytes(row, 2)?, bytes(row, 3)?);
    let sum: u32 = row.get(4)?;
    if checksum(id, seq, at, kind, payload) != sum {
        return Err(Defect::Checksum);
    }
    Ok(Event {
        seq,
        at,
        kind: String::from_utf8_lossy(kind).into_owned(),
        payload: payload.to_owned(),
    })
}

fn bytes<'a>(row: &'a Row<'_>, column: usize) -> rusqlite::Result<&'a [u8]> {
    Ok(row.get_ref(column)?.as_bytes()?)
}

/// How many events a stream in the archive had when it was closed.
fn archived_length(connection: &Connection, row: i64) -> rusqlite::Result<Option<Seq>> {
    connection
        .prepare_cached("SELECT events FROM game WHERE stream = ?1")?
        .query_row([row], |row| row.get(0))
        .optional()
}

/// Bytes that are stored as text, whether or not they are UTF-8: a damaged event stays what it is.
#[derive(Debug)]
pub(super) struct Text<'a>(pub(super) &'a [u8]);

impl ToSql for Text<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Text(self.0)))
    }
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

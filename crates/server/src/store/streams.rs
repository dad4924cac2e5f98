//! Streams in the database: how they are found, read and added to.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::event::{
    Append, Damage, Defect, Event, NewEvent, Seq, StreamId, StreamRead, UnixMillis, checksum,
};

/// A stream's row.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamRow {
    pub(super) row: i64,
    pub(super) is_open: bool,
}

/// Finds a stream.
pub(super) fn find(connection: &Connection, id: &StreamId) -> rusqlite::Result<Option<StreamRow>> {
    connection
        .prepare_cached("SELECT id, open FROM stream WHERE name = ?1")?
        .query_row([id], |row| {
            Ok(StreamRow {
                row: row.get(0)?,
                is_open: row.get(1)?,
            })
        })
        .optional()
}

/// Begins a stream.
pub(super) fn begin(connection: &Connection, id: &StreamId) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("INSERT INTO stream (name) VALUES (?1)")?
        .insert([id])
}

/// Closes a stream.
pub(super) fn close(connection: &Connection, row: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE stream SET open = 0 WHERE id = ?1")?
        .execute([row])?;
    Ok(())
}

/// Adds the events of `append` to the stream in this row.
pub(super) fn add(connection: &Connection, row: i64, append: &Append) -> rusqlite::Result<()> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO event (stream, seq, at, kind, payload, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for (seq, event) in numbered(append) {
        let sum = checksum(&append.stream, seq, event.at, &event.kind, &event.payload);
        insert.execute(params![row, seq, event.at, event.kind, event.payload, sum])?;
    }
    Ok(())
}

/// Whether every event of `append` is there, and its stream closed if it closes it.
pub(super) fn contains(connection: &Connection, append: &Append) -> rusqlite::Result<bool> {
    let Some(stream) = find(connection, &append.stream)? else {
        return Ok(false);
    };
    if append.closes() && stream.is_open {
        return Ok(false);
    }
    let mut find = connection
        .prepare_cached("SELECT 1 FROM event WHERE stream = ?1 AND seq = ?2 AND checksum = ?3")?;
    for (seq, event) in numbered(append) {
        let sum = checksum(&append.stream, seq, event.at, &event.kind, &event.payload);
        if !find.exists(params![stream.row, seq, sum])? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads a stream up to its end or its first damage.
pub(super) fn read(connection: &Connection, id: &StreamId) -> rusqlite::Result<Option<StreamRead>> {
    let Some(stream) = find(connection, id)? else {
        return Ok(None);
    };
    let mut read = StreamRead {
        is_closed: !stream.is_open,
        events: Vec::new(),
        damage: None,
    };
    let found = read_events(connection, id, stream, &mut read.events);
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

fn numbered(append: &Append) -> impl Iterator<Item = (Seq, &NewEvent)> {
    (1..).map(|i| append.after.plus(i)).zip(&append.events)
}

fn read_events(
    connection: &Connection,
    id: &StreamId,
    stream: StreamRow,
    events: &mut Vec<Event>,
) -> Result<(), Defect> {
    let mut select = connection.prepare_cached(
        "SELECT seq, at, kind, payload, checksum FROM event WHERE stream = ?1 ORDER BY seq",
    )?;
    let mut rows = select.query([stream.row])?;
    let mut last = Seq::NONE;
    while let Some(row) = rows.next()? {
        let event = intact(id, last.next(), row)?;
        last = event.seq;
        events.push(event);
    }
    if archived_length(connection, stream.row)?.is_some_and(|length| length != last) {
        return Err(Defect::Missing);
    }
    Ok(())
}

/// The event in this row, if it is number `expected` as it was written.
fn intact(id: &StreamId, expected: Seq, row: &Row<'_>) -> Result<Event, Defect> {
    let (seq, sum): (Seq, u32) = (row.get(0)?, row.get(4)?);
    let event = Event {
        seq,
        at: row.get(1)?,
        kind: row.get(2)?,
        payload: row.get(3)?,
    };
    if seq != expected {
        return Err(Defect::Missing);
    }
    if checksum(id, seq, event.at, &event.kind, &event.payload) != sum {
        return Err(Defect::Checksum);
    }
    Ok(event)
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

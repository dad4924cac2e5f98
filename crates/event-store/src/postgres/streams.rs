//! Streams and their events in the database.

use tokio_postgres::types::Type;
use tokio_postgres::{Client, Error, Row};

use super::rows;
use crate::event::{
    Defect, Event, Seq, StreamDamage, StreamEnd, StreamId, StreamRead, UnixMillis, checksum,
};
use crate::query::STREAM_ENDS;

/// Reads a stream up to its end or its first damage, as it was at one moment.
pub(super) async fn read(client: &Client, id: &StreamId) -> Result<Option<StreamRead>, Error> {
    let select = "
        SELECT open, game.events, seq, at, checksum, kind, payload
        FROM stream LEFT JOIN event ON event.stream = stream.id LEFT JOIN game ON game.stream = stream.id
        WHERE name = $1 ORDER BY seq";
    let found = client
        .query_typed(select, &[(&id.as_str(), Type::TEXT)])
        .await?;
    let Some(first) = found.first() else {
        return Ok(None);
    };
    let mut read = StreamRead {
        is_closed: !first.get::<_, bool>("open"),
        events: Vec::new(),
        damage: None,
    };
    let archived = first.get::<_, Option<i32>>("events");
    // A stream without events is one row without an event.
    let rows = found
        .iter()
        .filter(|row| row.get::<_, Option<i32>>("seq").is_some());
    let complete = add_events(id, rows, &mut read.events);
    let is_cut = archived.is_some_and(|length| i64::from(length) != i64::from(read.last().0));
    let defect = match complete {
        Ok(()) if is_cut => Some(Defect::Missing),
        complete => complete.err(),
    };
    read.damage = defect.map(|defect| StreamDamage {
        stream: id.clone(),
        seq: read.last().next(),
        defect,
    });
    Ok(Some(read))
}

fn add_events<'a>(
    id: &StreamId,
    rows: impl Iterator<Item = &'a Row>,
    events: &mut Vec<Event>,
) -> Result<(), Defect> {
    let mut last = Seq::NONE;
    for row in rows {
        if rows::seq(row, "seq") != last.next() {
            return Err(Defect::Missing);
        }
        last = last.next();
        let (at, kind, payload) = (rows::time(row, "at"), row.get("kind"), row.get("payload"));
        events.push(intact(id, last, at, kind, payload, row.get("checksum"))?);
    }
    Ok(())
}

/// The event in a row, if it is as it was written.
fn intact(
    id: &StreamId,
    seq: Seq,
    at: UnixMillis,
    kind: String,
    payload: &str,
    sum: i64,
) -> Result<Event, Defect> {
    if i64::from(checksum(id, seq, at, kind.as_bytes(), payload.as_bytes())) != sum {
        return Err(Defect::Checksum);
    }
    Ok(Event {
        seq,
        at,
        kind,
        payload: payload.as_bytes().to_owned(),
    })
}

/// The streams that are open, the oldest first, without those of games by correspondence with a row.
pub(super) async fn unfinished(client: &Client) -> Result<Vec<StreamId>, Error> {
    let select = "SELECT name FROM stream WHERE open
        AND NOT EXISTS (SELECT 1 FROM correspondence WHERE game = name) ORDER BY id";
    let rows = client.query_typed(select, &[]).await?;
    Ok(rows.iter().filter_map(rows::stream).collect())
}

/// The stream that was begun last among those whose names begin like this.
pub(super) async fn latest(client: &Client, prefix: &StreamId) -> Result<Option<StreamId>, Error> {
    // The index on the names finds a range, which ends before the next possible beginning.
    let mut end = prefix.as_str().as_bytes().to_vec();
    if let Some(last) = end.last_mut() {
        *last += 1;
    }
    let end = String::from_utf8(end).unwrap_or_default();
    // Without `MATERIALIZED`, the newest streams of all names might be walked instead.
    let select = "
        WITH named AS MATERIALIZED (SELECT id, name FROM stream WHERE name >= $1 AND name < $2)
        SELECT name FROM named ORDER BY id DESC LIMIT 1";
    let values: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 2] =
        [(&prefix.as_str(), Type::TEXT), (&end, Type::TEXT)];
    let row = client.query_typed(select, &values).await?;
    Ok(row.first().and_then(rows::stream))
}

/// How many streams there are.
pub(super) async fn count(client: &Client) -> Result<u64, Error> {
    let rows = client
        .query_typed("SELECT count(*) FROM stream", &[])
        .await?;
    Ok(rows
        .first()
        .map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()))
}

/// The next `limit` streams after a row, with their rows.
pub(super) async fn after(
    client: &Client,
    row: i64,
    limit: u32,
) -> Result<Vec<(i64, StreamEnd)>, Error> {
    let select = format!("{STREAM_ENDS} WHERE stream.id > $1 ORDER BY stream.id LIMIT $2");
    let limit = i64::from(limit);
    let rows = client
        .query_typed(&select, &[(&row, Type::INT8), (&limit, Type::INT8)])
        .await?;
    let next = |row: &Row| Some((row.get("id"), end(row)?));
    Ok(rows.iter().filter_map(next).collect())
}

/// The ends of those of these streams that exist.
pub(super) async fn ends(client: &Client, ids: &[StreamId]) -> Result<Vec<StreamEnd>, Error> {
    let names: Vec<&str> = ids.iter().map(StreamId::as_str).collect();
    let select = format!("{STREAM_ENDS} WHERE name = ANY ($1)");
    let rows = client
        .query_typed(&select, &[(&names, Type::TEXT_ARRAY)])
        .await?;
    Ok(rows.iter().filter_map(end).collect())
}

fn end(row: &Row) -> Option<StreamEnd> {
    let last = row.get::<_, Option<i32>>("seq");
    let checksum = row.get::<_, Option<i64>>("checksum");
    Some(StreamEnd {
        stream: rows::stream(row)?,
        is_closed: !row.get::<_, bool>("open"),
        last: last.map_or(Seq::NONE, |_| rows::seq(row, "seq")),
        checksum: checksum.and_then(|sum| u32::try_from(sum).ok()),
    })
}

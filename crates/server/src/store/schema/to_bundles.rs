//! From version 1, with a row for each event, to version 2, with bundles of them.

use std::collections::HashMap;

use rusqlite::{Connection, params};

use crate::store::bundle::{self, Bundled, Bundler};
use crate::store::event::{Seq, UnixMillis};

/// Takes a database of version 1 to version 2. Events keep their checksums, so that one which was
/// damaged still is, at the same place. Holds 8 bytes for each event meanwhile.
pub(super) fn migrate(connection: &Connection) -> rusqlite::Result<()> {
    if has_bundles(connection)? {
        return Ok(()); // some databases of version 2 have the number of version 1
    }
    connection.execute_batch(include_str!("v2.sql"))?;
    let bundles = bundle_events(connection)?;
    let mut update = connection.prepare(
        "UPDATE stream SET first = ?2, bundles = CASE open WHEN 1 THEN NULL ELSE ?3 END WHERE id = ?1",
    )?;
    for (row, numbers) in bundles {
        let first = numbers.iter().min();
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        update.execute(params![row, first, bytes])?;
    }
    connection.execute_batch("DROP TABLE event")
}

fn has_bundles(connection: &Connection) -> rusqlite::Result<bool> {
    let tables = "SELECT count(*) FROM sqlite_schema WHERE name = 'bundle'";
    connection.query_row(tables, [], |row| row.get(0))
}

/// Copies the events in the order in which they came. Returns the bundles of each stream.
fn bundle_events(connection: &Connection) -> rusqlite::Result<HashMap<i64, Vec<i64>>> {
    let mut bundles: HashMap<i64, Vec<i64>> = HashMap::new();
    let mut bundler = Bundler::begin(connection, bundle::next(connection)?);
    let mut select = connection
        .prepare("SELECT stream, seq, at, kind, payload, checksum FROM event ORDER BY id")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let stream = row.get(0)?;
        let number = bundler.put(Bundled {
            row: stream,
            seq: row.get::<_, Seq>(1)?,
            at: row.get::<_, UnixMillis>(2)?,
            kind: row.get_ref(3)?.as_bytes()?,
            payload: row.get_ref(4)?.as_blob()?,
            checksum: row.get(5)?,
        })?;
        bundles.entry(stream).or_default().push(number);
    }
    bundler.finish()?;
    Ok(bundles)
}

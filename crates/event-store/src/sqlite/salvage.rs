//! Copies what can be read of a damaged file into a new file, and takes that to the latest version.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, ErrorCode, Row, Statement};
use tracing::info;

use super::schema::{self, database_error};
use crate::config::Durability;
use crate::error::OpenError;

/// Fewer bytes than any row takes: a file has no more rows than its size divided by this.
const LEAST_ROW: i64 = 8;

/// Makes the file `to`, in the place of an older one, of what can be read of `from`.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), OpenError> {
    remove(to)?;
    let source = schema::connect_read_only(from).map_err(|error| database_error(from, error))?;
    let version = schema::check_version(from, &source)?;
    copy_tables(&source, to, version).map_err(|error| database_error(to, error))?;
    let target = schema::open(to, Durability::Crash)?;
    // The table has no row ids to be copied by. All its rows follow from the games.
    target
        .execute_batch(include_str!("participants.sql"))
        .map_err(|error| database_error(to, error))
}

fn remove(path: &Path) -> Result<(), OpenError> {
    for suffix in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(suffix);
        let path = PathBuf::from(file);
        if let Err(source) = fs::remove_file(&path)
            && source.kind() != ErrorKind::NotFound
        {
            return Err(OpenError::Directory { path, source });
        }
    }
    Ok(())
}

fn copy_tables(source: &Connection, to: &Path, version: u32) -> rusqlite::Result<()> {
    let mut target = schema::connect(to, Durability::Crash)?;
    let transaction = target.transaction()?;
    transaction.pragma_update(None, "application_id", schema::APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", version)?;
    let mut objects = source.prepare(
        "SELECT type = 'table', name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type = 'table' DESC",
    )?;
    let mut objects = objects.query([])?;
    while let Some(object) = objects.next()? {
        let (is_table, name, sql): (bool, String, String) =
            (object.get(0)?, object.get(1)?, object.get(2)?);
        transaction.execute_batch(&sql)?;
        if is_table && !sql.contains("WITHOUT ROWID") {
            let rows = copy_rows(source, &transaction, &name)?;
            info!(table = name, rows, "copied what can be read");
        }
    }
    transaction.commit()
}

/// Copies the rows of a table, whose first column is the row id. Returns how many there were.
fn copy_rows(source: &Connection, target: &Connection, table: &str) -> rusqlite::Result<u64> {
    let last = last_row(source, table)?;
    let mut scan = source.prepare(&format!(
        "SELECT * FROM {table} WHERE rowid >= ?1 ORDER BY rowid"
    ))?;
    let mut probe = source.prepare(&format!("SELECT * FROM {table} WHERE rowid = ?1"))?;
    let places = vec!["?"; scan.column_count()].join(", ");
    let mut insert = target.prepare(&format!("INSERT OR IGNORE INTO {table} VALUES ({places})"))?;
    let (mut count, mut next) = (0, Some(1));
    while let Some(first) = next {
        let mut reached = first;
        let mut rows = scan.query([first])?;
        let is_whole = loop {
            match rows.next() {
                Ok(Some(row)) => {
                    reached = row.get(0)?;
                    count += insert_row(&mut insert, row)?;
                }
                Ok(None) => break true,
                Err(_) => break false,
            }
        };
        let mut others = reached + 1..=last;
        next = match is_whole {
            true => None,
            // Rows that cannot be read are passed over one by one.
            false => others.find(|row| probe.exists([row]).unwrap_or(false)),
        };
    }
    Ok(count)
}

/// Copies a row unless the table refuses what it has. Returns how many rows were copied.
fn insert_row(insert: &mut Statement<'_>, row: &Row<'_>) -> rusqlite::Result<u64> {
    for column in 0..insert.parameter_count() {
        let value = ToSqlOutput::Borrowed(row.get_ref(column)?);
        insert.raw_bind_parameter(column + 1, value)?;
    }
    match insert.raw_execute() {
        Ok(count) => Ok(count as u64),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => Ok(0),
        Err(error) => Err(error),
    }
}

/// The last row that a table may have.
fn last_row(source: &Connection, table: &str) -> rusqlite::Result<i64> {
    let bytes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    let bytes: i64 = source.query_row(bytes, [], |row| row.get(0))?;
    let most = bytes / LEAST_ROW;
    let last = format!("SELECT max(rowid) FROM {table}");
    match source.query_row(&last, [], |row| row.get::<_, Option<i64>>(0)) {
        Ok(last) => Ok(last.unwrap_or(0).min(most)),
        Err(_) => Ok(most),
    }
}

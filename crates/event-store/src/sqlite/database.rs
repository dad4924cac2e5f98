//! Groups of appends as transactions of the database.

use std::collections::HashMap;
use std::path::PathBuf;

use foldhash::fast::RandomState;
use rusqlite::{Connection, ErrorCode, Statement};

use super::checkpoint::Checkpoints;
use super::{archive, migrations, schema, streams};
use crate::config::Durability;
use crate::database::{AppendResult, CommitFailure, Database, check_form};
use crate::error::WriteError;
use crate::event::{Append, Seq, StreamId};

/// The database of a file.
#[derive(Debug)]
pub(super) struct SqliteDatabase {
    path: PathBuf,
    durability: Durability,
    /// `None` after a failure: a failed transaction may leave something in its connection.
    connection: Option<Connection>,
    /// Where the open streams end that were found intact.
    positions: Positions,
    checkpoints: Checkpoints,
}

type Positions = HashMap<StreamId, Position, RandomState>;

/// Where an open stream ends.
#[derive(Clone, Copy, Debug)]
struct Position {
    row: i64,
    last: Seq,
}

impl SqliteDatabase {
    pub(super) fn new(
        path: PathBuf,
        durability: Durability,
        connection: Connection,
        checkpoints: Checkpoints,
    ) -> SqliteDatabase {
        SqliteDatabase {
            path,
            durability,
            connection: Some(connection),
            positions: Positions::default(),
            checkpoints,
        }
    }

    /// Limits the file to this many pages, as a full disk would.
    #[cfg(test)]
    pub(super) fn limit_pages(&self, pages: u32) {
        let connection = self
            .connection
            .as_ref()
            .expect("a connection before any failure");
        connection
            .pragma_update(None, "max_page_count", pages)
            .expect("a limit that can be set");
    }

    fn try_commit(&mut self, appends: &[Append]) -> Result<Vec<AppendResult>, CommitFailure> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => schema::connect(&self.path, self.durability)?,
        };
        execute(&connection, "BEGIN IMMEDIATE")?;
        let outcomes = add_all(&connection, &mut self.positions, appends)?;
        execute(&connection, "COMMIT").map_err(failed_commit)?;
        self.checkpoints.after_commit(&connection, appends.len());
        self.connection = Some(connection);
        Ok(outcomes)
    }
}

impl Database for SqliteDatabase {
    fn commit(&mut self, appends: &[Append]) -> Result<Vec<AppendResult>, CommitFailure> {
        let result = self.try_commit(appends);
        if result.is_err() {
            // They may count events that were rolled back.
            self.positions.clear();
        }
        result
    }

    /// Commits a page, which overwrites what a failed commit may have left in the write-ahead log, and
    /// copies the log into the database, which is synced: what is read then is there for good.
    fn recover(&mut self, unknown: &[Append]) -> Result<Vec<bool>, CommitFailure> {
        let connection = schema::connect(&self.path, self.durability)?;
        write_a_page(&connection)?;
        copy_log(&connection)?;
        let contains = |append| streams::contains(&connection, append);
        let written: Vec<bool> = unknown
            .iter()
            .map(contains)
            .collect::<rusqlite::Result<_>>()?;
        self.connection = Some(connection);
        Ok(written)
    }
}

impl Drop for SqliteDatabase {
    /// Leaves one file instead of three if no connection reads any more.
    fn drop(&mut self) {
        if let Some(connection) = &self.connection
            && let Err(failure) = copy_log(connection)
        {
            tracing::warn!(cause = %failure.cause, "the write-ahead log stays for the next start");
        }
    }
}

/// A commit that found the disk full has not written its last frame, without which SQLite ignores the
/// others. Any other failure may have come after that frame.
fn failed_commit(error: rusqlite::Error) -> CommitFailure {
    let is_unknown = error.sqlite_error_code() != Some(ErrorCode::DiskFull);
    CommitFailure {
        cause: error.to_string(),
        is_unknown,
        is_final: false,
    }
}

impl From<rusqlite::Error> for CommitFailure {
    fn from(error: rusqlite::Error) -> CommitFailure {
        CommitFailure {
            cause: error.to_string(),
            is_unknown: false,
            is_final: false,
        }
    }
}

fn execute(connection: &Connection, statement: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(statement)?.execute([])?;
    Ok(())
}

/// Commits the first page of the file, which has its version, unchanged.
fn write_a_page(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "user_version", migrations::LATEST)
}

/// Copies the whole write-ahead log into the database and syncs it.
fn copy_log(connection: &Connection) -> Result<(), CommitFailure> {
    let is_busy: bool =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if is_busy {
        let cause = "a connection reads the write-ahead log".into();
        return Err(CommitFailure {
            cause,
            is_unknown: false,
            is_final: false,
        });
    }
    Ok(())
}

fn add_all(
    connection: &Connection,
    positions: &mut Positions,
    appends: &[Append],
) -> rusqlite::Result<Vec<AppendResult>> {
    let mut insert = streams::prepare_insert(connection)?;
    let add = |append| add(connection, &mut insert, positions, append);
    appends.iter().map(add).collect()
}

/// Adds the events of `append`, unless it is refused; then nothing has been changed.
fn add(
    connection: &Connection,
    insert: &mut Statement<'_>,
    positions: &mut Positions,
    append: &Append,
) -> rusqlite::Result<AppendResult> {
    if let Err(error) = check_form(append) {
        return Ok(Err(error));
    }
    let row = match position(connection, positions, append)? {
        Ok(position) => position.row,
        Err(error) => return Ok(Err(error)),
    };
    let (stream, last) = (&append.stream, append.last());
    for (seq, event) in append.numbered() {
        streams::insert(insert, row, stream, seq, event)?;
    }
    if append.closes() {
        streams::close(connection, row)?;
        positions.remove(stream);
    } else {
        positions.insert(stream.clone(), Position { row, last });
    }
    if let Some(summary) = &append.close {
        archive::insert(connection, row, last, summary)?;
    }
    Ok(Ok(last))
}

/// Where the stream ends, if that is where `append` expects it; a new stream is begun.
fn position(
    connection: &Connection,
    positions: &Positions,
    append: &Append,
) -> rusqlite::Result<Result<Position, WriteError>> {
    let found = match positions.get(&append.stream) {
        Some(position) => Some(*position),
        None => match load(connection, &append.stream)? {
            Ok(position) => position,
            Err(error) => return Ok(Err(error)),
        },
    };
    let actual = found.map_or(Seq::NONE, |position| position.last);
    if actual != append.after {
        return Ok(Err(WriteError::Conflict {
            stream: append.stream.clone(),
            expected: append.after,
            actual,
        }));
    }
    Ok(Ok(match found {
        Some(position) => position,
        None => Position {
            row: streams::begin(connection, &append.stream)?,
            last: Seq::NONE,
        },
    }))
}

/// Where a stream ends, if it is open and intact; `None` if it does not exist.
fn load(
    connection: &Connection,
    id: &StreamId,
) -> rusqlite::Result<Result<Option<Position>, WriteError>> {
    let Some((row, is_open)) = streams::find(connection, id)? else {
        return Ok(Ok(None));
    };
    if !is_open {
        return Ok(Err(WriteError::Closed { stream: id.clone() }));
    }
    let Some(read) = streams::read(connection, id)? else {
        return Ok(Ok(None));
    };
    let last = read.last();
    Ok(match read.damage {
        Some(damage) => Err(WriteError::Damaged(damage)),
        None => Ok(Some(Position { row, last })),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_unchanged_first_page_is_written_to_the_log() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("checkers.db");
        let connection = schema::open(&path, Durability::PowerLoss).unwrap();
        copy_log(&connection).unwrap();
        let log = directory.path().join("checkers.db-wal");
        assert_eq!(fs::metadata(&log).unwrap().len(), 0);
        write_a_page(&connection).unwrap();
        assert!(fs::metadata(&log).unwrap().len() > 4096);
    }
}

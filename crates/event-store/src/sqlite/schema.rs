//! How the database is opened, checked and connected to.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::migrations;
use crate::config::Durability;
use crate::error::OpenError;

/// "RDST", in the header of every database of ours.
pub(super) const APPLICATION_ID: i64 = 0x5244_5354;

/// How long a connection waits for a lock of another one. The writer and the readers of a
/// write-ahead log never wait for each other; checkpoints do.
pub(super) const BUSY: Duration = Duration::from_secs(5);

/// Opens the database for writing: makes it, or checks its structure and migrates it.
pub(super) fn open(path: &Path, durability: Durability) -> Result<Connection, OpenError> {
    let fail = |error| database_error(path, error);
    let mut connection = connect(path, durability).map_err(fail)?;
    let version = check_version(path, &connection)?;
    check_structure(path, &connection)?;
    connection
        .pragma_update(None, "journal_mode", "WAL")
        .map_err(fail)?;
    migrations::migrate(&mut connection, version).map_err(|error| match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => fail(err),
        source => OpenError::Migration {
            path: path.into(),
            source,
        },
    })?;
    Ok(connection)
}

/// A connection that writes, to a database that has been opened before.
pub(super) fn connect(path: &Path, durability: Durability) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "synchronous", durability.synchronous())?;
    // The writer keeps references valid; checking them again would cost a lookup for each event.
    connection.pragma_update(None, "foreign_keys", false)?;
    // Checkpoints are made by a thread of their own, so that no commit waits for one.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    Ok(connection)
}

pub(super) fn connect_read_only(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// The version of the database, if it is ours and this server knows the version; 0 if it is empty.
pub(super) fn check_version(path: &Path, connection: &Connection) -> Result<u32, OpenError> {
    let fail = |error| database_error(path, error);
    let application = pragma(connection, "application_id").map_err(fail)?;
    let tables = "SELECT count(*) FROM sqlite_schema";
    let tables: i64 = connection
        .query_row(tables, [], |row| row.get(0))
        .map_err(fail)?;
    if application != APPLICATION_ID && (application != 0 || tables > 0) {
        return Err(OpenError::Foreign { path: path.into() });
    }
    let version = pragma(connection, "user_version").map_err(fail)?;
    let (found, known) = (
        u32::try_from(version).unwrap_or(u32::MAX),
        migrations::LATEST,
    );
    if found > known {
        let path = path.into();
        return Err(OpenError::Newer { path, found, known });
    }
    Ok(found)
}

fn check_structure(path: &Path, connection: &Connection) -> Result<(), OpenError> {
    let problems = problems(connection).map_err(|error| database_error(path, error))?;
    if problems == ["ok"] {
        Ok(())
    } else {
        Err(OpenError::Damaged {
            path: path.into(),
            problems,
        })
    }
}

fn problems(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut check = connection.prepare("PRAGMA quick_check(20)")?;
    check.query_map([], |row| row.get(0))?.collect()
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// What an error of the database means for the file.
pub(super) fn database_error(path: &Path, source: rusqlite::Error) -> OpenError {
    let path = path.into();
    match source.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::Foreign { path },
        Some(ErrorCode::DatabaseCorrupt) => OpenError::Damaged {
            path,
            problems: vec![source.to_string()],
        },
        _ => OpenError::Database { path, source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_database_is_opened_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("checkers.db");
        drop(open(&path, Durability::PowerLoss).unwrap());
        let again = open(&path, Durability::PowerLoss).unwrap();
        assert_eq!(pragma(&again, "application_id"), Ok(APPLICATION_ID));
        assert_eq!(
            pragma(&again, "user_version"),
            Ok(i64::from(migrations::LATEST))
        );
        assert_eq!(pragma(&again, "synchronous"), Ok(2));
    }
}

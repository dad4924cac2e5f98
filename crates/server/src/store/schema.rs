//! The form of the database, its versions, and how a connection to it is set up.

mod to_bundles;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::config::Durability;
use super::error::OpenError;
use super::open_streams::OpenStreams;

/// "RDST": marks the file as ours in its header, for `file` and against mix-ups.
const APPLICATION_ID: i64 = 0x5244_5354;

/// Leads from one version to the next, within a transaction.
type Step = fn(&Connection) -> rusqlite::Result<()>;

/// Step `i` leads from version `i` to version `i + 1`. Steps that were released never change.
const STEPS: &[Step] = &[
    |connection| connection.execute_batch(include_str!("schema/v1.sql")),
    to_bundles::migrate,
    // Documents of games have a line instead of moves from here on; those there are stay as they are.
    |_| Ok(()),
    |connection| {
        connection.execute_batch(KEPT)?;
        connection.execute_batch(include_str!("schema/v4.sql"))
    },
];

/// Shows the archive of [`OLDEST_READABLE`] as that of the latest version.
const KEPT: &str = include_str!("schema/kept.sql");

/// The oldest version that is read as it is, where a damaged file cannot be migrated.
const OLDEST_READABLE: u32 = 3;

/// How long a connection waits for a lock of another one. The writer and the readers of a
/// write-ahead log never wait for each other; checkpoints do.
const BUSY: Duration = Duration::from_secs(5);

/// Opens the database for writing, new or whole, in its latest version.
pub(super) fn open(path: &Path, durability: Durability) -> Result<Connection, OpenError> {
    open_with(path, durability, STEPS)
}

/// Opens a database for reading, however damaged the rest of it may be.
pub(super) fn open_read_only(path: &Path) -> Result<Connection, OpenError> {
    let fail = |error| database_error(path, error);
    let connection = connect_read_only(path).map_err(fail)?;
    let (found, known) = (check_identity(path, &connection)?, version_of(STEPS));
    if found < OLDEST_READABLE {
        return Err(OpenError::Older {
            path: path.into(),
            found,
            known,
        });
    }
    Ok(connection)
}

/// What is open in a database that has been opened. Reads the events since the oldest game began that
/// is not over.
pub(super) fn open_streams(
    path: &Path,
    connection: &Connection,
) -> Result<Arc<OpenStreams>, OpenError> {
    let open = OpenStreams::load(connection).map_err(|error| database_error(path, error))?;
    Ok(Arc::new(open))
}

/// A connection that writes, to a database that has been opened before.
pub(super) fn connect(path: &Path, durability: Durability) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "synchronous", durability.synchronous())?;
    // Checkpoints are made by a thread of their own, so that no commit waits for one.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    Ok(connection)
}

/// A connection that only reads.
pub(super) fn connect_read_only(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    if pragma(&connection, "user_version")? == i64::from(OLDEST_READABLE) {
        connection.execute_batch(KEPT)?;
    }
    Ok(connection)
}

fn open_with(path: &Path, durability: Durability, steps: &[Step]) -> Result<Connection, OpenError> {
    let fail = |error| database_error(path, error);
    let mut connection = connect(path, durability).map_err(fail)?;
    let version = check_version(path, &connection, steps)?;
    check_structure(path, &connection)?;
    connection
        .pragma_update(None, "journal_mode", "WAL")
        .map_err(fail)?;
    migrate(&mut connection, version, steps).map_err(fail)?;
    Ok(connection)
}

fn check_version(path: &Path, connection: &Connection, steps: &[Step]) -> Result<u32, OpenError> {
    let (found, known) = (check_identity(path, connection)?, version_of(steps));
    if found > known {
        return Err(OpenError::Newer {
            path: path.into(),
            found,
            known,
        });
    }
    Ok(found)
}

/// The version of the database, if it is ours; an empty one has version 0.
fn check_identity(path: &Path, connection: &Connection) -> Result<u32, OpenError> {
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
    Ok(u32::try_from(version).unwrap_or(u32::MAX))
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

/// Takes the database to the latest version: every step, or none if one fails.
fn migrate(connection: &mut Connection, from: u32, steps: &[Step]) -> rusqlite::Result<()> {
    let from = from as usize;
    if from == steps.len() {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    for step in &steps[from..] {
        step(&transaction)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", version_of(steps))?;
    transaction.commit()
}

fn version_of(steps: &[Step]) -> u32 {
    u32::try_from(steps.len()).unwrap_or(u32::MAX)
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

fn database_error(path: &Path, source: rusqlite::Error) -> OpenError {
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
    use std::path::PathBuf;

    use super::*;

    const OLD: &[Step] = &[|database| database.execute_batch("CREATE TABLE a (x)")];
    const NEW: &[Step] = &[
        OLD[0],
        |database| database.execute_batch("ALTER TABLE a ADD COLUMN y DEFAULT 7"),
        |database| database.execute_batch("UPDATE a SET x = x + y"),
    ];

    fn old_database(directory: &tempfile::TempDir) -> PathBuf {
        let path = directory.path().join("old.db");
        let old = open_with(&path, Durability::Crash, OLD).unwrap();
        old.execute("INSERT INTO a VALUES (1)", []).unwrap();
        path
    }

    #[test]
    fn an_older_version_is_taken_up_step_by_step() {
        let directory = tempfile::tempdir().unwrap();
        let path = old_database(&directory);
        let new = open_with(&path, Durability::Crash, NEW).unwrap();
        assert_eq!(
            new.query_row("SELECT x FROM a", [], |row| row.get(0)),
            Ok(8)
        );
        assert_eq!(pragma(&new, "user_version"), Ok(3));
    }

    #[test]
    fn a_step_that_fails_leaves_the_old_version() {
        let directory = tempfile::tempdir().unwrap();
        let path = old_database(&directory);
        let drop: Step = |database| database.execute_batch("DROP TABLE nobody");
        let broken = [NEW[0], NEW[1], drop];
        assert!(open_with(&path, Durability::Crash, &broken).is_err());
        let old = open_with(&path, Durability::Crash, OLD).unwrap();
        assert_eq!(
            old.query_row("SELECT * FROM a", [], |row| row.get(0)),
            Ok(1)
        );
        assert_eq!(pragma(&old, "user_version"), Ok(1));
    }

    #[test]
    fn a_newer_version_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new.db");
        drop(open_with(&path, Durability::Crash, NEW).unwrap());
        let error = open_with(&path, Durability::Crash, OLD).unwrap_err();
        assert!(
            matches!(
                error,
                OpenError::Newer {
                    found: 3,
                    known: 1,
                    ..
                }
            ),
            "{error}"
        );
    }

    #[test]
    fn the_released_steps_make_a_database() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("checkers.db");
        drop(open(&path, Durability::PowerLoss).unwrap());
        let again = open(&path, Durability::PowerLoss).unwrap();
        assert_eq!(
            pragma(&again, "user_version"),
            Ok(i64::from(version_of(STEPS)))
        );
        assert_eq!(pragma(&again, "synchronous"), Ok(2));
    }
}

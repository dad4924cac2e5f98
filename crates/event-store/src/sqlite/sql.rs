//! Statements on other tables than those of streams and the archive.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};
use tokio::task::spawn_blocking;

use super::directory::database_path;
use super::migrations;
use super::readers::Readers;
use super::schema::{self, database_error};
use crate::config::{Durability, StoreConfig};
use crate::error::{OpenError, ReadError};
use crate::sql::{Row, Sql, Statement, Value};

/// The other tables of a file.
#[derive(Debug)]
pub(crate) struct SqliteTables {
    readers: Readers,
    writer: Arc<TableWriter>,
}

/// The connection for transactions on these tables, separate from the writer of streams.
#[derive(Debug)]
struct TableWriter {
    path: PathBuf,
    durability: Durability,
    /// `None` until it is needed, and after a failure.
    connection: Mutex<Option<Connection>>,
}

impl SqliteTables {
    /// The tables of a file that has been opened before.
    pub(super) fn new(path: PathBuf, durability: Durability, readers: Readers) -> SqliteTables {
        SqliteTables {
            readers,
            writer: Arc::new(TableWriter {
                path,
                durability,
                connection: Mutex::default(),
            }),
        }
    }

    /// The tables of the file in a directory that a server may be using. Blocks.
    ///
    /// # Errors
    /// A file that does not exist, is no store, or has another version.
    pub(crate) fn open(directory: &Path) -> Result<SqliteTables, OpenError> {
        let path = database_path(directory);
        let fail = |error| database_error(&path, error);
        let connection = schema::connect_read_only(&path).map_err(fail)?;
        let found = schema::check_version(&path, &connection)?;
        if found < migrations::LATEST {
            return Err(OpenError::Older { path });
        }
        let config = StoreConfig::new(directory);
        let readers = Readers::new(path.clone(), config.readers);
        Ok(SqliteTables::new(path, config.durability, readers))
    }
}

impl Sql for SqliteTables {
    fn select(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<Row>, ReadError>> {
        let select = move |connection: &_| select(connection, &statement);
        Box::pin(self.readers.read(select))
    }

    fn transact(
        &self,
        statements: Vec<Statement>,
    ) -> BoxFuture<'_, Result<Option<Vec<Vec<Row>>>, ReadError>> {
        let writer = Arc::clone(&self.writer);
        Box::pin(async move {
            let task = spawn_blocking(move || writer.run(|on| transact(on, &statements)));
            task.await.map_err(|_| ReadError::Cancelled)?
        })
    }

    /// Copies the write-ahead log into the file and empties it, unless a connection reads it now.
    fn scrub(&self) -> BoxFuture<'_, Result<bool, ReadError>> {
        let writer = Arc::clone(&self.writer);
        let checkpoint = |connection: &mut Connection| {
            // The caller tries again; moves do not wait.
            connection.busy_timeout(Duration::ZERO)?;
            let is_busy: bool =
                connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
            connection.busy_timeout(schema::BUSY)?;
            Ok(!is_busy)
        };
        Box::pin(async move {
            let task = spawn_blocking(move || writer.run(checkpoint));
            task.await.map_err(|_| ReadError::Cancelled)?
        })
    }
}

impl TableWriter {
    fn run<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, ReadError> {
        let mut slot = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut connection = match slot.take() {
            Some(connection) => connection,
            None => {
                let connection = schema::connect(&self.path, self.durability)?;
                // Deleted data may be personal.
                connection.pragma_update(None, "secure_delete", true)?;
                connection
            }
        };
        let answer = work(&mut connection)?;
        *slot = Some(connection);
        Ok(answer)
    }
}

fn transact(
    connection: &mut Connection,
    statements: &[Statement],
) -> rusqlite::Result<Option<Vec<Vec<Row>>>> {
    let behavior = rusqlite::TransactionBehavior::Immediate;
    let transaction = connection.transaction_with_behavior(behavior)?;
    let mut answers = Vec::with_capacity(statements.len());
    for statement in statements {
        let rows = select(&transaction, statement)?;
        if statement.is_required && rows.is_empty() {
            return Ok(None);
        }
        answers.push(rows);
    }
    transaction.commit()?;
    Ok(Some(answers))
}

/// Executes a statement, and returns its rows.
fn select(connection: &Connection, statement: &Statement) -> rusqlite::Result<Vec<Row>> {
    let text = statement.text.replace('$', "?");
    let mut prepared = connection.prepare_cached(&text)?;
    let columns = prepared.column_count();
    let rows = prepared.query_map(params_from_iter(&statement.parameters), |row| {
        let value = |column| Ok(Value::from(row.get_ref(column)?));
        (0..columns).map(value).collect::<rusqlite::Result<_>>()
    })?;
    rows.map(|values| Ok(Row(values?))).collect()
}

impl From<ValueRef<'_>> for Value {
    fn from(value: ValueRef<'_>) -> Value {
        match value {
            ValueRef::Null | ValueRef::Real(_) => Value::Text(String::new()),
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
        }
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Integer(number) => ValueRef::Integer(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

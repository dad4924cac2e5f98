//! SQL statements that work in both databases, for tables other than streams and archive.
//!
//! Parameters are `$1`, `$2`…; values are integers, texts and bytes. No column is null.

use futures::future::BoxFuture;

use super::error::ReadError;

/// Access to the tables besides the streams and the archive.
pub trait Sql: std::fmt::Debug + Send + Sync {
    /// Reads rows, on a connection that does not write.
    ///
    /// # Errors
    /// A database that cannot be read, or a statement that it does not understand.
    fn select(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<Row>, ReadError>>;

    /// Executes all statements in one durable transaction, and returns the rows of each. Returns `None`, and changes
    /// nothing, if a [required](Statement::required) statement returns no row.
    ///
    /// # Errors
    /// A database that cannot be written, or a statement that it refuses. If the connection breaks, the transaction
    /// may have been committed.
    fn transact(
        &self,
        statements: Vec<Statement>,
    ) -> BoxFuture<'_, Result<Option<Vec<Vec<Row>>>, ReadError>>;

    /// Overwrites deleted and replaced data. Returns false if another connection is reading it: try again.
    /// PostgreSQL overwrites it when it vacuums.
    ///
    /// # Errors
    /// A database that cannot be written.
    fn scrub(&self) -> BoxFuture<'_, Result<bool, ReadError>>;
}

/// A statement with its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    pub(super) text: &'static str,
    pub(super) parameters: Vec<Value>,
    pub(super) is_required: bool,
}

impl Statement {
    /// A statement; `parameters` are those for `$1`, `$2` and so on.
    pub fn new(text: &'static str, parameters: Vec<Value>) -> Statement {
        Statement {
            text,
            parameters,
            is_required: false,
        }
    }

    /// Rolls the transaction back if this statement returns no row.
    #[must_use]
    pub fn required(self) -> Statement {
        Statement {
            is_required: true,
            ..self
        }
    }
}

/// A value of a column or a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Integer(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Value {
        Value::Bytes(bytes.to_vec())
    }
}

/// A row of an answer. A column that is missing or has another type reads as 0 or empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row(pub(super) Vec<Value>);

impl Row {
    /// The whole number in a column.
    pub fn integer(&self, column: usize) -> i64 {
        match self.0.get(column) {
            Some(Value::Integer(number)) => *number,
            _ => 0,
        }
    }

    pub fn text(&self, column: usize) -> &str {
        match self.0.get(column) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    pub fn bytes(&self, column: usize) -> &[u8] {
        match self.0.get(column) {
            Some(Value::Bytes(bytes)) => bytes,
            _ => &[],
        }
    }

    /// All values, in the order of the columns.
    pub fn into_values(self) -> Vec<Value> {
        self.0
    }
}

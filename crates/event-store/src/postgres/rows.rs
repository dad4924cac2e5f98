//! Types of the store as columns.

use tokio_postgres::Row;

use crate::event::{Seq, StreamId, UnixMillis};

/// A number for an `integer` column. Numbers of events and moves are far below the limit.
pub(super) fn to_integer(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A number from a column; 0 for a negative one, which the server does not write.
pub(super) fn number(row: &Row, column: &str) -> u32 {
    u32::try_from(row.get::<_, i32>(column)).unwrap_or(0)
}

pub(super) fn seq(row: &Row, column: &str) -> Seq {
    Seq(number(row, column))
}

pub(super) fn time(row: &Row, column: &str) -> UnixMillis {
    UnixMillis(row.get(column))
}

/// The name of a stream; `None` for one that the server cannot have written.
pub(super) fn stream(row: &Row) -> Option<StreamId> {
    row.get::<_, &str>("name").parse().ok()
}

//! Groups of writes as transactions of the database.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use foldhash::fast::RandomState;
use rusqlite::{Connection, ErrorCode};

use super::bundle::{self, Bundled, Bundler};
use super::checkpoint::Checkpoints;
use super::config::Durability;
use super::error::WriteError;
use super::event::{Append, NewEvent, Seq, StreamId};
use super::open_streams::{Change, OpenStreams};
use super::{archive, schema, streams};

/// What the writer asks of the database.
pub(super) trait Ledger: Send + 'static {
    /// Writes a group in one transaction: all that is not refused, or nothing.
    fn commit(&mut self, group: &[Append]) -> Result<Vec<Outcome>, Failure>;

    /// Tries to write again after a failure. Tells for certain, and for good, which of `unknown`
    /// were written.
    fn recover(&mut self, unknown: &[Append]) -> Result<Vec<bool>, Failure>;

    /// How many streams are open that have been written to.
    fn open(&self) -> usize;
}

/// The answer to a write of a group that was committed.
pub(super) type Outcome = Result<Seq, WriteError>;

/// Why a group was not committed.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) cause: String,
    /// Whether it may be in the file all the same.
    pub(super) is_unknown: bool,
}

/// The database as a ledger.
#[derive(Debug)]
pub(super) struct SqliteLedger {
    path: PathBuf,
    durability: Durability,
    /// `None` after a failure: what a failed transaction leaves in a connection goes with it.
    connection: Option<Connection>,
    /// Where the open streams stand that were found whole.
    heads: Heads,
    /// The number of the next bundle, if it is known.
    next_bundle: Option<i64>,
    open: Arc<OpenStreams>,
    checkpoints: Checkpoints,
}

type Heads = HashMap<StreamId, Head, RandomState>;

/// Where an open stream stands.
#[derive(Clone, Copy, Debug)]
struct Head {
    row: i64,
    last: Seq,
}

impl SqliteLedger {
    pub(super) fn new(
        path: PathBuf,
        durability: Durability,
        connection: Connection,
        open: Arc<OpenStreams>,
        checkpoints: Checkpoints,
    ) -> SqliteLedger {
        let (connection, heads) = (Some(connection), Heads::default());
        SqliteLedger {
            path,
            durability,
            connection,
            heads,
            next_bundle: None,
            open,
            checkpoints,
        }
    }

    /// Makes a disk of the present connection that is full after so many pages.
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

    fn try_commit(&mut self, group: &[Append]) -> Result<Vec<Outcome>, Failure> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => schema::connect(&self.path, self.durability)?,
        };
        execute(&connection, "BEGIN IMMEDIATE")?;
        let first = match self.next_bundle.take() {
            Some(known) => known,
            None => bundle::next(&connection)?,
        };
        let mut transaction = Transaction {
            connection: &connection,
            bundler: Bundler::begin(&connection, first),
            heads: &mut self.heads,
            open: &self.open,
            changes: Vec::with_capacity(group.len()),
        };
        let mut outcomes = Vec::with_capacity(group.len());
        for append in group {
            outcomes.push(transaction.add(append)?);
        }
        let Transaction {
            bundler, changes, ..
        } = transaction;
        let next = bundler.finish()?;
        execute(&connection, "COMMIT").map_err(Failure::of_commit)?;
        self.next_bundle = Some(next);
        self.open.apply(&changes);
        self.checkpoints.after_commit(&connection, group.len());
        self.connection = Some(connection);
        Ok(outcomes)
    }
}

impl Ledger for SqliteLedger {
    fn commit(&mut self, group: &[Append]) -> Result<Vec<Outcome>, Failure> {
        let result = self.try_commit(group);
        if result.is_err() {
            // They may speak of events that were rolled back.
            self.heads.clear();
        }
        result
    }

    /// Commits a fence, which overwrites what a failed commit may have left in the write-ahead
    /// log, and copies the log into the database, which is synced: what is read then stays.
    fn recover(&mut self, unknown: &[Append]) -> Result<Vec<bool>, Failure> {
        let connection = schema::connect(&self.path, self.durability)?;
        execute(&connection, "UPDATE fence SET count = count + 1")?;
        copy_log(&connection)?;
        self.open.reload(&connection)?;
        let written: rusqlite::Result<_> = unknown
            .iter()
            .map(|append| streams::contains(&connection, &self.open, append))
            .collect();
        self.connection = Some(connection);
        Ok(written?)
    }

    fn open(&self) -> usize {
        self.heads.len()
    }
}

impl Drop for SqliteLedger {
    /// Leaves one file behind instead of three where nobody reads any more.
    fn drop(&mut self) {
        if let Some(connection) = &self.connection
            && let Err(failure) = copy_log(connection)
        {
            tracing::warn!(cause = %failure.cause, "the write-ahead log stays for the next start");
        }
    }
}

impl Failure {
    /// A commit that found the disk full has not written its last frame, without which the others
    /// count for nothing. Any other failure may have come after it.
    fn of_commit(error: rusqlite::Error) -> Failure {
        let is_unknown = error.sqlite_error_code() != Some(ErrorCode::DiskFull);
        Failure {
            cause: error.to_string(),
            is_unknown,
        }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        Failure {
            cause: error.to_string(),
            is_unknown: false,
        }
    }
}

fn execute(connection: &Connection, statement: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(statement)?.execute([])?;
    Ok(())
}

/// Copies the whole write-ahead log into the database and syncs it.
fn copy_log(connection: &Connection) -> Result<(), Failure> {
    let is_busy: bool =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if is_busy {
        let cause = "somebody reads the write-ahead log".into();
        return Err(Failure {
            cause,
            is_unknown: false,
        });
    }
    Ok(())
}

fn check_form(append: &Append) -> Result<(), WriteError> {
    if append.events.is_empty() && !append.closes() {
        return Err(WriteError::Empty);
    }
    match append
        .events
        .iter()
        .position(|event| !is_well_formed(event))
    {
        Some(i) => Err(WriteError::Malformed {
            stream: append.stream.clone(),
            seq: append.after.plus(i + 1),
        }),
        None => Ok(()),
    }
}

fn is_well_formed(event: &NewEvent) -> bool {
    event.kind.len() <= NewEvent::MAX_KIND
        && !event.kind.contains('\0')
        && event.payload.len() <= NewEvent::MAX_PAYLOAD
}

/// A transaction that has begun.
struct Transaction<'a> {
    connection: &'a Connection,
    bundler: Bundler<'a>,
    heads: &'a mut Heads,
    open: &'a OpenStreams,
    /// What is to be told of once it is committed.
    changes: Vec<Change>,
}

impl Transaction<'_> {
    /// Adds events, unless something speaks against it; then nothing has been touched.
    fn add(&mut self, append: &Append) -> rusqlite::Result<Outcome> {
        if let Err(error) = check_form(append) {
            return Ok(Err(error));
        }
        let (stream, last) = (&append.stream, append.last());
        let known = self.heads.get_mut(stream);
        let row = match known.filter(|head| head.last == append.after) {
            Some(head) => {
                head.last = last;
                head.row
            }
            None => match self.place(append)? {
                Ok(row) => {
                    self.heads.insert(stream.clone(), Head { row, last });
                    row
                }
                Err(error) => return Ok(Err(error)),
            },
        };
        for (seq, event) in append.numbered() {
            let bundle = self.bundler.put(Bundled::new(row, stream, seq, event))?;
            self.changes.push(Change::Added { row, bundle });
        }
        if append.closes() {
            streams::close(self.connection, row, &self.bundles(row))?;
            self.heads.remove(stream);
            self.changes.push(Change::Closed { row });
        }
        if let Some(summary) = &append.close {
            archive::insert(self.connection, row, last, summary)?;
        }
        Ok(Ok(last))
    }

    /// The row of the stream, if it stands where `append` thinks.
    fn place(&self, append: &Append) -> rusqlite::Result<Result<i64, WriteError>> {
        let head = match self.heads.get(&append.stream) {
            Some(head) => Some(*head),
            None => match self.load(&append.stream)? {
                Ok(head) => head,
                Err(error) => return Ok(Err(error)),
            },
        };
        let actual = head.map_or(Seq::NONE, |head| head.last);
        if actual != append.after {
            let (stream, expected) = (append.stream.clone(), append.after);
            return Ok(Err(WriteError::Conflict {
                stream,
                expected,
                actual,
            }));
        }
        match head {
            Some(head) => Ok(Ok(head.row)),
            None => {
                let first = self.bundler.number();
                streams::begin(self.connection, &append.stream, first).map(Ok)
            }
        }
    }

    /// Where a stream stands, if it is open and whole; `None` if nobody has begun it.
    fn load(&self, id: &StreamId) -> rusqlite::Result<Result<Option<Head>, WriteError>> {
        let Some((row, is_open)) = streams::find(self.connection, id)? else {
            return Ok(Ok(None));
        };
        if !is_open {
            return Ok(Err(WriteError::Closed { stream: id.clone() }));
        }
        let Some(read) = streams::read(self.connection, Some(self.open), id)? else {
            return Ok(Ok(None));
        };
        Ok(match read.damage {
            Some(damage) => Err(WriteError::Damaged(damage)),
            None => Ok(Some(Head {
                row,
                last: read.last(),
            })),
        })
    }

    /// The bundles of a stream, those of this transaction included.
    fn bundles(&self, stream: i64) -> Vec<i64> {
        let mut bundles = self.open.find(stream).unwrap_or_default();
        bundles.extend(self.changes.iter().filter_map(|change| match *change {
            Change::Added { row, bundle } if row == stream => Some(bundle),
            Change::Added { .. } | Change::Closed { .. } => None,
        }));
        bundles
    }
}

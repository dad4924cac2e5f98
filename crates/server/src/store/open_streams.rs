//! Where the events of the open streams are, which is known by heart.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use rusqlite::Connection;

use super::bundle;
use super::event::StreamId;

/// The open streams and the bundles their events are in. The writer tells it what was committed;
/// whoever reads asks it.
#[derive(Debug, Default)]
pub(super) struct OpenStreams(RwLock<HashMap<StreamId, OpenStream>>);

/// What is known of an open stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OpenStream {
    pub(super) row: i64,
    /// The number of the bundle for each of its events.
    pub(super) bundles: Vec<i64>,
}

/// Something that was committed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// The next event of a stream is in this bundle.
    Added {
        stream: StreamId,
        row: i64,
        bundle: i64,
    },
    /// A stream has been closed.
    Closed { stream: StreamId },
}

impl OpenStreams {
    /// Reads all bundles from the first event of the oldest open stream on.
    pub(super) fn load(connection: &Connection) -> rusqlite::Result<OpenStreams> {
        Ok(OpenStreams(RwLock::new(find_all(connection)?)))
    }

    /// Forgets everything and reads it anew.
    pub(super) fn reload(&self, connection: &Connection) -> rusqlite::Result<()> {
        let found = find_all(connection)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = found;
        Ok(())
    }

    /// What is known of a stream, if it is open.
    pub(super) fn find(&self, id: &StreamId) -> Option<OpenStream> {
        let streams = self.0.read().unwrap_or_else(PoisonError::into_inner);
        streams.get(id).cloned()
    }

    /// Takes note of what was committed.
    pub(super) fn apply(&self, changes: Vec<Change>) {
        let mut streams = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for change in changes {
            match change {
                Change::Added {
                    stream,
                    row,
                    bundle,
                } => {
                    let bundles = Vec::new();
                    let new = || OpenStream { row, bundles };
                    streams
                        .entry(stream)
                        .or_insert_with(new)
                        .bundles
                        .push(bundle);
                }
                Change::Closed { stream } => _ = streams.remove(&stream),
            }
        }
    }
}

fn find_all(connection: &Connection) -> rusqlite::Result<HashMap<StreamId, OpenStream>> {
    let mut select = connection.prepare("SELECT id, name, first FROM stream WHERE open = 1")?;
    let open: HashMap<i64, (StreamId, i64)> = select
        .query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?
        .collect::<rusqlite::Result<_>>()?;
    let mut bundles: HashMap<i64, Vec<i64>> = HashMap::new();
    if let Some(&first) = open.values().map(|(_, first)| first).min() {
        bundle::scan(connection, first, |number, event| {
            if open.contains_key(&event.row) {
                bundles.entry(event.row).or_default().push(number);
            }
        })?;
    }
    let stream = |(row, (id, _))| {
        let bundles = bundles.remove(&row).unwrap_or_default();
        (id, OpenStream { row, bundles })
    };
    Ok(open.into_iter().map(stream).collect())
}

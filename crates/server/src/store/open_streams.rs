//! Where the events of the open streams are, which is known by heart.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use foldhash::fast::RandomState;
use rusqlite::Connection;

use super::bundle;

/// The open streams by their rows, and the bundle that each of their events is in. The writer tells it
/// what was committed; whoever reads asks it.
#[derive(Debug, Default)]
pub(super) struct OpenStreams(RwLock<Bundles>);

type Bundles = HashMap<i64, Vec<i64>, RandomState>;

/// Something that was committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// The next event of the stream in this row is in this bundle.
    Added { row: i64, bundle: i64 },
    /// The stream in this row has been closed.
    Closed { row: i64 },
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

    /// The number of the bundle for each event of the stream in a row, if it is open.
    pub(super) fn find(&self, row: i64) -> Option<Vec<i64>> {
        let streams = self.0.read().unwrap_or_else(PoisonError::into_inner);
        streams.get(&row).cloned()
    }

    /// Takes note of what was committed.
    pub(super) fn apply(&self, changes: &[Change]) {
        let mut streams = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for &change in changes {
            match change {
                Change::Added { row, bundle } => streams.entry(row).or_default().push(bundle),
                Change::Closed { row } => _ = streams.remove(&row),
            }
        }
    }
}

fn find_all(connection: &Connection) -> rusqlite::Result<Bundles> {
    let mut select = connection.prepare("SELECT id, first FROM stream WHERE open = 1")?;
    let open: Vec<(i64, i64)> = select
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let first = open.iter().map(|(_, first)| *first).min();
    let mut streams: Bundles = open.iter().map(|(row, _)| (*row, Vec::new())).collect();
    if let Some(first) = first {
        bundle::scan(connection, first, |number, event| {
            if let Some(bundles) = streams.get_mut(&event.row) {
                bundles.push(number);
            }
        })?;
    }
    Ok(streams)
}

//! The copying of the write-ahead log into the database, beside the writer.
//!
//! A checkpoint syncs two files. A thread of its own makes it, so that no commit waits for it.
//! Under steady load that never reaches the end of the log, which therefore could not begin anew;
//! when the log is long, the writer copies the little that remains.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::{io, thread};

use cli_kit::priority;
use rusqlite::Connection;

use super::schema;
use crate::config::Durability;

/// Pages of the log, of 4 KiB, after which a checkpoint is due: 2 MiB. The less there is to sync, the
/// shorter whoever writes meanwhile is held up.
const INTERVAL: usize = 512;

/// Pages that a commit takes besides those of its writes, about.
const COMMIT: usize = 2;

/// Writes that fill a page, about.
const WRITES: usize = 16;

/// Pages of the log, of 4 KiB, from which on the writer helps: 64 MiB.
const LONG_LOG: i64 = 16_384;

/// The writer's end.
#[derive(Debug)]
pub(super) struct Checkpoints {
    due: SyncSender<()>,
    is_log_long: Arc<AtomicBool>,
    since_last: usize,
}

impl Checkpoints {
    /// Starts the thread. It ends with the value.
    pub(super) fn start(path: PathBuf, durability: Durability) -> io::Result<Checkpoints> {
        let (due, requests) = sync_channel(1);
        let is_log_long = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_log_long);
        thread::Builder::new()
            .name("store-checkpoint".into())
            .spawn(move || serve(&requests, &flag, || schema::connect(&path, durability)))?;
        Ok(Checkpoints {
            due,
            is_log_long,
            since_last: 0,
        })
    }

    /// Takes note of a commit.
    pub(super) fn after_commit(&mut self, connection: &Connection, writes: usize) {
        self.since_last += COMMIT + writes / WRITES;
        if self.since_last >= INTERVAL {
            self.since_last = 0;
            // A request that is still there serves for this one too.
            let _ = self.due.try_send(());
        }
        if self.is_log_long.load(Relaxed) {
            report(checkpoint(connection));
            self.is_log_long.store(false, Relaxed);
        }
    }
}

fn serve(
    requests: &Receiver<()>,
    is_log_long: &AtomicBool,
    connect: impl Fn() -> rusqlite::Result<Connection>,
) {
    priority::lower();
    let mut connection = None;
    while requests.recv().is_ok() {
        if is_log_long.load(Relaxed) {
            continue; // it is the writer's turn, and two checkpoints exclude each other
        }
        let pages = match connection.take() {
            Some(open) => Ok(open),
            None => connect(),
        }
        .and_then(|open| checkpoint(connection.insert(open)));
        is_log_long.store(
            pages.as_ref().is_ok_and(|pages| *pages >= LONG_LOG),
            Relaxed,
        );
        report(pages);
    }
}

/// Copies what can be copied without waiting for anybody. Returns the pages in the log.
fn checkpoint(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(1))
}

/// A checkpoint that fails loses nothing: the log stays, and the next one copies it.
fn report(pages: rusqlite::Result<i64>) {
    if let Err(error) = pages {
        tracing::warn!(%error, "the write-ahead log could not be copied into the database");
    }
}

//! The directory of a store, which belongs to one server at a time.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::OpenError;

/// How often the lock is tried for, and how long after each time.
const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// A directory that is locked. Dropping it, or dying, unlocks it.
#[derive(Debug)]
pub(super) struct DataDirectory {
    /// The lock goes with the open file.
    _lock: File,
}

impl DataDirectory {
    /// Makes the directory if it is not there, and locks it.
    pub(super) fn lock(path: &Path) -> Result<DataDirectory, OpenError> {
        fs::create_dir_all(path).map_err(|source| directory_error(path, source))?;
        let lock_path = path.join("checkers.lock");
        let lock = open_lock(&lock_path).map_err(|source| directory_error(&lock_path, source))?;
        match take(&lock) {
            Ok(()) => Ok(DataDirectory { _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(OpenError::Locked { path: path.into() }),
            Err(TryLockError::Error(source)) => Err(directory_error(&lock_path, source)),
        }
    }
}

/// Takes a lock. A server that has gone may have left a child for a moment that has not yet become
/// another program, and holds the lock until then.
fn take(lock: &File) -> Result<(), TryLockError> {
    for _ in 0..LOCK_TRIES {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            taken => return taken,
        }
    }
    lock.try_lock()
}

pub(super) fn database_path(directory: &Path) -> PathBuf {
    directory.join("checkers.db")
}

fn open_lock(path: &Path) -> io::Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
}

fn directory_error(path: &Path, source: io::Error) -> OpenError {
    OpenError::Directory {
        path: path.into(),
        source,
    }
}

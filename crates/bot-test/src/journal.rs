//! The journal of a tournament: its finished pairings in one file that is only ever added to.
//!
//! A pairing counts as finished once its line is on the disk. What the lines look like stands in
//! `docs/tournaments.md`.

mod error;
mod line;
mod reader;
mod settings;

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use error::{Defect, JournalDamage, JournalError};
pub use settings::{Difference, Header, JournalSettings, OpeningsDigest};

use crate::PairRecord;
use reader::{JournalReader, Records};

/// How often a lock is tried for, and how long after each time.
const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// A journal that is open for writing. It is locked against other runs.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Where its last good line ends, in bytes.
    length: u64,
    /// The checksum of that line.
    checksum: u32,
    /// The pairings that are recorded.
    ids: HashSet<u64>,
    /// Whether there may be something after its last good line.
    is_torn: bool,
}

/// A journal that was taken up again.
#[derive(Debug)]
pub struct Reopened {
    /// The journal, ready for what follows.
    pub journal: Journal,
    /// What it is the journal of.
    pub header: Header,
    /// What was recorded, in the order in which it was.
    pub records: Vec<PairRecord>,
    /// The last line, if it was incomplete: it has been cut off, and its pairing will be played
    /// again.
    pub damage: Option<JournalDamage>,
}

impl Journal {
    /// The version of the form of journals, in their headers.
    pub const VERSION: u32 = 1;

    /// Begins a journal. The file is new or empty, or what [`JournalError::NoHeader`] is said of.
    /// It is on the disk, with its name, when this returns.
    ///
    /// # Errors
    /// A file that says something, is locked, or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Journal, JournalError> {
        let mut options = OpenOptions::new();
        let file = open(path, options.create(true).truncate(false))?;
        match JournalReader::new(path, &file).header() {
            Err(JournalError::NoHeader { .. }) => {}
            Err(error @ JournalError::Io { .. }) => return Err(error),
            Ok(_) | Err(_) => {
                let path = path.to_owned();
                return Err(JournalError::NotEmpty { path });
            }
        }
        let mut journal = Journal {
            path: path.to_owned(),
            file,
            length: 0,
            checksum: line::NO_CHECKSUM,
            ids: HashSet::new(),
            is_torn: true,
        };
        journal.write(|text, previous| line::write(text, previous, header))?;
        sync_directory(path).map_err(|source| journal.unwritable(source))?;
        Ok(journal)
    }

    /// Records that the tournament goes on with another plan, which contains all its pairings so
    /// far. From now on, readers find this header instead of the first one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn extend(&mut self, header: &Header) -> Result<(), JournalError> {
        self.write(|text, previous| line::write(text, previous, header))
    }

    /// Reads what a journal records, also while a tournament is writing it. A last line that is not
    /// written to its end is left out.
    ///
    /// # Errors
    /// A file that cannot be read, records nothing, is of another version, or is damaged.
    pub fn read(path: &Path) -> Result<(Header, Vec<PairRecord>), JournalError> {
        let file = File::open(path).map_err(failed("open", path))?;
        check_regular(&file, path)?;
        let mut reader = JournalReader::new(path, &file);
        let header = reader.header()?;
        let records = reader.records()?;
        Ok((records.header.unwrap_or(header), records.list))
    }

    /// Opens a journal and reads its records. Cuts off an incomplete last line and reports it.
    ///
    /// # Errors
    /// A file that is locked, cannot be read, records nothing, is of another version, or is
    /// damaged anywhere else than at its end; the file is as it was then.
    pub fn open(path: &Path) -> Result<Reopened, JournalError> {
        let file = open(path, &mut OpenOptions::new())?;
        let mut reader = JournalReader::new(path, &file);
        let header = reader.header()?;
        let Records {
            header: extended,
            list,
            ids,
            damage,
        } = reader.records()?;
        let (length, checksum) = (reader.byte, reader.checksum);
        let mut journal = Journal {
            path: path.to_owned(),
            file,
            length,
            checksum,
            ids,
            is_torn: damage.is_some(),
        };
        journal.cut_back()?;
        Ok(Reopened {
            journal,
            header: extended.unwrap_or(header),
            records: list,
            damage,
        })
    }

    /// Records finished pairings: all of them, or none. They are on the disk when this returns,
    /// which takes as long as the disk does, however many they are.
    ///
    /// # Errors
    /// When one of them is recorded already, or the file cannot be written. The journal records
    /// what it did before, and may be written again.
    pub fn append(&mut self, records: &[PairRecord]) -> Result<(), JournalError> {
        if records.is_empty() {
            return Ok(());
        }
        let ids = self.new_ids(records)?;
        self.write(|text, previous| {
            (records.iter()).fold(previous, |previous, record| {
                line::write(text, previous, record)
            })
        })?;
        self.ids.extend(ids);
        Ok(())
    }

    /// The pairings of the records, none of which may be recorded.
    fn new_ids(&self, records: &[PairRecord]) -> Result<HashSet<u64>, JournalError> {
        let mut ids = HashSet::new();
        for record in records {
            let id = record.pairing.id;
            if self.ids.contains(&id) || !ids.insert(id) {
                let path = self.path.clone();
                return Err(JournalError::Twice { path, id });
            }
        }
        Ok(ids)
    }

    /// Adds the lines that `compose` writes after the checksum it is given; it returns that of the
    /// last one.
    fn write(
        &mut self,
        compose: impl FnOnce(&mut Vec<u8>, u32) -> u32,
    ) -> Result<(), JournalError> {
        self.cut_back()?;
        let mut text = Vec::new();
        let checksum = compose(&mut text, self.checksum);
        let written = self.file.write_all_at(&text, self.length);
        if let Err(source) = written.and_then(|()| self.file.sync_data()) {
            self.is_torn = true;
            // If even that fails, the next write begins with it.
            let _ = self.cut_back();
            return Err(self.unwritable(source));
        }
        self.length += text.len() as u64;
        self.checksum = checksum;
        Ok(())
    }

    /// Cuts off everything after the last valid line.
    fn cut_back(&mut self) -> Result<(), JournalError> {
        if self.is_torn {
            let cut = self.file.set_len(self.length);
            cut.and_then(|()| self.file.sync_data())
                .map_err(|source| self.unwritable(source))?;
            self.is_torn = false;
        }
        Ok(())
    }

    fn unwritable(&self, source: io::Error) -> JournalError {
        failed("write", &self.path)(source)
    }
}

/// Opens a file and keeps everybody else from it until it is closed.
fn open(path: &Path, options: &mut OpenOptions) -> Result<File, JournalError> {
    let file = options.read(true).write(true).open(path);
    let file = file.map_err(failed("open", path))?;
    check_regular(&file, path)?;
    match lock(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::Error(source)) => Err(failed("lock", path)(source)),
        Err(TryLockError::WouldBlock) => {
            let path = path.to_owned();
            Err(JournalError::Locked { path })
        }
    }
}

/// Reading a pipe might take for ever.
fn check_regular(file: &File, path: &Path) -> Result<(), JournalError> {
    let metadata = file.metadata().map_err(failed("open", path))?;
    match metadata.is_file() {
        true => Ok(()),
        false => Err(failed("open", path)(io::Error::other("not a regular file"))),
    }
}

/// Locks a file. A run that was killed may leave a child for a moment that has not yet become
/// another program, and holds the lock until then.
fn lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            locked => return locked,
        }
    }
    file.try_lock()
}

/// Sees to it that a new file is found again after a power failure.
fn sync_directory(path: &Path) -> io::Result<()> {
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        Some(_) | None => Path::new("."),
    };
    File::open(directory)?.sync_all()
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> JournalError {
    move |source| JournalError::Io {
        path: path.to_owned(),
        action,
        source,
    }
}

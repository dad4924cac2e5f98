//! The file of the iterations, with which an interrupted run goes on.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::TuneError;
use crate::files::FileError;

/// What decides the iterations; the first line of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct TuningSettings {
    pub(super) version: u32,
    /// The bot with the values of all its keys: defaults change.
    pub(super) bot: String,
    pub(super) parameters: Vec<String>,
    pub(super) limits: String,
    pub(super) opening_plies: u8,
    pub(super) iterations: u32,
    pub(super) pairs: u32,
    pub(super) seed: u64,
}

/// An iteration; a line of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Iteration {
    pub(super) iteration: u32,
    /// How many points the first bot scored more than the second.
    pub(super) margin: f64,
    /// The values after it.
    pub(super) values: Vec<f64>,
}

/// A journal that iterations are added to, locked against other runs.
pub(super) struct TuningJournal {
    path: PathBuf,
    file: File,
}

impl TuningJournal {
    /// Opens a journal, or begins it with these settings, and returns its last iteration. An incomplete last line is cut
    /// off.
    ///
    /// # Errors
    /// The file cannot be read or written, belongs to other settings or to something else, or another run writes it.
    pub(super) fn open(
        path: &Path,
        settings: &TuningSettings,
    ) -> Result<(TuningJournal, Option<Iteration>), TuneError> {
        let file = OpenOptions::new()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(path);
        let mut journal = TuningJournal {
            path: path.to_owned(),
            file: file.map_err(|source| FileError {
                path: path.to_owned(),
                source,
            })?,
        };
        match journal.file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(journal.content("another run is writing it"));
            }
            Err(TryLockError::Error(source)) => return Err(journal.unwritable(source)),
        }
        let mut text = String::new();
        let read = journal.file.read_to_string(&mut text);
        read.map_err(|source| TuneError::Read {
            path: path.to_owned(),
            source,
        })?;
        let header = journal.line(settings)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        let Some(first) = lines.next() else {
            if !header.starts_with(&text) {
                return Err(journal.content("it is no journal of tune"));
            }
            journal.cut(0)?;
            journal.write(&header)?;
            return Ok((journal, None));
        };
        let found: TuningSettings = serde_json::from_str(first)
            .map_err(|error| journal.content(format!("it is no journal of tune: {error}")))?;
        if found != *settings {
            return Err(
                journal.content("it belongs to a run with other settings: choose another file")
            );
        }
        let mut last = None;
        for (number, line) in (0..).zip(lines) {
            let at = number + 2;
            let found: Iteration = serde_json::from_str(line)
                .map_err(|error| journal.content(format!("line {at}: {error}")))?;
            if found.iteration != number || found.values.len() != settings.parameters.len() {
                return Err(journal.content(format!("line {at} is not iteration {number}")));
            }
            last = Some(found);
        }
        journal.cut(whole)?;
        Ok((journal, last))
    }

    /// Adds an iteration, and returns once it is on the disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&mut self, iteration: &Iteration) -> Result<(), TuneError> {
        let line = self.line(iteration)?;
        self.write(&line)
    }

    fn line(&self, value: &impl Serialize) -> Result<String, TuneError> {
        let json = serde_json::to_string(value).map_err(|error| self.unwritable(error.into()))?;
        Ok(json + "\n")
    }

    fn write(&mut self, line: &str) -> Result<(), TuneError> {
        let written = self.file.write_all(line.as_bytes());
        written
            .and_then(|()| self.file.sync_data())
            .map_err(|source| self.unwritable(source))
    }

    /// Cuts the file off, and goes to its end.
    fn cut(&mut self, length: usize) -> Result<(), TuneError> {
        let cut = self.file.set_len(length as u64);
        cut.and_then(|()| self.file.seek(SeekFrom::End(0)))
            .map(drop)
            .map_err(|source| self.unwritable(source))
    }

    fn unwritable(&self, source: io::Error) -> TuneError {
        let path = self.path.clone();
        FileError { path, source }.into()
    }

    fn content(&self, reason: impl Into<String>) -> TuneError {
        TuneError::Content {
            path: self.path.clone(),
            reason: reason.into(),
        }
    }
}

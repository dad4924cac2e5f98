//! The file of the iterations, with which an interrupted run goes on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::TuneError;
use crate::files::FileError;

/// What decides the iterations; the first line of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) version: u32,
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

/// A journal that iterations are added to.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a journal, or begins it with these settings, and returns its last iteration. An incomplete last line is cut
    /// off.
    ///
    /// # Errors
    /// The file cannot be read or written, or belongs to other settings.
    pub(super) fn open(
        path: &Path,
        settings: &Settings,
    ) -> Result<(Journal, Option<Iteration>), TuneError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(source) => {
                let path = path.to_owned();
                return Err(TuneError::Read { path, source });
            }
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        let first = lines.next();
        let content = |reason: String| TuneError::Content {
            path: path.to_owned(),
            reason,
        };
        if let Some(first) = first {
            let found: Settings = serde_json::from_str(first)
                .map_err(|error| content(format!("is no journal of tune: {error}")))?;
            if found != *settings {
                return Err(content(
                    "belongs to a run with other settings; choose another file".to_owned(),
                ));
            }
        }
        let mut last = None;
        for (number, line) in (2..).zip(lines) {
            let found: Iteration = serde_json::from_str(line)
                .map_err(|error| content(format!("line {number}: {error}")))?;
            if found.iteration != number - 2 || found.values.len() != settings.parameters.len() {
                return Err(content(format!(
                    "line {number} is not iteration {}",
                    number - 2
                )));
            }
            last = Some(found);
        }
        let open = || {
            let mut file = OpenOptions::new()
                .create(true)
                .write(true)
                .truncate(false)
                .open(path)?;
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|source| FileError {
            path: path.to_owned(),
            source,
        })?;
        let mut journal = Journal {
            path: path.to_owned(),
            file,
        };
        if first.is_none() {
            journal.write(settings)?;
        }
        Ok((journal, last))
    }

    /// Adds an iteration.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&mut self, iteration: &Iteration) -> Result<(), TuneError> {
        self.write(iteration)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), TuneError> {
        let write = || -> io::Result<()> {
            let line = serde_json::to_string(line)?;
            (&self.file).write_all(format!("{line}\n").as_bytes())
        };
        write().map_err(|source| {
            let path = self.path.clone();
            FileError { path, source }.into()
        })
    }
}

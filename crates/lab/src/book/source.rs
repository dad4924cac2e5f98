//! Which book a command is about.

use std::fs;
use std::path::{Path, PathBuf};

use checkers_engine::book::Book;

use crate::failure::LabFailure;

/// The book of the arguments.
#[derive(clap::Args)]
pub(super) struct BookSource {
    /// The file of the book [default: the book of this program]
    file: Option<PathBuf>,
}

impl BookSource {
    /// Reads it.
    ///
    /// # Errors
    /// When the file cannot be read, or is no book or damaged.
    pub(super) fn open(&self) -> Result<Book, LabFailure> {
        match &self.file {
            Some(path) => read(path),
            None => Ok(Book::embedded().clone()),
        }
    }

    /// What it is called.
    pub(super) fn name(&self) -> String {
        match &self.file {
            Some(path) => path.display().to_string(),
            None => "the book of this program".to_owned(),
        }
    }
}

fn read(path: &Path) -> Result<Book, LabFailure> {
    let bytes = fs::read(path).map_err(|source| LabFailure::ReadFile {
        path: path.to_owned(),
        source,
    })?;
    Book::read(&bytes).map_err(|error| LabFailure::Content {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

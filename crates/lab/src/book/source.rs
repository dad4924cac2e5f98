//! Which book a command is about.

use std::fs;
use std::path::{Path, PathBuf};

use checkers_engine::book::Book;

use crate::failure::Failure;

/// The book of the arguments.
#[derive(clap::Args)]
pub(super) struct Source {
    /// The file of the book [default: the book of this program]
    file: Option<PathBuf>,
}

impl Source {
    /// Reads it.
    ///
    /// # Errors
    /// When the file cannot be read, or is no book or damaged.
    pub(super) fn open(&self) -> Result<Book, Failure> {
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

fn read(path: &Path) -> Result<Book, Failure> {
    let bytes = fs::read(path).map_err(|source| Failure::ReadFile {
        path: path.to_owned(),
        source,
    })?;
    Book::read(&bytes).map_err(|error| Failure::Content {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

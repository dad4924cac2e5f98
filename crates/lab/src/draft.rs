//! Writing a file all at once.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::failure::Failure;

/// A file that appears under its name when it is complete, or not at all. Until then it is
/// another file beside that name, which goes away with the draft.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    beside: PathBuf,
    file: File,
}

impl Draft {
    /// Makes sure that the file can be written, before any work is done for it.
    ///
    /// # Errors
    /// When it cannot.
    pub(crate) fn create(path: &Path) -> Result<Draft, Failure> {
        create_beside(path).map_err(|source| write_failure(path, source))
    }

    /// Writes the file to disk and gives it its name, in place of a file that has it.
    ///
    /// # Errors
    /// When that fails; a file of that name is then as it was.
    pub(crate) fn commit(self, text: &str) -> Result<(), Failure> {
        self.commit_with(|file| file.write_all(text.as_bytes()))
    }

    /// The same with what `write` writes.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn commit_with(
        mut self,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let done = write(&mut self.file)
            .and_then(|()| self.file.sync_all())
            .and_then(|()| fs::rename(&self.beside, &self.path));
        done.map_err(|source| write_failure(&self.path, source))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After a commit there is nothing left to remove.
        let _ = fs::remove_file(&self.beside);
    }
}

fn create_beside(path: &Path) -> io::Result<Draft> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut name = path
        .file_name()
        .ok_or(io::ErrorKind::InvalidFilename)?
        .to_owned();
    name.push(format!(".{}.tmp", process::id()));
    let beside = path.with_file_name(name);
    Ok(Draft {
        path: path.to_owned(),
        file: File::create_new(&beside)?,
        beside,
    })
}

fn write_failure(path: &Path, source: io::Error) -> Failure {
    let path = path.to_owned();
    Failure::WriteFile { path, source }
}

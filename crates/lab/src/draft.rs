//! Writing a file all at once.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::failure::LabFailure;

/// A file that appears under its name when it is complete, or not at all. Until then it is
/// another file beside that name, which goes away with the draft. What is no file, such as a pipe or a
/// device, stays what it is and is written to.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    beside: Option<PathBuf>,
    file: File,
}

impl Draft {
    /// Makes sure that the file can be written, before any work is done for it.
    ///
    /// # Errors
    /// When it cannot.
    pub(crate) fn create(path: &Path) -> Result<Draft, LabFailure> {
        let create = || {
            // A link stays too, and what it leads to is written.
            let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            match fs::metadata(&target) {
                Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
                Ok(found) if !found.is_file() => open_in_place(target),
                _ => create_beside(target),
            }
        };
        create().map_err(|source| write_failure(path, source))
    }

    /// Writes the file to disk and gives it its name, in place of a file that has it.
    ///
    /// # Errors
    /// When that fails; a file of that name is then as it was.
    pub(crate) fn commit(self, text: &str) -> Result<(), LabFailure> {
        self.commit_with(|file| file.write_all(text.as_bytes()))
    }

    /// The same with what `write` writes.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn commit_with(
        mut self,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), LabFailure> {
        let done = write(&mut self.file).and_then(|()| match &self.beside {
            Some(beside) => {
                self.file.sync_all()?;
                fs::rename(beside, &self.path)
            }
            None => Ok(()),
        });
        done.map_err(|source| write_failure(&self.path, source))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            // After a commit there is nothing left to remove.
            let _ = fs::remove_file(beside);
        }
    }
}

fn open_in_place(path: PathBuf) -> io::Result<Draft> {
    Ok(Draft {
        file: OpenOptions::new().write(true).open(&path)?,
        path,
        beside: None,
    })
}

fn create_beside(path: PathBuf) -> io::Result<Draft> {
    let mut name = path
        .file_name()
        .ok_or(io::ErrorKind::InvalidFilename)?
        .to_owned();
    name.push(format!(".{}.tmp", process::id()));
    let beside = path.with_file_name(name);
    Ok(Draft {
        path,
        file: File::create_new(&beside)?,
        beside: Some(beside),
    })
}

fn write_failure(path: &Path, source: io::Error) -> LabFailure {
    let path = path.to_owned();
    LabFailure::WriteFile { path, source }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{FileTypeExt, symlink};

    use super::*;

    #[test]
    fn a_link_stays_and_what_it_leads_to_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let [link, target] = ["link", "target"].map(|name| directory.path().join(name));
        fs::write(&target, "old").unwrap();
        symlink("target", &link).unwrap();
        Draft::create(&link).unwrap().commit("new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_device_stays_a_device() {
        let null = Path::new("/dev/null");
        Draft::create(null).unwrap().commit("gone").unwrap();
        let found = fs::metadata(null).unwrap();
        assert!(found.file_type().is_char_device());
        assert!(
            Draft::create(Path::new("/dev/full"))
                .unwrap()
                .commit("too much")
                .is_err()
        );
    }

    #[test]
    fn what_is_not_committed_leaves_the_file_as_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, "old").unwrap();
        drop(Draft::create(&path).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        assert!(Draft::create(directory.path()).is_err());
    }
}

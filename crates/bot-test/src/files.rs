//! Files that are written whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// A file to be written at the end of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
}

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}", path.display())]
pub(crate) struct FileError {
    pub(crate) path: PathBuf,
    /// Why.
    pub(crate) source: io::Error,
}

/// Makes a directory if it is not there, and makes sure that files can be written into it.
pub(crate) fn prepare_directory(path: &Path) -> Result<(), FileError> {
    let made = std::fs::create_dir_all(path);
    let checked = made.and_then(|()| tempfile::tempfile_in(path));
    checked.map(drop).map_err(|source| FileError {
        path: path.to_owned(),
        source,
    })
}

impl OutputFile {
    /// Makes sure that the file can be written, without changing an existing one.
    pub(crate) fn prepare(path: &Path) -> Result<OutputFile, FileError> {
        let file = OutputFile {
            path: path.to_owned(),
        };
        file.check().map_err(|source| file.error(source))?;
        Ok(file)
    }

    fn check(&self) -> io::Result<()> {
        match std::fs::metadata(&self.path) {
            Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => {
                return Err(io::Error::other("not a regular file"));
            }
            Ok(there) if there.permissions().readonly() => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        self.sibling().map(drop)
    }

    /// Writes the file: all of `content` takes the place of what was there, or nothing changes.
    pub(crate) fn write(&self, content: &[u8]) -> Result<(), FileError> {
        self.replace(content).map_err(|source| self.error(source))
    }

    fn replace(&self, content: &[u8]) -> io::Result<()> {
        let mut sibling = self.sibling()?;
        sibling.write_all(content)?;
        sibling.as_file().sync_all()?;
        sibling.persist(&self.path)?;
        Ok(())
    }

    /// A temporary file in the same directory, so that it can take the file's place.
    fn sibling(&self) -> io::Result<NamedTempFile> {
        let directory = match self.path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            Some(_) | None => Path::new("."),
        };
        Builder::new()
            .prefix(".bot-test-")
            .permissions(ordinary())
            .tempfile_in(directory)
    }

    fn error(&self, source: io::Error) -> FileError {
        FileError {
            path: self.path.clone(),
            source,
        }
    }
}

/// The permissions files are created with everywhere; the umask takes its part away.
fn ordinary() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.json");
        std::fs::write(&path, "old").unwrap();
        let file = OutputFile::prepare(&path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        file.write(b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_refused_at_once() {
        let directory = tempfile::tempdir().unwrap();
        for path in [
            directory.path().to_owned(),
            directory.path().join("no/such/directory.json"),
            PathBuf::from("/dev/null"),
        ] {
            assert!(OutputFile::prepare(&path).is_err(), "{}", path.display());
        }
    }
}

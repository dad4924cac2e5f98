//! Writing games, block by block, so that what is written survives what comes after.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::reader::{DatasetError, blocks};
use super::{BLOCK_HEADER_LEN, Block, MAGIC, SAMPLE_LEN, VERSION};

/// A file of games that grows.
#[derive(Debug)]
pub(crate) struct DatasetWriter {
    path: PathBuf,
    file: File,
}

impl DatasetWriter {
    /// Opens a file to go on with it, or begins one; and says which blocks it has. What an
    /// interrupted run has left of a block is cut off.
    ///
    /// # Errors
    /// When it cannot be read or written, or was begun with other settings.
    pub(crate) fn open(
        path: &Path,
        settings: &str,
    ) -> Result<(DatasetWriter, Vec<Block>), DatasetError> {
        let failure = |source| DatasetError::file(path, source);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failure)?;
        // A device may have no end, and keeps nothing.
        if !file.metadata().map_err(failure)?.is_file() {
            let reason = "it is no regular file";
            return Err(failure(io::Error::new(io::ErrorKind::InvalidInput, reason)));
        }
        let bytes = super::reader::content(path, &mut file)?;
        let header = header(settings);
        let mut known = Vec::new();
        if bytes.len() < header.len() && header.starts_with(&bytes) {
            // Reading has left the file at its end.
            file.write_all(&header[bytes.len()..]).map_err(failure)?;
        } else {
            if !bytes.starts_with(&header) {
                return Err(DatasetError::Settings {
                    path: path.to_owned(),
                    settings: settings.to_owned(),
                });
            }
            let mut end = header.len();
            for block in blocks(&bytes, end) {
                let Ok((block, next)) = block else { break };
                known.push(block);
                end = next;
            }
            file.set_len(end as u64).map_err(failure)?;
            io::Seek::seek(&mut file, io::SeekFrom::End(0)).map_err(failure)?;
        }
        let path = path.to_owned();
        Ok((DatasetWriter { path, file }, known))
    }

    /// Adds a block and sees to it that it is on the disk.
    ///
    /// # Errors
    /// When that fails.
    pub(crate) fn add(&mut self, block: &Block) -> Result<(), DatasetError> {
        let written = self.file.write_all(&block.to_bytes());
        written
            .and_then(|()| self.file.sync_data())
            .map_err(|source| DatasetError::file(&self.path, source))
    }
}

impl Block {
    /// The bytes of the block in a file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BLOCK_HEADER_LEN + self.samples.len() * SAMPLE_LEN);
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(self.games.to_le_bytes());
        bytes.extend((self.samples.len() as u32).to_le_bytes());
        let samples: Vec<u8> = self.samples.iter().flat_map(|s| s.to_bytes()).collect();
        let mut sum = crc32fast::Hasher::new();
        sum.update(&bytes);
        sum.update(&samples);
        bytes.extend(sum.finalize().to_le_bytes());
        bytes.extend(samples);
        bytes
    }
}

/// Everything before the blocks.
pub(super) fn header(settings: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((settings.len() as u16).to_le_bytes());
    bytes.extend(settings.bytes());
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

//! Reading games.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{BLOCK_HEADER_LEN, MAGIC, MOST_SAMPLES, SAMPLE_LEN, Sample, VERSION};

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DatasetError {
    /// It cannot be read or written.
    #[error("cannot use {}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is something else, or damaged.
    #[error("{} is no file of games: {reason}", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// It was begun otherwise.
    #[error("{} was begun with other settings than {settings:?}", path.display())]
    Settings {
        /// Which.
        path: PathBuf,
        /// The settings of now.
        settings: String,
    },
    /// There is nothing to learn from.
    #[error("no games in the files")]
    Empty,
}

impl DatasetError {
    pub(super) fn file(path: &Path, source: io::Error) -> DatasetError {
        DatasetError::File {
            path: path.to_owned(),
            source,
        }
    }

    fn damaged(path: &Path, reason: impl Into<String>) -> DatasetError {
        DatasetError::Damaged {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }
}

/// Some games in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// Its place among the blocks of the file.
    pub(crate) number: u32,
    /// How many games it has, those without a sample among them.
    pub(crate) games: u32,
    /// The samples of the games, in their order.
    pub(crate) samples: Vec<Sample>,
}

impl Block {
    /// The block that these bytes are; `None` if they are something else.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Block> {
        let (block, len) = block(bytes)?;
        (len == bytes.len()).then_some(block)
    }
}

/// The games of some files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dataset {
    /// In the order of the files and their games.
    pub(crate) samples: Vec<Sample>,
    /// What made each file.
    pub(crate) settings: Vec<String>,
}

/// Reads files of games, in an order that does not depend on which thread was the faster when they
/// were written.
///
/// # Errors
/// When one cannot be read or is damaged.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Dataset, DatasetError> {
    let mut dataset = Dataset::default();
    for path in paths {
        let mut file = File::open(path).map_err(|source| DatasetError::file(path, source))?;
        let bytes = content(path, &mut file)?;
        let (settings, begin) =
            settings(&bytes).map_err(|reason| DatasetError::damaged(path, reason))?;
        dataset.settings.push(settings);
        let mut found = Vec::new();
        for block in blocks(&bytes, begin) {
            let (block, _) = block.map_err(|reason| DatasetError::damaged(path, reason))?;
            found.push(block);
        }
        found.sort_by_key(|block| block.number);
        dataset
            .samples
            .extend(found.into_iter().flat_map(|block| block.samples));
    }
    if dataset.samples.is_empty() {
        return Err(DatasetError::Empty);
    }
    Ok(dataset)
}

pub(super) fn content(path: &Path, file: &mut File) -> Result<Vec<u8>, DatasetError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)
        .map_err(|source| DatasetError::file(path, source))?;
    Ok(bytes)
}

/// What made a file, and where its first block begins.
fn settings(bytes: &[u8]) -> Result<(String, usize), String> {
    if !bytes.starts_with(&MAGIC) {
        return Err("it does not begin like one".to_owned());
    }
    let cut_off = || "it is cut off".to_owned();
    let number = |at: usize| {
        let number = bytes
            .get(at..at + 2)
            .map(|b| u16::from_le_bytes([b[0], b[1]]));
        number.ok_or_else(cut_off)
    };
    let (version, len) = (number(8)?, usize::from(number(10)?));
    if version != VERSION {
        return Err(format!("version {version}, expected {VERSION}"));
    }
    let text = bytes.get(12..12 + len).ok_or_else(cut_off)?;
    let text = String::from_utf8_lossy(text).into_owned();
    let header = super::writer::header(&text);
    if !bytes.starts_with(&header) {
        return Err("its first bytes are damaged".to_owned());
    }
    Ok((text, header.len()))
}

/// The blocks from a place on, each with where it ends; the first damage is the last item.
pub(super) fn blocks(
    bytes: &[u8],
    begin: usize,
) -> impl Iterator<Item = Result<(Block, usize), String>> {
    let mut at = Some(begin);
    std::iter::from_fn(move || {
        let begin = at.filter(|&at| at < bytes.len())?;
        let block = block(&bytes[begin..]);
        let block = block.map(|(block, len)| (block, begin + len));
        at = block.as_ref().map(|&(_, end)| end);
        Some(block.ok_or_else(|| format!("damage after byte {begin}")))
    })
}

/// The block that bytes begin with, and its length.
fn block(bytes: &[u8]) -> Option<(Block, usize)> {
    let word = |at: usize| {
        let word = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    let (number, games, count, expected) = (word(0)?, word(4)?, word(8)? as usize, word(12)?);
    if count > MOST_SAMPLES {
        return None;
    }
    let end = BLOCK_HEADER_LEN + count * SAMPLE_LEN;
    let samples = bytes.get(BLOCK_HEADER_LEN..end)?;
    let mut sum = crc32fast::Hasher::new();
    sum.update(&bytes[..12]);
    sum.update(samples);
    if sum.finalize() != expected {
        return None;
    }
    let (samples, _) = samples.as_chunks::<SAMPLE_LEN>();
    let samples: Option<Vec<Sample>> = samples.iter().map(Sample::from_bytes).collect();
    let block = Block {
        number,
        games,
        samples: samples?,
    };
    Some((block, end))
}

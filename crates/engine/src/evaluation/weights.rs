//! Files of weights: what training made, and of what.
//!
//! `docs/file-formats.md` has the bytes.

use std::io::{self, Read};

use ruzstd::decoding::StreamingDecoder;

/// What a file begins with.
const MAGIC: [u8; 8] = *b"RDWEIGH\x1a";
/// The version of the format.
const VERSION: u16 = 1;
/// The bytes before the provenance.
const HEADER_LEN: usize = 20;
/// The bytes of the checksum at the end.
const SUM_LEN: usize = 4;
/// The most weights of a file.
const MOST_VALUES: usize = 1 << 24;

/// Which evaluation the weights are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeightsKind {
    /// [`Network`](super::Network).
    Network,
    /// [`Patterns`](super::Patterns).
    Patterns,
}

impl WeightsKind {
    const ALL: [WeightsKind; 2] = [WeightsKind::Network, WeightsKind::Patterns];

    /// The number in the header.
    const fn number(self) -> u16 {
        match self {
            WeightsKind::Network => 1,
            WeightsKind::Patterns => 2,
        }
    }
}

/// The content of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightsFile {
    /// What the weights are for.
    pub kind: WeightsKind,
    /// How they were made, in lines of text.
    pub provenance: String,
    /// The weights, in the order of their evaluation.
    pub values: Vec<i16>,
}

/// Why bytes are no weights.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// They begin like something else.
    #[error("no file of weights")]
    Foreign,
    /// They are of another time.
    #[error("version {found} of the format, expected {VERSION}")]
    Version {
        /// What was found.
        found: u16,
    },
    /// They are not what was written.
    #[error("damaged")]
    Damaged,
    /// They are for another evaluation.
    #[error("weights of another evaluation, or of another size")]
    OtherEvaluation,
    /// They cannot be compressed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl WeightsFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When the bytes are something else, or damaged.
    pub fn read(bytes: &[u8]) -> Result<WeightsFile, WeightsError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(WeightsError::Foreign);
        }
        let (content, sum) = bytes
            .split_last_chunk::<SUM_LEN>()
            .ok_or(WeightsError::Damaged)?;
        let (header, rest) = content
            .split_first_chunk::<HEADER_LEN>()
            .ok_or(WeightsError::Damaged)?;
        let version = u16::from_le_bytes([header[8], header[9]]);
        if version != VERSION {
            return Err(WeightsError::Version { found: version });
        }
        if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
            return Err(WeightsError::Damaged);
        }
        let number = u16::from_le_bytes([header[10], header[11]]);
        let word = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        let (text_len, count) = (word(12) as usize, word(16) as usize);
        let (text, frame) = rest
            .split_at_checked(text_len)
            .ok_or(WeightsError::Damaged)?;
        Ok(WeightsFile {
            kind: WeightsKind::ALL
                .into_iter()
                .find(|kind| kind.number() == number)
                .ok_or(WeightsError::OtherEvaluation)?,
            provenance: String::from_utf8_lossy(text).into_owned(),
            values: unpack(frame, count)?,
        })
    }

    /// The bytes of the file, the same in every run.
    ///
    /// # Errors
    /// When they cannot be compressed.
    #[cfg(feature = "generation")]
    pub fn to_bytes(&self) -> Result<Vec<u8>, WeightsError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.kind.number().to_le_bytes());
        bytes.extend((self.provenance.len() as u32).to_le_bytes());
        bytes.extend((self.values.len() as u32).to_le_bytes());
        bytes.extend(self.provenance.bytes());
        let values: Vec<u8> = self.values.iter().flat_map(|v| v.to_le_bytes()).collect();
        bytes.extend(zstd::encode_all(&values[..], COMPRESSION)?);
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        Ok(bytes)
    }

    /// The weights, if they are so many of this kind.
    pub(super) fn expect(&self, kind: WeightsKind, count: usize) -> Result<&[i16], WeightsError> {
        if self.kind == kind && self.values.len() == count {
            Ok(&self.values)
        } else {
            Err(WeightsError::OtherEvaluation)
        }
    }
}

/// Zstandard's level: files are written once and read often.
#[cfg(feature = "generation")]
const COMPRESSION: i32 = 19;

fn unpack(frame: &[u8], count: usize) -> Result<Vec<i16>, WeightsError> {
    if count > MOST_VALUES {
        return Err(WeightsError::Damaged);
    }
    let mut bytes = Vec::with_capacity(2 * count);
    // One byte more than there may be tells that there are too many.
    let decoder = StreamingDecoder::new(frame).map_err(|_| WeightsError::Damaged)?;
    let read = decoder.take(2 * count as u64 + 1).read_to_end(&mut bytes);
    if read.ok() != Some(2 * count) {
        return Err(WeightsError::Damaged);
    }
    let (pairs, _) = bytes.as_chunks::<2>();
    Ok(pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect())
}

#[cfg(all(test, feature = "generation"))]
mod tests {
    use super::*;

    fn file() -> WeightsFile {
        WeightsFile {
            kind: WeightsKind::Patterns,
            provenance: "made of\nnothing".to_owned(),
            values: (-300..300).collect(),
        }
    }

    #[test]
    fn files_come_back() {
        let bytes = file().to_bytes().unwrap();
        assert_eq!(WeightsFile::read(&bytes).unwrap(), file());
        assert_eq!(file().to_bytes().unwrap(), bytes);
        assert!(file().expect(WeightsKind::Patterns, 600).is_ok());
        assert!(file().expect(WeightsKind::Network, 600).is_err());
        assert!(file().expect(WeightsKind::Patterns, 599).is_err());
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_noticed() {
        let bytes = file().to_bytes().unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(WeightsFile::read(&damaged).is_err(), "byte {at}");
            assert!(WeightsFile::read(&bytes[..at]).is_err(), "cut at {at}");
        }
    }
}

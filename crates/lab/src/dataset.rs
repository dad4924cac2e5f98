//! Positions of games with their results: what `selfplay` writes and `train` reads.
//!
//! `docs/file-formats.md` has the bytes.

mod reader;
mod sample;
mod writer;

pub(crate) use reader::{Block, DatasetError, read};
pub(crate) use sample::{Sample, SampleOutcome};
pub(crate) use writer::DatasetWriter;

/// What a file begins with.
const MAGIC: [u8; 8] = *b"RDGAMES\x1a";
/// The version of the format.
const VERSION: u16 = 1;
/// The bytes of a sample.
const SAMPLE_LEN: usize = 16;
/// The bytes before a block's samples.
const BLOCK_HEADER_LEN: usize = 16;
/// The most samples of a block.
const MOST_SAMPLES: usize = 1 << 20;

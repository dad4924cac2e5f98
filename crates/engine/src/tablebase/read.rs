//! Reading tables: what a file claims is checked before it is believed.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use ruzstd::decoding::FrameDecoder;

use super::format::{BLOCK_ENTRY_LEN, ENTRY_LEN, FileKind, HEADER_LEN, MAGIC, VERSION};
use super::layout::Layout;
use super::map::Bytes;
use super::material::{Force, MOST_PIECES, Material};
use super::section::Section;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file cannot be opened or mapped.
    #[error("cannot read table {}", file.display())]
    Read {
        /// Which file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not what was written.
    #[error("table {} is damaged at byte {offset}: {what}", file.display())]
    Damaged {
        /// Which file.
        file: PathBuf,
        /// Where.
        offset: u64,
        /// What is wrong there.
        what: FileDamage,
    },
}

/// What is wrong with a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileDamage {
    /// It does not begin like a table.
    Foreign,
    /// Another version of the format.
    Version(u16),
    /// It ends here, or goes on beyond its end.
    Length,
    /// A checksum does not fit.
    Checksum,
    /// A number that means nothing.
    Nonsense,
    /// A block cannot be decompressed.
    Block,
}

impl fmt::Display for FileDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileDamage::Foreign => f.write_str("this is no table"),
            FileDamage::Version(version) => {
                write!(f, "version {version} of the format, expected {VERSION}")
            }
            FileDamage::Length => f.write_str("the file does not end where it should"),
            FileDamage::Checksum => f.write_str("the checksum does not fit"),
            FileDamage::Nonsense => f.write_str("a number out of range"),
            FileDamage::Block => f.write_str("a block that cannot be decompressed"),
        }
    }
}

/// A slice in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceEntry {
    pub(crate) layout: Layout,
    blocks: usize,
    /// Where the block table is.
    table_at: usize,
    /// Where the first block is.
    data_at: usize,
}

/// An open table. Its blocks are read as they are asked for.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    bytes: Bytes,
    kind: FileKind,
    entries: Vec<SliceEntry>,
}

impl TableFile {
    /// Opens a file and checks its header and directory; blocks are checked when they are read.
    ///
    /// # Errors
    /// When the file cannot be read or is not such a table.
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        let bytes = Bytes::map(path).map_err(|source| TableError::Read {
            file: path.to_owned(),
            source,
        })?;
        TableFile::new(path.to_owned(), bytes)
    }

    /// Reads a table that is in memory; errors call it by `name`.
    ///
    /// # Errors
    /// When the bytes are not such a table.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<TableFile, TableError> {
        TableFile::new(name.into(), Bytes::Owned(bytes))
    }

    pub(crate) fn from_static(name: &str, bytes: &'static [u8]) -> Result<TableFile, TableError> {
        TableFile::new(name.into(), Bytes::Static(bytes))
    }

    fn new(path: PathBuf, bytes: Bytes) -> Result<TableFile, TableError> {
        match parse(&bytes) {
            Ok((kind, entries)) => Ok(TableFile {
                path,
                bytes,
                kind,
                entries,
            }),
            Err((offset, what)) => Err(damaged(&path, offset, what)),
        }
    }

    /// What the file tells of each position.
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The slices in the file, in ascending order.
    pub fn materials(&self) -> impl Iterator<Item = Material> {
        self.entries.iter().map(|entry| entry.layout.material)
    }

    pub(crate) fn entries(&self) -> &[SliceEntry] {
        &self.entries
    }

    /// Where a slice is among the entries.
    pub(crate) fn find(&self, material: Material) -> Option<usize> {
        (self.entries)
            .binary_search_by_key(&material, |entry| entry.layout.material)
            .ok()
    }

    /// A slice holds what is no value.
    pub(crate) fn nonsense(&self, entry: usize) -> TableError {
        damaged(
            &self.path,
            self.entries[entry].data_at,
            FileDamage::Nonsense,
        )
    }

    /// Copies a slice as it is stored, once every checksum is found to fit.
    ///
    /// # Errors
    /// When a block is damaged.
    pub fn section(&self, material: Material) -> Result<Option<Section>, TableError> {
        let Some(entry) = self.find(material).map(|i| &self.entries[i]) else {
            return Ok(None);
        };
        let mut section = Section {
            kind: self.kind,
            material,
            places: entry.layout.len() as u64,
            blocks: Vec::with_capacity(entry.blocks),
            data: Vec::new(),
        };
        for block in 0..entry.blocks {
            let bytes = self.stored_block(entry, block)?;
            section.data.extend_from_slice(bytes);
            let end = self.block_end(entry, block) as u32;
            section.blocks.push((end, crc32fast::hash(bytes)));
        }
        Ok(Some(section))
    }

    /// Where a block ends, counted from the first block of its slice.
    fn block_end(&self, entry: &SliceEntry, block: usize) -> usize {
        u32_at(&self.bytes, entry.table_at + block * BLOCK_ENTRY_LEN) as usize
    }

    /// The compressed bytes of a block.
    fn stored_block(&self, entry: &SliceEntry, block: usize) -> Result<&[u8], TableError> {
        let begin = block
            .checked_sub(1)
            .map_or(0, |before| self.block_end(entry, before));
        let at = entry.data_at + begin;
        let end = entry.data_at + self.block_end(entry, block);
        let bytes = self.bytes.get(at..end);
        let bytes = bytes.ok_or_else(|| damaged(&self.path, at, FileDamage::Length))?;
        let checksum = u32_at(&self.bytes, entry.table_at + block * BLOCK_ENTRY_LEN + 4);
        if crc32fast::hash(bytes) != checksum {
            return Err(damaged(&self.path, at, FileDamage::Checksum));
        }
        Ok(bytes)
    }
}

/// Decompresses blocks of any table, with buffers of its own.
pub(crate) struct BlockReader {
    decoder: FrameDecoder,
}

impl fmt::Debug for BlockReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockReader").finish_non_exhaustive()
    }
}

impl BlockReader {
    pub(crate) fn new() -> BlockReader {
        BlockReader {
            decoder: FrameDecoder::new(),
        }
    }

    /// Puts the bytes of a block into `output`. About 30 µs, and what the disk takes.
    pub(crate) fn read(
        &mut self,
        file: &TableFile,
        entry: usize,
        block: usize,
        output: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        let entry = &file.entries[entry];
        let stored = file.stored_block(entry, block)?;
        let places = file.kind.places_in_block();
        let in_block = entry
            .layout
            .len()
            .saturating_sub(block * places)
            .min(places);
        let len = file.kind.bytes(in_block);
        output.clear();
        if let &[byte] = stored {
            output.resize(len, byte);
            return Ok(());
        }
        output.resize(len, 0);
        match self.decoder.decode_all(stored, output) {
            Ok(written) if written == len => Ok(()),
            _ => {
                let at = stored.as_ptr() as usize - file.bytes.as_ptr() as usize;
                Err(damaged(&file.path, at, FileDamage::Block))
            }
        }
    }
}

/// Visits the blocks of a slice one after the other, decompressed.
///
/// # Errors
/// When one of them is damaged.
pub(crate) fn for_each_block(
    file: &TableFile,
    entry: usize,
    mut visit: impl FnMut(&[u8]),
) -> Result<(), TableError> {
    let mut reader = BlockReader::new();
    let mut bytes = Vec::new();
    for block in 0..file.entries[entry].blocks {
        reader.read(file, entry, block, &mut bytes)?;
        visit(&bytes);
    }
    Ok(())
}

fn damaged(path: &Path, offset: usize, what: FileDamage) -> TableError {
    TableError::Damaged {
        file: path.to_owned(),
        offset: offset as u64,
        what,
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..).and_then(|rest| rest.first_chunk());
    four.map_or(0, |&four| u32::from_le_bytes(four))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let eight = bytes.get(at..).and_then(|rest| rest.first_chunk());
    eight.map_or(0, |&eight| u64::from_le_bytes(eight))
}

/// Where something is wrong, and what.
type ReadFault = (usize, FileDamage);

/// Reads header and directory.
fn parse(bytes: &[u8]) -> Result<(FileKind, Vec<SliceEntry>), ReadFault> {
    if !bytes.starts_with(&MAGIC) {
        return Err((0, FileDamage::Foreign));
    }
    if bytes.len() < HEADER_LEN {
        return Err((bytes.len(), FileDamage::Length));
    }
    let version = u16::from_le_bytes([bytes[8], bytes[9]]);
    if version != VERSION {
        return Err((8, FileDamage::Version(version)));
    }
    if crc32fast::hash(&bytes[..36]) != u32_at(bytes, 36) {
        return Err((36, FileDamage::Checksum));
    }
    let kind = FileKind::from_number(bytes[10]).ok_or((10, FileDamage::Nonsense))?;
    if u32_at(bytes, 16) as usize != kind.places_in_block() {
        return Err((16, FileDamage::Nonsense));
    }
    if u64_at(bytes, 24) != bytes.len() as u64 {
        return Err((bytes.len(), FileDamage::Length));
    }
    let directory_len = u32_at(bytes, 20) as usize;
    let directory = bytes.get(HEADER_LEN..HEADER_LEN + directory_len);
    let directory = directory.ok_or((20, FileDamage::Nonsense))?;
    if crc32fast::hash(directory) != u32_at(bytes, 32) {
        return Err((32, FileDamage::Checksum));
    }
    let end = HEADER_LEN + directory_len;
    let entries = (0..u32_at(bytes, 12) as usize)
        .map(|i| parse_entry(bytes, HEADER_LEN + i * ENTRY_LEN, kind, end))
        .collect::<Result<Vec<SliceEntry>, ReadFault>>()?;
    let in_order = entries.is_sorted_by(|a, b| a.layout.material < b.layout.material);
    in_order
        .then_some((kind, entries))
        .ok_or((HEADER_LEN, FileDamage::Nonsense))
}

/// Reads the entry at `at` of a directory that ends at `end`.
fn parse_entry(
    bytes: &[u8],
    at: usize,
    kind: FileKind,
    end: usize,
) -> Result<SliceEntry, ReadFault> {
    let nonsense = (at, FileDamage::Nonsense);
    let &[men, kings, other_men, other_kings] = bytes
        .get(at..end)
        .and_then(|rest| rest.first_chunk())
        .ok_or(nonsense)?;
    let most = MOST_PIECES as usize;
    let pieces = [men, kings, other_men, other_kings].map(usize::from);
    let is_sound =
        pieces.iter().sum::<usize>() <= most && men + kings > 0 && other_men + other_kings > 0;
    if !is_sound {
        return Err(nonsense);
    }
    let force = |men, kings| Force { men, kings };
    let layout = Layout::new(Material {
        mover: force(men, kings),
        other: force(other_men, other_kings),
    });
    let entry = SliceEntry {
        layout,
        blocks: u32_at(bytes, at + 4) as usize,
        table_at: usize::try_from(u64_at(bytes, at + 16)).map_err(|_| nonsense)?,
        data_at: usize::try_from(u64_at(bytes, at + 24)).map_err(|_| nonsense)?,
    };
    let table_end = entry.table_at.checked_add(entry.blocks * BLOCK_ENTRY_LEN);
    let is_sound = u64_at(bytes, at + 8) == layout.len() as u64
        && entry.blocks == layout.len().div_ceil(kind.places_in_block())
        && entry.table_at >= HEADER_LEN
        && table_end.is_some_and(|table_end| table_end <= end)
        && entry.data_at <= bytes.len();
    is_sound.then_some(entry).ok_or(nonsense)
}

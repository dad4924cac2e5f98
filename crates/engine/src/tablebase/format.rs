//! How tables are stored: the numbers of `docs/file-formats.md`.

use super::value::Wdl;

/// What a file begins with.
pub(crate) const MAGIC: [u8; 8] = *b"RDTABLE\x1a";
/// The version of the format.
pub(crate) const VERSION: u16 = 1;
/// The bytes before the directory.
pub(crate) const HEADER_LEN: usize = 40;
/// The bytes of a slice in the directory.
pub(crate) const ENTRY_LEN: usize = 32;
/// The bytes of a block in a block table.
pub(crate) const BLOCK_ENTRY_LEN: usize = 8;

/// What a file tells of each position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FileKind {
    /// Win, loss or draw, in two bits.
    Wdl,
    /// The distance to the end, in a byte.
    Distance,
}

impl FileKind {
    /// Both kinds.
    pub const ALL: [FileKind; 2] = [FileKind::Wdl, FileKind::Distance];

    /// What names of files of this kind end with.
    pub const fn extension(self) -> &'static str {
        match self {
            FileKind::Wdl => "wdl",
            FileKind::Distance => "dist",
        }
    }

    /// The number in the header.
    pub(crate) const fn number(self) -> u8 {
        match self {
            FileKind::Wdl => 1,
            FileKind::Distance => 2,
        }
    }

    pub(crate) fn from_number(number: u8) -> Option<FileKind> {
        FileKind::ALL
            .into_iter()
            .find(|kind| kind.number() == number)
    }

    /// Its place in [`FileKind::ALL`].
    pub(crate) const fn index(self) -> usize {
        match self {
            FileKind::Wdl => 0,
            FileKind::Distance => 1,
        }
    }

    /// The bits of a place.
    const fn bits(self) -> usize {
        match self {
            FileKind::Wdl => 2,
            FileKind::Distance => 8,
        }
    }

    /// The places in a full block, which ends with a word. A byte of distances takes longer to
    /// decompress than one of values.
    pub(crate) const fn places_in_block(self) -> usize {
        match self {
            FileKind::Wdl => 64 * 1024,
            FileKind::Distance => 8 * 1024,
        }
    }

    /// The bytes that so many places take before compression.
    pub(crate) const fn bytes(self, places: usize) -> usize {
        (places * self.bits()).div_ceil(8)
    }
}

/// How many places a word has.
#[inline(always)]
pub(crate) const fn places_in_word(kind: FileKind) -> usize {
    64 / kind.bits()
}

/// What a word has at a place, which is counted from this word or any other.
#[inline(always)]
pub(crate) const fn value_in_word(kind: FileKind, word: u64, place: usize) -> u8 {
    let in_word = place % places_in_word(kind);
    (word >> (in_word * kind.bits())) as u8 & (u8::MAX >> (8 - kind.bits()))
}

/// What a block has at a place; all bits are set where the block has ended.
#[inline(always)]
pub(crate) fn value_in_block(kind: FileKind, block: &[u8], place: usize) -> u8 {
    let in_byte = 8 / kind.bits();
    let byte = block.get(place / in_byte).copied().unwrap_or(u8::MAX);
    value_in_word(kind, byte.into(), place % in_byte)
}

/// The value of two bits; `None` for the pattern that none has.
#[inline]
pub(crate) const fn wdl_from_bits(bits: u8) -> Option<Wdl> {
    match bits & 3 {
        0 => Some(Wdl::Loss),
        1 => Some(Wdl::Draw),
        2 => Some(Wdl::Win),
        _ => None,
    }
}

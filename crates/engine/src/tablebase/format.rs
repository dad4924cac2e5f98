//! How tables are stored: the numbers of `docs/tablebase-format.md`.

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
/// The bytes of a full block before compression.
pub(crate) const BLOCK_LEN: usize = 16 * 1024;

/// What a file tells of each position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Win, loss or draw, in two bits.
    Wdl,
    /// The distance to the end, in a byte.
    Distance,
}

impl Kind {
    /// Both kinds.
    pub const ALL: [Kind; 2] = [Kind::Wdl, Kind::Distance];

    /// What names of files of this kind end with.
    pub const fn extension(self) -> &'static str {
        match self {
            Kind::Wdl => "wdl",
            Kind::Distance => "dist",
        }
    }

    /// The number in the header.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Kind::Wdl => 1,
            Kind::Distance => 2,
        }
    }

    pub(crate) fn from_number(number: u8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.number() == number)
    }

    /// The places in a full block.
    pub(crate) const fn places_in_block(self) -> usize {
        match self {
            Kind::Wdl => BLOCK_LEN * 4,
            Kind::Distance => BLOCK_LEN,
        }
    }

    /// The bytes that so many places take before compression.
    pub(crate) const fn bytes(self, places: usize) -> usize {
        match self {
            Kind::Wdl => places.div_ceil(4),
            Kind::Distance => places,
        }
    }
}

/// The two bits of a value.
pub(crate) const fn wdl_bits(value: Wdl) -> u8 {
    match value {
        Wdl::Loss => 0,
        Wdl::Draw => 1,
        Wdl::Win => 2,
    }
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

//! A slice as files have it.

use super::format::FileKind;
use super::material::Material;

/// A slice as it is stored, apart from where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    pub(crate) kind: FileKind,
    pub(crate) material: Material,
    pub(crate) places: u64,
    /// Of each block where it ends, in the compressed bytes, and its checksum.
    pub(crate) blocks: Vec<(u32, u32)>,
    /// The compressed blocks one after the other.
    pub(crate) data: Vec<u8>,
}

//! The bytes of a table: a file in the address space, or a part of the program.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// Bytes that are read in place.
#[derive(Debug)]
pub(crate) enum Bytes {
    /// A file that the system reads as it is touched.
    Mapped(Mmap),
    /// Built into the program.
    Static(&'static [u8]),
    /// Made by this program.
    Owned(Vec<u8>),
}

impl Bytes {
    /// Maps a file. Reading it later may wait for the disk.
    pub(crate) fn map(path: &Path) -> io::Result<Bytes> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(Bytes::Static(&[]));
        }
        #[expect(unsafe_code, reason = "the one way to map a file")]
        // SAFETY: the map is only read, and as bytes, each of which may have any value. Whoever
        // changes a table in place while it is open makes wrong values, which the checksum of each
        // block tells; the programs here only ever replace tables by renaming.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Bytes::Mapped(map))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Static(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

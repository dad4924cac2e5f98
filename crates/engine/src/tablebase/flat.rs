//! Small slices decompressed: one memory access a look.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock};

use super::format::{FileKind, places_in_word, value_in_word};
use super::layout::Layout;
use super::material::Material;
use super::placement::Placement;
use super::read::{TableError, TableFile, for_each_block};
use crate::memory::Memory;

/// Where a slice is: the number of its file, and of its entry there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceSource {
    pub(crate) file: usize,
    pub(crate) entry: usize,
}

/// Slices of one kind in one piece of memory on large pages, each decompressed once it is asked for,
/// or before.
#[derive(Debug)]
pub(crate) struct Flat {
    kind: FileKind,
    memory: Memory,
    /// The number of each slice, by [`Material::code`].
    numbers: Box<[u8; Material::CODES]>,
    slices: Vec<Slice>,
}

/// No slice has this number.
const NONE: u8 = u8::MAX;

/// A slice of them.
#[derive(Debug)]
pub(crate) struct Slice {
    /// Where it is read from.
    pub(crate) source: SliceSource,
    layout: Layout,
    first_word: usize,
    /// Whether it is decompressed, or why that cannot be done.
    ready: OnceLock<Result<(), Arc<TableError>>>,
}

impl Slice {
    /// How many places it has.
    pub(crate) fn len(&self) -> usize {
        self.layout.len()
    }

    /// Whether nothing is left to be done before a look, or nothing can be.
    #[cfg(test)]
    pub(crate) fn is_ready(&self) -> bool {
        self.ready.get().is_some()
    }
}

impl Flat {
    /// Room for slices of one kind, of which there are fewer than 255; `None` if the system has no
    /// memory for them.
    pub(crate) fn new(
        kind: FileKind,
        materials: impl Iterator<Item = (Material, SliceSource)>,
    ) -> Option<Flat> {
        let mut numbers = Box::new([NONE; Material::CODES]);
        let mut slices = Vec::new();
        let mut words = 0;
        for (material, source) in materials {
            let number = u8::try_from(slices.len()).ok().filter(|&n| n != NONE)?;
            numbers[material.code()] = number;
            let layout = Layout::new(material);
            slices.push(Slice {
                source,
                layout,
                first_word: words,
                ready: OnceLock::new(),
            });
            words += layout.len().div_ceil(places_in_word(kind));
        }
        Some(Flat {
            kind,
            memory: Memory::zeroed(words)?,
            numbers,
            slices,
        })
    }

    /// The slice of a material, if it is one of these.
    #[inline(always)]
    pub(crate) fn slice(&self, material: Material) -> Option<&Slice> {
        self.slices.get(usize::from(self.numbers[material.code()]))
    }

    /// The slices.
    pub(crate) fn slices(&self) -> &[Slice] {
        &self.slices
    }

    /// Decompresses a slice out of a file and an entry there, if nobody has done so yet.
    pub(crate) fn prepare(&self, slice: &Slice, source: (&TableFile, usize)) {
        slice.ready.get_or_init(|| self.fill(slice, source));
    }

    /// What a slice has at the place of a position. If it is not decompressed yet, that is done out
    /// of a file and an entry there.
    ///
    /// # Errors
    /// When it cannot be read.
    #[inline(always)]
    pub(crate) fn look<'t>(
        &self,
        slice: &Slice,
        placement: &Placement,
        source: impl FnOnce() -> (&'t TableFile, usize),
    ) -> Result<u8, Arc<TableError>> {
        let ready = slice.ready.get_or_init(|| self.fill(slice, source()));
        if let Err(error) = ready {
            return Err(Arc::clone(error));
        }
        let place = slice.layout.place(placement);
        let words = &self.memory.words()[slice.first_word..];
        let word = &words[place / places_in_word(self.kind)];
        Ok(value_in_word(self.kind, word.load(Relaxed), place))
    }

    /// Decompresses a slice. Milliseconds.
    #[cold]
    fn fill(
        &self,
        slice: &Slice,
        (file, entry): (&TableFile, usize),
    ) -> Result<(), Arc<TableError>> {
        let mut words = self.memory.words()[slice.first_word..].iter();
        for_each_block(file, entry, |block| {
            // Only the last block of a slice may end within a word.
            for (bytes, word) in block.chunks(size_of::<u64>()).zip(&mut words) {
                let mut whole = [0; size_of::<u64>()];
                whole[..bytes.len()].copy_from_slice(bytes);
                word.store(u64::from_le_bytes(whole), Relaxed);
            }
        })?;
        Ok(())
    }
}

//! Zeroed memory that threads share as words, on large pages where the system has them.

use std::sync::atomic::AtomicU64;

#[cfg(not(target_arch = "wasm32"))]
use memmap2::{MmapMut, MmapRaw};

use crate::prefetch::prefetch;

/// A block of words, all zero at first. The system hands pages out as they are touched.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug)]
pub(crate) struct Memory {
    map: MmapRaw,
    words: usize,
}

/// A block of words, all zero at first.
#[cfg(target_arch = "wasm32")]
#[derive(Debug)]
pub(crate) struct Memory(Vec<AtomicU64>);

#[cfg(target_arch = "wasm32")]
impl Memory {
    /// So many words; `None` if the system has no such memory.
    pub(crate) fn zeroed(words: usize) -> Option<Memory> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(words).ok()?;
        memory.resize_with(words, AtomicU64::default);
        Some(Memory(memory))
    }

    #[inline]
    pub(crate) fn words(&self) -> &[AtomicU64] {
        &self.0
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Memory {
    /// So many words; `None` if the system has no such memory.
    pub(crate) fn zeroed(words: usize) -> Option<Memory> {
        let map = MmapMut::map_anon(words.max(1) * size_of::<AtomicU64>()).ok()?;
        #[cfg(all(target_os = "linux", not(miri)))]
        // Without large pages it works as well, only slower.
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Memory {
            map: map.into(),
            words,
        })
    }

    #[inline]
    #[expect(unsafe_code, reason = "mapped memory comes as a pointer")]
    pub(crate) fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping is as long as that and lives as long as `self`, pages are aligned for
        // words, every pattern of bits is a word, and nobody looks at it but through this slice.
        unsafe { std::slice::from_raw_parts(self.map.as_mut_ptr().cast(), self.words) }
    }
}

impl Memory {
    /// Asks the processor to fetch a word that is going to be read.
    #[inline]
    pub(crate) fn prefetch(&self, word: usize) {
        prefetch(self.words().get(word));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn memory_is_zero_and_holds_what_is_written() {
        let memory = Memory::zeroed(100_000).unwrap();
        assert_eq!(memory.words().len(), 100_000);
        assert!(
            memory
                .words()
                .iter()
                .all(|word| word.load(Ordering::Relaxed) == 0)
        );
        memory.words()[99_999].store(7, Ordering::Relaxed);
        memory.prefetch(99_999);
        memory.prefetch(100_000);
        assert_eq!(memory.words()[99_999].load(Ordering::Relaxed), 7);
    }

    #[test]
    fn too_much_memory_is_none() {
        assert!(Memory::zeroed(usize::MAX / 16).is_none());
    }
}

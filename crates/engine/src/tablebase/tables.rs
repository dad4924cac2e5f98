//! The tables that are open, and what they have of a position.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use super::cache::Cache;
use super::flat::{Flat, Slice, SliceSource};
use super::format::{FileKind, value_in_block, wdl_from_bits};
use super::material::{MOST_PIECES, Material};
use super::parallel::in_parts;
use super::placement::Placement;
use super::processor::for_this_processor;
use super::read::{BlockReader, TableError, TableFile};
use super::value::{Distance, Wdl};

/// Up to so many pieces values and distances are kept decompressed, a slice once it is asked for or
/// all of them [before](Tables::prepare).
const FLAT_PIECES: [u8; 2] = [5, 4];
/// How many decoded blocks are kept of larger slices and of distances: 64 MiB at most.
const CACHED_BLOCKS: usize = 4096;

/// Why a position has no value.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// No table has it, or one that would be needed after a capture.
    #[error("no table of {material}")]
    Missing {
        /// The pieces that there is no table of.
        material: Material,
    },
    /// The position has more pieces than any table.
    #[error("{pieces} pieces, and tables have {MOST_PIECES} at most")]
    TooManyPieces {
        /// How many.
        pieces: u32,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] Arc<TableError>),
}

/// Takes a warning in words.
pub type Warn = fn(&str);

/// Files of tables, and what of them is decompressed.
#[derive(Debug)]
pub(crate) struct Tables {
    files: Vec<TableFile>,
    /// Where slices are: by [`Material::code`], a file and an entry of it, for each kind.
    sources: [Vec<Option<SliceSource>>; 2],
    /// What is kept decompressed of each kind, if there is memory for it.
    flat: [Option<Flat>; 2],
    /// Set once all of that is decompressed.
    prepared: OnceLock<()>,
    /// Whether somebody is at it.
    is_begun: AtomicBool,
    cache: Cache,
    readers: Mutex<Vec<BlockReader>>,
    /// The most pieces that there are values of.
    most_pieces: u8,
    /// Who is told of damage that shows when a block is read, once for each file.
    warn: Warn,
    has_warned: Vec<AtomicBool>,
}

impl Tables {
    /// The slices of some files; if several have one, that of the first.
    pub(crate) fn new(files: Vec<TableFile>, warn: Warn) -> Tables {
        let of_kind = |kind| {
            let files = files.iter().enumerate();
            files.filter(move |(_, file)| file.kind() == kind)
        };
        let sources = FileKind::ALL.map(|kind| {
            let mut sources = vec![None; Material::CODES];
            for (file, table) in of_kind(kind) {
                for (entry, material) in table.materials().enumerate() {
                    sources[material.code()].get_or_insert(SliceSource { file, entry });
                }
            }
            sources
        });
        let flat = FileKind::ALL.map(|kind| {
            let materials = (2..=FLAT_PIECES[kind.index()]).flat_map(Material::all);
            let there = materials.filter_map(|material| {
                let source = sources[kind.index()][material.code()];
                source.map(|source| (material, source))
            });
            Flat::new(kind, there)
        });
        let pieces = of_kind(FileKind::Wdl).flat_map(|(_, table)| table.materials());
        let most_pieces = pieces.map(Material::pieces).max().unwrap_or(0);
        Tables {
            has_warned: files.iter().map(|_| AtomicBool::new(false)).collect(),
            files,
            sources,
            flat,
            prepared: OnceLock::new(),
            is_begun: AtomicBool::new(false),
            cache: Cache::new(CACHED_BLOCKS),
            readers: Mutex::new(Vec::new()),
            most_pieces,
            warn,
        }
    }

    pub(crate) fn most_pieces(&self) -> u8 {
        self.most_pieces
    }

    /// Decompresses all that is kept decompressed, on every processor, so that nobody who looks has
    /// to do so; returns when that is done. About a quarter of a second of one processor, and nothing
    /// from then on.
    pub(crate) fn prepare(&self) {
        self.prepared.get_or_init(|| {
            self.is_begun.store(true, Relaxed);
            let mut slices: Vec<_> = self.flat_slices().collect();
            // The long ones first, so that the threads end together.
            slices.sort_by_key(|(_, slice)| Reverse(slice.len()));
            let threads = thread::available_parallelism().map_or(1, usize::from);
            in_parts(threads, slices.len(), 1, |parts| {
                for (flat, slice) in parts.flat_map(|part| &slices[part]) {
                    flat.prepare(slice, self.file(slice.source));
                }
            });
        });
    }

    /// Begins to do so on a thread of its own, unless somebody has begun before.
    pub(crate) fn begin_to_prepare(self: &Arc<Self>) {
        if self.is_begun.swap(true, Relaxed) {
            return;
        }
        let tables = Arc::clone(self);
        let thread = thread::Builder::new().name("endings".to_owned());
        // Without a thread it is left to those who wait for it.
        let _ = thread.spawn(move || tables.prepare());
    }

    fn flat_slices(&self) -> impl Iterator<Item = (&Flat, &Slice)> {
        let all = self.flat.iter().flatten();
        all.flat_map(|flat| flat.slices().iter().map(move |slice| (flat, slice)))
    }

    /// Whether every slice is decompressed.
    #[cfg(test)]
    pub(crate) fn is_prepared(&self) -> bool {
        self.flat_slices().all(|(_, slice)| slice.is_ready())
    }

    /// The file of a slice, and its entry there.
    fn file(&self, source: SliceSource) -> (&TableFile, usize) {
        (&self.files[source.file], source.entry)
    }

    /// The value of a position without a capture.
    pub(crate) fn stored_wdl(&self, placement: &Placement) -> Result<Wdl, ProbeError> {
        for_this_processor!(placement, |placement| {
            let bits = self.look_up(FileKind::Wdl, placement)?;
            // Blocks have checksums: a pattern that is no value was written on purpose.
            wdl_from_bits(bits).ok_or_else(|| self.nonsense(FileKind::Wdl, placement.material()))
        })
    }

    /// The distance of a position without a capture.
    pub(crate) fn stored_distance(&self, placement: &Placement) -> Result<Distance, ProbeError> {
        for_this_processor!(placement, |placement| {
            self.look_up(FileKind::Distance, placement).map(Distance)
        })
    }

    /// The distance of a position without a capture, if it is one of those kept decompressed.
    pub(crate) fn flat_distance(&self, placement: &Placement) -> Option<Distance> {
        let flat = self.flat[FileKind::Distance.index()].as_ref()?;
        flat.slice(placement.material())?;
        self.stored_distance(placement).ok()
    }

    /// What is stored at the place of a position.
    #[inline(always)]
    fn look_up(&self, kind: FileKind, placement: &Placement) -> Result<u8, ProbeError> {
        if let Some(flat) = &self.flat[kind.index()]
            && let Some(slice) = flat.slice(placement.material())
        {
            let source = slice.source;
            let found = flat.look(slice, placement, || self.file(source));
            return found.map_err(|error| self.damaged(source, error));
        }
        self.look_up_block(kind, placement)
    }

    #[inline(never)]
    fn look_up_block(&self, kind: FileKind, placement: &Placement) -> Result<u8, ProbeError> {
        let material = placement.material();
        let source = self
            .source(kind, material)
            .ok_or(ProbeError::Missing { material })?;
        let table = &self.files[source.file];
        let place = table.entries()[source.entry].layout.place(placement);
        let in_block = kind.places_in_block();
        let block = place / in_block;
        let number = (source.file as u64) << 48 | (source.entry as u64) << 32 | block as u64;
        let found = self.cache.look(
            number,
            |bytes| self.read_block(table, source.entry, block, bytes),
            |bytes| value_in_block(kind, bytes, place % in_block),
        );
        found.map_err(|error| self.damaged(source, Arc::new(error)))
    }

    /// Where a slice is.
    fn source(&self, kind: FileKind, material: Material) -> Option<SliceSource> {
        self.sources[kind.index()][material.code()]
    }

    /// A file is damaged: whoever wants to know is told the first time.
    #[cold]
    fn damaged(&self, source: SliceSource, error: Arc<TableError>) -> ProbeError {
        if !self.has_warned[source.file].swap(true, Relaxed) {
            (self.warn)(&error.to_string());
        }
        ProbeError::Table(error)
    }

    /// A slice holds what is no value.
    #[cold]
    fn nonsense(&self, kind: FileKind, material: Material) -> ProbeError {
        match self.source(kind, material) {
            None => ProbeError::Missing { material },
            Some(source) => {
                let error = self.files[source.file].nonsense(source.entry);
                self.damaged(source, Arc::new(error))
            }
        }
    }

    fn read_block(
        &self,
        table: &TableFile,
        entry: usize,
        block: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        let mut reader = self.reader();
        let done = reader.read(table, entry, block, bytes);
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.push(reader);
        done
    }

    /// A reader that nobody uses. There are never more than threads that have read at once.
    fn reader(&self) -> BlockReader {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.pop().unwrap_or_else(BlockReader::new)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::probe::Tablebases;

    #[test]
    fn nothing_is_left_to_be_decompressed_by_whoever_looks() {
        let tables = Tablebases::new(Vec::new());
        let tables = tables.tables();
        assert!(!tables.is_prepared());
        tables.begin_to_prepare();
        tables.prepare();
        assert!(tables.is_prepared());
    }

    #[test]
    fn without_a_directory_a_process_has_one_copy() {
        let [first, second] = [0; 2].map(|_| Tablebases::load(None, |_| {}));
        assert!(Arc::ptr_eq(first.tables(), second.tables()));
    }
}

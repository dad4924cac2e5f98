//! Asking tables.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use checkers_lib::{MoveList, Position};

use super::cache::Cache;
use super::format::{Kind, wdl_from_bits};
use super::material::{MOST_PIECES, Material};
use super::placement::Placement;
use super::processor::for_this_processor;
use super::read::{BlockReader, TableError, TableFile};
use super::value::{Distance, Wdl};
use super::workshop::read_slice;

/// What is built into every program: the values of up to 5 pieces and the distances of up to 4, by
/// the names that errors call them.
static EMBEDDED: [(&str, &[u8]); 2] = [
    (
        "endings-2-5.wdl",
        include_bytes!("../../data/endings-2-5.wdl"),
    ),
    (
        "endings-2-4.dist",
        include_bytes!("../../data/endings-2-4.dist"),
    ),
];

/// Names the directory of tables for all programs.
const VARIABLE: &str = "CHECKERS_TABLEBASE";

/// Up to so many pieces values and distances are kept decompressed, a slice once it is asked for.
const FLAT_PIECES: [u8; 2] = [5, 4];
/// How many decoded blocks are kept of larger slices and of distances: 64 MiB.
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

/// Tables that can be asked, by any number of threads at once. Cheap to clone.
///
/// Values are those of perfect play without the articles that count moves to a draw. A probe costs
/// a memory access or two for values of up to 5 pieces once their slice has been asked for, which
/// takes milliseconds; it decodes a block of 16 KiB, which takes microseconds and may wait for the
/// disk, for others that are not in the cache of 64 MiB.
#[derive(Clone, Debug)]
pub struct Tablebases {
    tables: Arc<Tables>,
}

/// The tables of this process.
static SHARED: OnceLock<Tablebases> = OnceLock::new();

/// A decompressed slice, or why there is none, once it is asked for.
type Flat = OnceLock<Result<Vec<u8>, Arc<TableError>>>;

#[derive(Debug)]
struct Tables {
    files: Vec<TableFile>,
    /// Where slices are: by [`Material::code`], a file and an entry of it, for each kind.
    slices: [Vec<Option<(u32, u32)>>; 2],
    /// The decompressed slices, by the same.
    flat: [Vec<Flat>; 2],
    cache: Cache,
    readers: Mutex<Vec<BlockReader>>,
    /// The most pieces that there are values of.
    most_pieces: u8,
    /// Who is told of damage that shows when a block is read, once for each file.
    warn: Warn,
    has_warned: Vec<AtomicBool>,
}

/// Takes a warning in words.
pub type Warn = fn(&str);

impl Tablebases {
    /// The tables that every program has: values of up to 5 pieces, distances of up to 4.
    pub fn embedded() -> Tablebases {
        static TABLES: OnceLock<Tablebases> = OnceLock::new();
        TABLES.get_or_init(|| Tablebases::new(Vec::new())).clone()
    }

    /// The embedded tables and those of a directory. Files that cannot be used are left out: what
    /// is wrong with each is the second part of the answer.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn open(dir: &Path) -> io::Result<(Tablebases, Vec<TableError>)> {
        let (files, faults) = open_files(dir)?;
        Ok((Tablebases::new(files), faults))
    }

    /// The embedded tables and those of a directory, if one is given. Whatever is wrong with the
    /// directory or a file of it, now or when a block is read, is told to `warn`, and the rest is
    /// used.
    pub fn load(dir: Option<&Path>, warn: Warn) -> Tablebases {
        let files = match dir.map(open_files) {
            None => Vec::new(),
            Some(Ok((files, faults))) => {
                for fault in faults {
                    warn(&fault.to_string());
                }
                files
            }
            Some(Err(error)) => {
                let dir = dir.unwrap_or(Path::new("")).display();
                warn(&format!("cannot open the tables in {dir}: {error}"));
                Vec::new()
            }
        };
        Tablebases::with_warnings(files, warn)
    }

    /// The directory that the environment variable `CHECKERS_TABLEBASE` names.
    pub fn directory() -> Option<PathBuf> {
        std::env::var_os(VARIABLE).map(PathBuf::from)
    }

    /// Makes these the tables of this process, unless it has asked for its tables before.
    pub fn share(self) {
        let _ = SHARED.set(self);
    }

    /// The tables of this process, which bots ask: the ones that were [shared](Tablebases::share),
    /// or else the embedded ones and those of the [directory](Tablebases::directory), as far as
    /// they can be used.
    pub fn shared() -> &'static Tablebases {
        SHARED.get_or_init(|| Tablebases::load(Tablebases::directory().as_deref(), |_| {}))
    }

    /// The embedded tables and these.
    pub fn new(files: Vec<TableFile>) -> Tablebases {
        Tablebases::with_warnings(files, |_| {})
    }

    fn with_warnings(mut files: Vec<TableFile>, warn: Warn) -> Tablebases {
        for (name, bytes) in EMBEDDED {
            // They are part of the program, and tests read them whole.
            files.extend(TableFile::from_static(name, bytes));
        }
        let mut slices = [const { Vec::new() }; 2];
        let mut most_pieces = 0;
        for (slices, kind) in slices.iter_mut().zip(Kind::ALL) {
            *slices = vec![None; Material::CODES];
            for (i, file) in files
                .iter()
                .enumerate()
                .filter(|(_, file)| file.kind() == kind)
            {
                for (j, material) in file.materials().enumerate() {
                    let slot = &mut slices[material.code()];
                    *slot = slot.or(Some((i as u32, j as u32)));
                    if kind == Kind::Wdl {
                        most_pieces = material.pieces().max(most_pieces);
                    }
                }
            }
        }
        Tablebases {
            tables: Arc::new(Tables {
                has_warned: files.iter().map(|_| AtomicBool::new(false)).collect(),
                files,
                slices,
                flat: [(); 2].map(|()| (0..Material::CODES).map(|_| Flat::new()).collect()),
                cache: Cache::new(CACHED_BLOCKS),
                readers: Mutex::new(Vec::new()),
                most_pieces,
                warn,
            }),
        }
    }

    /// The most pieces that there are values of. Not every position of so many has one.
    pub fn most_pieces(&self) -> u8 {
        self.tables.most_pieces
    }

    /// What a position is worth to its side to move. A position with a capture costs the probes of
    /// what its captures lead to.
    ///
    /// # Errors
    /// When no table has it, or it is damaged.
    pub fn probe_wdl(&self, position: &Position) -> Result<Wdl, ProbeError> {
        let placement = probed(position)?;
        self.wdl(&placement)
    }

    /// What a position is worth to its side to move, and how many plies it lasts.
    ///
    /// # Errors
    /// As above.
    pub fn probe_distance(&self, position: &Position) -> Result<Distance, ProbeError> {
        let placement = probed(position)?;
        self.distance(&placement)
    }

    fn wdl(&self, placement: &Placement) -> Result<Wdl, ProbeError> {
        if let Some(end) = end_of(placement) {
            return Ok(end.wdl());
        }
        if !placement.board().can_capture() {
            return self.tables.stored_wdl(placement);
        }
        let mut moves = MoveList::new();
        placement.board().captures_into(&mut moves);
        let mut best = Wdl::Loss;
        for &m in moves.iter() {
            best = best.max(self.wdl(&placement.after(m).turned())?.reversed());
            if best == Wdl::Win {
                break;
            }
        }
        Ok(best)
    }

    fn distance(&self, placement: &Placement) -> Result<Distance, ProbeError> {
        if let Some(end) = end_of(placement) {
            return Ok(end);
        }
        if !placement.board().can_capture() {
            return self.tables.stored_distance(placement);
        }
        let mut moves = MoveList::new();
        placement.board().captures_into(&mut moves);
        let mut best = Distance::LOST;
        for &m in moves.iter() {
            let after = self.distance(&placement.after(m).turned())?;
            best = best.max(after.before());
        }
        Ok(best)
    }
}

/// The tables in a directory, and what is wrong with those that cannot be opened.
fn open_files(dir: &Path) -> io::Result<(Vec<TableFile>, Vec<TableError>)> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let is_table = Kind::ALL.iter().any(|kind| {
            path.extension()
                .is_some_and(|extension| extension == kind.extension())
        });
        if is_table {
            paths.push(path);
        }
    }
    paths.sort();
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    for path in paths {
        match TableFile::open(&path) {
            Ok(file) => files.push(file),
            Err(fault) => faults.push(fault),
        }
    }
    Ok((files, faults))
}

/// The position as tables see it, if they can.
fn probed(position: &Position) -> Result<Placement, ProbeError> {
    let pieces = position.occupied().len();
    if pieces > MOST_PIECES.into() {
        return Err(ProbeError::TooManyPieces { pieces });
    }
    Ok(Placement::of(position))
}

/// The value where a side has no piece left, which is in no table.
fn end_of(placement: &Placement) -> Option<Distance> {
    if (placement.men | placement.kings).is_empty() {
        Some(Distance::LOST)
    } else if (placement.other_men | placement.other_kings).is_empty() {
        Some(Distance::LOST.before())
    } else {
        None
    }
}

impl Tables {
    fn stored_wdl(&self, placement: &Placement) -> Result<Wdl, ProbeError> {
        for_this_processor!(placement, |placement| self.look_up_wdl(placement))
    }

    fn stored_distance(&self, placement: &Placement) -> Result<Distance, ProbeError> {
        for_this_processor!(placement, |placement| self.look_up_distance(placement))
    }

    #[inline(always)]
    fn look_up_wdl(&self, placement: &Placement) -> Result<Wdl, ProbeError> {
        let bits = |bytes: &[u8], place: usize| {
            let byte = bytes.get(place / 4).copied().unwrap_or(u8::MAX);
            wdl_from_bits(byte >> (2 * (place % 4)))
        };
        let (found, file, entry) = self.look_up(Kind::Wdl, placement, bits)?;
        // Blocks have checksums: this pattern was written on purpose.
        found.ok_or_else(|| self.damaged(file, Arc::new(self.files[file].nonsense(entry))))
    }

    #[inline(always)]
    fn look_up_distance(&self, placement: &Placement) -> Result<Distance, ProbeError> {
        let byte = |bytes: &[u8], place: usize| bytes.get(place).copied();
        let (found, _, _) = self.look_up(Kind::Distance, placement, byte)?;
        Ok(found.map_or(Distance::DRAW, Distance))
    }

    /// Looks at the place of a position in the bytes of its slice, or of its block there; and says
    /// which entry of which file it was.
    #[inline(always)]
    fn look_up<T>(
        &self,
        kind: Kind,
        placement: &Placement,
        look: impl FnOnce(&[u8], usize) -> T,
    ) -> Result<(T, usize, usize), ProbeError> {
        let material = placement.material();
        let (kind_number, code) = (usize::from(kind == Kind::Distance), material.code());
        let slot = self.slices[kind_number][code];
        let (file, entry) = slot.ok_or(ProbeError::Missing { material })?;
        let (file, entry) = (file as usize, entry as usize);
        let table = &self.files[file];
        let place = table.entries()[entry].layout.place(placement);
        if material.pieces() <= FLAT_PIECES[kind_number] {
            let read = || read_slice(table, entry).map_err(Arc::new);
            let slice = self.flat[kind_number][code].get_or_init(read);
            let bytes = slice
                .as_ref()
                .map_err(|error| self.damaged(file, Arc::clone(error)))?;
            return Ok((look(bytes, place), file, entry));
        }
        let in_block = kind.places_in_block();
        let block = place / in_block;
        let number = (file as u64) << 48 | (entry as u64) << 32 | block as u64;
        let found = self.cache.look(
            number,
            |bytes| self.read_block(table, entry, block, bytes),
            |bytes| look(bytes, place % in_block),
        );
        let found = found.map_err(|error| self.damaged(file, Arc::new(error)))?;
        Ok((found, file, entry))
    }

    /// A file is damaged: whoever wants to know is told the first time.
    fn damaged(&self, file: usize, error: Arc<TableError>) -> ProbeError {
        if !self.has_warned[file].swap(true, Relaxed) {
            (self.warn)(&error.to_string());
        }
        ProbeError::Table(error)
    }

    fn read_block(
        &self,
        table: &TableFile,
        entry: usize,
        block: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        let mut reader = self.reader()?;
        let done = reader.read(table, entry, block, bytes);
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.push(reader);
        done
    }

    /// A reader that nobody uses. There are never more than threads that have read at once.
    fn reader(&self) -> Result<BlockReader, TableError> {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        let free = readers.pop();
        drop(readers);
        free.map_or_else(BlockReader::new, Ok)
            .map_err(|source| TableError::Read {
                file: "decompressor".into(),
                source,
            })
    }
}

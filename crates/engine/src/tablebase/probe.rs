//! Asking tables.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use checkers_lib::{MoveList, Position};

use super::format::FileKind;
use super::material::MOST_PIECES;
use super::placement::Placement;
use super::read::{TableError, TableFile};
use super::tables::{ProbeError, Tables, Warn};
use super::value::{Distance, Wdl};

/// What is built into every program: the values of up to 5 pieces and the distances of up to 4, by
/// the names that errors call them.
#[cfg(not(target_arch = "wasm32"))]
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

/// A page is given the larger files later.
#[cfg(target_arch = "wasm32")]
static EMBEDDED: [(&str, &[u8]); 1] = [(
    "endings-2-4.wdl",
    include_bytes!("../../data/endings-2-4.wdl"),
)];

/// The content of a file of tables that is built into every program; `None` if none has this name.
pub fn embedded_file(name: &str) -> Option<&'static [u8]> {
    let found = EMBEDDED.iter().find(|(known, _)| *known == name);
    found.map(|&(_, content)| content)
}

/// Names the directory of tables for all programs.
const VARIABLE: &str = "CHECKERS_TABLEBASE";

/// Tables that can be asked, by any number of threads at once. Cheap to clone.
///
/// Values are those of perfect play without the articles that count moves to a draw. A probe costs
/// a memory access or two for values of up to 5 pieces, the first one of a slice also milliseconds
/// unless they are [prepared](Tablebases::prepare); it decodes a block of 8 or 16 KiB, which takes microseconds and may wait for
/// the disk, for others that are not in the cache of 64 MiB.
#[derive(Clone, Debug)]
pub struct Tablebases {
    tables: Arc<Tables>,
}

/// The tables of this process.
static SHARED: OnceLock<Tablebases> = OnceLock::new();

impl Tablebases {
    /// The tables that every program has: values of up to 5 pieces, distances of up to 4. In
    /// WebAssembly values of up to 4 pieces.
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
    /// used. Without a directory they are [the same](Tablebases::embedded) in the whole process.
    pub fn load(dir: Option<&Path>, warn: Warn) -> Tablebases {
        let files = match dir.map(open_files) {
            None => return Tablebases::embedded(),
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
        Tablebases {
            tables: Arc::new(Tables::new(files, warn)),
        }
    }

    /// Decompresses what no probe is to wait for, on every processor, and returns when that is done:
    /// a quarter of a second the first time, at once from then on.
    pub fn prepare(&self) {
        self.tables.prepare();
    }

    /// Begins to do so beside the caller. Cheap.
    pub fn begin_to_prepare(&self) {
        self.tables.begin_to_prepare();
    }

    /// The half points that the side to move loses with a move from one position to another: 0 if it is as good as any.
    ///
    /// # Errors
    /// As for [`Tablebases::probe_wdl`].
    pub fn half_points_lost(&self, before: &Position, after: &Position) -> Result<i64, ProbeError> {
        let half_points = |value: Wdl| match value {
            Wdl::Loss => 0,
            Wdl::Draw => 1,
            Wdl::Win => 2,
        };
        let best = half_points(self.probe_wdl(before)?);
        Ok(best - half_points(self.probe_wdl(after)?.reversed()))
    }

    #[cfg(test)]
    pub(crate) fn is_prepared(&self) -> bool {
        self.tables.is_prepared()
    }

    #[cfg(test)]
    pub(super) fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// The most pieces that there are values of. Not every position of so many has one.
    pub fn most_pieces(&self) -> u8 {
        self.tables.most_pieces()
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

    /// What a position without a capture is worth to its side to move, for those who know that it
    /// has none; of another one the answer means nothing.
    ///
    /// # Errors
    /// As above.
    #[inline]
    pub fn probe_quiet(&self, position: &Position) -> Result<Wdl, ProbeError> {
        let placement = probed(position)?;
        match end_of(&placement) {
            Some(end) => Ok(end.wdl()),
            None => self.tables.stored_wdl(&placement),
        }
    }

    /// How many plies a decided position without a capture lasts, if that takes no longer to find
    /// out than its value.
    #[inline]
    pub(crate) fn probe_quiet_distance(&self, position: &Position) -> Option<u32> {
        let placement = probed(position).ok()?;
        let distance = match end_of(&placement) {
            Some(end) => end,
            None => self.tables.flat_distance(&placement)?,
        };
        distance.plies().map(u32::from)
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
        let is_table = FileKind::ALL.iter().any(|kind| {
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

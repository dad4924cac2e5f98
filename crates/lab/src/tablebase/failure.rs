//! What can go wrong with tables.

use std::io;
use std::path::PathBuf;

use checkers_engine::tablebase::{
    MakeError, Material, ProbeError, TableError, TooLarge, TooLong, Wrong,
};

/// Why tables were not made, checked or asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TableFailure {
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is nothing to check.
    #[error("no tables{} in {}", of_pieces(*pieces), dir.display())]
    Nothing {
        /// The directory.
        dir: PathBuf,
        /// Of how many pieces, if that was asked for.
        pieces: Option<u8>,
    },
    /// A slice was not made.
    #[error("cannot make {material}")]
    Make {
        /// Which slice.
        material: Material,
        /// Why.
        source: MakeError,
    },
    /// A slice was not solved under the articles.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// A value does not follow from the others.
    #[error("{material} is wrong")]
    Wrong {
        /// Which slice.
        material: Material,
        /// Where.
        #[source]
        wrong: Wrong,
    },
    /// A position that the tables should contain cannot be probed.
    #[error("cannot probe a position")]
    Probe(#[from] ProbeError),
    /// No table has the position that was asked about.
    #[error("the value is unknown: {reason}")]
    Unknown {
        /// Why.
        reason: String,
    },
    /// Best play does not end when it should.
    #[error("best play from {fen} does not end after {plies} plies")]
    Line {
        /// The position.
        fen: String,
        /// How many plies it should last.
        plies: u8,
    },
    /// There is less memory than there may be used.
    #[error("too little memory: raise --memory")]
    Memory(#[from] TooLarge),
    /// The machine has less memory than is needed.
    #[error(
        "too little memory: the tables take {} MiB, the machine has {} MiB free",
        needed >> 20,
        free >> 20
    )]
    Machine {
        /// How many bytes are needed.
        needed: u64,
        /// How many there are.
        free: u64,
    },
    /// There is too little room for the files.
    #[error(
        "too little room in {}: the tables take about {} MiB, {} MiB are free",
        dir.display(),
        needed >> 20,
        free >> 20
    )]
    Disk {
        /// Where they were to be.
        dir: PathBuf,
        /// About how many bytes they take.
        needed: u64,
        /// How many there are.
        free: u64,
    },
    /// The directory cannot be used.
    #[error("cannot use {}", path.display())]
    Directory {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The list of tables means nothing.
    #[error("{} is no list of tables: {reason}", path.display())]
    Manifest {
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A table that is needed is not there.
    #[error("no table of {material} in {}: make it with `tablebase generate`", dir.display())]
    Missing {
        /// Which slice.
        material: Material,
        /// Where it should be.
        dir: PathBuf,
    },
}

fn of_pieces(pieces: Option<u8>) -> String {
    pieces.map_or_else(String::new, |pieces| format!(" of {pieces} pieces"))
}

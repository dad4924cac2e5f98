//! Perfect endings: tables of what every position of few pieces is worth.
//!
//! [`Workshop`] makes tables, a slice of equal [`Material`] after the other; [`write_file`] writes
//! them, [`TableFile`] reads them.

mod analysis;
mod cache;
mod context_moves;
mod contexts;
mod flat;
mod format;
mod half;
mod layout;
mod library;
mod map;
mod material;
mod pages;
mod pair;
mod parallel;
mod placement;
mod plan;
mod probe;
mod processor;
mod read;
mod solved;
mod tables;
mod value;
mod verify;
mod workshop;
mod write;

pub use analysis::{Analysis, MoveValue, Report};
pub use format::Kind;
pub use material::{Force, MOST_PIECES, Material, MaterialError};
pub use pair::TooLong;
pub use plan::{Plan, TooLarge};
pub use probe::Tablebases;
pub use read::{Damage, TableError, TableFile};
pub use tables::{ProbeError, Warn};
pub use value::{Distance, Wdl};
pub use verify::{Selection, Verified, Wrong};
pub use workshop::{Census, Made, MakeError, Workshop, slice_positions};
pub use write::{Section, write_file};

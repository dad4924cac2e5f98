//! Endgame tablebases: what every position of few pieces is worth.
//!
//! [`TableFile`] reads tables, [`Tablebases`] looks positions up in them; `endings` is what searches ask.
//! `generation`, which has to be asked for as a feature, makes them: [`Generator`] a slice of equal [`Material`] after the other, [`write_file`] a
//! file of slices.

mod analysis;
mod cache;
pub(crate) mod endings;
mod flat;
mod format;
#[cfg(feature = "generation")]
mod generation;
mod layout;
mod map;
mod material;
mod parallel;
mod placement;
mod probe;
mod processor;
mod read;
mod section;
mod tables;
mod value;

pub use analysis::{Analysis, MoveValue, Report};
pub use format::FileKind;
#[cfg(feature = "generation")]
pub use generation::{
    ArticleSolver, GenerationPlan, Generator, Made, MakeError, Selection, SliceStats, TooLarge,
    TooLong, UnderArticles, Verified, Wrong, slice_positions, write_file,
};
pub use material::{Force, MOST_PIECES, Material, MaterialError};
pub use probe::{Tablebases, embedded_file};
pub use read::{FileDamage, TableError, TableFile};
pub use section::Section;
pub use tables::{ProbeError, Warn};
pub use value::{Distance, Wdl};

//! The published study, played again: its seven tables, its two figures, its three conclusions.
//!
//! Next to each published row stands the game we get, and next to it the honest version: many
//! openings with both colours. Everything is told from one [`Reproduction`]; the study's own
//! figures are [`Study::published`].

mod args;
mod comparison;
mod conclusions;
mod costs;
mod duel;
mod figure;
#[cfg(test)]
mod fixtures;
mod honest;
mod markdown;
mod numbers;
mod pooled;
mod progress;
mod published;
mod record;
mod run;
mod single;
mod surprises;

pub use args::ReproduceArgs;
pub use published::{PublishedRow, PublishedTable, PublishedTimes, Study};
pub use record::{
    Comparison, Effort, HonestResult, REPRODUCTION_VERSION, ReproduceOptions, Reproduction,
    RowRecord, SearchCosts, SingleGame, TableRecord,
};
pub use run::ReproducePlan;

//! The Hub protocol, version 2, both ways: our bots as engines for other programs, and other
//! programs' engines as bots.
//!
//! [`serve()`] speaks it for a bot of ours, [`HubEngine`] with a program that a [`HubSpec`] names.
//! `docs/hub.md` has what is said and what it means. Both sides share the words: lines (`line`),
//! positions and moves (`board`), scores (`score`), limits (`level`).
//!
//! CITE: F. Letouzey, "Hub protocol for draughts, version 2", which comes with the engine Scan.

mod board;
mod engine;
mod error;
mod level;
mod line;
mod process;
mod reading;
mod score;
mod searcher;
mod serve;
mod session;
mod spec;
mod transcript;

pub use engine::HubEngine;
pub use error::{BadMove, EngineEnd, HubError};
pub use serve::{HubArgs, hub_with, serve};
pub use spec::{HubSpec, HubSpecError};

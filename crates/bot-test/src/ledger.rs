//! Tournaments on several machines: a database of PostgreSQL has the pairings of a run, and workers play them.
//!
//! The *coordinator* has the schedule. It adds pairings to the ledger as the format asks for them, and takes their
//! results from it. *Workers* claim pairings and report results. A claim counts as an attempt, and a result counts only
//! if its attempt is the last one: so it does not matter who was thought to be dead, or by which clock. A worker renews
//! its lease while it lives; when the lease is over, others claim its pairings.
//!
//! Nothing here depends on another process: each may be killed at any moment, which costs the games it was playing.

mod coordinator;
mod error;
mod export;
mod join;
mod machines;
mod pace;
mod runs;
mod tasks;
mod terms;
mod worker;

pub(crate) use coordinator::{Coordinator, RunEnd, RunRequest};
pub(crate) use error::LedgerFailure;
pub(crate) use export::export;
pub(crate) use join::{WorkRequest, join};
pub(crate) use worker::WorkError;

use ledger_kit::LedgerError;
use postgres_kit::{Connector, PostgresAddress};

/// What connects to the ledger. Reads files. Blocks.
fn connector(address: PostgresAddress) -> Result<Connector, LedgerError> {
    ledger_kit::connector(address, env!("CARGO_PKG_NAME"))
}

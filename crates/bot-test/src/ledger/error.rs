//! Why a ledger cannot be used.

use postgres_kit::{PostgresAddress, PostgresError};

use crate::journal::Difference;

/// Why a ledger, or a run of it, cannot be used. No message contains a password.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LedgerError {
    /// The database cannot be used.
    #[error(transparent)]
    Postgres(#[from] PostgresError),
    /// The database refuses a statement for good.
    #[error("{address} refuses a statement: {cause}")]
    Statement {
        /// The database.
        address: PostgresAddress,
        /// What it says.
        cause: String,
    },
    /// There is no such run.
    #[error("{address} has no run {run}")]
    NoRun {
        /// The database.
        address: PostgresAddress,
        /// What was asked for.
        run: String,
    },
    /// There is nothing to choose from.
    #[error("{address} has no run")]
    NoRuns {
        /// The database.
        address: PostgresAddress,
    },
    /// There are several runs to choose from.
    #[error("{address} has several runs, choose one with --run: {}", runs.join(", "))]
    Several {
        /// The database.
        address: PostgresAddress,
        /// Their names.
        runs: Vec<String>,
    },
    /// The run is another tournament than the one that is asked for.
    #[error("run {run} is another tournament: {difference}")]
    Settings {
        /// Its name.
        run: String,
        /// The first difference.
        difference: Difference,
    },
    /// This machine would play other games.
    #[error("run {run} was begun with {recorded}, but here is {found}")]
    Terms {
        /// Its name.
        run: String,
        /// What it was begun with.
        recorded: String,
        /// What this machine has.
        found: String,
    },
    /// Another process coordinates it.
    #[error("another process coordinates run {run}")]
    Coordinated {
        /// Its name.
        run: String,
    },
    /// It was stopped.
    #[error("run {run} was stopped: {reason}; its coordinator can go on with it")]
    Stopped {
        /// Its name.
        run: String,
        /// Why.
        reason: String,
    },
    /// The machine is too fast or too slow.
    #[error(
        "this machine searches {speed:.0} nodes/s and the first machine of run {run} {expected:.0}: with limits of \
         time, results of machines that differ by more than {tolerance} % cannot be compared; \
         --allow-unequal-machines at the coordinator allows them"
    )]
    Unequal {
        /// The run.
        run: String,
        /// What this machine searches.
        speed: f64,
        /// What the first machine searches.
        expected: f64,
        /// The largest difference that is allowed, in percent.
        tolerance: f64,
    },
    /// A row that says something else than what was written.
    #[error("{what} of run {run} cannot be read: {message}")]
    Damaged {
        /// The run.
        run: String,
        /// What cannot be read.
        what: String,
        /// Why.
        message: String,
    },
    /// A weights file cannot be read.
    #[error("cannot read {path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// The journal has a pairing that the ledger has otherwise.
    #[error("{path} is the journal of another run: pairing {id} differs")]
    Journal {
        /// The file.
        path: String,
        /// The pairing.
        id: u64,
    },
}

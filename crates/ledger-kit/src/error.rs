//! Why a ledger cannot be used.

use postgres_kit::{PostgresAddress, PostgresError};

/// Why a ledger, or a run of it, cannot be used. No message contains a password.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
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
    /// There are several runs to choose from.
    #[error("{address} has several runs, choose one with --run: {}", runs.join(", "))]
    Several {
        /// The database.
        address: PostgresAddress,
        /// Their names.
        runs: Vec<String>,
    },
    /// It is something else.
    #[error("run {run} is a run of {kind} and not of {wanted}: choose another name with --run")]
    Kind {
        /// Its name.
        run: String,
        /// What it is.
        kind: String,
        /// What was asked for.
        wanted: String,
    },
    /// This machine would get other results.
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
    /// A row that says something else than what was written.
    #[error("{what} of run {run} cannot be read: {message}")]
    Damaged {
        run: String,
        /// What cannot be read.
        what: String,
        /// Why.
        message: String,
    },
}

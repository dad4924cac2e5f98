#![doc = include_str!("../README.md")]

mod arguments;
mod database;
mod error;
mod retry;
pub mod runs;
mod schema;
pub mod tasks;
mod worker;

pub use arguments::{parse_address, parse_lease, parse_name};
pub use database::Database;
pub use error::LedgerError;
pub use retry::Pauses;
pub use runs::{LedgerRun, NewRun, RunState};
pub use worker::{Claimed, Lease, Worker, WorkerEntry};

use std::io::Write;

use postgres_kit::{Connector, PostgresAddress};

/// What connects `program` to the ledger. Reads files. Blocks.
///
/// # Errors
/// Authorities that cannot be read.
pub fn connector(address: PostgresAddress, program: &str) -> Result<Connector, LedgerError> {
    let connector = Connector::new(address, program)?;
    if connector.is_unverified() {
        print_stderr(&format!(
            "warning: the certificate of the database at {} is not verified: sslmode=verify-full does so",
            connector.address().server()
        ));
    }
    Ok(connector)
}

/// Writes a line to stderr. Errors are ignored: stderr may be closed.
fn print_stderr(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

//! Why a tournament cannot be played on a ledger.

use ledger_kit::LedgerError;
use postgres_kit::PostgresAddress;

use crate::journal::Difference;

/// Why a ledger, or a tournament in it, cannot be used. No message contains a password.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LedgerFailure {
    /// The ledger, or the run.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// There is nothing to choose from.
    #[error("{address} has no run")]
    NoRuns {
        /// The database.
        address: PostgresAddress,
    },
    /// The run is another tournament than the one that is asked for.
    #[error("run {run} is another tournament: {difference}")]
    Settings {
        /// Its name.
        run: String,
        /// The first difference.
        difference: Difference,
    },
    /// The machine is too fast or too slow.
    #[error(
        "this machine searches {speed:.0} nodes/s and the first machine of run {run} {expected:.0}: with limits of \
         time, results of machines that differ by more than {tolerance} % cannot be compared; \
         --allow-unequal-machines at the coordinator allows them"
    )]
    Unequal {
        run: String,
        /// What this machine searches.
        speed: f64,
        /// What the first machine searches.
        expected: f64,
        /// The largest difference that is allowed, in percent.
        tolerance: f64,
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

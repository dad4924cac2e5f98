//! The tournaments of a ledger.

use ledger_kit::{LedgerError, runs};

use super::terms::Terms;
use crate::journal::Header;

/// The kind of these runs in a ledger, which may have others.
pub(super) const KIND: &str = "tournament";

/// A tournament as the ledger has it.
#[derive(Clone, Debug)]
pub(super) struct TournamentRun {
    pub(super) run: ledger_kit::LedgerRun,
    /// The first line of its journal.
    pub(super) header: Header,
    pub(super) terms: Terms,
}

impl TournamentRun {
    /// Reads what the ledger has.
    pub(super) fn read(run: ledger_kit::LedgerRun) -> Result<TournamentRun, LedgerError> {
        Ok(TournamentRun {
            header: runs::parse(&run.header, &run.name, "the header")?,
            terms: runs::parse(&run.terms, &run.name, "the terms")?,
            run,
        })
    }
}

//! The journal of a run.

use ledger_kit::{Database, runs};
use postgres_kit::PostgresAddress;

use super::error::LedgerFailure;
use super::runs::{KIND, TournamentRun};
use super::{connector, tasks};
use crate::PairRecord;
use crate::journal::Header;

/// Reads the journal of a run: its header, and its finished pairings up to the first that is unfinished. Without a name,
/// the ledger must have exactly one run.
pub(crate) async fn export(
    address: PostgresAddress,
    name: Option<&str>,
) -> Result<(Header, Vec<PairRecord>), LedgerFailure> {
    let mut database = Database::open(connector(address)?).await?;
    let run = match name {
        _ if !database.has_tables().await? => None,
        Some(name) => Some(runs::named(&mut database, KIND, name).await?),
        None => runs::only_one(&mut database, KIND).await?,
    };
    let Some(run) = run else {
        let address = database.address().clone();
        return Err(LedgerFailure::NoRuns { address });
    };
    let TournamentRun { run, header, .. } = TournamentRun::read(run)?;
    let results = tasks::all_results(&mut database, &run).await?;
    let records = (0..).zip(results);
    let records = records.take_while(|(id, pair)| pair.pairing.id == *id);
    Ok((header, records.map(|(_, pair)| pair).collect()))
}

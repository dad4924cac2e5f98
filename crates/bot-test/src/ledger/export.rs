//! The journal of a run.

use postgres_kit::PostgresAddress;

use super::database::Database;
use super::error::LedgerError;
use super::{connector, runs, tasks};
use crate::PairRecord;
use crate::journal::Header;

/// What the journal of a run has: its header, and its pairings from the first on without a gap. Without a name, the
/// ledger must have one run only.
pub(crate) async fn export(
    address: PostgresAddress,
    name: Option<&str>,
) -> Result<(Header, Vec<PairRecord>), LedgerError> {
    let mut database = Database::open(connector(address)?).await?;
    let run = match name {
        _ if !database.has_tables().await? => None,
        Some(name) => Some(runs::named(&mut database, name).await?),
        None => runs::only_one(&mut database).await?,
    };
    let Some(run) = run else {
        let address = database.address().clone();
        return Err(LedgerError::NoRuns { address });
    };
    let mut records: Vec<PairRecord> = Vec::new();
    loop {
        let from = records.len() as u64;
        let none = std::iter::empty();
        let (page, is_last) = tasks::results(&mut database, &run, from, none).await?;
        let found = page.len();
        let next = (from..).zip(page);
        let next = next.take_while(|(id, pair)| pair.pairing.id == *id);
        records.extend(next.map(|(_, pair)| pair));
        if is_last || records.len() as u64 != from + found as u64 {
            return Ok((run.header, records));
        }
    }
}

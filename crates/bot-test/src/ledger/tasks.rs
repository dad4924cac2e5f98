//! Pairings and their results as the ledger has them.

use ledger_kit::tasks::{self, Numbered};
use ledger_kit::{Database, LedgerError, LedgerRun, runs};
use serde::de::DeserializeOwned;

use crate::{PairRecord, Pairing};

/// The most results that one statement reads.
const PAGE: usize = 256;

/// Adds pairings. Pairings that exist already stay unchanged.
pub(super) async fn add(
    database: &mut Database,
    run: &LedgerRun,
    pairings: &[Pairing],
) -> Result<(), LedgerError> {
    let task = |pairing: &Pairing| (pairing.id, json(pairing));
    let added: Vec<Numbered> = pairings.iter().map(task).collect();
    tasks::add(database, run, &added).await
}

/// Reads a pairing.
pub(super) fn pairing(run: &LedgerRun, id: u64, task: &str) -> Result<Pairing, LedgerError> {
    parse(run, task, &format!("pairing {id}"))
}

/// A result to be reported.
pub(super) fn result(pair: &PairRecord) -> Numbered {
    (pair.pairing.id, json(pair))
}

/// Reads a page of results in the order of the schedule, beginning with pairing `from` and without the `known` ones.
/// Also returns whether this page is the last one.
pub(super) async fn results(
    database: &mut Database,
    run: &LedgerRun,
    from: u64,
    known: impl Iterator<Item = u64>,
) -> Result<(Vec<PairRecord>, bool), LedgerError> {
    let results = tasks::results(database, run, from, known, PAGE).await?;
    let is_last = results.len() < PAGE;
    let read = |(id, result): &Numbered| parse(run, result, &format!("the result of pairing {id}"));
    Ok((results.iter().map(read).collect::<Result<_, _>>()?, is_last))
}

/// Reads all results of a run, in the order of the schedule.
pub(super) async fn all_results(
    database: &mut Database,
    run: &LedgerRun,
) -> Result<Vec<PairRecord>, LedgerError> {
    let mut all: Vec<PairRecord> = Vec::new();
    loop {
        let from = all.last().map_or(0, |pair| pair.pairing.id + 1);
        let (page, is_last) = results(database, run, from, std::iter::empty()).await?;
        all.extend(page);
        if is_last {
            return Ok(all);
        }
    }
}

fn parse<T: DeserializeOwned>(run: &LedgerRun, text: &str, what: &str) -> Result<T, LedgerError> {
    runs::parse(text, &run.name, what)
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("pairings and their records have a JSON form")
}

//! The runs of a ledger.

use serde::de::DeserializeOwned;
use tokio_postgres::Row;

use super::database::Database;
use super::error::LedgerError;
use super::terms::Terms;
use crate::journal::Header;

/// A run as the ledger has it.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) id: i32,
    pub(super) name: String,
    /// The first line of its journal.
    pub(super) header: Header,
    pub(super) terms: Terms,
    /// The file of openings, if there is one.
    pub(super) openings: Option<String>,
    pub(super) allows_unequal: bool,
    pub(super) state: State,
}

/// How far a run is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum State {
    Open,
    /// Its coordinator gave it up for this reason.
    Stopped(String),
    Complete,
}

/// The columns of a run, in this order.
macro_rules! select_run {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, header, terms, openings, unequal_machines, state, reason FROM tournament_run ",
            $rest
        )
    };
}

const BEGIN: &str = "
    INSERT INTO tournament_run (name, header, terms, openings, unequal_machines) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (name) DO NOTHING";
const GO_ON: &str = "
    UPDATE tournament_run SET unequal_machines = unequal_machines OR $2,
        state = CASE state WHEN 'stopped' THEN 'open' ELSE state END, reason = NULL,
        ended_at = CASE state WHEN 'complete' THEN ended_at END
    WHERE id = $1";
const NAMED: &str = select_run!("WHERE name = $1 OR id::text = $1");
const OPEN: &str = select_run!("WHERE state = 'open' ORDER BY id");
const ALL: &str = select_run!("ORDER BY id");
const STATE: &str = "SELECT state, reason FROM tournament_run WHERE id = $1";
const STOP: &str = "
    UPDATE tournament_run SET state = 'stopped', reason = $2, ended_at = now() WHERE id = $1 AND state = 'open'";
const COMPLETE: &str = "
    WITH superfluous AS (DELETE FROM tournament_task WHERE run = $1 AND id >= $2)
    UPDATE tournament_run SET state = 'complete', ended_at = CASE state WHEN 'complete' THEN ended_at ELSE now() END
    WHERE id = $1";

/// Makes a run, unless there is one of this name.
pub(super) async fn begin(
    database: &mut Database,
    name: &str,
    (header, terms): (&Header, &Terms),
    openings: Option<&str>,
    allows_unequal: bool,
) -> Result<(), LedgerError> {
    let header = serde_json::to_string(header).expect("a header has a JSON form");
    let terms = serde_json::to_string(terms).expect("terms have a JSON form");
    database
        .query(BEGIN, &[&name, &header, &terms, &openings, &allows_unequal])
        .await?;
    Ok(())
}

/// Goes on with a run, unless it is complete.
pub(super) async fn go_on(
    database: &mut Database,
    run: i32,
    allows_unequal: bool,
) -> Result<(), LedgerError> {
    database.query(GO_ON, &[&run, &allows_unequal]).await?;
    Ok(())
}

/// The run of a name or number.
pub(super) async fn named(database: &mut Database, name: &str) -> Result<Run, LedgerError> {
    let rows = database.query(NAMED, &[&name]).await?;
    match rows.first() {
        Some(row) => read(row),
        None => Err(LedgerError::NoRun {
            address: database.address().clone(),
            run: name.to_owned(),
        }),
    }
}

/// The only open run; `None` if there is none.
pub(super) async fn only_open(database: &mut Database) -> Result<Option<Run>, LedgerError> {
    only(database, OPEN).await
}

/// The only run; `None` if there is none.
pub(super) async fn only_one(database: &mut Database) -> Result<Option<Run>, LedgerError> {
    only(database, ALL).await
}

async fn only(database: &mut Database, select: &'static str) -> Result<Option<Run>, LedgerError> {
    let rows = database.query(select, &[]).await?;
    match &rows[..] {
        [] => Ok(None),
        [row] => Ok(Some(read(row)?)),
        rows => Err(LedgerError::Several {
            address: database.address().clone(),
            runs: rows.iter().map(|row| row.get(1)).collect(),
        }),
    }
}

/// How far a run is; `None` if it was removed.
pub(super) async fn state(database: &mut Database, run: i32) -> Result<Option<State>, LedgerError> {
    let rows = database.query(STATE, &[&run]).await?;
    Ok(rows.first().map(|row| read_state(row.get(0), row.get(1))))
}

/// Gives a run up.
pub(super) async fn stop(
    database: &mut Database,
    run: i32,
    reason: &str,
) -> Result<(), LedgerError> {
    database.query(STOP, &[&run, &reason]).await?;
    Ok(())
}

/// Ends a run of which `counted` pairings count; others are removed.
pub(super) async fn complete(
    database: &mut Database,
    run: i32,
    counted: u64,
) -> Result<(), LedgerError> {
    let counted = i64::try_from(counted).unwrap_or(i64::MAX);
    database.query(COMPLETE, &[&run, &counted]).await?;
    Ok(())
}

fn read(row: &Row) -> Result<Run, LedgerError> {
    let name: String = row.get(1);
    Ok(Run {
        id: row.get(0),
        header: parse(row.get(2), &name, "the header")?,
        terms: parse(row.get(3), &name, "the terms")?,
        openings: row.get(4),
        allows_unequal: row.get(5),
        state: read_state(row.get(6), row.get(7)),
        name,
    })
}

fn read_state(state: &str, reason: Option<String>) -> State {
    match state {
        "complete" => State::Complete,
        "stopped" => State::Stopped(reason.unwrap_or_default()),
        _ => State::Open,
    }
}

/// Reads JSON of the ledger.
pub(super) fn parse<T: DeserializeOwned>(
    json: &str,
    run: &str,
    what: &str,
) -> Result<T, LedgerError> {
    serde_json::from_str(json).map_err(|error| LedgerError::Damaged {
        run: run.to_owned(),
        what: what.to_owned(),
        message: error.to_string(),
    })
}

//! The runs of a ledger.

use serde::de::DeserializeOwned;
use tokio_postgres::Row;

use crate::database::Database;
use crate::error::LedgerError;

/// A run as the ledger has it.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its number.
    pub id: i32,
    /// Its name, which no other run has.
    pub name: String,
    /// What it is, in a form that its program reads.
    pub header: String,
    /// What machines must have in common, in a form that its program reads.
    pub terms: String,
    /// The file of openings, if there is one.
    pub openings: Option<String>,
    /// Whether machines of different speeds may take part.
    pub allows_unequal: bool,
    /// How far it is.
    pub state: State,
}

/// A run to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is.
    pub header: &'a str,
    /// What machines must have in common.
    pub terms: &'a str,
    /// The file of openings, if there is one.
    pub openings: Option<&'a str>,
    /// Whether machines of different speeds may take part.
    pub allows_unequal: bool,
}

/// How far a run is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// Workers claim its tasks.
    Open,
    /// It was given up for this reason.
    Stopped(String),
    /// All of its tasks have results.
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
///
/// # Errors
/// As for [`Database::query`].
pub async fn begin(database: &mut Database, run: NewRun<'_>) -> Result<(), LedgerError> {
    let NewRun {
        name,
        header,
        terms,
        openings,
        allows_unequal,
    } = run;
    database
        .query(BEGIN, &[&name, &header, &terms, &openings, &allows_unequal])
        .await?;
    Ok(())
}

/// Goes on with a run, unless it is complete.
///
/// # Errors
/// As for [`Database::query`].
pub async fn go_on(
    database: &mut Database,
    run: i32,
    allows_unequal: bool,
) -> Result<(), LedgerError> {
    database.query(GO_ON, &[&run, &allows_unequal]).await?;
    Ok(())
}

/// The run of a name or number.
///
/// # Errors
/// When there is none.
pub async fn named(database: &mut Database, name: &str) -> Result<Run, LedgerError> {
    let rows = database.query(NAMED, &[&name]).await?;
    match rows.first() {
        Some(row) => Ok(read(row)),
        None => Err(LedgerError::NoRun {
            address: database.address().clone(),
            run: name.to_owned(),
        }),
    }
}

/// The only open run; `None` if there is none.
///
/// # Errors
/// When there are several.
pub async fn only_open(database: &mut Database) -> Result<Option<Run>, LedgerError> {
    only(database, OPEN).await
}

/// The only run; `None` if there is none.
///
/// # Errors
/// When there are several.
pub async fn only_one(database: &mut Database) -> Result<Option<Run>, LedgerError> {
    only(database, ALL).await
}

async fn only(database: &mut Database, select: &'static str) -> Result<Option<Run>, LedgerError> {
    let rows = database.query(select, &[]).await?;
    match &rows[..] {
        [] => Ok(None),
        [row] => Ok(Some(read(row))),
        rows => Err(LedgerError::Several {
            address: database.address().clone(),
            runs: rows.iter().map(|row| row.get(1)).collect(),
        }),
    }
}

/// How far a run is; `None` if it was removed.
///
/// # Errors
/// As for [`Database::query`].
pub async fn state(database: &mut Database, run: i32) -> Result<Option<State>, LedgerError> {
    let rows = database.query(STATE, &[&run]).await?;
    Ok(rows.first().map(|row| read_state(row.get(0), row.get(1))))
}

/// Gives a run up.
///
/// # Errors
/// As for [`Database::query`].
pub async fn stop(database: &mut Database, run: i32, reason: &str) -> Result<(), LedgerError> {
    database.query(STOP, &[&run, &reason]).await?;
    Ok(())
}

/// Ends a run of which `counted` tasks count; others are removed.
///
/// # Errors
/// As for [`Database::query`].
pub async fn complete(database: &mut Database, run: i32, counted: u64) -> Result<(), LedgerError> {
    let counted = i64::try_from(counted).unwrap_or(i64::MAX);
    database.query(COMPLETE, &[&run, &counted]).await?;
    Ok(())
}

fn read(row: &Row) -> Run {
    Run {
        id: row.get(0),
        name: row.get(1),
        header: row.get(2),
        terms: row.get(3),
        openings: row.get(4),
        allows_unequal: row.get(5),
        state: read_state(row.get(6), row.get(7)),
    }
}

fn read_state(state: &str, reason: Option<String>) -> State {
    match state {
        "complete" => State::Complete,
        "stopped" => State::Stopped(reason.unwrap_or_default()),
        _ => State::Open,
    }
}

/// Reads JSON of the ledger.
///
/// # Errors
/// Something else.
pub fn parse<T: DeserializeOwned>(json: &str, run: &str, what: &str) -> Result<T, LedgerError> {
    serde_json::from_str(json).map_err(|error| LedgerError::Damaged {
        run: run.to_owned(),
        what: what.to_owned(),
        message: error.to_string(),
    })
}

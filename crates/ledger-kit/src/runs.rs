//! The runs of a ledger.

use serde::de::DeserializeOwned;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::database::Database;
use crate::error::LedgerError;

/// A run as the ledger has it.
#[derive(Clone, Debug)]
pub struct LedgerRun {
    /// Its number.
    pub id: i32,
    /// What kind of work it is.
    pub kind: String,
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
    pub state: RunState,
}

/// A run to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// What kind of work it is, such as `tournament`.
    pub kind: &'a str,
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
pub enum RunState {
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
            "SELECT id, kind, name, header, terms, openings, unequal_machines, state, reason FROM tournament_run ",
            $rest
        )
    };
}

const BEGIN: &str = "
    INSERT INTO tournament_run (kind, name, header, terms, openings, unequal_machines) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (name) DO NOTHING";
const GO_ON: &str = "
    UPDATE tournament_run SET unequal_machines = unequal_machines OR $2,
        state = CASE state WHEN 'stopped' THEN 'open' ELSE state END, reason = NULL,
        ended_at = CASE state WHEN 'complete' THEN ended_at END
    WHERE id = $1";
const NAMED: &str = select_run!("WHERE name = $1 OR id::text = $1");
const OPEN: &str = select_run!("WHERE kind = $1 AND state = 'open' ORDER BY id");
const ALL: &str = select_run!("WHERE kind = $1 ORDER BY id");
const STATE: &str = "SELECT state, reason FROM tournament_run WHERE id = $1";
const STOP: &str = "
    UPDATE tournament_run SET state = 'stopped', reason = $2, ended_at = now() WHERE id = $1 AND state = 'open'";
const SETTLE: &str = "
    UPDATE tournament_run AS run SET state = settled.state,
        ended_at = CASE settled.state WHEN 'complete' THEN now() END
    FROM (
        SELECT CASE WHEN EXISTS (SELECT FROM tournament_task WHERE run = $1 AND result IS NULL)
            THEN 'open' ELSE 'complete' END AS state
    ) AS settled
    WHERE run.id = $1 AND run.state NOT IN (settled.state, 'stopped')";
const COMPLETE: &str = "
    WITH superfluous AS (DELETE FROM tournament_task WHERE run = $1 AND id >= $2)
    UPDATE tournament_run SET state = 'complete', ended_at = CASE state WHEN 'complete' THEN ended_at ELSE now() END
    WHERE id = $1";

/// Records that a run is complete if all of its tasks have results, or else that it is open, unless it was stopped.
/// Not for runs whose tasks are not all in the ledger.
///
/// # Errors
/// As for [`Database::query`].
pub async fn settle(database: &mut Database, run: i32) -> Result<(), LedgerError> {
    database.query(SETTLE, &[&run]).await?;
    Ok(())
}

/// Makes a run, unless there is one of this name.
///
/// # Errors
/// As for [`Database::query`].
pub async fn begin(database: &mut Database, run: NewRun<'_>) -> Result<(), LedgerError> {
    let NewRun {
        kind,
        name,
        header,
        terms,
        openings,
        allows_unequal,
    } = run;
    let values: [&(dyn ToSql + Sync); 6] =
        [&kind, &name, &header, &terms, &openings, &allows_unequal];
    database.query(BEGIN, &values).await?;
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

/// The run of this kind and of a name or number.
///
/// # Errors
/// When there is none, or one of another kind.
pub async fn named(
    database: &mut Database,
    kind: &str,
    name: &str,
) -> Result<LedgerRun, LedgerError> {
    let rows = database.query(NAMED, &[&name]).await?;
    match rows.first().map(read) {
        Some(run) if run.kind == kind => Ok(run),
        Some(run) => Err(LedgerError::Kind {
            run: run.name,
            kind: run.kind,
            wanted: kind.to_owned(),
        }),
        None => Err(LedgerError::NoRun {
            address: database.address().clone(),
            run: name.to_owned(),
        }),
    }
}

/// The only open run of this kind; `None` if there is none.
///
/// # Errors
/// When there are several.
pub async fn only_open(
    database: &mut Database,
    kind: &str,
) -> Result<Option<LedgerRun>, LedgerError> {
    only(database, OPEN, kind).await
}

/// The only run of this kind; `None` if there is none.
///
/// # Errors
/// When there are several.
pub async fn only_one(
    database: &mut Database,
    kind: &str,
) -> Result<Option<LedgerRun>, LedgerError> {
    only(database, ALL, kind).await
}

async fn only(
    database: &mut Database,
    select: &'static str,
    kind: &str,
) -> Result<Option<LedgerRun>, LedgerError> {
    let rows = database.query(select, &[&kind]).await?;
    match &rows[..] {
        [] => Ok(None),
        [row] => Ok(Some(read(row))),
        rows => Err(LedgerError::Several {
            address: database.address().clone(),
            runs: rows.iter().map(|row| row.get(2)).collect(),
        }),
    }
}

/// How far a run is; `None` if it was removed.
///
/// # Errors
/// As for [`Database::query`].
pub async fn state(database: &mut Database, run: i32) -> Result<Option<RunState>, LedgerError> {
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

fn read(row: &Row) -> LedgerRun {
    LedgerRun {
        id: row.get(0),
        kind: row.get(1),
        name: row.get(2),
        header: row.get(3),
        terms: row.get(4),
        openings: row.get(5),
        allows_unequal: row.get(6),
        state: read_state(row.get(7), row.get(8)),
    }
}

fn read_state(state: &str, reason: Option<String>) -> RunState {
    match state {
        "complete" => RunState::Complete,
        "stopped" => RunState::Stopped(reason.unwrap_or_default()),
        _ => RunState::Open,
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

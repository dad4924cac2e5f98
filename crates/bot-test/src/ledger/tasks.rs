//! The pairings of a run: added by its coordinator, claimed and reported by workers.

use super::database::Database;
use super::error::LedgerError;
use super::runs::{Run, parse};
use crate::{PairRecord, Pairing};

/// A pairing that a worker has claimed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    pub(super) pairing: Pairing,
    /// How often it has been claimed.
    pub(super) attempt: i32,
}

/// The most results that one statement reads.
const PAGE: i64 = 256;

const ADD: &str = "
    INSERT INTO tournament_task (run, id, pairing) SELECT $1, id, pairing FROM unnest($2::bigint[], $3::text[])
        AS added (id, pairing)
    ON CONFLICT (run, id) DO NOTHING";

/// Claims pairings that lost their worker first, because rounds wait for them. If this worker owns a pairing that it does
/// not know, the answer to an earlier claim was lost: it claims the pairing again.
const CLAIM: &str = "
    WITH again AS (
        SELECT id FROM tournament_task
        WHERE run = $1 AND result IS NULL AND attempt > 0 AND (
            worker IS NULL OR worker = $2 AND id <> ALL ($4::bigint[])
            OR worker = ANY (ARRAY(
                SELECT id FROM tournament_worker WHERE run = $1 AND id <> $2 AND lease < now()
            )))
        ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
    ), fresh AS (
        SELECT id FROM tournament_task WHERE run = $1 AND result IS NULL AND attempt = 0
        ORDER BY id LIMIT $3 - (SELECT count(*) FROM again) FOR UPDATE SKIP LOCKED
    )
    UPDATE tournament_task AS task SET worker = $2, attempt = task.attempt + 1
    FROM (SELECT id FROM again UNION ALL SELECT id FROM fresh) AS chosen
    WHERE task.run = $1 AND task.id = chosen.id
    RETURNING task.id, task.attempt, task.pairing";

/// Keeps a result that exists already, because the same report may be sent twice.
const REPORT: &str = "
    UPDATE tournament_task AS task SET result = coalesce(task.result, report.result)
    FROM unnest($2::bigint[], $3::integer[], $4::text[]) AS report (id, attempt, result)
    WHERE task.run = $1 AND task.id = report.id AND task.attempt = report.attempt
    RETURNING task.id";

const GIVE_BACK: &str = "
    WITH given_back AS (
        UPDATE tournament_task SET worker = NULL WHERE run = $1 AND worker = $2 AND result IS NULL
    )
    UPDATE tournament_worker SET lease = '-infinity' WHERE id = $2";

const RESULTS: &str = "
    SELECT id, result FROM tournament_task
    WHERE run = $1 AND id >= $2 AND result IS NOT NULL AND id <> ALL ($3::bigint[]) ORDER BY id LIMIT $4";

/// Adds pairings. Pairings that exist already stay unchanged.
pub(super) async fn add(
    database: &mut Database,
    run: &Run,
    pairings: &[Pairing],
) -> Result<(), LedgerError> {
    let ids: Vec<i64> = pairings.iter().map(|pairing| key(pairing.id)).collect();
    let texts: Vec<String> = pairings.iter().map(json).collect();
    database.query(ADD, &[&run.id, &ids, &texts]).await?;
    Ok(())
}

/// Claims at most `most` pairings in addition to the `held` ones.
pub(super) async fn claim(
    database: &mut Database,
    run: &Run,
    worker: i32,
    most: usize,
    held: impl Iterator<Item = u64>,
) -> Result<Vec<Claim>, LedgerError> {
    let (most, held) = (most as i64, held.map(key).collect::<Vec<i64>>());
    let rows = database
        .query(CLAIM, &[&run.id, &worker, &most, &held])
        .await?;
    let claim = |row: &tokio_postgres::Row| {
        let what = format!("pairing {}", row.get::<_, i64>(0));
        let pairing = parse(row.get(2), &run.name, &what)?;
        let attempt = row.get(1);
        Ok(Claim { pairing, attempt })
    };
    let mut claims: Vec<Claim> = rows.iter().map(claim).collect::<Result<_, LedgerError>>()?;
    claims.sort_by_key(|claim| claim.pairing.id);
    Ok(claims)
}

/// Reports results, each with its attempt. Returns how many count: a result counts only if its attempt is the latest.
pub(super) async fn report(
    database: &mut Database,
    run: &Run,
    pairs: &[PairRecord],
    attempts: &[i32],
) -> Result<usize, LedgerError> {
    let ids: Vec<i64> = pairs.iter().map(|pair| key(pair.pairing.id)).collect();
    let texts: Vec<String> = pairs.iter().map(json).collect();
    let rows = database
        .query(REPORT, &[&run.id, &ids, &attempts, &texts])
        .await?;
    Ok(rows.len())
}

/// Releases the pairings of a worker, so that others need not wait for the end of its lease.
pub(super) async fn give_back(
    database: &mut Database,
    run: &Run,
    worker: i32,
) -> Result<(), LedgerError> {
    database.query(GIVE_BACK, &[&run.id, &worker]).await?;
    Ok(())
}

/// Reads a page of results in the order of the schedule, beginning with pairing `from` and without the `known` ones.
/// Also returns whether this page is the last one.
pub(super) async fn results(
    database: &mut Database,
    run: &Run,
    from: u64,
    known: impl Iterator<Item = u64>,
) -> Result<(Vec<PairRecord>, bool), LedgerError> {
    let known: Vec<i64> = known.map(key).collect();
    let rows = database
        .query(RESULTS, &[&run.id, &key(from), &known, &PAGE])
        .await?;
    let is_last = (rows.len() as i64) < PAGE;
    let read = |row: &tokio_postgres::Row| {
        let what = format!("the result of pairing {}", row.get::<_, i64>(0));
        parse(row.get(1), &run.name, &what)
    };
    Ok((rows.iter().map(read).collect::<Result<_, _>>()?, is_last))
}

/// Reads all results of a run, in the order of the schedule.
pub(super) async fn all_results(
    database: &mut Database,
    run: &Run,
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

fn key(id: u64) -> i64 {
    i64::try_from(id).unwrap_or(i64::MAX)
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("pairings and their records have a JSON form")
}

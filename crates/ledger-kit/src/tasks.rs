//! The tasks of a run: added by those who know them, claimed and reported by workers.

use crate::database::Database;
use crate::error::LedgerError;
use crate::runs::LedgerRun;

/// A task or a result with the number of its task.
pub type Numbered = (u64, String);

/// A task that a worker has claimed.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) id: u64,
    pub(crate) task: String,
    /// How often it has been claimed.
    pub(crate) attempt: i32,
}

const ADD: &str = "
    INSERT INTO tournament_task (run, id, pairing) SELECT $1, id, pairing FROM unnest($2::bigint[], $3::text[])
        AS added (id, pairing)
    ON CONFLICT (run, id) DO NOTHING";

/// Claims tasks that lost their worker first, because others wait for their results. If this worker owns a task that it
/// does not know, the answer to an earlier claim was lost: it claims the task again.
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

/// Adds tasks. Tasks that exist already stay unchanged.
///
/// # Errors
/// As for [`Database::query`].
pub async fn add(
    database: &mut Database,
    run: &LedgerRun,
    tasks: &[Numbered],
) -> Result<(), LedgerError> {
    let ids: Vec<i64> = tasks.iter().map(|&(id, _)| key(id)).collect();
    let texts: Vec<&str> = tasks.iter().map(|(_, task)| task.as_str()).collect();
    database.query(ADD, &[&run.id, &ids, &texts]).await?;
    Ok(())
}

/// Claims at most `most` tasks in addition to the `held` ones.
pub(crate) async fn claim(
    database: &mut Database,
    run: i32,
    worker: i32,
    most: usize,
    held: impl Iterator<Item = u64>,
) -> Result<Vec<Claim>, LedgerError> {
    let (most, held) = (most as i64, held.map(key).collect::<Vec<i64>>());
    let rows = database
        .query(CLAIM, &[&run, &worker, &most, &held])
        .await?;
    let claim = |row: &tokio_postgres::Row| Claim {
        id: id(row),
        attempt: row.get(1),
        task: row.get(2),
    };
    let mut claims: Vec<Claim> = rows.iter().map(claim).collect();
    claims.sort_by_key(|claim| claim.id);
    Ok(claims)
}

/// Reports results, each with its attempt. Returns how many count: a result counts only if its attempt is the latest.
pub(crate) async fn report(
    database: &mut Database,
    run: i32,
    results: &[Numbered],
    attempts: &[i32],
) -> Result<usize, LedgerError> {
    let ids: Vec<i64> = results.iter().map(|&(id, _)| key(id)).collect();
    let texts: Vec<&str> = results.iter().map(|(_, result)| result.as_str()).collect();
    let rows = database
        .query(REPORT, &[&run, &ids, &attempts, &texts])
        .await?;
    Ok(rows.len())
}

/// Releases the tasks of a worker, so that others need not wait for the end of its lease.
pub(crate) async fn give_back(
    database: &mut Database,
    run: i32,
    worker: i32,
) -> Result<(), LedgerError> {
    database.query(GIVE_BACK, &[&run, &worker]).await?;
    Ok(())
}

/// Reads at most `most` results in the order of their tasks, beginning with task `from` and without the `known` ones.
///
/// # Errors
/// As for [`Database::query`].
pub async fn results(
    database: &mut Database,
    run: &LedgerRun,
    from: u64,
    known: impl Iterator<Item = u64>,
    most: usize,
) -> Result<Vec<Numbered>, LedgerError> {
    let (most, known) = (most as i64, known.map(key).collect::<Vec<i64>>());
    let rows = database
        .query(RESULTS, &[&run.id, &key(from), &known, &most])
        .await?;
    Ok(rows.iter().map(|row| (id(row), row.get(1))).collect())
}

fn key(id: u64) -> i64 {
    i64::try_from(id).unwrap_or(i64::MAX)
}

fn id(row: &tokio_postgres::Row) -> u64 {
    u64::try_from(row.get::<_, i64>(0)).unwrap_or(0)
}

//! The queries for filters, executed.

use rusqlite::{Connection, Statement, ToSql, named_params};

use super::archive::{game, readable};
use crate::archive::{ArchiveFilter, ArchivedGame, Cursor};
use crate::query::{number, page};

/// The games that are wanted; `None` for a damaged one.
pub(super) fn select(
    connection: &Connection,
    filter: &ArchiveFilter,
    after: Option<Cursor>,
    limit: i64,
) -> rusqlite::Result<Vec<Option<ArchivedGame>>> {
    let mut select = connection.prepare_cached(&page(filter))?;
    with_values(filter, after, limit, |values| {
        let used = used(&select, values)?;
        let games = select.query_map(used.as_slice(), |row| Ok(readable(game(row))))?;
        games.collect()
    })
}

/// How many games are wanted, but no more than `most`.
pub(super) fn count(
    connection: &Connection,
    filter: &ArchiveFilter,
    most: u32,
) -> rusqlite::Result<u32> {
    let mut select = connection.prepare_cached(&number(filter))?;
    with_values(filter, None, most.into(), |values| {
        let used = used(&select, values)?;
        select.query_row(used.as_slice(), |row| row.get(0))
    })
}

/// The value of every parameter that a query may have.
fn with_values<T>(
    filter: &ArchiveFilter,
    after: Option<Cursor>,
    limit: i64,
    run: impl FnOnce(&[(&'static str, &dyn ToSql)]) -> T,
) -> T {
    let after = after.unwrap_or(Cursor::NEWEST);
    run(named_params! {
        ":player": filter.player,
        ":opponent": filter.opponent,
        ":is_white": filter.is_white,
        ":bot": filter.bot,
        ":event": filter.event,
        ":opening": filter.opening,
        ":ending": filter.ending,
        ":result": filter.result,
        ":reason": filter.reason,
        ":clock": filter.clock,
        ":min_plies": filter.min_plies,
        ":max_plies": filter.max_plies,
        ":from": filter.from,
        ":until": filter.until,
        ":finished_at": after.finished_at,
        ":row": after.row,
        ":limit": limit,
    })
}

/// The values that a query mentions: SQLite knows no others.
fn used<'a>(
    query: &Statement<'_>,
    values: &[(&'static str, &'a dyn ToSql)],
) -> rusqlite::Result<Vec<(&'static str, &'a dyn ToSql)>> {
    let mut used = Vec::new();
    for &(name, value) in values {
        if query.parameter_index(name)?.is_some() {
            used.push((name, value));
        }
    }
    Ok(used)
}

#[cfg(test)]
mod tests {
    use super::super::migrations;
    use super::*;
    use crate::event::UnixMillis;

    /// Every combination of what can be asked.
    fn filters() -> impl Iterator<Item = ArchiveFilter> {
        (0..1 << 13).map(|shape| {
            let is_set = |bit: u32| shape & 1 << bit != 0;
            let text = |bit| is_set(bit).then(|| "a".to_owned());
            ArchiveFilter {
                player: text(0),
                opponent: text(1),
                is_white: is_set(2).then_some(true),
                bot: text(3),
                result: text(4),
                reason: text(5),
                clock: text(6),
                min_plies: is_set(7).then_some(1),
                max_plies: is_set(8).then_some(2),
                from: is_set(9).then_some(UnixMillis(1)),
                until: is_set(10).then_some(UnixMillis(2)),
                event: text(11),
                opening: text(12),
                ending: text(12),
            }
        })
    }

    #[test]
    fn no_filter_makes_the_database_sort_or_scan() {
        let mut database = Connection::open_in_memory().unwrap();
        migrations::migrate(&mut database, 0).unwrap();
        for filter in filters() {
            let steps = plan(&database, &page(&filter));
            let is_search = |step: &String| step.starts_with("SEARCH");
            assert!(steps.iter().all(is_search), "{filter:?}: {steps:?}");
            // To count, no game is read: all that is asked is in the indexes.
            let steps = plan(&database, &number(&filter));
            let is_of_index =
                |step: &&String| step.contains("COVERING INDEX") || step.contains("PRIMARY KEY");
            let walks = steps.iter().filter(|step| step.starts_with("SEARCH"));
            assert!(
                walks.clone().all(|step| is_of_index(&step)),
                "{filter:?}: {steps:?}"
            );
            assert!(walks.count() > 0 && !steps.iter().any(|step| step.contains("TEMP B-TREE")));
        }
    }

    fn plan(database: &Connection, query: &str) -> Vec<String> {
        let mut explain = database
            .prepare(&format!("EXPLAIN QUERY PLAN {query}"))
            .unwrap();
        for parameter in 1..=explain.parameter_count() {
            explain.raw_bind_parameter(parameter, 1).unwrap();
        }
        explain
            .raw_query()
            .mapped(|row| row.get("detail"))
            .map(Result::unwrap)
            .collect()
    }
}

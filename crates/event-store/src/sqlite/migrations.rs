//! The versions of the database, and the way from each to the next.
//!
//! A file keeps its version in `PRAGMA user_version`. All steps run in one transaction: a process that is
//! killed in the middle leaves the file as it was.

mod bundles;

use std::sync::LazyLock;
use std::time::Instant;

use rusqlite::{Connection, Transaction};
use rusqlite_migration::{HookResult, M, Migrations};
use tracing::info;

/// Step `i` leads from version `i` to version `i + 1`. Released steps keep their meaning.
static STEPS: LazyLock<Migrations<'static>> = LazyLock::new(|| Migrations::new(steps()));

fn steps() -> Vec<M<'static>> {
    vec![
        M::up(include_str!("migrations/v1.sql")),
        // Version 2 packed events into bundles, which step 5 unpacks.
        M::up(""),
        // Version 3 changed the documents of finished games; older documents stay as they are.
        M::up(""),
        M::up(include_str!("migrations/v4.sql")),
        M::up_with_hook(include_str!("migrations/v5.sql"), to_rows),
        M::up(include_str!("migrations/v6.sql")),
        M::up(include_str!("migrations/v7.sql")),
        M::up(include_str!("migrations/v8.sql")),
        M::up(include_str!("migrations/v9.sql")),
        M::up(include_str!("migrations/v10.sql")),
        M::up(include_str!("migrations/v11.sql")),
        M::up(include_str!("migrations/v12.sql")),
        M::up(include_str!("migrations/v13.sql")),
        M::up(include_str!("migrations/v14.sql")),
        M::up(include_str!("migrations/v15.sql")),
    ]
}

/// The latest version.
pub(super) const LATEST: u32 = 15;

/// Takes a database of version `from` to the latest version, or leaves it as it was. A new database has
/// version 0.
pub(super) fn migrate(
    connection: &mut Connection,
    from: u32,
) -> Result<(), rusqlite_migration::Error> {
    if from == LATEST {
        return Ok(());
    }
    let began = Instant::now();
    if from > 0 {
        info!(
            from,
            to = LATEST,
            "migrating the store; it stays as it was until this is done"
        );
    }
    STEPS.to_latest(connection)?;
    if from > 0 {
        // The write-ahead log is as long as all that was migrated.
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        info!(took = ?began.elapsed(), "the store has been migrated");
    }
    Ok(())
}

/// Fills `event_5`, and puts it in the place of what held the events.
fn to_rows(transaction: &Transaction<'_>) -> HookResult {
    // Some files with bundles have the number of version 1.
    if bundles::exist(transaction)? {
        bundles::unpack(transaction)?;
    } else {
        transaction.execute_batch(
            "INSERT INTO event_5
             SELECT id, stream, seq, at, kind, CAST(payload AS TEXT), checksum FROM event ORDER BY id;
             DROP TABLE event;",
        )?;
    }
    transaction.execute_batch(
        "ALTER TABLE event_5 RENAME TO event;
         DROP TABLE player;
         DROP TABLE setting;
         DROP TABLE fence;",
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_make_a_database_of_the_latest_version() {
        assert_eq!(STEPS.validate(), Ok(()));
        assert_eq!(steps().len(), LATEST as usize);
    }

    /// What can be read of a damaged file is copied by row ids, which the first columns are.
    #[test]
    fn tables_with_row_ids_begin_with_a_number() {
        let mut database = Connection::open_in_memory().unwrap();
        migrate(&mut database, 0).unwrap();
        let select = "SELECT sqlite_schema.name FROM sqlite_schema, pragma_table_info(sqlite_schema.name) AS first
             WHERE sqlite_schema.type = 'table' AND sql NOT LIKE '%WITHOUT ROWID%' AND first.cid = 0
                AND first.type <> 'INTEGER'";
        let mut others = database.prepare(select).unwrap();
        let others = others.query_map([], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(others.map(Result::unwrap).collect::<Vec<_>>(), [""; 0]);
    }
}

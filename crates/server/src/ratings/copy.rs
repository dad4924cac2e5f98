//! Copies the ratings of one store to another.

use event_store::{ReadError, Row, Sql, Statement, Value};

/// Rows in one transaction.
const CHUNK: i64 = 500;

/// Replaces the ratings of `target`, which has all games of `source`, with those of `source`. After an interruption,
/// repeat it.
pub(crate) async fn copy(source: &dyn Sql, target: &dyn Sql) -> Result<(), ReadError> {
    let numbers = CopiedTable {
        rows: "SELECT name, rated FROM game JOIN stream ON stream.id = game.stream
             WHERE rated > 0 AND rated > $1 ORDER BY rated LIMIT $2",
        insert: "UPDATE game SET rated = $2 WHERE stream = (SELECT id FROM stream WHERE name = $1)",
        key: &[1],
    };
    numbers.copy(source, target, vec![0.into()]).await?;
    let clear = ["DELETE FROM rating", "DELETE FROM rating_change"];
    let clear = clear.map(|text| Statement::new(text, Vec::new()));
    target.transact(clear.to_vec()).await?;
    let ratings = CopiedTable {
        rows: "SELECT name, speed, rating, deviation, volatility, games, rated_at FROM rating
             WHERE (name, speed) > ($1, $2) ORDER BY name, speed LIMIT $3",
        insert: "INSERT INTO rating (name, speed, rating, deviation, volatility, games, rated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        key: &[0, 1],
    };
    ratings
        .copy(source, target, vec!["".into(), "".into()])
        .await?;
    let changes = CopiedTable {
        rows: "SELECT name, speed, number, at, opponent, rating FROM rating_change
             WHERE (name, speed, number) > ($1, $2, $3) ORDER BY name, speed, number LIMIT $4",
        insert: "INSERT INTO rating_change (name, speed, number, at, opponent, rating)
             VALUES ($1, $2, $3, $4, $5, $6)",
        key: &[0, 1, 2],
    };
    let first = vec!["".into(), "".into(), 0.into()];
    changes.copy(source, target, first).await
}

/// Rows that are copied chunk by chunk.
struct CopiedTable {
    /// The rows after a key, and a limit.
    rows: &'static str,
    /// Stores a row.
    insert: &'static str,
    /// The columns of the key.
    key: &'static [usize],
}

impl CopiedTable {
    async fn copy(
        &self,
        source: &dyn Sql,
        target: &dyn Sql,
        mut after: Vec<Value>,
    ) -> Result<(), ReadError> {
        loop {
            after.push(CHUNK.into());
            let rows = source.select(Statement::new(self.rows, after)).await?;
            let rows: Vec<Vec<Value>> = rows.into_iter().map(Row::into_values).collect();
            let Some(last) = rows.last() else {
                return Ok(());
            };
            let key = self.key.iter().filter_map(|&column| last.get(column));
            after = key.cloned().collect();
            let insert = |row| Statement::new(self.insert, row);
            target
                .transact(rows.into_iter().map(insert).collect())
                .await?;
        }
    }
}

//! Copies the ratings of one store to another.

use std::sync::Arc;

use super::Ratings;
use crate::store::{ReadError, Sql, Statement};

/// Games in one transaction.
const CHUNK: i64 = 500;

/// Numbers the rated games of `target` like those of `source`, which it has all, and computes its ratings. After an
/// interruption, repeat it.
pub(crate) async fn copy(source: &dyn Sql, target: Arc<dyn Sql>) -> Result<(), ReadError> {
    let mut last = 0;
    loop {
        let numbers = Statement::new(
            "SELECT name, rated FROM game JOIN stream ON stream.id = game.stream
             WHERE rated > 0 AND rated > $1 ORDER BY rated LIMIT $2",
            vec![last.into(), CHUNK.into()],
        );
        let rows = source.select(numbers).await?;
        let Some(row) = rows.last() else {
            break;
        };
        last = row.integer(1);
        let number = |row| {
            Statement::new(
                "UPDATE game SET rated = $2 WHERE stream = (SELECT id FROM stream WHERE name = $1)",
                crate::store::Row::into_values(row),
            )
        };
        target
            .transact(rows.into_iter().map(number).collect())
            .await?;
    }
    // Nobody else uses the target.
    Ratings::new(target).recompute().await?;
    Ok(())
}

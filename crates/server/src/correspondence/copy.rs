//! Copies what belongs to games by correspondence from one store to another.

use event_store::{ReadError, Row, Sql, Statement};

/// Statements in one transaction.
const CHUNK: usize = 500;

/// A table: all rows, with names in the place of accounts, and how one is stored.
const TABLES: [[&str; 3]; 4] = [
    [
        "DELETE FROM correspondence",
        "SELECT game, w.skeleton, b.skeleton, days, rated, seq, ply, turn, since, deadline FROM correspondence
            JOIN account AS w ON w.id = white JOIN account AS b ON b.id = black ORDER BY number",
        // A damaged stream is not copied, and its row would lead nowhere.
        "INSERT INTO correspondence (game, white, black, days, rated, seq, ply, turn, since, deadline)
         SELECT $1, (SELECT id FROM account WHERE skeleton = $2), (SELECT id FROM account WHERE skeleton = $3),
            $4, $5, $6, $7, $8, $9, $10 FROM stream WHERE name = $1 AND open",
    ],
    [
        "DELETE FROM correspondence_challenge",
        "SELECT correspondence_challenge.id, c.skeleton, o.skeleton, color, days, rated, correspondence_challenge.created_at, accepted_at
         FROM correspondence_challenge JOIN account AS c ON c.id = challenger JOIN account AS o ON o.id = opponent
         ORDER BY number",
        "INSERT INTO correspondence_challenge (id, challenger, opponent, color, days, rated, created_at, accepted_at)
         VALUES ($1, (SELECT id FROM account WHERE skeleton = $2), (SELECT id FROM account WHERE skeleton = $3),
            $4, $5, $6, $7, $8)",
    ],
    [
        "DELETE FROM vacation",
        "SELECT skeleton, starts_at, ends_at FROM vacation JOIN account ON account.id = account ORDER BY number",
        "INSERT INTO vacation (account, starts_at, ends_at) VALUES ((SELECT id FROM account WHERE skeleton = $1), $2, $3)",
    ],
    [
        "DELETE FROM conditional_moves",
        "SELECT game, skeleton, ply, lines FROM conditional_moves JOIN account ON account.id = account ORDER BY number",
        "INSERT INTO conditional_moves (game, account, ply, lines)
         VALUES ($1, (SELECT id FROM account WHERE skeleton = $2), $3, $4)",
    ],
];

/// Replaces what `target`, which has all games and accounts of `source`, knows by what `source` knows. After an
/// interruption, repeat it.
pub(crate) async fn copy(source: &dyn Sql, target: &dyn Sql) -> Result<(), ReadError> {
    for [clear, rows, insert] in TABLES {
        let clear = vec![Statement::new(clear, Vec::new())];
        target.transact(clear).await?;
        let rows = source.select(Statement::new(rows, Vec::new())).await?;
        let store = |row: Row| Statement::new(insert, row.into_values());
        let statements: Vec<Statement> = rows.into_iter().map(store).collect();
        for chunk in statements.chunks(CHUNK) {
            target.transact(chunk.to_vec()).await?;
        }
    }
    Ok(())
}

//! Copies the tournaments of one store to another, and renames players.

use event_store::{ReadError, Row, Sql, Statement};

/// Statements in one transaction.
const CHUNK: usize = 500;

/// A table: all rows, and how one is stored.
const TABLES: [[&str; 3]; 5] = [
    [
        "DELETE FROM tournament",
        "SELECT tournament.id, coalesce(skeleton, ''), tournament.name, format, entrants, invitation, clock, rated, openings, starts_at, ends_at, paused, tournament.created_at, rounds, games, wait_ms, break_ms, max_rating
         FROM tournament LEFT JOIN account ON account.id = tournament.owner ORDER BY tournament.number",
        "INSERT INTO tournament (id, owner, name, format, entrants, invitation, clock, rated, openings, starts_at, ends_at, paused, created_at, rounds, games, wait_ms, break_ms, max_rating)
         VALUES ($1, coalesce((SELECT id FROM account WHERE skeleton = $2), 0), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
    ],
    [
        "DELETE FROM tournament_player",
        "SELECT tournament, name, state, entered_at, rating FROM tournament_player ORDER BY number",
        "INSERT INTO tournament_player (tournament, name, state, entered_at, rating) VALUES ($1, $2, $3, $4, $5)",
    ],
    [
        "DELETE FROM tournament_correction",
        "SELECT tournament, game, result, corrected_at FROM tournament_correction ORDER BY number",
        "INSERT INTO tournament_correction (tournament, game, result, corrected_at) VALUES ($1, $2, $3, $4)",
    ],
    [
        "DELETE FROM tournament_round",
        "SELECT tournament, round, drawn_at, opening FROM tournament_round ORDER BY number",
        "INSERT INTO tournament_round (tournament, round, drawn_at, opening) VALUES ($1, $2, $3, $4)",
    ],
    [
        "DELETE FROM tournament_game",
        "SELECT tournament, round, board, part, white, black, game FROM tournament_game ORDER BY number",
        "INSERT INTO tournament_game (tournament, round, board, part, white, black, game) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    ],
];

/// Replaces the tournaments of `target`, which has all accounts of `source`, with those of `source`. Reads all of a table
/// into memory. After an interruption, repeat it.
pub(crate) async fn copy(source: &dyn Sql, target: &dyn Sql) -> Result<(), ReadError> {
    for [clear, rows, insert] in TABLES {
        target
            .transact(vec![Statement::new(clear, Vec::new())])
            .await?;
        let rows = source.select(Statement::new(rows, Vec::new())).await?;
        let store = |row: Row| Statement::new(insert, row.into_values());
        let statements: Vec<Statement> = rows.into_iter().map(store).collect();
        for chunk in statements.chunks(CHUNK) {
            target.transact(chunk.to_vec()).await?;
        }
    }
    Ok(())
}

/// The statements that give a player another name.
pub(crate) fn rename(old: &str, new: &str) -> impl Iterator<Item = Statement> {
    let updates = [
        // Nobody plays under the new name.
        "UPDATE tournament_player SET name = $1, state = CASE WHEN state = 'in' THEN 'out' ELSE state END WHERE name = $2",
        "UPDATE tournament_game SET white = $1 WHERE white = $2",
        "UPDATE tournament_game SET black = $1 WHERE black = $2",
    ];
    updates
        .map(|update| Statement::new(update, vec![new.into(), old.into()]))
        .into_iter()
}

//! Finished games in the database.

use rusqlite::{Connection, OptionalExtension, Row, params};
use tracing::warn;

use super::query;
use crate::archive::{
    ArchiveFilter, ArchivedGame, Cursor, GamePage, MOST_PLAYED, PlayerGame, Summary,
};
use crate::event::{Seq, StreamId};

/// The latest games of a player. Costs time for each of them.
pub(super) fn played(connection: &Connection, player: &str) -> rusqlite::Result<Vec<PlayerGame>> {
    let mut select = connection.prepare_cached(
        "SELECT finished_at, is_white, result, clock, opponent, opponent_bot
         FROM participant WHERE role = 'player' AND name = ?1
         ORDER BY finished_at DESC, stream DESC LIMIT ?2",
    )?;
    let played = |row: &Row<'_>| {
        Ok(PlayerGame {
            finished_at: row.get(0)?,
            is_white: row.get(1)?,
            result: row.get(2)?,
            clock: row.get(3)?,
            opponent: row.get(4)?,
            opponent_bot: row.get(5)?,
        })
    };
    let games = select.query_map(params![player, MOST_PLAYED], |row| {
        Ok(readable(played(row)))
    })?;
    games.filter_map(Result::transpose).collect()
}

/// Puts a stream into the archive.
pub(super) fn insert(
    connection: &Connection,
    row: i64,
    last: Seq,
    summary: &Summary,
) -> rusqlite::Result<()> {
    let Summary {
        finished_at,
        result,
        reason,
        clock,
        plies,
        white,
        black,
        white_bot,
        black_bot,
        document,
        rated,
        event,
        gave_up,
    } = summary;
    connection
        .prepare_cached(
            "INSERT INTO game VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, NULL, NULL, NULL, NULL, ?15)",
        )?
        .execute(params![
            row,
            last,
            finished_at,
            result,
            reason,
            clock,
            plies,
            white,
            black,
            white_bot,
            black_bot,
            document,
            rated,
            event,
            gave_up
        ])?;
    let mut participant = connection.prepare_cached(
        "INSERT OR IGNORE INTO participant
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, NULL, NULL, NULL, NULL)",
    )?;
    let (of_white, of_black) = ((white, white_bot), (black, black_bot));
    for (is_white, own, other) in [(true, of_white, of_black), (false, of_black, of_white)] {
        for (role, name) in [("player", own.0), ("bot", own.1)] {
            let Some(name) = name else {
                continue;
            };
            participant.execute(params![
                role,
                name,
                finished_at,
                row,
                is_white,
                result,
                reason,
                clock,
                plies,
                other.0,
                other.1
            ])?;
        }
    }
    if let Some(event) = event {
        let none: Option<&str> = None;
        participant.execute(params![
            "event",
            event,
            finished_at,
            row,
            true,
            result,
            reason,
            clock,
            plies,
            none,
            none
        ])?;
    }
    Ok(())
}

/// Reads a page of at most `limit` games that begins after a place.
pub(super) fn page(
    connection: &Connection,
    filter: &ArchiveFilter,
    after: Option<Cursor>,
    limit: u32,
) -> rusqlite::Result<GamePage> {
    // One more than wanted tells whether there is a next page.
    let more = i64::from(limit) + 1;
    let mut rows = query::select(connection, filter, after, more)?;
    let is_last = rows.len() <= limit as usize;
    rows.truncate(limit as usize);
    let games: Vec<ArchivedGame> = rows.into_iter().flatten().collect();
    let next = if is_last {
        None
    } else {
        games.last().map(|game| game.cursor)
    };
    Ok(GamePage { games, next })
}

/// The archived game of a stream.
pub(super) fn find(
    connection: &Connection,
    id: &StreamId,
) -> rusqlite::Result<Option<ArchivedGame>> {
    let mut select = connection.prepare_cached(
        "SELECT stream.name, game.* FROM game JOIN stream ON stream.id = game.stream
         WHERE stream.name = ?1",
    )?;
    let game = select
        .query_row([id], |row| Ok(readable(game(row))))
        .optional()?;
    Ok(game.flatten())
}

/// A game, unless its row has something else than a game: the other games can be read all the same.
pub(super) fn readable<T>(game: rusqlite::Result<T>) -> Option<T> {
    game.inspect_err(|error| warn!(%error, "a game in the archive is damaged"))
        .ok()
}

/// A row of a query that begins with the name of the stream.
pub(super) fn game(row: &Row<'_>) -> rusqlite::Result<ArchivedGame> {
    let summary = Summary {
        finished_at: row.get("finished_at")?,
        result: row.get("result")?,
        reason: row.get("reason")?,
        clock: row.get("clock")?,
        plies: row.get("plies")?,
        white: row.get("white")?,
        black: row.get("black")?,
        white_bot: row.get("white_bot")?,
        black_bot: row.get("black_bot")?,
        document: row.get("document")?,
        rated: row.get("rated")?,
        event: row.get("event")?,
        gave_up: row.get("gave_up")?,
    };
    let cursor = Cursor {
        finished_at: summary.finished_at,
        row: row.get("stream")?,
    };
    Ok(ArchivedGame {
        stream: row.get("name")?,
        last: row.get("events")?,
        summary,
        cursor,
    })
}

//! Finished games: what is known of each at a glance, and how they are searched.

mod query;
mod salvage;

use std::fmt;
use std::str::FromStr;

use rusqlite::{Connection, ErrorCode, Row, params};
use tracing::warn;

use super::event::{Seq, StreamId, UnixMillis};

/// What is kept of a closed stream besides its events, to find and list it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// When the game ended.
    pub finished_at: UnixMillis,
    /// How it ended, in the caller's words.
    pub result: String,
    /// Why, likewise.
    pub reason: String,
    /// The clock of both sides, likewise.
    pub clock: String,
    /// How many moves it has, both sides counted.
    pub plies: u32,
    /// Who had White.
    pub white: Option<String>,
    /// Who had Black.
    pub black: Option<String>,
    /// The spec of the bot that had White.
    pub white_bot: Option<String>,
    /// The spec of the bot that had Black.
    pub black_bot: Option<String>,
    /// Whatever else a list of games is to show.
    pub document: Vec<u8>,
}

/// A finished game in the archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchivedGame {
    /// Its stream.
    pub stream: StreamId,
    /// Its last event.
    pub last: Seq,
    /// What is known of it.
    pub summary: Summary,
    /// Its place in the archive: a page after it begins with the next older game.
    pub cursor: Cursor,
}

/// Which games are wanted; the default is all of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArchiveFilter {
    /// Played by whoever has this name, with either colour.
    pub player: Option<String>,
    /// Against whoever has this name; asked together with `player`.
    pub opponent: Option<String>,
    /// Whether `player` had White, or else Black; asked together with it.
    pub is_white: Option<bool>,
    /// Played by a bot of this spec, with either colour.
    pub bot: Option<String>,
    /// Ended like this.
    pub result: Option<String>,
    /// Ended for this reason.
    pub reason: Option<String>,
    /// With this clock.
    pub clock: Option<String>,
    /// At least as long.
    pub min_plies: Option<u32>,
    /// At most as long.
    pub max_plies: Option<u32>,
    /// Ended at this time or later.
    pub from: Option<UnixMillis>,
    /// Ended before this time.
    pub until: Option<UnixMillis>,
}

/// Some finished games, the newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePage {
    /// The games.
    pub games: Vec<ArchivedGame>,
    /// Where the next page begins; `None` if this is the last one.
    pub next: Option<Cursor>,
}

/// A place between two games of the archive. Games that end later do not move it. Its text is
/// for addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cursor {
    finished_at: UnixMillis,
    row: i64,
}

/// A text that is no place in the archive.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is no place in the archive")]
pub struct CursorError {
    text: String,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.finished_at.0, self.row)
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Cursor, CursorError> {
        let parse = || {
            let (finished_at, row) = text.split_once('.')?;
            let finished_at = UnixMillis(finished_at.parse().ok()?);
            Some(Cursor {
                finished_at,
                row: row.parse().ok()?,
            })
        };
        parse().ok_or_else(|| CursorError { text: text.into() })
    }
}

/// A finished game as one of its players sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// When it ended.
    pub finished_at: UnixMillis,
    /// Whether the player had White, or else Black.
    pub is_white: bool,
    /// How it ended, in the words of its [`Summary`].
    pub result: String,
    /// The clock, likewise.
    pub clock: String,
    /// Whom it was played against.
    pub opponent: Option<String>,
    /// The spec of the bot that it was played against.
    pub opponent_bot: Option<String>,
}

/// Hands over every game of a player. Costs time for each of them.
pub(super) fn played(
    connection: &Connection,
    player: &str,
    mut take: impl FnMut(Played),
) -> rusqlite::Result<()> {
    // All or nothing: what was handed over before a damage would be counted twice.
    let games = straight_played(connection, player);
    let games = or_salvaged(games, || salvage::played(connection, player))?;
    games.into_iter().for_each(&mut take);
    Ok(())
}

fn straight_played(connection: &Connection, player: &str) -> rusqlite::Result<Vec<Played>> {
    let mut select = connection.prepare_cached(
        "SELECT finished_at, is_white, result, clock, opponent, opponent_bot
         FROM participant WHERE role = 'player' AND name = ?1",
    )?;
    let played = |row: &Row<'_>| {
        Ok(Played {
            finished_at: row.get(0)?,
            is_white: row.get(1)?,
            result: row.get(2)?,
            clock: row.get(3)?,
            opponent: row.get(4)?,
            opponent_bot: row.get(5)?,
        })
    };
    select.query_map([player], played)?.collect()
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
    } = summary;
    connection
        .prepare_cached(
            "INSERT INTO game VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
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
            document
        ])?;
    let mut participant = connection.prepare_cached(
        "INSERT OR IGNORE INTO participant VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
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
    let games = query::select(connection, filter, after, more);
    let mut games = or_salvaged(games, || salvage::select(connection, filter, after, more))?;
    let is_last = games.len() <= limit as usize;
    games.truncate(limit as usize);
    let next = if is_last {
        None
    } else {
        games.last().map(|game| game.cursor)
    };
    Ok(GamePage { games, next })
}

/// How many games are wanted, but no more than `most`.
pub(super) fn count(
    connection: &Connection,
    filter: &ArchiveFilter,
    most: u32,
) -> rusqlite::Result<u32> {
    or_salvaged(query::count(connection, filter, most), || {
        salvage::count(connection, filter, most)
    })
}

/// The archived game of a stream.
pub(super) fn find(
    connection: &Connection,
    id: &StreamId,
) -> rusqlite::Result<Option<ArchivedGame>> {
    or_salvaged(straight_find(connection, id), || {
        salvage::find(connection, id)
    })
}

fn straight_find(connection: &Connection, id: &StreamId) -> rusqlite::Result<Option<ArchivedGame>> {
    let mut select = connection.prepare_cached(
        "SELECT stream.name, game.* FROM game JOIN stream ON stream.id = game.stream
         WHERE stream.name = ?1",
    )?;
    select.query_map([id], game)?.next().transpose()
}

/// What was read, or, where the file is damaged, what can be read of it game by game.
fn or_salvaged<T>(
    read: rusqlite::Result<T>,
    salvage: impl FnOnce() -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    match read {
        Err(error) if is_damage(&error) => {
            warn!(%error, "the archive is damaged: its games are read one by one");
            salvage()
        }
        read => read,
    }
}

/// Whether the file has something else than it is to have.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    let is_of_value = matches!(
        error,
        FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..)
    );
    is_of_value || error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt)
}

fn game(row: &Row<'_>) -> rusqlite::Result<ArchivedGame> {
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

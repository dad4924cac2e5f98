//! Finished games: what is known of each at a glance, and how they are searched.

use std::fmt;
use std::str::FromStr;

use rusqlite::{Connection, Row, ToSql, named_params, params};

use super::event::{Seq, StreamId, UnixMillis};

/// What is kept of a closed stream besides its events, to find and list it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// When the game ended.
    pub finished_at: UnixMillis,
    /// How it ended, in the caller's words.
    pub result: String,
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
    /// Played by a bot of this spec, with either colour.
    pub bot: Option<String>,
    /// Ended like this.
    pub result: Option<String>,
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

/// How many of a player's games with one colour ended in one way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// How they ended, in the words of their [`Summary`].
    pub result: String,
    /// Whether the player had White, or else Black.
    pub is_white: bool,
    /// How many there are.
    pub games: u64,
    /// When the first of them ended.
    pub first: UnixMillis,
    /// When the last of them ended.
    pub last: UnixMillis,
}

/// How a player's games ended. Costs time for each of them.
pub(super) fn scores(connection: &Connection, player: &str) -> rusqlite::Result<Vec<Score>> {
    let mut select = connection.prepare_cached(
        "SELECT game.result, game.white = ?1, count(*), min(game.finished_at), max(game.finished_at)
         FROM participant CROSS JOIN game ON game.stream = participant.stream
         WHERE participant.role = 'player' AND participant.name = ?1
         GROUP BY game.result, game.white = ?1",
    )?;
    let score = |row: &Row<'_>| {
        Ok(Score {
            result: row.get(0)?,
            is_white: row.get::<_, Option<bool>>(1)?.unwrap_or(false),
            games: row.get::<_, u32>(2)?.into(),
            first: row.get(3)?,
            last: row.get(4)?,
        })
    };
    select.query_map([player], score)?.collect()
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
        white,
        black,
        white_bot,
        black_bot,
        document,
    } = summary;
    connection
        .prepare_cached("INSERT INTO game VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?
        .execute(params![
            row,
            last,
            finished_at,
            result,
            white,
            black,
            white_bot,
            black_bot,
            document
        ])?;
    let mut participant =
        connection.prepare_cached("INSERT OR IGNORE INTO participant VALUES (?1, ?2, ?3, ?4)")?;
    let names = [
        ("player", white),
        ("player", black),
        ("bot", white_bot),
        ("bot", black_bot),
    ];
    for (role, name) in names {
        if let Some(name) = name {
            participant.execute(params![role, name, finished_at, row])?;
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
    let mut games = select(connection, filter, after, i64::from(limit) + 1)?;
    let is_last = games.len() <= limit as usize;
    games.truncate(limit as usize);
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
    select.query_map([id], game)?.next().transpose()
}

fn select(
    connection: &Connection,
    filter: &ArchiveFilter,
    after: Option<Cursor>,
    limit: i64,
) -> rusqlite::Result<Vec<ArchivedGame>> {
    let mut select = connection.prepare_cached(&query(filter))?;
    let after = after.unwrap_or(Cursor {
        finished_at: UnixMillis(i64::MAX),
        row: i64::MAX,
    });
    let values = named_params! {
        ":player": filter.player,
        ":bot": filter.bot,
        ":result": filter.result,
        ":from": filter.from,
        ":until": filter.until,
        ":finished_at": after.finished_at,
        ":row": after.row,
        ":limit": limit,
    };
    // SQLite knows only the parameters that the query mentions.
    let mut used: Vec<(&str, &dyn ToSql)> = Vec::new();
    for &(name, value) in values {
        if select.parameter_index(name)?.is_some() {
            used.push((name, value));
        }
    }
    select.query_map(used.as_slice(), game)?.collect()
}

/// The query for a filter. Each shape of it walks one index from the newest game down and never
/// sorts: `CROSS JOIN` keeps SQLite from trying another order.
fn query(filter: &ArchiveFilter) -> String {
    // The places come from the table whose index is walked.
    let (key, source) = match (&filter.player, &filter.bot) {
        (Some(_), Some(_)) => (
            "player",
            "participant player CROSS JOIN game ON game.stream = player.stream
             CROSS JOIN participant bot ON bot.stream = game.stream",
        ),
        (Some(_), None) => {
            let source = "participant player CROSS JOIN game ON game.stream = player.stream";
            ("player", source)
        }
        (None, Some(_)) => (
            "bot",
            "participant bot CROSS JOIN game ON game.stream = bot.stream",
        ),
        (None, None) => ("game", "game"),
    };
    format!(
        "SELECT stream.name, game.* FROM {source} CROSS JOIN stream ON stream.id = game.stream
         WHERE ({key}.finished_at, {key}.stream) < (:finished_at, :row){}
         ORDER BY {key}.finished_at DESC, {key}.stream DESC LIMIT :limit",
        conditions(filter, key)
    )
}

fn conditions(filter: &ArchiveFilter, key: &str) -> String {
    let ArchiveFilter {
        player,
        bot,
        result,
        from,
        until,
    } = filter;
    let bot_condition =
        "bot.role = 'bot' AND bot.name = :bot AND bot.finished_at = game.finished_at";
    let all = [
        (
            player.is_some(),
            "player.role = 'player' AND player.name = :player".to_owned(),
        ),
        (bot.is_some(), bot_condition.to_owned()),
        (result.is_some(), "game.result = :result".to_owned()),
        (from.is_some(), format!("{key}.finished_at >= :from")),
        (until.is_some(), format!("{key}.finished_at < :until")),
    ];
    let wanted = all.into_iter().filter(|(is_wanted, _)| *is_wanted);
    wanted
        .map(|(_, condition)| format!(" AND {condition}"))
        .collect()
}

fn game(row: &Row<'_>) -> rusqlite::Result<ArchivedGame> {
    let summary = Summary {
        finished_at: row.get("finished_at")?,
        result: row.get("result")?,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_filter_makes_the_database_sort_or_scan() {
        let database = Connection::open_in_memory().unwrap();
        database
            .execute_batch(include_str!("schema/v1.sql"))
            .unwrap();
        for shape in 0..32 {
            let is_set = |bit: u8| shape & 1 << bit != 0;
            let filter = ArchiveFilter {
                player: is_set(0).then(|| "a".into()),
                bot: is_set(1).then(|| "b".into()),
                result: is_set(2).then(|| "1-0".into()),
                from: is_set(3).then_some(UnixMillis(1)),
                until: is_set(4).then_some(UnixMillis(2)),
            };
            let plan = plan(&database, &query(&filter));
            assert!(
                plan.iter().all(|step| step.starts_with("SEARCH")),
                "{filter:?}: {plan:?}"
            );
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

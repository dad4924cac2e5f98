//! Games of a damaged file: each is looked for by itself, and what cannot be read is passed over.
//! This costs time for every game there is.

use std::cmp::Reverse;

use rusqlite::{Connection, OptionalExtension};

use super::{ArchiveFilter, ArchivedGame, Cursor, Played, Summary, game};
use crate::store::event::StreamId;

pub(super) fn select(
    connection: &Connection,
    filter: &ArchiveFilter,
    after: Option<Cursor>,
    limit: i64,
) -> rusqlite::Result<Vec<ArchivedGame>> {
    let mut places = Vec::new();
    each(connection, |game| {
        if filter.takes(&game.summary) {
            places.push((game.cursor.finished_at, game.cursor.row));
        }
    })?;
    places.sort_unstable_by_key(|&place| Reverse(place));
    let is_after = |place: &&_| after.is_none_or(|after| **place < (after.finished_at, after.row));
    let wanted = places.iter().filter(is_after);
    let wanted = wanted.take(usize::try_from(limit).unwrap_or(0));
    Ok(wanted
        .filter_map(|&(_, row)| one(connection, row))
        .collect())
}

pub(super) fn count(
    connection: &Connection,
    filter: &ArchiveFilter,
    most: u32,
) -> rusqlite::Result<u32> {
    let mut count = 0;
    each(connection, |game| {
        count += u32::from(filter.takes(&game.summary));
    })?;
    Ok(count.min(most))
}

pub(super) fn find(
    connection: &Connection,
    id: &StreamId,
) -> rusqlite::Result<Option<ArchivedGame>> {
    let mut found = None;
    each(connection, |game| {
        if game.stream == *id {
            found = Some(game);
        }
    })?;
    Ok(found)
}

pub(super) fn played(connection: &Connection, player: &str) -> rusqlite::Result<Vec<Played>> {
    let mut all = Vec::new();
    each(connection, |game| all.extend(seen_by(player, game.summary)))?;
    Ok(all)
}

fn seen_by(player: &str, game: Summary) -> Option<Played> {
    let is_white = game.white.as_deref() == Some(player);
    let (opponent, opponent_bot) = if is_white {
        (game.black, game.black_bot)
    } else if game.black.as_deref() == Some(player) {
        (game.white, game.white_bot)
    } else {
        return None;
    };
    Some(Played {
        finished_at: game.finished_at,
        is_white,
        result: game.result,
        clock: game.clock,
        opponent,
        opponent_bot,
    })
}

impl ArchiveFilter {
    /// Whether a game is wanted: the same as the queries ask.
    fn takes(&self, game: &Summary) -> bool {
        let Summary {
            white,
            black,
            white_bot,
            black_bot,
            ..
        } = game;
        let sides = [(true, white, black), (false, black, white)];
        let is_player = |&(is_white, own, other): &(bool, &Option<String>, &Option<String>)| {
            *own == self.player
                && self.is_white.is_none_or(|wanted| wanted == is_white)
                && (self.opponent.is_none() || *other == self.opponent)
        };
        (self.player.is_none() || sides.iter().any(is_player))
            && (self.bot.is_none() || [white_bot, black_bot].contains(&&self.bot))
            && self.result.as_ref().is_none_or(|it| *it == game.result)
            && self.reason.as_ref().is_none_or(|it| *it == game.reason)
            && self.clock.as_ref().is_none_or(|it| *it == game.clock)
            && self.min_plies.is_none_or(|least| game.plies >= least)
            && self.max_plies.is_none_or(|most| game.plies <= most)
            && self.from.is_none_or(|from| game.finished_at >= from)
            && self.until.is_none_or(|until| game.finished_at < until)
    }
}

/// Hands over every game that can be read.
fn each(connection: &Connection, mut take: impl FnMut(ArchivedGame)) -> rusqlite::Result<()> {
    for row in 1..=last_row(connection)? {
        if let Some(game) = one(connection, row) {
            take(game);
        }
    }
    Ok(())
}

/// The game in a row, if there is one that can be read.
fn one(connection: &Connection, row: i64) -> Option<ArchivedGame> {
    let select = "SELECT stream.name, game.* FROM game CROSS JOIN stream ON stream.id = game.stream
         WHERE game.stream = ?1";
    let mut select = connection.prepare_cached(select).ok()?;
    select.query_row([row], game).optional().ok().flatten()
}

/// The last row that may have a game: whatever of the file tells it.
fn last_row(connection: &Connection) -> rusqlite::Result<i64> {
    /// Fewer bytes than any row takes: a file has no more rows than this tells, whatever it says.
    const LEAST: i64 = 8;
    let bytes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    let bytes: i64 = connection.query_row(bytes, [], |row| row.get(0))?;
    let last = |query| connection.query_row(query, [], |row| row.get::<_, Option<i64>>(0));
    let tables = [
        last("SELECT max(stream) FROM game"),
        last("SELECT max(id) FROM stream"),
    ];
    let is_lost = tables.iter().all(Result::is_err);
    let found = tables.iter().flatten().copied().flatten().max();
    let [of_games, _] = tables;
    match found {
        Some(last) => Ok(last.min(bytes / LEAST)),
        None if is_lost => of_games.map(Option::unwrap_or_default),
        None => Ok(0),
    }
}

//! Finished games in the database.

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Row};

use super::rows;
use crate::archive::{
    ArchiveFilter, ArchivedGame, Cursor, GamePage, MOST_PLAYED, PlayerGame, Summary,
};
use crate::event::StreamId;
use crate::query;

/// Reads a page of at most `limit` games that begins after a place.
pub(super) async fn page(
    client: &Client,
    filter: &ArchiveFilter,
    after: Option<Cursor>,
    limit: u32,
) -> Result<GamePage, Error> {
    // One more than wanted tells whether there is a next page.
    let more = i64::from(limit) + 1;
    let values = Values::new(filter, after, more);
    let mut rows = values.query(client, &query::page(filter)).await?;
    let is_last = rows.len() <= limit as usize;
    rows.truncate(limit as usize);
    let games: Vec<ArchivedGame> = rows.iter().filter_map(game).collect();
    let next = if is_last {
        None
    } else {
        games.last().map(|game| game.cursor)
    };
    Ok(GamePage { games, next })
}

/// The number of games that match, at most `most`.
pub(super) async fn count(
    client: &Client,
    filter: &ArchiveFilter,
    most: u32,
) -> Result<u32, Error> {
    let values = Values::new(filter, None, most.into());
    let rows = values.query(client, &query::number(filter)).await?;
    let count = rows.first().map_or(0, |row| row.get::<_, i64>(0));
    Ok(u32::try_from(count).unwrap_or(most))
}

pub(super) async fn find(client: &Client, id: &StreamId) -> Result<Option<ArchivedGame>, Error> {
    let select = "SELECT stream.name, game.* FROM game JOIN stream ON stream.id = game.stream
                  WHERE stream.name = $1";
    let rows = client
        .query_typed(select, &[(&id.as_str(), Type::TEXT)])
        .await?;
    Ok(rows.first().and_then(game))
}

/// The latest games of a player. Costs time for each of them.
pub(super) async fn played(client: &Client, player: &str) -> Result<Vec<PlayerGame>, Error> {
    let select =
        "SELECT finished_at, is_white, result, clock, opponent, opponent_bot FROM participant
                  WHERE role = 'player' AND name = $1 ORDER BY finished_at DESC, stream DESC LIMIT $2";
    let most = i64::from(MOST_PLAYED);
    let parameters: &[(&(dyn ToSql + Sync), Type)] = &[(&player, Type::TEXT), (&most, Type::INT8)];
    let rows = client.query_typed(select, parameters).await?;
    let played = |row: &Row| PlayerGame {
        finished_at: rows::time(row, "finished_at"),
        is_white: row.get("is_white"),
        result: row.get("result"),
        clock: row.get("clock"),
        opponent: row.get("opponent"),
        opponent_bot: row.get("opponent_bot"),
    };
    Ok(rows.iter().map(played).collect())
}

/// A row of a query that begins with the name of the stream.
fn game(row: &Row) -> Option<ArchivedGame> {
    let summary = Summary {
        finished_at: rows::time(row, "finished_at"),
        result: row.get("result"),
        reason: row.get("reason"),
        clock: row.get("clock"),
        plies: rows::number(row, "plies"),
        white: row.get("white"),
        black: row.get("black"),
        white_bot: row.get("white_bot"),
        black_bot: row.get("black_bot"),
        document: row.get("document"),
        rated: row.get("rated"),
        event: row.get("event"),
        gave_up: row.get("gave_up"),
    };
    let cursor = Cursor {
        finished_at: summary.finished_at,
        row: row.get("stream"),
    };
    Some(ArchivedGame {
        stream: rows::stream(row)?,
        last: rows::seq(row, "events"),
        summary,
        cursor,
    })
}

/// The values of the parameters of a query by name.
struct Values<'a> {
    filter: &'a ArchiveFilter,
    after: Cursor,
    limit: i64,
    min_plies: i32,
    max_plies: i32,
}

impl<'a> Values<'a> {
    fn new(filter: &'a ArchiveFilter, after: Option<Cursor>, limit: i64) -> Values<'a> {
        let plies = |plies: Option<u32>| plies.map_or(0, rows::to_integer);
        Values {
            filter,
            after: after.unwrap_or(Cursor::NEWEST),
            limit,
            min_plies: plies(filter.min_plies),
            max_plies: plies(filter.max_plies),
        }
    }

    async fn query(&self, client: &Client, text: &str) -> Result<Vec<Row>, Error> {
        let (text, names) = positional(text);
        let values: Vec<_> = names.iter().filter_map(|name| self.get(name)).collect();
        client.query_typed(&text, &values).await
    }

    fn get(&self, name: &str) -> Option<(&(dyn ToSql + Sync), Type)> {
        let ArchiveFilter {
            player,
            opponent,
            is_white,
            bot,
            result,
            reason,
            clock,
            event,
            opening,
            ending,
            from,
            until,
            ..
        } = self.filter;
        let text = |value: &'a Option<String>| Some((value as _, Type::TEXT));
        match name {
            "player" => text(player),
            "opponent" => text(opponent),
            "bot" => text(bot),
            "event" => text(event),
            "opening" => text(opening),
            "ending" => text(ending),
            "result" => text(result),
            "reason" => text(reason),
            "clock" => text(clock),
            "is_white" => Some((is_white, Type::BOOL)),
            "min_plies" => Some((&self.min_plies, Type::INT4)),
            "max_plies" => Some((&self.max_plies, Type::INT4)),
            "from" => Some((&from.as_ref()?.0, Type::INT8)),
            "until" => Some((&until.as_ref()?.0, Type::INT8)),
            "finished_at" => Some((&self.after.finished_at.0, Type::INT8)),
            "row" => Some((&self.after.row, Type::INT8)),
            "limit" => Some((&self.limit, Type::INT8)),
            _ => None,
        }
    }
}

/// A query in PostgreSQL's syntax, and the names of its parameters in order. There, a `CROSS JOIN` has no
/// condition.
fn positional(query: &str) -> (String, Vec<String>) {
    let query = query.replace("CROSS JOIN", "JOIN");
    let mut parts = query.split(':');
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut names: Vec<String> = Vec::new();
    for part in parts {
        let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
        let end = part.find(|c| !is_name(c)).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let known = names.iter().position(|known| known == name);
        let place = known.unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        text += &format!("${}{rest}", place + 1);
    }
    (text, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbered_in_the_order_of_their_names() {
        let (text, names) =
            positional("SELECT 1 WHERE (a, b) < (:a, :row) AND c = :a LIMIT :limit");
        assert_eq!(text, "SELECT 1 WHERE (a, b) < ($1, $2) AND c = $1 LIMIT $3");
        assert_eq!(names, ["a", "row", "limit"]);
    }
}

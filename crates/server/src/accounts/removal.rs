//! Replaces the name of a deleted account in all stored games.
//!
//! Each game is changed in its own transaction, and a changed game is not found again, so an interrupted removal
//! can be repeated.

use event_store::{Event, ReadError, Row, Seq, Sql, Statement, StreamId, UnixMillis, Value};
use serde_json::Value as Json;

/// Streams searched by one statement.
const CHUNK: i64 = 10_000;

/// How often a game is read again if another removal changes it at the same time.
const TRIES: usize = 10;

/// The streams of a range that have an event with the name, possibly in another field.
const STREAMS: &str = "
    SELECT DISTINCT stream FROM event WHERE stream > $1 AND stream <= $2
        AND kind IN ('seated', 'opened') AND payload LIKE $3 ESCAPE '!'";

/// The open streams in which the name has taken a seat.
const OPEN_STREAMS: &str = "
    SELECT id FROM stream WHERE open AND EXISTS (
        SELECT 1 FROM event WHERE event.stream = stream.id AND kind = 'seated' AND payload LIKE $1 ESCAPE '!')";

/// A game of the player that is to be rated.
const TO_RATE: &str =
    "SELECT stream FROM game WHERE rated = -1 AND (white = $1 OR black = $1) LIMIT 1";

/// The result of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Removal {
    /// No game has the name.
    NothingLeft,
    /// Some games had the name; events stored during the pass may still have it.
    Replaced,
    /// The player has a seat in a game that is not over, or a game that is to be rated. Nothing was changed.
    Playing,
}

/// Replaces a name in all streams and in the archive. Reads all events, in pieces.
pub(super) async fn replace(tables: &dyn Sql, old: &str, new: &str) -> Result<Removal, ReadError> {
    let open = Statement::new(OPEN_STREAMS, vec![like(old).into()]);
    for row in tables.select(open).await? {
        let stream = NamedStream::read(tables, row.integer(0)).await?;
        if stream.is_some_and(|stream| stream.seats(old)) {
            return Ok(Removal::Playing);
        }
    }
    let to_rate = Statement::new(TO_RATE, vec![old.into()]);
    if !tables.select(to_rate).await?.is_empty() {
        return Ok(Removal::Playing);
    }
    let last = Statement::new("SELECT coalesce(max(id), 0) FROM stream", Vec::new());
    let last = tables.select(last).await?;
    let last = last.first().map_or(0, |row| row.integer(0));
    let (mut from, mut done) = (0, Removal::NothingLeft);
    while from < last {
        let to = from.saturating_add(CHUNK);
        let parameters = vec![from.into(), to.into(), like(old).into()];
        for row in tables.select(Statement::new(STREAMS, parameters)).await? {
            if let Some(stream) = NamedStream::read(tables, row.integer(0)).await?
                && stream.rename(tables, old, new).await?
            {
                done = Removal::Replaced;
            }
        }
        from = to;
    }
    Ok(done)
}

/// A pattern that finds the name in a JSON text.
fn like(name: &str) -> String {
    let mut pattern = String::from("%");
    for letter in Json::from(name).to_string().chars() {
        if matches!(letter, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(letter);
    }
    pattern + "%"
}

/// A stream with the events that contain names.
struct NamedStream {
    row: i64,
    id: StreamId,
    events: Vec<Event>,
}

impl NamedStream {
    async fn read(tables: &dyn Sql, row: i64) -> Result<Option<NamedStream>, ReadError> {
        let stream = Statement::new("SELECT name FROM stream WHERE id = $1", vec![row.into()]);
        let events = Statement::new(
            "SELECT CAST(seq AS bigint), at, kind, payload FROM event
             WHERE stream = $1 AND kind IN ('seated', 'unseated', 'opened', 'ended', 'closed') ORDER BY seq",
            vec![row.into()],
        );
        let stream = tables.select(stream).await?;
        let Some(id) = stream.first().and_then(|row| row.text(0).parse().ok()) else {
            return Ok(None);
        };
        let events = tables.select(events).await?;
        let event = |row: &Row| Event {
            seq: Seq(u32::try_from(row.integer(0)).unwrap_or_default()),
            at: UnixMillis(row.integer(1)),
            kind: row.text(2).to_owned(),
            payload: row.text(3).as_bytes().to_vec(),
        };
        Ok(Some(NamedStream {
            row,
            id,
            events: events.iter().map(event).collect(),
        }))
    }

    /// Whether the name has a seat after the last event.
    fn seats(&self, name: &str) -> bool {
        let mut seats = [None, None];
        for event in &self.events {
            let payload = json(&event.payload);
            let seat = usize::from(payload["color"] == "black");
            match event.kind.as_str() {
                "seated" => seats[seat] = Some(payload["name"] == name),
                "unseated" => seats[seat] = None,
                "ended" | "closed" => seats = [None, None],
                _ => {}
            }
        }
        seats.contains(&Some(true))
    }

    /// Changes the name in this stream and its game. Returns whether it was there.
    async fn rename(&self, tables: &dyn Sql, old: &str, new: &str) -> Result<bool, ReadError> {
        for _ in 0..TRIES {
            let statements = self.renamed(tables, old, new).await?;
            if statements.is_empty() {
                return Ok(false);
            }
            if tables.transact(statements).await?.is_some() {
                break;
            }
        }
        Ok(true)
    }

    /// What changes the name in this stream and its game.
    async fn renamed(
        &self,
        tables: &dyn Sql,
        old: &str,
        new: &str,
    ) -> Result<Vec<Statement>, ReadError> {
        let mut statements: Vec<Statement> = self
            .events
            .iter()
            .filter_map(|event| self.renamed_event(event, old, new))
            .collect();
        let game = Statement::new(
            "SELECT finished_at, document, coalesce(white, ''), coalesce(black, ''),
                coalesce(white_bot, ''), coalesce(black_bot, '') FROM game WHERE stream = $1",
            vec![self.row.into()],
        );
        if let Some(game) = tables.select(game).await?.first() {
            statements.extend(self.renamed_game(game, old, new));
        }
        Ok(statements)
    }

    fn renamed_event(&self, event: &Event, old: &str, new: &str) -> Option<Statement> {
        let field = match event.kind.as_str() {
            "seated" => "name",
            "opened" => "opponent",
            _ => return None,
        };
        let mut payload = json(&event.payload);
        if payload[field] != old {
            return None;
        }
        payload[field] = new.into();
        let event = Event {
            payload: payload.to_string().into_bytes(),
            ..event.clone()
        };
        let checksum = event.checksum(&self.id);
        Some(Statement::new(
            "UPDATE event SET payload = $1, checksum = $2 WHERE stream = $3 AND seq = CAST($4 AS bigint)",
            vec![
                payload.to_string().into(),
                i64::from(checksum).into(),
                self.row.into(),
                i64::from(event.seq.0).into(),
            ],
        ))
    }

    fn renamed_game(&self, game: &Row, old: &str, new: &str) -> Vec<Statement> {
        let mut document = json(game.bytes(1));
        let mut is_there = [2, 3].iter().any(|&column| game.text(column) == old);
        for color in ["white", "black"] {
            if document[color]["name"] == old {
                document[color]["name"] = new.into();
                is_there = true;
            }
        }
        if !is_there {
            return Vec::new();
        }
        let set = Statement::new(
            "UPDATE game SET document = $1, white = CASE WHEN white = $2 THEN $3 ELSE white END,
                black = CASE WHEN black = $2 THEN $3 ELSE black END
             WHERE stream = $4 AND document = $5 RETURNING stream",
            vec![
                Value::from(document.to_string().as_bytes()),
                old.into(),
                new.into(),
                self.row.into(),
                Value::from(game.bytes(1)),
            ],
        );
        let own = Statement::new(
            "UPDATE participant SET name = $1
             WHERE role = 'player' AND name = $2 AND finished_at = $3 AND stream = $4",
            vec![
                new.into(),
                old.into(),
                game.integer(0).into(),
                self.row.into(),
            ],
        );
        let others = [(2, "player"), (3, "player"), (4, "bot"), (5, "bot")];
        let opponents = others.map(|(column, role)| {
            Statement::new(
                "UPDATE participant SET opponent = $1
                 WHERE role = $2 AND name = $3 AND finished_at = $4 AND stream = $5 AND opponent = $6",
                vec![
                    new.into(),
                    role.into(),
                    game.text(column).into(),
                    game.integer(0).into(),
                    self.row.into(),
                    old.into(),
                ],
            )
        });
        // These look up the old name, so they come first.
        opponents.into_iter().chain([own, set.required()]).collect()
    }
}

/// A JSON text; null if it cannot be read.
fn json(text: &[u8]) -> Json {
    serde_json::from_slice(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_contains_the_name_as_json_has_it() {
        assert_eq!(like("anna"), "%\"anna\"%");
        assert_eq!(like("100%_!"), "%\"100!%!_!!\"%");
        assert_eq!(like("a\"b"), "%\"a\\\"b\"%");
    }
}

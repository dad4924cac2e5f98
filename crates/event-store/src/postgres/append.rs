//! The statement that appends.
//!
//! It locks the row of the session for sharing, so that a server that declares it dead waits, and
//! inserts only if the session lives. `FOR KEY SHARE` or a mere condition would not be enough.

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Statement};

use super::plan::Columns;

/// The two forms of the statement, prepared.
pub(super) struct AppendStatements {
    /// Adds events to open streams.
    events: Statement,
    /// Also begins, closes and archives streams.
    all: Statement,
}

const SESSION: &str =
    "WITH living AS (SELECT id FROM session WHERE id = $1 AND NOT dead FOR SHARE)";

const EVENTS: &str = "
    INSERT INTO event (stream, seq, session, at, checksum, kind, payload)
    SELECT stream, seq, living.id, at, checksum, kind, payload
    FROM living, unnest($2::bigint[], $3::integer[], $4::bigint[], $5::bigint[], $6::text[], $7::text[])
        AS new (stream, seq, at, checksum, kind, payload)";

const STREAMS: &str = "
    begun AS (
        INSERT INTO stream (id, name, shard, open)
        SELECT new.* FROM living, unnest($8::bigint[], $9::text[], $10::smallint[], $11::boolean[]) AS new
    ),
    closed AS (
        UPDATE stream SET open = false FROM living WHERE stream.id = ANY ($12::bigint[])
    ),
    ended AS (
        SELECT new.* FROM living, unnest(
            $13::bigint[], $14::integer[], $15::bigint[], $16::text[], $17::text[], $18::text[], $19::integer[],
            $20::text[], $21::text[], $22::text[], $23::text[], $24::bytea[], $25::bigint[], $26::text[],
            $27::text[]
        ) AS new (
            stream, events, finished_at, result, reason, clock, plies, white, black, white_bot, black_bot, document,
            rated, event, gave_up
        )
    ),
    archived AS (
        INSERT INTO game (
            stream, events, finished_at, result, reason, clock, plies, white, black, white_bot, black_bot, document,
            rated, event, gave_up
        )
        SELECT * FROM ended
    ),
    side AS (
        SELECT ended.*, true AS is_white, white AS own, white_bot AS own_bot,
            black AS opponent, black_bot AS opponent_bot
        FROM ended
        UNION ALL
        SELECT ended.*, false, black, black_bot, white, white_bot FROM ended
    ),
    took_part AS (
        INSERT INTO participant (
            role, name, finished_at, stream, is_white, result, reason, clock, plies, opponent, opponent_bot
        )
        SELECT DISTINCT ON (role, name, finished_at, stream)
            role, name, finished_at, stream, is_white, result, reason, clock, plies, part.opponent, part.opponent_bot
        FROM side, LATERAL (VALUES
            ('player', own, opponent, opponent_bot),
            ('bot', own_bot, opponent, opponent_bot),
            ('event', event, NULL, NULL)
        ) AS part (role, name, opponent, opponent_bot)
        WHERE name IS NOT NULL
        ORDER BY role, name, finished_at, stream, is_white DESC
    )";

const ANSWER: &str = "SELECT id FROM living";

impl AppendStatements {
    pub(super) async fn prepare(client: &Client) -> Result<AppendStatements, Error> {
        let added = format!("added AS ({EVENTS})");
        Ok(AppendStatements {
            events: client
                .prepare(&format!("{SESSION}, {added} {ANSWER}"))
                .await?,
            all: client
                .prepare(&format!("{SESSION}, {added}, {STREAMS} {ANSWER}"))
                .await?,
        })
    }

    /// Appends in one statement. False if the session is dead: then nothing was written.
    pub(super) async fn run(
        &self,
        client: &Client,
        session: i32,
        columns: &Columns<'_>,
    ) -> Result<bool, Error> {
        let Columns {
            begun,
            closed,
            events,
            games,
        } = columns;
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![
            &session,
            &events.stream,
            &events.seq,
            &events.at,
            &events.checksum,
            &events.kind,
            &events.payload,
        ];
        let is_all = !(begun.row.is_empty() && closed.is_empty() && games.stream.is_empty());
        if is_all {
            let others: [&(dyn ToSql + Sync); 20] = [
                &begun.row,
                &begun.name,
                &begun.shard,
                &begun.open,
                closed,
                &games.stream,
                &games.events,
                &games.finished_at,
                &games.result,
                &games.reason,
                &games.clock,
                &games.plies,
                &games.white,
                &games.black,
                &games.white_bot,
                &games.black_bot,
                &games.document,
                &games.rated,
                &games.event,
                &games.gave_up,
            ];
            values.extend(others);
        }
        let statement = if is_all { &self.all } else { &self.events };
        Ok(client.query_opt(statement, &values).await?.is_some())
    }
}

/// Finds the streams of names; a stream that does not exist gets the row that it will have.
pub(super) async fn prepare_lookup(client: &Client) -> Result<Statement, Error> {
    let lookup = "
        SELECT name, open, coalesce(stream.id, nextval('stream_id')) AS id
        FROM unnest($1::text[]) AS wanted (name) LEFT JOIN stream USING (name)";
    client.prepare_typed(lookup, &[Type::TEXT_ARRAY]).await
}

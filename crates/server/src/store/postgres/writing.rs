//! The one connection that writes: groups of appends as statements.

use tokio_postgres::{Client, Error, Statement};
use tracing::warn;

use super::append::{AppendStatements, prepare_lookup};
use super::connect::Connection;
use super::error::{cause, is_duplicate, is_rolled_back};
use super::plan::{Plan, Position, Positions, State};
use super::streams;
use crate::store::config::Durability;
use crate::store::database::Failure;
use crate::store::error::WriteError;
use crate::store::event::{Append, Seq, StreamId};

/// After another server has declared the session dead.
pub(super) const REPLACED: &str =
    "another server has taken over the database; this one has to be restarted";
const WARNED: &str = "the database warned of the commit";

/// The connection that writes, with its statements.
pub(super) struct WritingConnection {
    pub(super) connection: Connection,
    /// The process of the database that serves it.
    pub(super) process: i32,
    appends: AppendStatements,
    lookup: Statement,
}

impl WritingConnection {
    pub(super) async fn prepare(connection: Connection) -> Result<WritingConnection, Error> {
        let client = &connection.client;
        let process = client.query_one("SELECT pg_backend_pid()", &[]).await?;
        let appends = AppendStatements::prepare(client).await?;
        let lookup = prepare_lookup(client).await?;
        // Greetings may warn, of the version of a collation for example.
        connection.take_warning();
        Ok(WritingConnection {
            process: process.get(0),
            appends,
            lookup,
            connection,
        })
    }

    /// Commits a row of the session, after its append in progress. What was committed before is then as
    /// durable as this.
    pub(super) async fn beat(&self, session: i32) -> Result<(), Failure> {
        let beat = "UPDATE session SET beat = beat + 1 WHERE id = $1 AND NOT dead";
        let beaten = self.connection.client.execute(beat, &[&session]).await;
        if beaten.map_err(failed)? == 0 {
            return Err(certain(REPLACED));
        }
        if self.connection.take_warning() {
            return Err(certain(WARNED));
        }
        Ok(())
    }

    /// Where streams end. A stream that exists and is open is read to its end, since a damaged one takes no
    /// more events.
    pub(super) async fn find(&self, streams: &[&StreamId]) -> Result<Positions, Error> {
        let mut found = Positions::default();
        if streams.is_empty() {
            return Ok(found);
        }
        let client = &self.connection.client;
        let names: Vec<&str> = streams.iter().map(|stream| stream.as_str()).collect();
        let rows = client.query(&self.lookup, &[&names]).await?;
        let mut new_rows = Vec::new();
        for row in &rows {
            let Ok(stream) = row.get::<_, &str>("name").parse::<StreamId>() else {
                continue;
            };
            let (mut last, row, open) =
                (Seq::NONE, row.get("id"), row.get::<_, Option<bool>>("open"));
            let state = match open {
                None => {
                    new_rows.push(row);
                    continue;
                }
                Some(false) => State::Closed,
                Some(true) => match streams::read(client, &stream).await? {
                    Some(read) => {
                        last = read.last();
                        read.damage.map_or(State::Open, |damage| {
                            State::Refused(WriteError::Damaged(damage))
                        })
                    }
                    None => State::Closed,
                },
            };
            found.insert(stream, Position { row, last, state });
        }
        // The oldest stream has the lowest row.
        new_rows.sort_unstable();
        let new = streams
            .iter()
            .filter(|stream| !found.contains_key(**stream));
        let new: Vec<StreamId> = new.map(|stream| (*stream).clone()).collect();
        for (stream, row) in new.into_iter().zip(new_rows) {
            let (last, state) = (Seq::NONE, State::New);
            found.insert(stream, Position { row, last, state });
        }
        Ok(found)
    }

    pub(super) async fn append(
        &self,
        session: i32,
        plan: &Plan,
        appends: &[Append],
    ) -> Result<(), AppendFailure> {
        let columns = plan.columns(appends);
        let client = &self.connection.client;
        match self.appends.run(client, session, &columns).await {
            // While a standby is away, a commit that an administrator cancels succeeds with a warning.
            Ok(true) if self.connection.take_warning() => Err(AppendFailure::Other(Failure {
                cause: WARNED.to_owned(),
                is_unknown: true,
            })),
            Ok(true) => Ok(()),
            Ok(false) => Err(certain(REPLACED).into()),
            Err(error) if is_duplicate(&error) => Err(AppendFailure::Duplicate),
            Err(error) => Err(AppendFailure::Other(Failure {
                cause: cause(&error),
                is_unknown: !is_rolled_back(&error),
            })),
        }
    }

    /// Whether rows whose keys exist were written by this session: then all rows of the plan were.
    pub(super) async fn is_ours(
        &self,
        session: i32,
        plan: &Plan,
        appends: &[Append],
    ) -> Result<bool, Error> {
        let columns = plan.columns(appends);
        let client = &self.connection.client;
        let row = if let (Some(stream), Some(seq)) =
            (columns.events.stream.first(), columns.events.seq.first())
        {
            let select = "SELECT session = $3 FROM event WHERE stream = $1 AND seq = $2";
            client.query_opt(select, &[stream, seq, &session]).await?
        } else {
            // Without events, a stream was closed.
            let stream = plan.streams.first().map(|(_, position)| position.row);
            let select = "SELECT NOT open FROM stream WHERE id = $1";
            client.query_opt(select, &[&stream]).await?
        };
        Ok(row.is_some_and(|row| row.get(0)))
    }
}

/// Why appends were not written, or perhaps were.
pub(super) enum AppendFailure {
    /// Rows with their keys exist.
    Duplicate,
    Other(Failure),
}

impl AppendFailure {
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, AppendFailure::Other(failure) if failure.is_unknown)
    }
}

impl From<AppendFailure> for Failure {
    fn from(failure: AppendFailure) -> Failure {
        match failure {
            AppendFailure::Duplicate => certain("another server writes the same streams"),
            AppendFailure::Other(failure) => failure,
        }
    }
}

impl From<Failure> for AppendFailure {
    fn from(failure: Failure) -> AppendFailure {
        AppendFailure::Other(failure)
    }
}

/// A failure after which nothing has been written.
pub(super) fn certain(cause: &str) -> Failure {
    Failure {
        cause: cause.to_owned(),
        is_unknown: false,
    }
}

/// The failure of a statement that writes no events.
pub(super) fn failed(error: Error) -> Failure {
    certain(&cause(&error))
}

/// Sets what statements and their commits need. Nothing may end a statement in its middle. A server that the
/// network has lost frees its locks soon.
pub(super) async fn configure(client: &Client, durability: Durability) -> Result<(), Error> {
    let settings = "
        SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = '1s';
        SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 2";
    client.batch_execute(settings).await?;
    let commits = match durability {
        Durability::PowerLoss => {
            "SELECT set_config('synchronous_commit', 'on', false)
             WHERE current_setting('synchronous_commit') = 'off'"
        }
        Durability::Crash => "SET synchronous_commit = off",
    };
    client.batch_execute(commits).await?;
    let fsync = "SELECT current_setting('fsync') = 'on'";
    let is_synced: bool = client.query_one(fsync, &[]).await?.get(0);
    if durability == Durability::PowerLoss && !is_synced {
        warn!("the database has fsync = off: a power cut may take moves that were acknowledged");
    }
    Ok(())
}

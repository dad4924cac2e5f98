//! The one connection that writes: groups of appends as statements.

use futures::future::try_join_all;
use postgres_kit::{Connection, cause, is_duplicate, is_rolled_back};
use tokio_postgres::{Client, Error, Statement};
use tracing::warn;

use super::append::{AppendStatements, prepare_lookup};
use super::lock::Sharing;
use super::plan::{AppendPlan, StreamPositions, StreamState, WritePosition};
use super::streams;
use crate::config::Durability;
use crate::database::CommitFailure;
use crate::error::WriteError;
use crate::event::{Append, Seq, StreamId, StreamRead};

/// Set also where it stays the same: a change of the database's settings while the server runs does not change it
/// then.
pub(super) const SURVIVE_POWER_LOSS: &str = "
    SELECT set_config('synchronous_commit', CASE found WHEN 'off' THEN 'on' ELSE found END, false)
    FROM current_setting('synchronous_commit') AS found";

const WARNED: &str = "the database warned of the commit";

/// The connection that writes, with its statements.
pub(super) struct WritingConnection {
    pub(super) connection: Connection,
    sharing: Sharing,
    appends: AppendStatements,
    lookup: Statement,
}

impl WritingConnection {
    pub(super) async fn prepare(
        connection: Connection,
        sharing: Sharing,
    ) -> Result<WritingConnection, Error> {
        let client = &connection.client;
        let appends = AppendStatements::prepare(client).await?;
        let lookup = prepare_lookup(client).await?;
        // Greetings may warn, of the version of a collation for example.
        connection.take_warning();
        Ok(WritingConnection {
            sharing,
            appends,
            lookup,
            connection,
        })
    }

    /// Commits a row of the session, after its append in progress. What was committed before is then as
    /// durable as this.
    pub(super) async fn confirm(&self, session: i32) -> Result<(), CommitFailure> {
        let confirm = "UPDATE session SET confirmed = confirmed + 1 WHERE id = $1 AND NOT dead";
        let confirmed = self.connection.client.execute(confirm, &[&session]).await;
        if confirmed.map_err(failed)? == 0 {
            return Err(replaced(self.sharing));
        }
        if self.connection.take_warning() {
            return Err(certain(WARNED));
        }
        Ok(())
    }

    /// Where streams end. A stream that exists and is open is read to its end, since a damaged one takes no
    /// more events.
    pub(super) async fn find(&self, streams: &[&StreamId]) -> Result<StreamPositions, Error> {
        let mut found = StreamPositions::default();
        if streams.is_empty() {
            return Ok(found);
        }
        let client = &self.connection.client;
        let names: Vec<&str> = streams.iter().map(|stream| stream.as_str()).collect();
        let rows = client.query(&self.lookup, &[&names]).await?;
        let mut new_rows = Vec::new();
        let mut open_rows = Vec::new();
        for row in &rows {
            let open = row.get::<_, Option<bool>>("open");
            let Ok(stream) = row.get::<_, &str>("name").parse::<StreamId>() else {
                continue;
            };
            let (row, last) = (row.get("id"), Seq::NONE);
            match open {
                None => new_rows.push(row),
                Some(true) => open_rows.push((stream, row)),
                Some(false) => {
                    let state = StreamState::Closed;
                    found.insert(stream, WritePosition { row, last, state });
                }
            }
        }
        // All are asked for before the first answer.
        let reads = open_rows
            .iter()
            .map(|(stream, _)| streams::read(client, stream));
        let reads = try_join_all(reads).await?;
        for ((stream, row), read) in open_rows.into_iter().zip(reads) {
            let last = read.as_ref().map_or(Seq::NONE, StreamRead::last);
            let damage = read.map(|read| read.damage);
            let state = match damage {
                None => StreamState::Closed,
                Some(None) => StreamState::Open,
                Some(Some(damage)) => StreamState::Refused(WriteError::Damaged(damage)),
            };
            found.insert(stream, WritePosition { row, last, state });
        }
        // The oldest stream has the lowest row.
        new_rows.sort_unstable();
        let new = streams
            .iter()
            .filter(|stream| !found.contains_key(**stream));
        let new: Vec<StreamId> = new.map(|stream| (*stream).clone()).collect();
        for (stream, row) in new.into_iter().zip(new_rows) {
            let (last, state) = (Seq::NONE, StreamState::New);
            found.insert(stream, WritePosition { row, last, state });
        }
        Ok(found)
    }

    pub(super) async fn append(
        &self,
        session: i32,
        plan: &AppendPlan,
        appends: &[Append],
    ) -> Result<(), AppendFailure> {
        let columns = plan.columns(appends);
        let client = &self.connection.client;
        match self.appends.run(client, session, &columns).await {
            // While a standby is away, a commit that an administrator cancels succeeds with a warning.
            Ok(true) if self.connection.take_warning() => {
                Err(AppendFailure::Other(CommitFailure {
                    cause: WARNED.to_owned(),
                    is_unknown: true,
                    is_final: false,
                }))
            }
            Ok(true) => Ok(()),
            Ok(false) => Err(replaced(self.sharing).into()),
            Err(error) if is_duplicate(&error) => Err(AppendFailure::Duplicate),
            Err(error) if is_rolled_back(&error) => Err(AppendFailure::Refused(cause(&error))),
            Err(error) => Err(AppendFailure::Other(CommitFailure {
                cause: cause(&error),
                is_unknown: true,
                is_final: false,
            })),
        }
    }

    /// Whether rows whose keys exist were written by this session: then all rows of the plan were.
    pub(super) async fn is_ours(
        &self,
        session: i32,
        plan: &AppendPlan,
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
    /// The database says why it has not written them.
    Refused(String),
    Other(CommitFailure),
}

impl AppendFailure {
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, AppendFailure::Other(failure) if failure.is_unknown)
    }
}

impl From<AppendFailure> for CommitFailure {
    fn from(failure: AppendFailure) -> CommitFailure {
        match failure {
            AppendFailure::Duplicate => certain("the database has other events of these streams"),
            AppendFailure::Refused(cause) => certain(&cause),
            AppendFailure::Other(failure) => failure,
        }
    }
}

impl From<CommitFailure> for AppendFailure {
    fn from(failure: CommitFailure) -> AppendFailure {
        AppendFailure::Other(failure)
    }
}

/// A failure after which nothing has been written.
pub(super) fn certain(cause: &str) -> CommitFailure {
    CommitFailure {
        cause: cause.to_owned(),
        is_unknown: false,
        is_final: false,
    }
}

/// After another server has declared the session dead.
pub(super) fn replaced(sharing: Sharing) -> CommitFailure {
    let cause = match sharing {
        Sharing::Alone => {
            "another server has taken over the database; this one has to be restarted"
        }
        Sharing::Cluster => "another node has declared this one dead; it has to be restarted",
    };
    CommitFailure {
        cause: cause.to_owned(),
        is_unknown: false,
        is_final: true,
    }
}

/// The failure of a statement that writes no events.
pub(super) fn failed(error: Error) -> CommitFailure {
    certain(&cause(&error))
}

/// Sets what statements and their commits need. Nothing may end a statement in its middle. A server that the
/// network has lost frees its locks soon.
pub(super) async fn configure(client: &Client) -> Result<(), Error> {
    let settings = "
        SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = '1s';
        SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 2;
        SET tcp_user_timeout = '10s'";
    client.batch_execute(settings).await
}

/// Sets what a commit survives.
pub(super) async fn make_durable(client: &Client, durability: Durability) -> Result<(), Error> {
    let commits = match durability {
        Durability::PowerLoss => SURVIVE_POWER_LOSS,
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

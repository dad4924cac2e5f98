//! `checkers-server cluster`: what an operator asks of the nodes, through their database.

use std::io::{self, Write};

use clap::{Args, Subcommand};
use event_store::{
    ClusterAdmin, ClusterView, MembershipError, PostgresError, SessionView, ShardId, StoreAddress,
};

/// What the operator wants of a cluster.
#[derive(Clone, Debug, Args)]
pub(crate) struct ClusterArgs {
    #[command(subcommand)]
    task: ClusterTask,

    /// The database of the cluster, as for the server
    #[arg(
        long,
        global = true,
        env = "CHECKERS_STORE",
        hide_env_values = true,
        value_name = "STORE"
    )]
    store: Option<StoreAddress>,
}

#[derive(Clone, Debug, Subcommand)]
enum ClusterTask {
    /// List the nodes, and how many of the 256 parts of the tables each has
    Status,
    /// Let a node hand over its tables and end; as SIGTERM does on its machine
    Drain {
        /// Name of the node
        node: String,
    },
    /// Share the tables between the nodes now, not ten seconds after one has joined
    Rebalance,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClusterError {
    #[error("a cluster has its store in PostgreSQL: name it with --store postgres://…")]
    NoDatabase,
    #[error("cannot use the database of the cluster")]
    Database(#[from] PostgresError),
    #[error(transparent)]
    Membership(#[from] MembershipError),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Executes a command, and prints the nodes.
pub(crate) async fn run(args: ClusterArgs) -> Result<(), ClusterError> {
    let Some(StoreAddress::Postgres(address)) = args.store else {
        return Err(ClusterError::NoDatabase);
    };
    let mut admin = ClusterAdmin::connect(address).await?;
    let view = match args.task {
        ClusterTask::Status => admin.status().await?,
        ClusterTask::Drain { node } => {
            admin.drain(&node).await?;
            admin.status().await?
        }
        ClusterTask::Rebalance => admin.rebalance().await?,
    };
    io::stdout().lock().write_all(table(&view).as_bytes())?;
    Ok(())
}

/// The nodes as a table.
fn table(view: &ClusterView) -> String {
    let head = ["node", "session", "address", "shards", "state"].map(str::to_owned);
    let mut rows = vec![head];
    let mut sessions: Vec<&SessionView> = view.sessions.iter().collect();
    sessions.sort_by_key(|session| (&session.name, session.id));
    for session in sessions {
        let owned = (view.shards.iter())
            .filter(|(_, owner, _)| *owner == Some(session.id))
            .map(|(shard, _, _)| *shard);
        let owned: Vec<ShardId> = owned.collect();
        let mut states = Vec::new();
        if owned.contains(&ShardId::LOBBY) {
            states.push("has the lobby".to_owned());
        }
        if session.draining {
            states.push("draining".to_owned());
        }
        if session.surplus > 0 {
            states.push(format!("hands over {}", session.surplus));
        }
        rows.push([
            session.name.clone(),
            session.id.to_string(),
            session.address.clone(),
            owned.len().to_string(),
            states.join(", "),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..5).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    let is_free = |owner: Option<i32>| {
        owner.is_none_or(|owner| view.sessions.iter().all(|session| session.id != owner))
    };
    let free = view.shards.iter().filter(|(_, owner, _)| is_free(*owner));
    let free = free.count();
    if free > 0 {
        text += &format!("shards without a node: {free}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_listed_with_their_shards() {
        let session = |id, name: &str, draining| SessionView {
            id,
            name: name.to_owned(),
            address: format!("10.0.0.{id}:43211"),
            beat: 1,
            draining,
            surplus: 0,
        };
        let view = ClusterView {
            sessions: vec![session(1, "bertha", true), session(2, "a", false)],
            shards: vec![
                (ShardId(0), Some(2), 1),
                (ShardId(1), Some(1), 1),
                (ShardId(2), Some(1), 4),
                (ShardId(3), Some(9), 4),
            ],
        };
        assert_eq!(
            table(&view),
            "\
node    session  address         shards  state
a       2        10.0.0.2:43211  1       has the lobby
bertha  1        10.0.0.1:43211  2       draining
shards without a node: 1
"
        );
    }
}

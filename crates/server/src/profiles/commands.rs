//! `checkers-server profiles`: what players' pages say of openings and endings, from the command line.

use std::io::{self, Write};

use clap::{Args, Subcommand};
use event_store::{OpenError, ReadError, StoreAddress};

use super::Profiles;

/// What to do with players' pages. Works while the server runs, and while it does not.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProfileArgs {
    #[command(subcommand)]
    command: ProfileCommand,
}

#[derive(Clone, Debug, Subcommand)]
enum ProfileCommand {
    /// Find the openings and endings of all games in the archive again
    Recompute,
}

/// Why a command fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProfileCommandError {
    #[error("cannot open {0}")]
    Open(StoreAddress, #[source] OpenError),
    #[error("cannot read or write the games")]
    Store(#[from] ReadError),
    #[error("cannot print")]
    Output(#[from] io::Error),
}

/// Executes a command on the games of a store.
pub(crate) async fn run(
    ProfileArgs { command }: ProfileArgs,
    address: StoreAddress,
) -> Result<(), ProfileCommandError> {
    let ProfileCommand::Recompute = command;
    let opened = address.clone().open_tables();
    let tables = opened.map_err(|error| ProfileCommandError::Open(address, error))?;
    let games = Profiles::new(tables).recompute().await?;
    writeln!(io::stdout(), "{games} games")?;
    Ok(())
}

//! `checkers-server account`: accounts, from the command line.

use std::io::{self, Write};

use checkers_lib::protocol::Registration;
use clap::{Args, Subcommand};

use super::{AccountEntry, AccountError, Accounts};
use crate::store::{OpenError, StoreAddress};

/// Accounts that are read in one go.
const CHUNK: u32 = 1000;

/// What to do with accounts. Works while the server runs, and while it does not.
#[derive(Clone, Debug, Args)]
pub struct AccountArgs {
    #[command(subcommand)]
    command: AccountCommand,
}

#[derive(Clone, Debug, Subcommand)]
enum AccountCommand {
    /// Print all accounts by name, with their roles
    List,
    /// Print a code that signs in to an account, once, within a day: for an owner who has lost all secrets
    Link {
        /// Name of the account
        name: String,
    },
    /// Delete an account: its games stay, under another name, from which a server that runs or starts removes
    /// the old one
    Delete {
        /// Name of the account
        name: String,
    },
    /// Print a code for one new account, within a day, for a server with --registration invitation
    Invite,
}

/// Why a command fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AccountCommandError {
    #[error("cannot open {0}")]
    Open(StoreAddress, #[source] OpenError),
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error("there is no account {0:?}")]
    NoSuchAccount(String),
    #[error("cannot print")]
    Output(#[from] io::Error),
}

/// Executes a command on the accounts of a store.
pub(crate) async fn run(
    AccountArgs { command }: AccountArgs,
    address: StoreAddress,
) -> Result<(), AccountCommandError> {
    let opened = address.clone().open_tables();
    let tables = opened.map_err(|error| AccountCommandError::Open(address, error))?;
    let accounts = Accounts::new(tables, Registration::Closed);
    let mut out = io::stdout().lock();
    match command {
        AccountCommand::List => {
            let mut last = String::new();
            loop {
                let entries = accounts.list(&last, CHUNK).await?;
                let Some(entry) = entries.last() else {
                    return Ok(());
                };
                last.clone_from(&entry.name);
                for AccountEntry { name, role } in &entries {
                    writeln!(out, "{role:13} {name}")?;
                }
            }
        }
        AccountCommand::Link { name } => {
            let code = accounts.link_to(&name).await?;
            let code = code.ok_or(AccountCommandError::NoSuchAccount(name))?;
            writeln!(out, "{code}")?;
        }
        AccountCommand::Delete { name } => {
            if !accounts.delete(&name).await? {
                return Err(AccountCommandError::NoSuchAccount(name));
            }
        }
        AccountCommand::Invite => writeln!(out, "{}", accounts.invite().await?)?,
    }
    Ok(())
}

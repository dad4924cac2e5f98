//! `checkers-server account`: accounts, from the command line.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use checkers_lib::protocol::Registration;
use clap::{Args, Subcommand};
use event_store::{OpenError, StoreAddress};

use super::{AccountEntry, AccountError, AccountRole, Accounts, NewBot, NewLink, Scopes, cards};

/// Accounts that are read in one go.
const CHUNK: u32 = 1000;

/// What to do with accounts. Works while the server runs, and while it does not.
#[derive(Clone, Debug, Args)]
pub(crate) struct AccountArgs {
    #[command(subcommand)]
    command: AccountCommand,
}

#[derive(Clone, Debug, Subcommand)]
enum AccountCommand {
    /// Print all accounts by name, with their roles
    List,
    /// Create an account for each name, for a class or a club, and print it with a single-use code to sign in. If a
    /// name is not available, no account is created
    Create {
        /// Names, each of 1 to 30 characters; `-` reads them from standard input, a line each
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
        /// How long the codes can be used
        #[arg(long, value_name = "TIME", default_value = "30days", value_parser = cli_kit::time)]
        valid: Duration,
        /// File for a page of cards to print, each with a name and its QR code; needs --page
        #[arg(long, value_name = "FILE", requires = "page")]
        cards: Option<PathBuf>,
        /// Where people find the server, such as http://192.168.1.5:43210
        #[arg(long, value_name = "URL")]
        page: Option<String>,
    },
    /// Print a single-use code that signs in to an account, and the path of the page that takes it, valid for a day:
    /// for an owner who cannot sign in
    Link {
        /// Name of the account
        name: String,
    },
    /// Delete an account; its games stay, under another name. A running server, or the next one to start, removes
    /// the old name
    Delete {
        /// Name of the account
        name: String,
    },
    /// Create a bot of the operator, and print its token, which does not expire
    CreateBot {
        /// Its name, to which `[bot]` is added
        name: String,
    },
    /// Give an account of a person a role
    Role {
        /// Name of the account
        name: String,
        role: AccountRole,
    },
    /// Print a code for one new account, and the path of the page that takes it, valid for a day, for a server with
    /// --registration invitation
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
    #[error("cannot read the names")]
    Input(#[source] io::Error),
    #[error("cannot write {}", .0.display())]
    Cards(PathBuf, #[source] io::Error),
    #[error("the address of the page is too long for a QR code")]
    LongPage(#[from] qrcode::types::QrError),
}

/// The lines of standard input that are not empty.
fn read_names() -> io::Result<Vec<String>> {
    let text = io::read_to_string(io::stdin())?;
    let names = text.lines().map(str::trim).filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
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
        AccountCommand::Create {
            names,
            valid,
            cards: file,
            page,
        } => {
            let names = match &names[..] {
                [dash] if dash == "-" => read_names().map_err(AccountCommandError::Input)?,
                _ => names,
            };
            let made = accounts.create(&names, valid).await?;
            for NewLink { name, code } in &made {
                writeln!(out, "{code}  {name}")?;
            }
            if let (Some(file), Some(page)) = (file, page) {
                let text = cards::html(&page, &made)?;
                let written = std::fs::write(&file, text);
                written.map_err(|error| AccountCommandError::Cards(file, error))?;
            }
        }
        AccountCommand::Link { name } => {
            let code = accounts.link_to(&name).await?;
            let code = code.ok_or(AccountCommandError::NoSuchAccount(name))?;
            writeln!(out, "{code}  /sign-in#{code}")?;
        }
        AccountCommand::Delete { name } => {
            if !accounts.delete(&name).await? {
                return Err(AccountCommandError::NoSuchAccount(name));
            }
        }
        AccountCommand::CreateBot { name } => {
            let NewBot { name, token } = accounts.create_bot(None, &name, Scopes::ALL).await?;
            writeln!(out, "{token}  {name}")?;
        }
        AccountCommand::Role { name, role } => {
            if !accounts.set_role(&name, role).await? {
                return Err(AccountCommandError::NoSuchAccount(name));
            }
        }
        AccountCommand::Invite => {
            let code = accounts.invite().await?;
            writeln!(out, "{code}  /invitation#{code}")?;
        }
    }
    Ok(())
}

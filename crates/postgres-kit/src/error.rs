//! What goes wrong with a database.

use tokio_postgres::error::{Severity, SqlState};

use super::address::PostgresAddress;

/// The classes of errors after which a statement may succeed later.
///
/// CITE: PostgreSQL documentation, appendix A: connection exception, invalid transaction state, transaction rollback,
/// insufficient resources, object not in prerequisite state, operator intervention, system error.
const TRANSIENT_CLASSES: [&str; 7] = ["08", "25", "40", "53", "55", "57", "58"];

/// Why a database cannot be used. No message contains a password.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// No server answers.
    #[error("cannot reach PostgreSQL at {server}: {cause}")]
    Unreachable {
        /// Its hosts.
        server: String,
        /// What failed.
        cause: String,
    },
    /// The authorities for its certificate cannot be read.
    #[error("cannot read the authorities for the certificate of PostgreSQL")]
    Authorities(#[source] std::io::Error),
    /// The server does not let the user in.
    #[error("PostgreSQL at {server} refuses user {user}: {cause}")]
    Refused {
        /// Its hosts.
        server: String,
        user: String,
        /// What the server says.
        cause: String,
    },
    /// There is no such database.
    #[error(
        "PostgreSQL at {server} has no database {database}: make it with `createdb --owner USER {database}`"
    )]
    NoDatabase {
        /// Its hosts.
        server: String,
        /// The name of the database.
        database: String,
    },
    /// The user may not do what the program needs.
    #[error("user {user} lacks rights in {address}, which the owner of a database has: {cause}")]
    Rights {
        user: String,
        /// The database.
        address: String,
        /// What the server says.
        cause: String,
    },
    /// The version of PostgreSQL is too old.
    #[error("PostgreSQL at {server} has version {found}; this program needs 15 or later")]
    TooOld {
        /// Its hosts.
        server: String,
        /// The version.
        found: String,
    },
    /// The database cannot store every text.
    #[error(
        "{address} has the encoding {found}: make it with `createdb --encoding UTF8 --template template0`"
    )]
    Encoding {
        /// The database.
        address: String,
        /// Its encoding.
        found: String,
    },
    /// The version of the schema is not a number.
    #[error(
        "{address} has the version {found:?} in the table {table}: the table is damaged or belongs to another program"
    )]
    Version {
        /// The database.
        address: String,
        /// The table with the versions.
        table: &'static str,
        /// What it has as its version.
        found: String,
    },
    /// The database was written by a later version of the program.
    #[error("{address} has version {found}; this program knows versions up to {known}")]
    Newer {
        /// The database.
        address: String,
        /// The version of its schema.
        found: u32,
        /// The latest one that is known here.
        known: u32,
    },
    /// The database has not been migrated, or has no tables of a server.
    #[error("{address} has {}: a server that starts there makes version {known}", tables(.found))]
    Older {
        /// The database.
        address: String,
        /// The version of its schema; 0 if it has none.
        found: u32,
        /// The one that is needed.
        known: u32,
    },
    /// The database has tables of another program.
    #[error("{address} has a {relation} of another program: use a database of its own")]
    Foreign {
        /// The database.
        address: String,
        /// The first table that is in the way.
        relation: String,
    },
    /// Another server uses it.
    #[error("another server uses {address}")]
    InUse {
        /// The database.
        address: String,
    },
    /// Nodes of a cluster use it.
    #[error("nodes of a cluster use {address}: another server joins them as a node")]
    InUseByNodes {
        /// The database.
        address: String,
    },
    /// A server that is no node uses it.
    #[error("a server that is no node uses {address}: nodes start once it has ended")]
    InUseAlone {
        /// The database.
        address: String,
    },
    /// The address of a node is not one.
    #[error(
        "node {name} needs the address at which other nodes reach it, HOST:PORT, not {address:?}"
    )]
    NodeAddress {
        /// The name of the node.
        name: String,
        /// What it has instead.
        address: String,
    },
    /// The server answers, but cannot serve the program at this moment.
    #[error("PostgreSQL at {server} is not available: {cause}")]
    Unavailable {
        /// Its hosts.
        server: String,
        /// What the server says.
        cause: String,
    },
    /// Another failure.
    #[error("cannot open {address}: {cause}")]
    Database {
        /// The database.
        address: String,
        /// What failed.
        cause: String,
    },
}

/// The tables of a version; version 0 has none.
fn tables(version: &u32) -> String {
    match version {
        0 => "no tables yet".to_owned(),
        _ => format!("tables of version {version}"),
    }
}

impl PostgresError {
    /// What an error means for a database that is opened.
    pub fn new(address: &PostgresAddress, error: &tokio_postgres::Error) -> PostgresError {
        let (server, user, cause) = (address.server(), address.user().to_owned(), cause(error));
        let shown = address.to_string();
        let Some(code) = error.code() else {
            return PostgresError::Unreachable { server, cause };
        };
        if [
            SqlState::INVALID_PASSWORD,
            SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
        ]
        .contains(code)
        {
            PostgresError::Refused {
                server,
                user,
                cause,
            }
        } else if *code == SqlState::INVALID_CATALOG_NAME {
            let database = address.database().to_owned();
            PostgresError::NoDatabase { server, database }
        } else if [
            SqlState::INSUFFICIENT_PRIVILEGE,
            SqlState::INVALID_SCHEMA_NAME,
        ]
        .contains(code)
        {
            let address = shown;
            PostgresError::Rights {
                user,
                address,
                cause,
            }
        } else if [SqlState::DUPLICATE_TABLE, SqlState::DUPLICATE_OBJECT].contains(code) {
            let message = error.as_db_error().map(|error| error.message());
            let relation = message.and_then(|message| message.split('"').nth(1));
            PostgresError::Foreign {
                address: shown,
                relation: format!("table {}", relation.unwrap_or("")),
            }
        } else if is_transient(error) {
            PostgresError::Unavailable { server, cause }
        } else {
            let address = shown;
            PostgresError::Database { address, cause }
        }
    }

    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            PostgresError::Unreachable { .. } | PostgresError::Unavailable { .. }
        )
    }
}

/// What failed, on one line.
pub fn cause(error: &tokio_postgres::Error) -> String {
    let Some(found) = error.as_db_error() else {
        return cli_kit::explain(error);
    };
    let hints = [found.detail(), found.hint()];
    let hints = hints.into_iter().flatten().map(|hint| format!(" ({hint})"));
    format!("{}{}", found.message(), hints.collect::<String>())
}

/// Whether a statement may succeed later: it had no answer, or it failed because of a server that ended, a full disk or
/// a deadlock.
pub fn is_transient(error: &tokio_postgres::Error) -> bool {
    let is_broken = || {
        let source = std::error::Error::source(error);
        error.is_closed() || source.is_some_and(|source| source.is::<std::io::Error>())
    };
    error.code().map_or_else(is_broken, |code| {
        TRANSIENT_CLASSES
            .iter()
            .any(|class| code.code().starts_with(class))
    })
}

/// Whether the server has rolled back the statement. Without an answer, or if its process ended, the
/// statement may have been committed, and may still be.
pub fn is_rolled_back(error: &tokio_postgres::Error) -> bool {
    let severity = error.as_db_error().map(|error| error.parsed_severity());
    severity == Some(Some(Severity::Error))
}

/// Whether a row with the same key exists.
pub fn is_duplicate(error: &tokio_postgres::Error) -> bool {
    error.code() == Some(&SqlState::UNIQUE_VIOLATION)
}

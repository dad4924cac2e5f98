//! Where a store is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use super::Store;
use super::config::{Durability, StoreConfig};
use super::error::OpenError;
use super::postgres::{PostgresAddress, PostgresAddressError, PostgresConfig, PostgresStore};
use super::sql::Sql;
use super::sqlite::{SqliteStore, SqliteTables};

/// Where a store is: `sqlite:DIRECTORY` or `postgres://…`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreAddress {
    /// A directory of this machine.
    Sqlite(PathBuf),
    /// A database.
    Postgres(PostgresAddress),
}

/// A text that is no address of a store. The text is not repeated: it may contain a password.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreAddressError {
    /// It has another form.
    #[error("expected sqlite:DIRECTORY or postgres://USER:PASSWORD@HOST/DATABASE")]
    Form,
    /// It is no URL of a database.
    #[error(transparent)]
    Postgres(#[from] PostgresAddressError),
}

impl StoreAddress {
    /// Opens the store, or makes it. Blocks.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(self, durability: Durability) -> Result<Arc<dyn Store>, OpenError> {
        Ok(match self {
            StoreAddress::Sqlite(directory) => {
                let config = StoreConfig::new(directory).durability(durability);
                Arc::new(SqliteStore::open(config)?)
            }
            StoreAddress::Postgres(address) => Arc::new(PostgresStore::open(PostgresConfig::new(
                address, durability,
            ))?),
        })
    }
}

impl StoreAddress {
    /// Opens the tables besides streams and archive, even if a server is using the store. Blocks.
    ///
    /// # Errors
    /// See [`OpenError`]; a store that does not exist, or has another version.
    pub fn open_tables(self) -> Result<Arc<dyn Sql>, OpenError> {
        Ok(match self {
            StoreAddress::Sqlite(directory) => Arc::new(SqliteTables::open(&directory)?),
            StoreAddress::Postgres(address) => Arc::new(PostgresStore::open_tables(address)?),
        })
    }
}

impl FromStr for StoreAddress {
    type Err = StoreAddressError;

    fn from_str(text: &str) -> Result<StoreAddress, StoreAddressError> {
        if let Some(directory) = text.strip_prefix("sqlite:")
            && !directory.is_empty()
        {
            Ok(StoreAddress::Sqlite(directory.into()))
        } else if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Ok(StoreAddress::Postgres(PostgresAddress::parse(text)?))
        } else {
            Err(StoreAddressError::Form)
        }
    }
}

impl fmt::Display for StoreAddress {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreAddress::Sqlite(directory) => write!(f, "sqlite:{}", directory.display()),
            StoreAddress::Postgres(address) => address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_that_of_a_directory_or_a_database() {
        for (text, shown) in [
            ("sqlite:data", "sqlite:data"),
            (
                "postgres://anna:secret@db/games",
                "postgres://anna@db:5432/games",
            ),
        ] {
            let address: StoreAddress = text.parse().unwrap();
            assert_eq!(address.to_string(), shown);
        }
        for text in ["data", "sqlite:", "mysql://db", ""] {
            assert_eq!(text.parse::<StoreAddress>(), Err(StoreAddressError::Form));
        }
    }
}

//! What is particular to a database of PostgreSQL.

mod cluster;
mod faults;
mod opening;
mod tls;

use event_store::{
    Durability, OpenError, PostgresAddress, PostgresConfig, PostgresError, PostgresStore,
};

fn try_open(url: &str) -> Result<PostgresStore, PostgresError> {
    let address = PostgresAddress::parse(url).unwrap();
    let config = PostgresConfig::new(address, Durability::Crash);
    PostgresStore::open(config).map_err(|error| match error {
        OpenError::Postgres(error) => error,
        error => panic!("{error}"),
    })
}

fn open_error(url: &str) -> PostgresError {
    try_open(url).err().unwrap()
}

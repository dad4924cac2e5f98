//! Nodes that share a database.

mod exclusion;
mod fencing;
mod migration;
mod ownership;

use event_store::{
    Durability, Membership, NodeIdentity, PostgresAddress, PostgresConfig, PostgresStore,
};
use tokio_postgres::{Client, NoTls};

/// Joins the cluster of a database as a node of this name.
fn join(url: &str, name: &str) -> (PostgresStore, Membership) {
    let address = PostgresAddress::parse(url).unwrap();
    let node = NodeIdentity {
        name: name.to_owned(),
        address: "127.0.0.1:43211".to_owned(),
    };
    PostgresStore::join(PostgresConfig::new(address, Durability::Crash), node).unwrap()
}

/// A connection without any settings.
async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

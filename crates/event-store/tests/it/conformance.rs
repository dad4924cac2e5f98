//! The contract of every store.

pub(crate) mod archive;
mod memory;
pub(crate) mod random;
mod streams;

use std::sync::Arc;

use event_store::{Durability, PostgresAddress, PostgresConfig, PostgresStore, Store};
use tempfile::TempDir;

pub(crate) use memory::Memory;
use test_support::PostgresServer;

/// Where the stores of one test are kept; the first one is empty.
pub(crate) trait Backend: Sync {
    /// Opens the store, after the one before has been closed.
    fn open(&self) -> Arc<dyn Store>;
}

/// Stores in a directory of their own.
pub(crate) struct Sqlite(TempDir);

impl Sqlite {
    pub(crate) fn new() -> Option<Sqlite> {
        Some(Sqlite(tempfile::tempdir().unwrap()))
    }
}

impl Backend for Sqlite {
    fn open(&self) -> Arc<dyn Store> {
        Arc::new(crate::support::open(self.0.path()))
    }
}

/// Stores in a database of their own.
pub(crate) struct Postgres(String);

impl Postgres {
    pub(crate) fn new() -> Option<Postgres> {
        Some(Postgres(PostgresServer::shared()?.database()))
    }
}

impl Backend for Postgres {
    fn open(&self) -> Arc<dyn Store> {
        Arc::new(open_database(&self.0))
    }
}

/// Opens a database without waiting for the disk.
pub(crate) fn open_database(url: &str) -> PostgresStore {
    open_durable(url, Durability::Crash)
}

/// Opens a database.
pub(crate) fn open_durable(url: &str, durability: Durability) -> PostgresStore {
    let address = PostgresAddress::parse(url).unwrap();
    PostgresStore::open(PostgresConfig::new(address, durability)).unwrap()
}

/// One store in memory.
pub(crate) struct InMemory(Arc<Memory>);

impl InMemory {
    pub(crate) fn new() -> Option<InMemory> {
        Some(InMemory(Arc::new(Memory::new())))
    }
}

impl Backend for InMemory {
    fn open(&self) -> Arc<dyn Store> {
        self.0.open_again();
        Arc::clone(&self.0) as Arc<dyn Store>
    }
}

/// Makes a test of each function for each backend.
macro_rules! tests {
    ($($test:ident)*) => {
        crate::conformance::tests_of! { sqlite Sqlite $($test)* }
        crate::conformance::tests_of! { postgres Postgres $($test)* }
        crate::conformance::tests_of! { memory InMemory $($test)* }
    };
}
pub(crate) use tests;

/// Makes a test of each function for one backend, which is skipped where the backend is not available.
macro_rules! tests_of {
    ($module:ident $backend:ident $($test:ident)*) => {
        mod $module {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $test() {
                    if let Some(backend) = crate::conformance::$backend::new() {
                        super::$test(&backend).await;
                    }
                }
            )*
        }
    };
}
pub(crate) use tests_of;

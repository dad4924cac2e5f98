//! The contract of every store.

pub(crate) mod archive;
mod streams;

use std::sync::Arc;

use checkers_server::store::Store;
use tempfile::TempDir;

/// Where the stores of one test are kept; the first one is empty.
pub(crate) trait Backend {
    /// Opens the store, after the one before has been closed.
    fn open(&self) -> Arc<dyn Store>;
}

/// Stores in a directory of their own.
pub(crate) struct Sqlite(TempDir);

impl Sqlite {
    pub(crate) fn new() -> Sqlite {
        Sqlite(tempfile::tempdir().unwrap())
    }
}

impl Backend for Sqlite {
    fn open(&self) -> Arc<dyn Store> {
        Arc::new(crate::store::support::open(self.0.path()))
    }
}

/// Makes a test of each function for each backend.
macro_rules! tests {
    ($($test:ident)*) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $test() {
                    super::$test(&crate::store::conformance::Sqlite::new()).await;
                }
            )*
        }
    };
}
pub(crate) use tests;

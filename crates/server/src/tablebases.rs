//! Endgame tablebase probes for the HTTP API.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use checkers_engine::tablebase::{ProbeError, Report, Tablebases};
use checkers_lib::Position;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tracing::warn;

/// The maximum number of concurrent probes; further ones queue.
const MAX_CONCURRENT: usize = 2;

/// How long a probe may wait in the queue.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// The endgame tablebases. Probes may block on disk, so a few run at a time on blocking threads.
/// Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct TablebaseService {
    tables: Tablebases,
    permits: Arc<Semaphore>,
}

/// Why a probe failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProbeFailure {
    #[error("too many ask about endings: try again")]
    Busy,
    #[error("{pieces} pieces, and the tables here know positions of up to {most}")]
    TooManyPieces { pieces: u32, most: u8 },
    #[error(transparent)]
    Probe(ProbeError),
    #[error("the server goes down")]
    ShuttingDown,
}

impl TablebaseService {
    /// Opens the tablebases in a directory and the built-in ones, and shares them with the bots of
    /// this process. Unusable files are logged and skipped.
    pub(crate) fn open(dir: Option<&Path>) -> TablebaseService {
        let tables = Tablebases::load(dir, |fault| warn!(fault, "a table of endings is not used"));
        tables.clone().share();
        TablebaseService {
            tables,
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT)),
        }
    }

    /// Reports what the tablebases know about a position.
    pub(crate) async fn report(&self, position: Position) -> Result<Report, ProbeFailure> {
        let (pieces, most) = (position.occupied().len(), self.tables.most_pieces());
        if pieces > most.into() {
            return Err(ProbeFailure::TooManyPieces { pieces, most });
        }
        let permit = timeout(QUEUE_TIMEOUT, Arc::clone(&self.permits).acquire_owned()).await;
        let permit = permit.map_err(|_| ProbeFailure::Busy)?;
        let tables = self.tables.clone();
        let asked = spawn_blocking(move || {
            // The requester may be gone, but the permit lasts as long as the work.
            let _permit = permit;
            tables.report(&position)
        });
        let answer = asked.await.map_err(|_| ProbeFailure::ShuttingDown)?;
        answer.map_err(ProbeFailure::Probe)
    }
}

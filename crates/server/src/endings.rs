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
const AT_ONCE: usize = 2;

/// How long a probe may queue.
const PATIENCE: Duration = Duration::from_secs(5);

/// The tables, asked by a few at a time, on threads that may wait for the disk. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Endings {
    tables: Tablebases,
    turns: Arc<Semaphore>,
}

/// Why a probe failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoAnswer {
    #[error("too many ask about endings: try again")]
    Busy,
    #[error("{pieces} pieces, and the tables here know positions of up to {most}")]
    TooManyPieces { pieces: u32, most: u8 },
    #[error(transparent)]
    Unknown(ProbeError),
    #[error("the server goes down")]
    GoesDown,
}

impl Endings {
    /// The tables of a directory, if there is one, and those of the program. The bots of this process
    /// ask them as well. What cannot be used is logged and left out.
    pub(crate) fn open(dir: Option<&Path>) -> Endings {
        let tables = Tablebases::load(dir, |fault| warn!(fault, "a table of endings is not used"));
        tables.clone().share();
        tables.begin_to_prepare();
        Endings {
            tables,
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// All that the tables say about a position, once it is this question's turn.
    pub(crate) async fn report(&self, position: Position) -> Result<Report, NoAnswer> {
        let (pieces, most) = (position.occupied().len(), self.tables.most_pieces());
        if pieces > most.into() {
            return Err(NoAnswer::TooManyPieces { pieces, most });
        }
        let turn = timeout(PATIENCE, Arc::clone(&self.turns).acquire_owned()).await;
        let turn = turn.map_err(|_| NoAnswer::Busy)?;
        let tables = self.tables.clone();
        let asked = spawn_blocking(move || {
            // Whoever asked may be gone, but the turn lasts as long as the work.
            let _turn = turn;
            tables.report(&position)
        });
        let answer = asked.await.map_err(|_| NoAnswer::GoesDown)?;
        answer.map_err(NoAnswer::Unknown)
    }
}

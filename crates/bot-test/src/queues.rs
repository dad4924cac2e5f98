//! The queues of a tournament's workers: pairings to them, reports from them.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc};

use crate::{Failure, GameRecord, PairRecord, Pairing};

/// The most queued reports of all workers. When the queue is full, workers wait.
const QUEUED_REPORTS: usize = 256;

/// What a worker reports.
#[derive(Debug)]
pub(crate) enum WorkerReport {
    /// A game is over; its pairing may not be. Workers that play too fast for people to follow may
    /// skip it.
    Over(Box<GameRecord>),
    /// A pairing is played.
    Done(PairRecord),
    /// The worker has failed and plays no more.
    Failed(Failure),
}

/// Where workers send their reports.
pub(crate) type Reports = mpsc::Sender<WorkerReport>;

/// A queue for the reports of all workers.
pub(crate) fn reports() -> (Reports, mpsc::Receiver<WorkerReport>) {
    mpsc::channel(QUEUED_REPORTS)
}

/// The pairings that wait to be played: whichever worker is free takes the next.
#[derive(Clone, Debug)]
pub(crate) struct Jobs(Arc<Mutex<mpsc::Receiver<Pairing>>>);

/// A queue of pairings with this capacity.
pub(crate) fn jobs(waiting: usize) -> (mpsc::Sender<Pairing>, Jobs) {
    let (sender, receiver) = mpsc::channel(waiting);
    (sender, Jobs(Arc::new(Mutex::new(receiver))))
}

impl Jobs {
    /// The next pairing, when there is one; `None` when there will be none. Cancelling loses
    /// nothing.
    pub(crate) async fn next(&self) -> Option<Pairing> {
        self.0.lock().await.recv().await
    }

    /// The same, for a thread of its own.
    pub(crate) fn blocking_next(&self) -> Option<Pairing> {
        self.0.blocking_lock().blocking_recv()
    }
}

//! A place where pairings are played, one after the other: what it is given and what it tells.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc};

use crate::{Failure, GameRecord, PairRecord, Pairing};

/// How many reports of all slots may wait to be looked at; a slot that tells more has to wait.
const QUEUED_REPORTS: usize = 256;

/// What a slot tells.
#[derive(Debug)]
pub(crate) enum News {
    /// A game is over; its pairing may not be. A slot that plays too fast for people to follow
    /// need not tell.
    Over(Box<GameRecord>),
    /// A pairing is played.
    Done(PairRecord),
    /// The slot has failed and plays no more.
    Failed(Failure),
}

/// Where slots tell their news.
pub(crate) type Reports = mpsc::Sender<News>;

/// A queue for the news of all slots.
pub(crate) fn reports() -> (Reports, mpsc::Receiver<News>) {
    mpsc::channel(QUEUED_REPORTS)
}

/// The pairings that wait to be played: whichever slot is free takes the next.
#[derive(Clone, Debug)]
pub(crate) struct Jobs(Arc<Mutex<mpsc::Receiver<Pairing>>>);

/// A queue of pairings, so many of which may wait.
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

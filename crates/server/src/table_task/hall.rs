//! Where a table's desk stands: at hand for whoever brings a move, or taken by the table's task.
//!
//! A move is played by the session that brings it, and told by the log's runner once it is durable, so
//! that no task has to be woken for it. Everything else, and whatever has to wait, is left to the
//! table's task, which takes the desk for that.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::{Notify, oneshot};

use super::clients::{AT_ONCE, Undelivered};
use super::desk::{Desk, Write};
use crate::metrics::Metrics;
use crate::store::{OnAppended, Receipt, Seq, WriteError};
use crate::table::{ClientId, Command};

/// A desk's place. Its lock is held for moments only.
#[derive(Debug)]
pub(super) struct Hall {
    state: Mutex<State>,
    /// Calls the task to the desk.
    bell: Notify,
    /// Whether the task is no more.
    is_closed: AtomicBool,
    metrics: Arc<Metrics>,
}

#[derive(Debug)]
pub(super) struct State {
    /// `None` while the task has it.
    desk: Option<Box<Desk>>,
    /// Requests that were sent to the task and that it has not served.
    queued: usize,
    /// When the task comes by itself.
    alarm: Option<Instant>,
    /// Who waits for what becomes of the move that is held, if that is the task.
    answer: Option<oneshot::Sender<Result<Seq, WriteError>>>,
}

/// What came of sending something.
pub(super) trait Sent {
    fn is_sent(&self) -> bool;
}

impl Sent for () {
    fn is_sent(&self) -> bool {
        true
    }
}

impl<E> Sent for Result<(), E> {
    fn is_sent(&self) -> bool {
        self.is_ok()
    }
}

/// What is at hand for a delivery.
#[derive(Default)]
struct Delivery {
    undelivered: Undelivered,
    buffer: Vec<u8>,
}

thread_local! {
    /// One for all tables, so that it stays in the processor's cache.
    static DELIVERY: RefCell<Delivery> = RefCell::default();
}

impl Hall {
    /// A hall with a desk to which the task comes first, as if so many requests for it had been sent.
    pub(super) fn new(desk: Desk, queued: usize) -> Hall {
        let metrics = Arc::clone(&desk.metrics);
        let state = State {
            desk: Some(Box::new(desk)),
            queued,
            alarm: None,
            answer: None,
        };
        Hall {
            state: Mutex::new(state),
            bell: Notify::new(),
            is_closed: AtomicBool::new(false),
            metrics,
        }
    }

    /// Sends something to the task with `send`, if it can. Until it has been served everything goes that
    /// way, so that nothing overtakes it.
    pub(super) fn count<T: Sent>(&self, send: impl FnOnce() -> T) -> T {
        self.lock().count(send)
    }

    /// Plays a move that came at this moment; sends it to the task with `send` if that is not possible
    /// at once.
    pub(super) fn play<E>(
        self: &Arc<Hall>,
        who: ClientId,
        command: Command,
        arrived: Instant,
        send: impl FnOnce(Command) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut state = self.lock();
        let is_next = state.queued == 0;
        match &mut state.desk {
            Some(desk) if is_next && desk.is_free(arrived) => {
                desk.play(who, command, arrived, Arc::clone(self) as _);
                let is_sooner = state.is_due_sooner();
                self.go_on(state, is_sooner);
                Ok(())
            }
            _ => state.count(|| send(command)),
        }
    }

    /// Tells what there is to tell, or calls the task if there is more to do or it is `wanted`.
    fn go_on(&self, state: MutexGuard<'_, State>, wanted: bool) {
        let Some(desk) = &state.desk else {
            return;
        };
        if desk.held.is_none() {
            desk.glance.moved(&desk.table);
        }
        let undelivered = desk.clients.undelivered();
        let is_little = undelivered.queues.len() <= AT_ONCE;
        if wanted || desk.wants_task() || !is_little {
            self.bell.notify_one();
        }
        if is_little && !undelivered.is_empty() {
            self.flush(state);
        }
    }

    /// Writes what waits for clients; not with the desk locked, since that takes its time.
    fn flush(&self, mut state: MutexGuard<'_, State>) {
        DELIVERY.with_borrow_mut(|delivery| {
            let Delivery {
                undelivered,
                buffer,
            } = delivery;
            if let Some(desk) = &mut state.desk {
                desk.clients.swap_undelivered(undelivered);
            }
            drop(state);
            for queue in undelivered.queues.drain(..) {
                queue.flush(buffer, &self.metrics);
            }
            undelivered.sent(&self.metrics);
        });
    }

    /// Takes the desk for the task; with the promise of an answer if a move waits for the log.
    pub(super) fn take(&self) -> Option<(Box<Desk>, Option<Receipt>)> {
        let mut state = self.lock();
        let desk = state.desk.take()?;
        let held = desk.held.as_ref();
        let waits = held.is_some_and(|held| matches!(held.write, Write::Queued));
        let receipt = waits.then(|| {
            let (answer, receipt) = oneshot::channel();
            state.answer = Some(answer);
            Receipt::new(receipt)
        });
        Some((desk, receipt))
    }

    /// Puts the desk back, after so many requests were served. Returns when the task is to come by
    /// itself.
    pub(super) fn put_back(&self, desk: Box<Desk>, served: usize) -> Option<Instant> {
        let mut state = self.lock();
        state.queued = state.queued.saturating_sub(served);
        state.alarm = desk.next_due();
        state.desk = Some(desk);
        state.alarm
    }

    /// Takes in that the task is no more.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Release);
    }

    /// Whether the task is no more.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Acquire)
    }

    /// Waits until the task is wanted at the desk.
    pub(super) async fn called(&self) {
        self.bell.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether something is due before the task comes by itself; then it is to come sooner.
    fn is_due_sooner(&mut self) -> bool {
        let due = self.desk.as_ref().and_then(|desk| desk.next_due());
        let is_sooner = due.is_some_and(|due| self.alarm.is_none_or(|alarm| due < alarm));
        if is_sooner {
            self.alarm = due;
        }
        is_sooner
    }

    fn count<T: Sent>(&mut self, send: impl FnOnce() -> T) -> T {
        let sent = send();
        self.queued += usize::from(sent.is_sent());
        sent
    }
}

impl OnAppended for Hall {
    fn appended(self: Arc<Hall>, outcome: Result<Seq, WriteError>) {
        let mut state = self.lock();
        if let Some(desk) = &mut state.desk {
            desk.appended(outcome.map(drop));
            // When something is due was seen as the move was played: to be told late puts it off at most.
            self.go_on(state, false);
        } else if let Some(answer) = state.answer.take() {
            // The task waits for it, unless it was cut off.
            let _ = answer.send(outcome);
        }
    }
}

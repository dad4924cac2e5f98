//! What a client is told that can wait: that its own move was played.
//!
//! A write to a client costs more than all else that is done with a move, and who has made the move
//! knows of it. While the server has its hands full that goes out in one write with the next thing the
//! client is told, which mostly is the answer to its move, or after [`LONGEST`]. While there is time to
//! spare nothing waits.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::{Handle, RuntimeMetrics};
use tokio::task::yield_now;

use super::clients::AT_ONCE;
use super::outbox::{Outbox, Unsent};
use crate::metrics::Metrics;

/// How long anything waits at most, but for what the timer is late.
const LONGEST: Duration = Duration::from_millis(100);

/// Between two looks at what waits.
const LOOK: Duration = Duration::from_millis(5);

/// Between two looks at how busy the server is: long enough to see several commits, for which its
/// threads wait together.
const SPELL: Duration = Duration::from_millis(50);

/// The server has its hands full when its threads are busy for so many hundredths of the time; the
/// rest is the store's.
const BUSY: u32 = 66;

/// Frames that are looked after at most, those that have gone out meanwhile included. What comes
/// beyond that does not wait.
const MOST: usize = 16 * 1024;

/// Frames that are looked after before others have their turn. Where games go on most have gone out by
/// then: to wait for the next turn with every few of them would be never to come to their end.
const LOOKED_AT_AT_ONCE: usize = 1024;

/// What waits for the clients of all tables; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Later {
    state: Arc<Mutex<State>>,
    /// Where it is seen to: whoever has something that can wait may be on a thread of the store.
    runtime: Option<Handle>,
    metrics: Arc<Metrics>,
}

#[derive(Debug, Default)]
struct State {
    /// What waits, in the order of its coming.
    waiting: VecDeque<Unsent>,
    is_busy: bool,
    /// Whether somebody looks after it: only while things come.
    is_watched: bool,
    /// Whether anything has come since the last look.
    has_come: bool,
}

impl Later {
    pub(crate) fn new(metrics: Arc<Metrics>) -> Later {
        Later {
            state: Arc::default(),
            runtime: Handle::try_current().ok(),
            metrics,
        }
    }

    /// Takes it on to send what waits in an outbox, if that can wait now; `false` if it is to be sent
    /// at once.
    pub(super) fn takes(&self, outbox: &Outbox) -> bool {
        let Some(runtime) = &self.runtime else {
            return false;
        };
        let mut state = self.lock();
        state.has_come = true;
        if !state.is_watched {
            state.is_watched = true;
            runtime.spawn(self.clone().watch());
        }
        let can_wait = state.is_busy && state.waiting.len() < MOST;
        if can_wait {
            state.waiting.push_back(outbox.unsent());
        }
        can_wait
    }

    /// Looks after what waits until nothing has come for a while.
    async fn watch(self) {
        let mut load = Load::now();
        let mut buffer = Vec::new();
        loop {
            tokio::time::sleep(LOOK).await;
            let age = if self.is_busy(&mut load) {
                LONGEST - LOOK
            } else {
                Duration::ZERO
            };
            self.send_older_than(age, &mut buffer).await;
            if self.is_quiet() {
                return;
            }
        }
    }

    /// Whether the server has its hands full, by the latest look.
    fn is_busy(&self, load: &mut Load) -> bool {
        let mut state = self.lock();
        if let Some(is_high) = load.is_high() {
            state.is_busy = is_high;
        }
        state.is_busy
    }

    async fn send_older_than(&self, age: Duration, buffer: &mut Vec<u8>) {
        let now = Instant::now();
        let (mut looked_at, mut written) = (0, 0);
        loop {
            let next = self.lock().next_older_than(age, now);
            let Some(unsent) = next else {
                return;
            };
            let is_written = unsent.flush(buffer, &self.metrics);
            (looked_at, written) = (looked_at + 1, written + usize::from(is_written));
            if is_written && written % AT_ONCE == 0 || looked_at % LOOKED_AT_AT_ONCE == 0 {
                yield_now().await;
            }
        }
    }

    /// Whether nothing has come since this was asked last; then nobody looks after it any more.
    fn is_quiet(&self) -> bool {
        let mut state = self.lock();
        let is_quiet = !std::mem::take(&mut state.has_come) && state.waiting.is_empty();
        if is_quiet {
            *state = State::default();
        }
        is_quiet
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next_older_than(&mut self, age: Duration, now: Instant) -> Option<Unsent> {
        let is_old = |unsent: &mut Unsent| now.saturating_duration_since(unsent.since) >= age;
        self.waiting.pop_front_if(is_old)
    }
}

/// How busy the threads of the runtime are.
struct Load {
    runtime: RuntimeMetrics,
    at: Instant,
    /// How long all of them together had been until then.
    busy: Duration,
}

impl Load {
    fn now() -> Load {
        Load::of(Handle::current().metrics())
    }

    fn of(runtime: RuntimeMetrics) -> Load {
        let of_thread = |thread| runtime.worker_total_busy_duration(thread);
        Load {
            at: Instant::now(),
            busy: (0..runtime.num_workers()).map(of_thread).sum(),
            runtime,
        }
    }

    /// Whether they had their hands full in the last while, once it is over.
    fn is_high(&mut self) -> Option<bool> {
        if self.at.elapsed() < SPELL {
            return None;
        }
        let before = std::mem::replace(self, Load::of(self.runtime.clone()));
        let threads = u32::try_from(self.runtime.num_workers()).unwrap_or(u32::MAX);
        let time = self.at.saturating_duration_since(before.at);
        let busy = self.busy.saturating_sub(before.busy);
        Some(busy.saturating_mul(100) >= time.saturating_mul(threads).saturating_mul(BUSY))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::pin::pin;
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::Ordering::Relaxed;
    use std::task::{Context, Wake, Waker};

    use checkers_lib::protocol::ServerMessage;

    use super::super::frame::Frame;
    use super::super::outbox::{Frames, Outgoing, outbox};
    use super::*;

    impl Later {
        /// For a server that has its hands full for ever.
        pub(in super::super) fn busy() -> Later {
            let later = Later::new(Arc::new(Metrics::new()));
            let mut state = later.lock();
            (state.is_busy, state.is_watched) = (true, true);
            drop(state);
            later
        }
    }

    /// Whether a connection's task was woken.
    #[derive(Default)]
    pub(in super::super) struct Bell(AtomicBool);

    impl Bell {
        pub(in super::super) fn has_rung(&self) -> bool {
            self.0.load(Relaxed)
        }
    }

    impl Wake for Bell {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Relaxed);
        }
    }

    /// Lets a connection's task wait for something to do.
    pub(in super::super) fn waits(frames: &mut Frames) -> Arc<Bell> {
        let bell = Arc::<Bell>::default();
        let waker = Waker::from(Arc::clone(&bell));
        let next = pin!(frames.next());
        assert!(next.poll(&mut Context::from_waker(&waker)).is_pending());
        bell
    }

    fn told() -> (Outbox, Frames) {
        let (outbox, frames) = outbox();
        assert!(outbox.queue(&Frame::new(&ServerMessage::Unqueued)));
        (outbox, frames)
    }

    #[tokio::test]
    async fn nothing_waits_while_there_is_time_to_spare() {
        let later = Later::new(Arc::new(Metrics::new()));
        assert!(!later.takes(&told().0));
    }

    #[tokio::test(start_paused = true)]
    async fn what_waits_goes_out_when_there_is_time_to_spare_again() {
        let later = Later::busy();
        let (outbox, mut frames) = told();
        assert!(later.takes(&outbox));
        later.clone().watch().await;
        assert!(matches!(frames.next().await, Outgoing::Frame(_)));
        assert!(!later.takes(&outbox), "it is not busy");
    }

    #[tokio::test]
    async fn nothing_waits_for_longer_than_it_may() {
        let later = Later::busy();
        let (outbox, _frames) = told();
        assert!(later.takes(&outbox));
        let mut state = later.lock();
        let since = state.waiting[0].since;
        let early = since + LONGEST - Duration::from_nanos(1);
        assert!(state.next_older_than(LONGEST, early).is_none());
        assert!(state.next_older_than(LONGEST, since + LONGEST).is_some());
    }

    #[tokio::test]
    async fn what_has_gone_out_meanwhile_does_not_take_what_came_after_it_along() {
        let later = Later::busy();
        let (outbox, mut frames) = told();
        assert!(later.takes(&outbox));
        assert!(
            frames.try_next().is_some(),
            "it goes out with something else"
        );
        let woken = waits(&mut frames);
        assert!(outbox.queue(&Frame::new(&ServerMessage::Unqueued)));
        assert!(later.takes(&outbox));
        let send = || {
            let unsent = later.lock().waiting.pop_front().unwrap();
            unsent.flush(&mut Vec::new(), &later.metrics);
            woken.has_rung()
        };
        assert_eq!([send(), send()], [false, true]);
    }

    #[tokio::test]
    async fn what_has_gone_out_is_passed_without_a_turn_for_every_few() {
        let later = Later::busy();
        for _ in 0..LOOKED_AT_AT_ONCE {
            let (outbox, mut frames) = told();
            assert!(later.takes(&outbox) && frames.try_next().is_some());
        }
        let mut buffer = Vec::new();
        let mut looks = pin!(later.send_older_than(Duration::ZERO, &mut buffer));
        let mut context = Context::from_waker(Waker::noop());
        let turns =
            std::iter::from_fn(|| looks.as_mut().poll(&mut context).is_pending().then_some(()));
        assert_eq!(turns.count(), 1);
    }

    #[tokio::test]
    async fn only_so_many_wait() {
        let later = Later::busy();
        let (outbox, _frames) = told();
        assert_eq!((0..=MOST).filter(|_| later.takes(&outbox)).count(), MOST);
    }
}

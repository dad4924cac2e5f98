//! What a task waits for beside its work, and hardly ever comes.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures::task::AtomicWaker;

/// A future that is polled when it has been woken, not whenever the task around it is: to ask it may
/// take locks that all tasks share.
#[derive(Debug)]
pub(crate) struct Rarely<F> {
    future: F,
    bell: Arc<Bell>,
    waker: Waker,
}

/// What the future wakes.
#[derive(Debug)]
struct Bell {
    has_rung: AtomicBool,
    task: AtomicWaker,
}

impl<F> Rarely<F> {
    pub(crate) fn new(future: F) -> Rarely<F> {
        let bell = Arc::new(Bell {
            // The future is to be polled once, so that it knows whom to wake.
            has_rung: AtomicBool::new(true),
            task: AtomicWaker::new(),
        });
        let waker = Waker::from(Arc::clone(&bell));
        Rarely {
            future,
            bell,
            waker,
        }
    }

    /// The future, to be changed once it was ready.
    pub(crate) fn get_mut(&mut self) -> &mut F {
        &mut self.future
    }

    /// Polls the future, if it has been woken since it was polled last.
    pub(crate) fn poll_with<T>(
        &mut self,
        context: &mut Context<'_>,
        poll: impl FnOnce(&mut F, &mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        self.bell.task.register(context.waker());
        if !self.bell.has_rung.load(Ordering::Acquire) {
            return Poll::Pending;
        }
        // Before it is polled: what rings meanwhile is heard at the next time.
        self.bell.has_rung.store(false, Ordering::Release);
        let polled = poll(&mut self.future, &mut Context::from_waker(&self.waker));
        if polled.is_ready() {
            // It may be ready again without being woken.
            self.bell.has_rung.store(true, Ordering::Release);
        }
        polled
    }
}

impl<F: Future + Unpin> Future for Rarely<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.poll_with(context, |future, context| Pin::new(future).poll(context))
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.has_rung.store(true, Ordering::Release);
        self.task.wake();
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn it_is_polled_at_first_and_when_it_has_been_woken() {
        let (sender, mut receiver) = oneshot::channel();
        let mut polls = 0;
        let counted = poll_fn(|context| {
            polls += 1;
            Pin::new(&mut receiver).poll(context)
        });
        let mut rarely = Rarely::new(counted);
        for _ in 0..10 {
            assert!(futures::poll!(&mut rarely).is_pending());
        }
        sender.send(7).unwrap();
        assert_eq!((&mut rarely).await, Ok(7));
        assert_eq!(polls, 2);
    }

    #[tokio::test]
    async fn it_wakes_the_task_that_waits() {
        let (sender, receiver) = oneshot::channel();
        let mut rarely = Rarely::new(receiver);
        let (heard, waiting) = tokio::join!(&mut rarely, async { sender.send(7) });
        assert_eq!((heard, waiting), (Ok(7), Ok(())));
    }
}

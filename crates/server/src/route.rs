//! Where requests go: to a task of this server, or to another node of the cluster.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tokio::sync::mpsc;
use tracing::debug;

/// The most requests that wait while a route has no owner. More are dropped: a client enters again when there
/// is one.
const MAX_WAITING: usize = 1024;

/// The way to the owner of something, which may move.
#[derive(Debug)]
pub(crate) struct Route<T>(RwLock<RouteState<T>>);

#[derive(Debug)]
struct RouteState<T> {
    inbox: mpsc::Sender<T>,
    place: Place,
    /// How often the owner has changed.
    version: u64,
    /// Requests without an owner.
    waiting: Option<mpsc::Receiver<T>>,
}

/// Where a route leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// To this server.
    Here,
    /// To the node with this session.
    Node(i32),
    /// Nobody is known to be the owner.
    Nowhere,
}

impl<T> Route<T> {
    /// A route to a task of this server.
    pub(crate) fn here(inbox: mpsc::Sender<T>) -> Route<T> {
        Route(RwLock::new(RouteState {
            inbox,
            place: Place::Here,
            version: 0,
            waiting: None,
        }))
    }

    pub(crate) fn without_owner() -> Route<T> {
        let (inbox, waiting) = mpsc::channel(MAX_WAITING);
        Route(RwLock::new(RouteState {
            inbox,
            place: Place::Nowhere,
            version: 0,
            waiting: Some(waiting),
        }))
    }

    pub(crate) fn place(&self) -> Place {
        self.read().place
    }

    /// A number that changes with the owner.
    pub(crate) fn version(&self) -> u64 {
        self.read().version
    }

    /// Sends a request. Waits while the owner's queue is full; `false` if there is no owner any more, or too
    /// many requests wait for one.
    pub(crate) async fn send(&self, mut request: T) -> bool {
        loop {
            let (inbox, version) = {
                let state = self.read();
                if state.place == Place::Nowhere {
                    let queued = state.inbox.try_send(request);
                    if queued.is_err() {
                        debug!("a request is dropped: nobody is there to take it");
                    }
                    return queued.is_ok();
                }
                (state.inbox.clone(), state.version)
            };
            match inbox.send(request).await {
                Ok(()) => return true,
                Err(_) if self.version() == version => return false,
                Err(mpsc::error::SendError(unsent)) => request = unsent,
            }
        }
    }

    /// Leads the route to a new owner. Requests that have waited go first, as far as the owner's queue has room.
    pub(crate) fn set_owner(&self, inbox: mpsc::Sender<T>, place: Place) {
        let mut state = self.write();
        if let Some(waiting) = &mut state.waiting {
            while let Ok(next) = waiting.try_recv() {
                if inbox.try_send(next).is_err() {
                    debug!("a request is dropped: too many have waited");
                }
            }
        }
        state.inbox = inbox;
        state.place = place;
        state.version += 1;
        state.waiting = None;
    }

    /// Takes the owner away, if it is at this place: requests wait.
    pub(crate) fn remove_owner(&self, place: Place) {
        let mut state = self.write();
        if state.place == place && place != Place::Nowhere {
            let (inbox, waiting) = mpsc::channel(MAX_WAITING);
            state.inbox = inbox;
            state.place = Place::Nowhere;
            state.version += 1;
            state.waiting = Some(waiting);
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, RouteState<T>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, RouteState<T>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn requests_wait_for_an_owner_and_go_first() {
        let route = Route::without_owner();
        assert!(route.send(1).await);
        assert!(route.send(2).await);
        let (inbox, mut received) = mpsc::channel(8);
        route.set_owner(inbox, Place::Here);
        assert!(route.send(3).await);
        for expected in 1..=3 {
            assert_eq!(received.recv().await, Some(expected));
        }
    }

    #[tokio::test]
    async fn without_an_owner_too_many_requests_are_dropped() {
        let route = Route::without_owner();
        for _ in 0..MAX_WAITING {
            assert!(route.send(()).await);
        }
        assert!(!route.send(()).await);
    }

    #[tokio::test]
    async fn a_request_follows_an_owner_that_moves_while_its_queue_is_full() {
        let (first, received) = mpsc::channel(1);
        let route = Arc::new(Route::here(first));
        assert!(route.send(1).await);
        let sending = tokio::spawn({
            let route = Arc::clone(&route);
            async move { route.send(2).await }
        });
        tokio::task::yield_now().await;
        let (second, mut moved) = mpsc::channel(1);
        route.remove_owner(Place::Here);
        route.set_owner(second, Place::Node(2));
        drop(received);
        assert_eq!(moved.recv().await, Some(2));
        assert!(sending.await.unwrap());
    }

    #[tokio::test]
    async fn an_owner_that_has_ended_takes_nothing() {
        let (inbox, received) = mpsc::channel(1);
        let route = Route::here(inbox);
        drop(received);
        assert!(!route.send(()).await);
    }
}

//! The subscribers of a table, and what happens to slow ones.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::yield_now;
use tracing::{debug, warn};

use crate::broadcast::{Frame, Outbox};
use crate::metrics::Metrics;
use crate::table::{ClientId, Table};

/// The number of sends before yielding to other tasks: each wakes a connection.
const SENT_AT_ONCE: usize = 64;

/// A spectator whose outbox is full twice within this time is disconnected.
const SECOND_CHANCE: Duration = Duration::from_secs(30);

/// The connections of a table.
#[derive(Debug)]
pub(super) struct Subscribers {
    /// Sorted by client.
    subscribers: Vec<Subscriber>,
    /// Slow clients that are still to be disconnected from the table.
    too_slow: VecDeque<ClientId>,
    metrics: Arc<Metrics>,
}

#[derive(Debug)]
struct Subscriber {
    who: ClientId,
    outbox: Outbox,
    /// Whether it receives broadcasts.
    has_entered: bool,
    /// Whether it receives nothing until it requests the state.
    is_behind: bool,
    /// When its outbox was last full.
    fell_behind: Option<Instant>,
}

impl Subscribers {
    pub(super) fn new(metrics: Arc<Metrics>) -> Subscribers {
        Subscribers {
            subscribers: Vec::new(),
            too_slow: VecDeque::new(),
            metrics,
        }
    }

    /// Adds a connection, or replaces its outbox. It receives only frames sent to it alone.
    pub(super) fn add(&mut self, who: ClientId, outbox: Outbox) {
        let subscriber = Subscriber {
            who,
            outbox,
            has_entered: false,
            is_behind: false,
            fell_behind: None,
        };
        match self.index(who) {
            Ok(index) => self.subscribers[index] = subscriber,
            Err(index) => self.subscribers.insert(index, subscriber),
        }
    }

    /// Adds `who` to the broadcasts.
    pub(super) fn enter(&mut self, who: ClientId) {
        if let Some(subscriber) = self.find(who) {
            subscriber.has_entered = true;
        }
    }

    pub(super) fn remove(&mut self, who: ClientId) {
        if let Ok(index) = self.index(who) {
            self.subscribers.remove(index);
        }
    }

    /// Sends a frame to one connection.
    pub(super) fn send(&mut self, table: &Table, who: ClientId, frame: &Frame) {
        let Ok(index) = self.index(who) else {
            return;
        };
        let subscriber = &mut self.subscribers[index];
        if subscriber.is_behind || subscriber.outbox.send(frame) {
            return;
        }
        if subscriber.falls_behind(table, &self.metrics) {
            self.too_slow.push_back(who);
        }
    }

    /// Sends a frame to the members who have a seat.
    pub(super) fn send_seated(&mut self, table: &Table, frame: &Frame) {
        for who in table.seated() {
            if self
                .find(who)
                .is_some_and(|subscriber| subscriber.has_entered)
            {
                self.send(table, who, frame);
            }
        }
    }

    /// Sends a frame to the other members. Yields between, so that connections can write.
    pub(super) async fn send_others(&mut self, table: &Table, frame: &Frame) {
        for (number, subscriber) in (1..).zip(&mut self.subscribers) {
            if number % SENT_AT_ONCE == 0 {
                yield_now().await;
            }
            let receives = subscriber.has_entered && !subscriber.is_behind;
            if !receives || table.seat_of(subscriber.who).is_some() {
                continue;
            }
            if !subscriber.outbox.send(frame) && subscriber.falls_behind(table, &self.metrics) {
                self.too_slow.push_back(subscriber.who);
            }
        }
    }

    /// Resumes sending to `who`, whose outbox has been emptied.
    pub(super) fn catch_up(&mut self, who: ClientId) {
        if let Some(subscriber) = self.find(who) {
            subscriber.is_behind = false;
        }
    }

    /// The next client to disconnect.
    pub(super) fn next_too_slow(&mut self) -> Option<ClientId> {
        self.too_slow.pop_front()
    }

    fn find(&mut self, who: ClientId) -> Option<&mut Subscriber> {
        let index = self.index(who).ok()?;
        self.subscribers.get_mut(index)
    }

    /// The index of a connection in the list, or where to insert it.
    fn index(&self, who: ClientId) -> Result<usize, usize> {
        self.subscribers
            .binary_search_by_key(&who, |subscriber| subscriber.who)
    }
}

impl Subscriber {
    /// Handles a full outbox; returns whether the connection is closed. A player's is, so that no
    /// move is missed: the client reconnects and receives all events. A spectator gets the state
    /// afresh the first time, and is disconnected the second time.
    fn falls_behind(&mut self, table: &Table, metrics: &Metrics) -> bool {
        metrics.queue_full();
        let now = Instant::now();
        let is_recent = |before: Instant| now.saturating_duration_since(before) < SECOND_CHANCE;
        self.is_behind = true;
        if table.seat_of(self.who).is_some() || self.fell_behind.is_some_and(is_recent) {
            warn!(client = self.who.0, "reads too slowly, disconnecting");
            self.outbox.close();
            return true;
        }
        debug!(client = self.who.0, "reads too slowly, starting afresh");
        self.fell_behind = Some(now);
        self.outbox.restart();
        false
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::protocol::ServerMessage;
    use checkers_lib::{Color, DrawRules};

    use super::*;
    use crate::broadcast::{MAX_FRAMES, Outgoing, outbox};
    use crate::table::{Command, JoinRequest};

    const PLAYER: ClientId = ClientId(1);
    const SPECTATOR: ClientId = ClientId(2);

    #[tokio::test]
    async fn a_slow_player_is_disconnected_and_a_spectator_at_the_second_time() {
        let mut table = Table::new("main", DrawRules::Fmjd64);
        let mut subscribers = Subscribers::new(Arc::new(Metrics::new()));
        let now = Instant::now();
        let [mut player, mut spectator] = [PLAYER, SPECTATOR].map(|who| {
            let join_request = JoinRequest::named(format!("{who:?}"));
            table.handle(who, Command::Enter(join_request), now);
            let (outbox, reader) = outbox();
            subscribers.add(who, outbox);
            subscribers.enter(who);
            reader
        });
        table.handle(PLAYER, Command::TakeSeat(Color::White), now);
        let frame = Frame::new(&ServerMessage::Unqueued);
        let send_too_much = async |subscribers: &mut Subscribers| {
            for _ in 0..=MAX_FRAMES {
                subscribers.send_seated(&table, &frame);
                subscribers.send_others(&table, &frame).await;
            }
        };
        send_too_much(&mut subscribers).await;
        assert_eq!(subscribers.next_too_slow(), Some(PLAYER));
        assert_eq!(subscribers.next_too_slow(), None);
        assert!(matches!(player.next().await, Outgoing::Closed));
        subscribers.remove(PLAYER);

        assert!(matches!(spectator.next().await, Outgoing::Stale));
        send_too_much(&mut subscribers).await;
        assert!(
            spectator.try_next().is_none(),
            "it has not asked for the state"
        );
        subscribers.catch_up(SPECTATOR);
        send_too_much(&mut subscribers).await;
        assert_eq!(subscribers.next_too_slow(), Some(SPECTATOR));
        assert!(matches!(spectator.next().await, Outgoing::Closed));
    }
}

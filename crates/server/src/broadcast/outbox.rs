//! The outgoing queue of a connection.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::Frame;
use super::node_queue::{NodeItem, NodeQueue};
use crate::lobby_shard::LobbyCommand;
use crate::table::ClientId;

/// The most frames that wait for one connection. The sender to a full outbox decides what happens:
/// tables [restart a spectator](Outbox::restart) or [close](Outbox::close) the connection.
pub(crate) const MAX_FRAMES: usize = 64;

/// The most lobby commands that wait for one connection. More are dropped: the client ignores them.
const MAX_COMMANDS: usize = 8;

/// The sending end of a connection's queue. Tables and the lobby keep a clone each.
#[derive(Clone, Debug)]
pub(crate) struct Outbox(OutboxEnd);

#[derive(Clone, Debug)]
enum OutboxEnd {
    /// A connection of this server.
    Connection {
        queue: Arc<OutboxQueue>,
        /// Notifies the reader when the last clone is dropped.
        _senders: Arc<Senders>,
    },
    /// A client that is connected to another node.
    Node(Arc<NodeQueue>, ClientId),
}

/// The connection's end of its queue.
#[derive(Debug)]
pub(crate) struct OutboxReader(Arc<OutboxQueue>);

#[derive(Debug)]
struct Senders(Arc<OutboxQueue>);

#[derive(Debug, Default)]
struct OutboxQueue {
    state: Mutex<QueueState>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct QueueState {
    frames: VecDeque<Frame>,
    commands: VecDeque<LobbyCommand>,
    /// The frames are dropped, and the connection requests the state of its tables.
    is_stale: bool,
    /// The connection is to be closed.
    is_closing: bool,
    has_no_sender: bool,
    has_no_reader: bool,
}

/// What a connection does next.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// Send this frame.
    Frame(Frame),
    /// Execute this command of the lobby.
    Command(LobbyCommand),
    /// Request the state of the tables: too many frames were waiting and have been dropped.
    Stale,
    /// Close: the client reads too slowly, or all senders are gone.
    Closed,
}

/// A new queue.
pub(crate) fn outbox() -> (Outbox, OutboxReader) {
    let queue = Arc::<OutboxQueue>::default();
    let outbox = Outbox(OutboxEnd::Connection {
        _senders: Arc::new(Senders(Arc::clone(&queue))),
        queue: Arc::clone(&queue),
    });
    (outbox, OutboxReader(queue))
}

impl Outbox {
    /// The outbox of a client that is connected to another node.
    pub(crate) fn of_node(queue: Arc<NodeQueue>, who: ClientId) -> Outbox {
        Outbox(OutboxEnd::Node(queue, who))
    }

    /// Queues a frame; `false` if the queue is full. Without a reader the frame is dropped.
    pub(crate) fn send(&self, frame: &Frame) -> bool {
        match &self.0 {
            OutboxEnd::Connection { queue, .. } => queue.change(|state| {
                let has_room = state.frames.len() < MAX_FRAMES;
                if has_room && !state.has_no_reader {
                    state.frames.push_back(frame.clone());
                }
                has_room || state.has_no_reader
            }),
            OutboxEnd::Node(queue, who) => queue.send(*who, frame),
        }
    }

    /// Queues a lobby command; `false` if too many wait.
    pub(crate) fn send_command(&self, command: LobbyCommand) -> bool {
        match &self.0 {
            OutboxEnd::Connection { queue, .. } => queue.change(|state| {
                let has_room = state.commands.len() < MAX_COMMANDS;
                if has_room && !state.has_no_reader {
                    state.commands.push_back(command);
                }
                has_room || state.has_no_reader
            }),
            OutboxEnd::Node(queue, who) => {
                queue.push(NodeItem::Command(*who, command));
                true
            }
        }
    }

    /// Drops the waiting frames; the connection requests the state of its tables instead.
    pub(crate) fn restart(&self) {
        match &self.0 {
            OutboxEnd::Connection { queue, .. } => queue.change(|state| state.is_stale = true),
            OutboxEnd::Node(queue, who) => queue.push(NodeItem::Restart(*who)),
        }
    }

    /// Closes the connection with [`TOO_SLOW`](checkers_lib::protocol::close_code::TOO_SLOW).
    pub(crate) fn close(&self) {
        match &self.0 {
            OutboxEnd::Connection { queue, .. } => queue.change(|state| state.is_closing = true),
            OutboxEnd::Node(queue, who) => queue.push(NodeItem::Close(*who)),
        }
    }

    /// Whether its connection is closed.
    pub(crate) fn is_abandoned(&self) -> bool {
        match &self.0 {
            OutboxEnd::Connection { queue, .. } => queue.lock().has_no_reader,
            OutboxEnd::Node(..) => false,
        }
    }
}

impl Drop for Senders {
    fn drop(&mut self) {
        self.0.change(|state| state.has_no_sender = true);
    }
}

impl OutboxReader {
    /// Waits for something to do. Cancel safe.
    pub(crate) async fn next(&mut self) -> Outgoing {
        loop {
            if let Some(outgoing) = self.0.lock().next() {
                return outgoing;
            }
            self.0.changed.notified().await;
        }
    }

    /// The next frame, unless something else comes first.
    pub(crate) fn try_next(&mut self) -> Option<Frame> {
        let mut state = self.0.lock();
        if state.is_stale || state.is_closing {
            return None;
        }
        state.frames.pop_front()
    }
}

impl Drop for OutboxReader {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.has_no_reader = true;
        state.frames = VecDeque::new();
        state.commands = VecDeque::new();
    }
}

impl OutboxQueue {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut QueueState) -> T) -> T {
        let changed = change(&mut self.lock());
        self.changed.notify_one();
        changed
    }
}

impl QueueState {
    fn next(&mut self) -> Option<Outgoing> {
        if self.is_closing {
            return Some(Outgoing::Closed);
        }
        if std::mem::take(&mut self.is_stale) {
            self.frames = VecDeque::new();
            return Some(Outgoing::Stale);
        }
        if let Some(command) = self.commands.pop_front() {
            return Some(Outgoing::Command(command));
        }
        let frame = self.frames.pop_front();
        if self.frames.is_empty() {
            // Thousands of connections are idle: an empty queue uses no memory.
            self.frames.shrink_to_fit();
        }
        let closed = self.has_no_sender.then_some(Outgoing::Closed);
        frame.map(Outgoing::Frame).or(closed)
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::protocol::ServerMessage;
    use futures::poll;

    use super::*;

    fn frame() -> Frame {
        Frame::new(&ServerMessage::Unqueued)
    }

    #[tokio::test]
    async fn frames_come_out_in_order_and_wake_the_reader() {
        let (outbox, mut reader) = outbox();
        let mut next = Box::pin(reader.next());
        assert!(poll!(&mut next).is_pending());
        assert!(outbox.send(&frame()));
        assert!(outbox.send(&Frame::new(&ServerMessage::Replaced)));
        assert!(matches!(next.await, Outgoing::Frame(first) if first.text().contains("unqueued")));
        assert!(reader.try_next().unwrap().text().contains("replaced"));
        assert!(reader.try_next().is_none());
    }

    #[tokio::test]
    async fn a_full_outbox_refuses_frames_until_it_is_restarted() {
        let (outbox, mut reader) = outbox();
        assert_eq!(
            (0..100).filter(|_| outbox.send(&frame())).count(),
            MAX_FRAMES
        );
        outbox.restart();
        assert!(reader.try_next().is_none());
        assert!(matches!(reader.next().await, Outgoing::Stale));
        assert!(reader.try_next().is_none(), "old frames are dropped");
        assert!(outbox.send(&frame()));
        outbox.close();
        assert!(matches!(reader.next().await, Outgoing::Closed));
    }

    #[tokio::test]
    async fn without_senders_it_closes_after_the_last_frame() {
        let (outbox, mut reader) = outbox();
        let other = outbox.clone();
        assert!(other.send(&frame()));
        drop(outbox);
        assert!(matches!(reader.next().await, Outgoing::Frame(_)));
        assert!(poll!(Box::pin(reader.next())).is_pending());
        drop(other);
        assert!(matches!(reader.next().await, Outgoing::Closed));
    }

    #[test]
    fn without_a_reader_frames_are_dropped() {
        let (outbox, reader) = outbox();
        drop(reader);
        assert_eq!((0..100).filter(|_| outbox.send(&frame())).count(), 100);
    }
}

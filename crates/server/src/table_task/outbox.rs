//! What waits for a connection: frames, at most so many, from all the tables it is at.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use checkers_lib::protocol::ServerMessage;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::lobby_task::Directive;

/// Frames that wait for one connection.
pub(crate) const OUTBOX: usize = 64;

/// Directives that wait for one connection; more are dropped, since it does not follow them.
const DIRECTIVES: usize = 8;

/// Bytes that most messages have room in.
const USUAL: usize = 512;

/// A message to a client, serialised once however many clients get it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) text: Utf8Bytes,
    /// How many messages it asks the client for.
    pub(crate) asks_for: u8,
}

impl Frame {
    pub(crate) fn new(message: &ServerMessage) -> Frame {
        let mut text = Vec::with_capacity(USUAL);
        serde_json::to_writer(&mut text, message).expect("a wire type has no key but strings");
        let text = String::from_utf8(text).expect("JSON is UTF-8");
        let asks_for = match message {
            // A move; an answer; a seat in the next game, or its arrangement; the director's end of
            // the game.
            ServerMessage::YourTurn { .. }
            | ServerMessage::Offered { .. }
            | ServerMessage::GameOver { .. }
            | ServerMessage::GameStarted(_) => 1,
            _ => 0,
        };
        Frame {
            text: text.into(),
            asks_for,
        }
    }
}

/// The way to a connection's queue; the tables and the lobby keep a clone each.
#[derive(Clone, Debug)]
pub(crate) struct Outbox(Arc<Writers>);

/// What all ways to a queue have together: with the last one goes what could still come.
#[derive(Debug)]
struct Writers(Arc<Queue>);

/// The connection's end of its queue.
#[derive(Debug)]
pub(crate) struct Frames(Arc<Queue>);

/// A queue that is mostly empty and has one reader: it takes memory only for what waits.
#[derive(Debug, Default)]
struct Queue(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    frames: VecDeque<Frame>,
    directives: VecDeque<Directive>,
    /// What waits is to be dropped.
    is_stale: bool,
    /// The connection is to be closed.
    is_given_up: bool,
    /// Nothing more can come.
    is_abandoned: bool,
    /// The connection is gone.
    is_closed: bool,
    /// The connection's task, while it waits.
    reader: Option<Waker>,
}

/// What a connection has to do.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// Send this.
    Frame(Frame),
    /// Do what the lobby wants.
    Follow(Directive),
    /// Ask the tables for their state: what waited was dropped, since it was too much.
    Stale,
    /// Close with [`TOO_SLOW`](checkers_lib::protocol::close_code::TOO_SLOW).
    GivenUp,
}

/// A queue for a connection.
pub(crate) fn outbox() -> (Outbox, Frames) {
    let queue = Arc::<Queue>::default();
    let outbox = Outbox(Arc::new(Writers(Arc::clone(&queue))));
    (outbox, Frames(queue))
}

impl Outbox {
    /// Queues a frame; `false` if the queue is full. A connection that is gone takes all.
    pub(crate) fn send(&self, frame: &Frame) -> bool {
        self.0.0.change(|waiting| {
            let has_room = waiting.frames.len() < OUTBOX;
            if has_room && !waiting.is_closed {
                waiting.frames.push_back(frame.clone());
            }
            has_room || waiting.is_closed
        })
    }

    /// Queues what the lobby wants; `false` if too much of that waits.
    pub(crate) fn direct(&self, directive: Directive) -> bool {
        self.0.0.change(|waiting| {
            let has_room = waiting.directives.len() < DIRECTIVES;
            if has_room && !waiting.is_closed {
                waiting.directives.push_back(directive);
            }
            has_room || waiting.is_closed
        })
    }

    /// Has what waits dropped, so that the connection asks for the state instead.
    pub(crate) fn drop_waiting(&self) {
        self.0.0.change(|waiting| waiting.is_stale = true);
    }

    /// Has the connection closed.
    pub(crate) fn give_up(&self) {
        self.0.0.change(|waiting| waiting.is_given_up = true);
    }
}

impl Drop for Writers {
    fn drop(&mut self) {
        self.0.change(|waiting| waiting.is_abandoned = true);
    }
}

impl Frames {
    /// Waits for something to do. Cancelling loses nothing.
    pub(crate) async fn next(&mut self) -> Outgoing {
        poll_fn(|context| {
            let mut waiting = self.0.lock();
            match waiting.next() {
                Some(outgoing) => Poll::Ready(outgoing),
                None => {
                    waiting.reader = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }

    /// The next frame, if one waits and nothing else is to be done first.
    pub(crate) fn try_next(&mut self) -> Option<Frame> {
        let mut waiting = self.0.lock();
        if waiting.is_stale || waiting.is_given_up {
            return None;
        }
        waiting.frames.pop_front()
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        let mut waiting = self.0.lock();
        waiting.is_closed = true;
        waiting.frames = VecDeque::new();
        waiting.directives = VecDeque::new();
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what waits, and wakes whoever waits for it.
    fn change<T>(&self, change: impl FnOnce(&mut Waiting) -> T) -> T {
        let mut waiting = self.lock();
        let changed = change(&mut waiting);
        let reader = waiting.reader.take();
        drop(waiting);
        if let Some(reader) = reader {
            reader.wake();
        }
        changed
    }
}

impl Waiting {
    fn next(&mut self) -> Option<Outgoing> {
        if self.is_given_up {
            return Some(Outgoing::GivenUp);
        }
        if self.is_stale {
            self.is_stale = false;
            self.frames.clear();
            return Some(Outgoing::Stale);
        }
        if let Some(directive) = self.directives.pop_front() {
            return Some(Outgoing::Follow(directive));
        }
        let frame = self.frames.pop_front().map(Outgoing::Frame);
        frame.or(self.is_abandoned.then_some(Outgoing::GivenUp))
    }
}

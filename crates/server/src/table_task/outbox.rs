//! What waits for a connection: frames, at most so many, from all the tables it is at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use checkers_lib::protocol::ServerMessage;
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// Frames that wait for one connection.
pub(crate) const OUTBOX: usize = 64;

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

/// The way to a connection's queue; tables keep a clone each.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    frames: mpsc::Sender<Frame>,
    state: Arc<State>,
}

/// The connection's end of its queue.
#[derive(Debug)]
pub(crate) struct Frames {
    frames: mpsc::Receiver<Frame>,
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What waits is to be dropped.
    is_stale: AtomicBool,
    /// The connection is to be closed.
    is_given_up: AtomicBool,
}

/// What a connection has to do.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// Send this.
    Frame(Frame),
    /// Ask the tables for their state: what waited was dropped, since it was too much.
    Stale,
    /// Close with [`TOO_SLOW`](checkers_lib::protocol::close_code::TOO_SLOW).
    GivenUp,
}

/// A queue for a connection.
pub(crate) fn outbox() -> (Outbox, Frames) {
    let (sender, receiver) = mpsc::channel(OUTBOX);
    let state = Arc::<State>::default();
    let outbox = Outbox {
        frames: sender,
        state: Arc::clone(&state),
    };
    let frames = Frames {
        frames: receiver,
        state,
    };
    (outbox, frames)
}

impl Outbox {
    /// Queues a frame; `false` if the queue is full. A connection that is gone takes all.
    pub(crate) fn send(&self, frame: &Frame) -> bool {
        match self.frames.try_send(frame.clone()) {
            Ok(()) | Err(TrySendError::Closed(_)) => true,
            Err(TrySendError::Full(_)) => false,
        }
    }

    /// Has what waits dropped, so that the connection asks for the state instead.
    pub(crate) fn drop_waiting(&self) {
        self.state.is_stale.store(true, Ordering::Release);
    }

    /// Has the connection closed.
    pub(crate) fn give_up(&self) {
        self.state.is_given_up.store(true, Ordering::Release);
    }
}

impl Frames {
    /// Waits for something to do. A queue that is stale or given up is full, so that nobody waits
    /// for long to see it.
    pub(crate) async fn next(&mut self) -> Outgoing {
        let Some(frame) = self.frames.recv().await else {
            return Outgoing::GivenUp;
        };
        if self.state.is_given_up.load(Ordering::Acquire) {
            return Outgoing::GivenUp;
        }
        if self.state.is_stale.load(Ordering::Acquire) {
            while self.frames.try_recv().is_ok() {}
            self.state.is_stale.store(false, Ordering::Release);
            return Outgoing::Stale;
        }
        Outgoing::Frame(frame)
    }

    /// The next frame, if one waits.
    pub(crate) fn try_next(&mut self) -> Option<Frame> {
        let is_told_otherwise = [&self.state.is_stale, &self.state.is_given_up]
            .iter()
            .any(|flag| flag.load(Ordering::Acquire));
        if is_told_otherwise {
            return None;
        }
        self.frames.try_recv().ok()
    }
}

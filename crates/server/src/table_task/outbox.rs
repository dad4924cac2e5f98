//! What waits for a connection: frames, at most so many, from all the tables it is at.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use smallvec::SmallVec;

use super::frame::{Frame, encode_ping};
use crate::line::Line;
use crate::lobby_task::Directive;
use crate::metrics::Metrics;
use crate::round_trip::RoundTrip;

/// Frames that wait for one connection.
pub(crate) const OUTBOX: usize = 64;

/// An answer comes late this long after the client was heard: half of the time after which the kernel
/// acknowledges what comes by itself, since what was heard may have waited there for the other half.
const LATE: Duration = Duration::from_millis(20);

/// Directives that wait for one connection; more are dropped, since it does not follow them.
const DIRECTIVES: usize = 8;

/// The way to a connection's queue; the tables and the lobby keep a clone each.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    queue: Arc<Queue>,
    /// As long as there is one the connection may hear something.
    _writers: Arc<Writers>,
}

/// What all ways to a queue have together: with the last one goes what could still come.
#[derive(Debug)]
struct Writers(Arc<Queue>);

/// A queue in which something waits that nobody has seen to.
#[derive(Debug)]
pub(super) struct Unflushed(Arc<Queue>);

/// A frame that may wait in its queue for a while.
#[derive(Debug)]
pub(super) struct Unsent {
    queue: Arc<Queue>,
    /// Since when it waits.
    pub(super) since: Instant,
}

/// The connection's end of its queue.
#[derive(Debug)]
pub(crate) struct Frames(Arc<Queue>);

/// A queue that is mostly empty and has one reader: it takes memory only for what waits.
#[derive(Debug, Default)]
struct Queue(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    /// Room for what most moves need is here.
    frames: SmallVec<[Frame; 3]>,
    /// Since when the first of the frames waits that may wait for a while.
    waits_since: Option<Instant>,
    directives: VecDeque<Directive>,
    /// What waits is to be dropped.
    is_stale: bool,
    /// The connection is to be closed.
    is_given_up: bool,
    /// Nothing more can come.
    is_abandoned: bool,
    /// The connection is gone.
    is_closed: bool,
    /// The connection's task, while it waits and has written all that it took.
    reader: Option<Waker>,
    /// Where frames are written while it waits.
    line: Option<Arc<Line>>,
    /// Some of what was written there waits for the kernel.
    is_unflushed: bool,
    /// How many messages the client was asked for there.
    asked_for: u32,
    /// When the client was heard last.
    heard: Option<Instant>,
    round_trip: RoundTrip,
}

/// What a connection has to do.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// Send this.
    Frame(Frame),
    /// Do what the lobby wants.
    Follow(Directive),
    /// Wait until the kernel has taken what others have written.
    Flush,
    /// Ask the tables for their state: what waited was dropped, since it was too much.
    Stale,
    /// Close with [`TOO_SLOW`](checkers_lib::protocol::close_code::TOO_SLOW).
    GivenUp,
}

/// A queue for somebody who takes what there is.
pub(crate) fn outbox() -> (Outbox, Frames) {
    outbox_over(None)
}

/// A queue for a connection, past which frames are written while its task waits.
pub(crate) fn outbox_over(line: Option<Arc<Line>>) -> (Outbox, Frames) {
    let waiting = Waiting {
        line,
        ..Waiting::default()
    };
    let queue = Arc::new(Queue(Mutex::new(waiting)));
    let outbox = Outbox {
        _writers: Arc::new(Writers(Arc::clone(&queue))),
        queue: Arc::clone(&queue),
    };
    (outbox, Frames(queue))
}

impl Outbox {
    /// Queues a frame; `false` if the queue is full. A connection that is gone takes all.
    pub(crate) fn send(&self, frame: &Frame) -> bool {
        self.queue.change(|waiting| waiting.push(frame))
    }

    /// Queues a frame like [`send`](Outbox::send), but leaves it to the caller to see to it that it is
    /// [flushed](Unflushed::flush).
    pub(crate) fn queue(&self, frame: &Frame) -> bool {
        self.queue.lock().push(frame)
    }

    /// Its queue, to be flushed.
    pub(super) fn unflushed(&self) -> Unflushed {
        Unflushed(Arc::clone(&self.queue))
    }

    /// Lets what was queued last wait from now on, to be seen to later.
    pub(super) fn unsent(&self) -> Unsent {
        let (queue, since) = (Arc::clone(&self.queue), Instant::now());
        queue.lock().waits_since.get_or_insert(since);
        Unsent { queue, since }
    }

    /// How many messages the client was asked for past its connection's task since this was asked
    /// last, which is when it is heard, at this moment.
    pub(crate) fn take_asked_for(&self, now: Instant) -> u32 {
        let mut waiting = self.queue.lock();
        waiting.heard = Some(now);
        std::mem::take(&mut waiting.asked_for)
    }

    /// The payload of a ping to be sent now, if one is.
    pub(crate) fn ping(&self, now: Instant) -> Option<Vec<u8>> {
        self.queue.lock().round_trip.ping(now)
    }

    /// Takes in a pong; `false` if it answers no ping.
    pub(crate) fn pong(&self, payload: &[u8], now: Instant) -> bool {
        self.queue.lock().round_trip.pong(payload, now)
    }

    /// How long the way to the client and back is, if that is known.
    pub(crate) fn round_trip(&self) -> Option<Duration> {
        self.queue.lock().round_trip.mean()
    }

    /// Queues what the lobby wants; `false` if too much of that waits.
    pub(crate) fn direct(&self, directive: Directive) -> bool {
        self.queue.change(|waiting| {
            let has_room = waiting.directives.len() < DIRECTIVES;
            if has_room && !waiting.is_closed {
                waiting.directives.push_back(directive);
            }
            has_room || waiting.is_closed
        })
    }

    /// Has what waits dropped, so that the connection asks for the state instead.
    pub(crate) fn drop_waiting(&self) {
        self.queue.change(|waiting| waiting.is_stale = true);
    }

    /// Has the connection closed.
    pub(crate) fn give_up(&self) {
        self.queue.change(|waiting| waiting.is_given_up = true);
    }
}

impl Unflushed {
    /// Whether it is the queue that this is the way to.
    pub(super) fn is_of(&self, outbox: &Outbox) -> bool {
        Arc::ptr_eq(&self.0, &outbox.queue)
    }

    /// Writes what waits at once if the connection's task does nothing else meanwhile, or else has
    /// it do so. `buffer` is for whatever is needed for that.
    pub(super) fn flush(&self, buffer: &mut Vec<u8>, metrics: &Metrics) {
        flush(self.0.lock(), buffer, metrics);
    }
}

impl Unsent {
    /// Sends it like [`Unflushed::flush`], unless it has gone out meanwhile: then returns `false`. What
    /// has come since then waits on.
    pub(super) fn flush(&self, buffer: &mut Vec<u8>, metrics: &Metrics) -> bool {
        let waiting = self.queue.lock();
        let waits = waiting.waits_since.is_some_and(|since| since <= self.since);
        if waits {
            flush(waiting, buffer, metrics);
        }
        waits
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
                Some(outgoing) => {
                    waiting.reader = None;
                    Poll::Ready(outgoing)
                }
                None => {
                    waiting.wait(context.waker());
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
        waiting.pop()
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        let mut waiting = self.0.lock();
        waiting.is_closed = true;
        waiting.line = None;
        waiting.frames = SmallVec::new();
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

/// Writes what waits, or wakes the connection's task to do so; see [`Unflushed::flush`].
fn flush(mut waiting: MutexGuard<'_, Waiting>, buffer: &mut Vec<u8>, metrics: &Metrics) {
    waiting.write(buffer, metrics);
    let reader = if waiting.has_work() {
        waiting.reader.take()
    } else {
        None
    };
    drop(waiting);
    if let Some(reader) = reader {
        reader.wake();
    }
}

impl Waiting {
    fn push(&mut self, frame: &Frame) -> bool {
        let has_room = self.frames.len() < OUTBOX;
        if has_room && !self.is_closed {
            self.frames.push(frame.clone());
        }
        has_room || self.is_closed
    }

    fn pop(&mut self) -> Option<Frame> {
        let frame = (!self.frames.is_empty()).then(|| self.frames.remove(0));
        if self.frames.is_empty() {
            self.waits_since = None;
        }
        frame
    }

    /// Writes the frames past the connection's task if it waits and nothing else is to be done first.
    /// With what asks for a move goes a ping, as when the task writes it.
    fn write(&mut self, buffer: &mut Vec<u8>, metrics: &Metrics) {
        let is_first = self.directives.is_empty()
            && !(self.is_given_up || self.is_stale || self.is_unflushed || self.frames.is_empty());
        let Some(line) = self
            .line
            .as_ref()
            .filter(|_| is_first && self.reader.is_some())
        else {
            return;
        };
        buffer.clear();
        self.waits_since = None;
        let mut asked_for = 0;
        for frame in self.frames.drain(..) {
            metrics.sent(&frame);
            asked_for += u32::from(frame.asks_for);
            frame.encode(buffer);
        }
        let asked = (asked_for > 0).then(Instant::now);
        if let Some(payload) = asked.and_then(|now| self.round_trip.ping(now)) {
            encode_ping(&payload, buffer);
        }
        self.asked_for += asked_for;
        self.is_unflushed = !line.write(buffer);
        let is_late =
            |(now, heard): (Instant, Instant)| now.saturating_duration_since(heard) >= LATE;
        if asked.zip(self.heard).is_some_and(is_late) {
            line.acknowledge_with_answer();
        }
    }

    fn has_work(&self) -> bool {
        self.is_given_up
            || self.is_stale
            || self.is_unflushed
            || self.is_abandoned
            || !self.directives.is_empty()
            || !self.frames.is_empty()
    }

    /// Remembers who is to be woken.
    fn wait(&mut self, reader: &Waker) {
        if !(self.reader.as_ref()).is_some_and(|known| known.will_wake(reader)) {
            self.reader = Some(reader.clone());
        }
    }

    fn next(&mut self) -> Option<Outgoing> {
        if self.is_given_up {
            return Some(Outgoing::GivenUp);
        }
        if std::mem::take(&mut self.is_unflushed) {
            return Some(Outgoing::Flush);
        }
        if self.is_stale {
            self.is_stale = false;
            self.frames.clear();
            self.waits_since = None;
            return Some(Outgoing::Stale);
        }
        if let Some(directive) = self.directives.pop_front() {
            return Some(Outgoing::Follow(directive));
        }
        let frame = self.pop().map(Outgoing::Frame);
        frame.or(self.is_abandoned.then_some(Outgoing::GivenUp))
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use checkers_lib::protocol::{Offer, ServerMessage, WireColor};
    use futures::poll;
    use tokio::io::AsyncReadExt;
    use tokio::net::{TcpListener, TcpStream};

    use super::*;
    use crate::line;

    struct Scene {
        outbox: Outbox,
        frames: Frames,
        client: TcpStream,
        /// As long as it lives the connection does.
        bytes: line::Shared,
    }

    impl Scene {
        async fn new() -> Scene {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let (near, client) = tokio::join!(listener.accept(), TcpStream::connect(address));
            let near = near.unwrap().0;
            near.writable().await.unwrap();
            let bytes = line::Shared::new(near);
            let (outbox, frames) = outbox_over(Some(Arc::clone(bytes.line())));
            Scene {
                outbox,
                frames,
                client: client.unwrap(),
                bytes,
            }
        }

        fn tell(&self, message: &ServerMessage) {
            assert!(self.outbox.queue(&Frame::new(message)));
            self.outbox
                .unflushed()
                .flush(&mut Vec::new(), &Metrics::new());
        }
    }

    /// A message that asks for an answer.
    fn offered() -> ServerMessage {
        ServerMessage::Offered {
            table: "main".into(),
            game: 1,
            seq: None,
            offer: Offer::Draw,
            by: WireColor::White,
        }
    }

    #[tokio::test]
    async fn what_is_told_while_the_session_waits_is_written_past_it() {
        let mut scene = Scene::new().await;
        let (outbox, mut next) = (scene.outbox.clone(), Box::pin(scene.frames.next()));
        assert!(poll!(&mut next).is_pending());
        assert!(outbox.queue(&Frame::new(&ServerMessage::Unqueued)));
        outbox.unflushed().flush(&mut Vec::new(), &Metrics::new());
        let mut written = [0; 21];
        scene.client.read_exact(&mut written).await.unwrap();
        assert_eq!(&written, b"\x81\x13{\"type\":\"unqueued\"}");
        assert!(poll!(&mut next).is_pending(), "nothing is left to do");
        assert_eq!(outbox.take_asked_for(Instant::now()), 0);
    }

    #[tokio::test]
    async fn what_asks_for_something_is_granted_and_goes_with_a_ping() {
        let mut scene = Scene::new().await;
        assert!(poll!(pin!(scene.frames.next())).is_pending());
        let offered = offered();
        scene.tell(&offered);
        assert_eq!(scene.outbox.take_asked_for(Instant::now()), 1);
        assert_eq!(scene.outbox.take_asked_for(Instant::now()), 0, "once");
        let length = serde_json::to_string(&offered).unwrap().len();
        let mut written = vec![0; 2 + length + 2 + 8];
        scene.client.read_exact(&mut written).await.unwrap();
        assert_eq!(written[2 + length..][..2], [0x89, 8]);
        let payload = &written[2 + length + 2..];
        assert!(scene.outbox.pong(payload, Instant::now()));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn who_is_asked_late_is_acknowledged_with_what_is_told_next() {
        let mut scene = Scene::new().await;
        assert!(poll!(pin!(scene.frames.next())).is_pending());
        let offered = offered();
        let is_acknowledged_at_once = |scene: &Scene| scene.bytes.line().acknowledges_at_once();
        scene.outbox.take_asked_for(Instant::now() + LATE);
        scene.tell(&offered);
        assert!(is_acknowledged_at_once(&scene), "it is not late");
        scene.outbox.take_asked_for(Instant::now() - LATE);
        scene.tell(&ServerMessage::Unqueued);
        assert!(is_acknowledged_at_once(&scene), "it is not asked");
        scene.tell(&offered);
        assert!(!is_acknowledged_at_once(&scene));
    }

    #[tokio::test]
    async fn what_is_told_while_the_session_is_busy_is_left_to_it() {
        let mut scene = Scene::new().await;
        scene.tell(&ServerMessage::Unqueued);
        assert!(matches!(scene.frames.next().await, Outgoing::Frame(_)));
        scene.tell(&ServerMessage::Unqueued);
        assert!(
            scene.frames.try_next().is_some(),
            "it writes the one before"
        );
        assert!(poll!(pin!(scene.frames.next())).is_pending());
        assert!(scene.outbox.direct(Directive::Dropped));
        scene.tell(&ServerMessage::Unqueued);
        assert!(matches!(scene.frames.next().await, Outgoing::Follow(_)));
        assert!(matches!(scene.frames.next().await, Outgoing::Frame(_)));
    }

    #[tokio::test]
    async fn the_session_flushes_what_the_kernel_does_not_take() {
        let mut scene = Scene::new().await;
        let message = ServerMessage::Unwatched {
            table: "x".repeat(1 << 20),
        };
        let mut told = 0;
        loop {
            if let Poll::Ready(outgoing) = poll!(pin!(scene.frames.next())) {
                assert!(matches!(outgoing, Outgoing::Flush));
                break;
            }
            scene.outbox.queue(&Frame::new(&message));
            (scene.outbox.unflushed()).flush(&mut Vec::new(), &Metrics::new());
            told += 1;
        }
        assert!(told > 0);
        scene.tell(&ServerMessage::Unqueued);
        assert!(matches!(scene.frames.next().await, Outgoing::Frame(_)));
    }
}

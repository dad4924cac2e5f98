//! Events, the streams they stand in, and what may be wrong with one.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use smallvec::SmallVec;

use super::archive::Summary;

/// The name of a stream: 1 to 64 letters, digits, `-`, `_`, `.`, `:` or `/`, all ASCII. Cheap to
/// clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StreamId(Arc<str>);

impl StreamId {
    /// Characters in the longest name.
    pub const MAX_LENGTH: usize = 64;

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that is no name of a stream.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is no stream id: 1 to 64 of the characters a-z A-Z 0-9 - _ . : / are")]
pub struct StreamIdError {
    text: String,
}

impl FromStr for StreamId {
    type Err = StreamIdError;

    fn from_str(text: &str) -> Result<StreamId, StreamIdError> {
        let is_short = (1..=StreamId::MAX_LENGTH).contains(&text.len());
        if is_short && text.bytes().all(is_id_character) {
            Ok(StreamId(text.into()))
        } else {
            Err(StreamIdError { text: text.into() })
        }
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The number of an event within its stream: the first is 1, and none is left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Seq(pub u32);

impl Seq {
    /// Before the first event.
    pub const NONE: Seq = Seq(0);

    /// The number after this one.
    pub fn next(self) -> Seq {
        self.plus(1)
    }

    /// The number `count` further on.
    pub(super) fn plus(self, count: usize) -> Seq {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Seq(self.0.saturating_add(count))
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A time of the wall clock: milliseconds since 1970 in UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnixMillis(pub i64);

impl UnixMillis {
    /// The time of the system's clock; 1970 for a clock that is set before that.
    pub fn now() -> UnixMillis {
        let elapsed = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        UnixMillis(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
    }

    /// As text, to the second, such as `2026-11-28T12:00:00Z`; a time outside of 1970 to 9999 as the nearest inside.
    pub fn to_text(self) -> String {
        /// The last second that is written with four digits of the year.
        const LAST: u64 = 253_402_300_799;
        let seconds = u64::try_from(self.0).unwrap_or_default() / 1000;
        let time = UNIX_EPOCH + Duration::from_secs(seconds.min(LAST));
        humantime::format_rfc3339_seconds(time).to_string()
    }
}

/// An event that is to be stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEvent {
    /// When it happened.
    pub at: UnixMillis,
    /// What sort of event it is; at most [`NewEvent::MAX_KIND`] bytes.
    pub kind: Cow<'static, str>,
    /// What is to be remembered of it; at most [`NewEvent::MAX_PAYLOAD`] bytes.
    pub payload: Vec<u8>,
}

impl NewEvent {
    /// Bytes of the longest kind.
    pub const MAX_KIND: usize = 64;
    /// Bytes of the longest payload.
    pub const MAX_PAYLOAD: usize = 1 << 20;

    /// An event of this kind.
    pub fn new(
        at: UnixMillis,
        kind: impl Into<Cow<'static, str>>,
        payload: impl Into<Vec<u8>>,
    ) -> NewEvent {
        NewEvent {
            at,
            kind: kind.into(),
            payload: payload.into(),
        }
    }
}

/// An event as it was stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its number in its stream.
    pub seq: Seq,
    /// When it happened.
    pub at: UnixMillis,
    /// What sort of event it is.
    pub kind: String,
    /// What is remembered of it.
    pub payload: Vec<u8>,
}

impl Event {
    /// The checksum that it has in a stream.
    pub fn checksum(&self, stream: &StreamId) -> u32 {
        checksum(
            stream,
            self.seq,
            self.at,
            self.kind.as_bytes(),
            &self.payload,
        )
    }
}

/// Events to be added to the end of one stream: all of them or none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Append {
    /// Where they go.
    pub stream: StreamId,
    /// The last event that the writer knows of; [`Seq::NONE`] begins a stream. If the stream
    /// stands elsewhere, nothing is written.
    pub after: Seq,
    /// What is added, in order.
    pub events: Vec<NewEvent>,
    /// Closes the stream for good, and puts it into the archive under this summary.
    pub close: Option<Box<Summary>>,
    /// Closes the stream for good without a place in the archive.
    pub discard: bool,
}

impl Append {
    /// Adds `events` after event `after`.
    pub fn new(stream: StreamId, after: Seq, events: Vec<NewEvent>) -> Append {
        Append {
            stream,
            after,
            events,
            close: None,
            discard: false,
        }
    }

    /// Closes the stream with these events.
    #[must_use]
    pub fn closing(self, summary: Summary) -> Append {
        Append {
            close: Some(Box::new(summary)),
            ..self
        }
    }

    /// Closes the stream with these events and forgets it: there was no game.
    #[must_use]
    pub fn discarding(self) -> Append {
        Append {
            discard: true,
            ..self
        }
    }

    /// Whether it closes the stream.
    pub(super) fn closes(&self) -> bool {
        self.discard || self.close.is_some()
    }

    /// The number of its last event.
    pub(super) fn last(&self) -> Seq {
        self.after.plus(self.events.len())
    }

    /// Its events with their numbers.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (Seq, &NewEvent)> {
        (1..).map(|i| self.after.plus(i)).zip(&self.events)
    }
}

/// A stream that was read: everything up to the first damage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StreamRead {
    /// Whether it takes no more events.
    pub is_closed: bool,
    /// Its events from the first one on, none left out.
    pub events: Vec<Event>,
    /// Why `events` ends before the stream does.
    pub damage: Option<StreamDamage>,
}

impl StreamRead {
    /// The number of the last event that was read.
    pub fn last(&self) -> Seq {
        Seq::NONE.plus(self.events.len())
    }

    /// The checksum that an event of this stream has in a store.
    pub fn checksum(&self, id: &StreamId, seq: Seq) -> Option<u32> {
        let event = self.events.get((seq.0 as usize).checked_sub(1)?)?;
        Some(event.checksum(id))
    }
}

/// Where a stream ends, without its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StreamEnd {
    pub stream: StreamId,
    /// Whether it takes no more events.
    pub is_closed: bool,
    /// The number of its last event.
    pub last: Seq,
    /// The checksum of its last event, as it is stored.
    pub checksum: Option<u32>,
}

/// An event that is not as it was written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {seq} of stream {stream} {defect}")]
pub struct StreamDamage {
    /// The stream it should stand in.
    pub stream: StreamId,
    /// Its number there. The events before it are good.
    pub seq: Seq,
    /// What is wrong with it.
    pub defect: Defect,
}

/// What may be wrong with a stored event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Defect {
    /// It reads, and says something else than what was written.
    #[error("does not match its checksum")]
    Checksum,
    /// A later one, or the end of the stream, is in its place.
    #[error("is missing")]
    Missing,
    /// The database cannot make sense of it.
    #[error("cannot be read: {message}")]
    Unreadable {
        /// What the database says.
        message: String,
    },
}

/// The checksum of an event in its place.
pub(super) fn checksum(
    stream: &StreamId,
    seq: Seq,
    at: UnixMillis,
    kind: &[u8],
    payload: &[u8],
) -> u32 {
    // In one piece: to begin with another costs more than most of them have bytes.
    let mut all = SmallVec::<[u8; 256]>::new();
    for text in [stream.as_str().as_bytes(), kind] {
        all.extend_from_slice(text);
        all.push(0); // no id and no kind has one, so that texts cannot run together
    }
    all.extend_from_slice(&seq.0.to_le_bytes());
    all.extend_from_slice(&at.0.to_le_bytes());
    all.extend_from_slice(payload);
    crc32fast::hash(&all)
}

fn is_id_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.:/".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_id_is_short_and_plain() {
        for good in ["a", "main/17", "x7Fk2abQ", &"a".repeat(64)] {
            assert_eq!(good.parse::<StreamId>().unwrap().as_str(), good);
        }
        for bad in ["", "two words", "шашки", "a\0", &"a".repeat(65)] {
            assert!(bad.parse::<StreamId>().is_err(), "{bad:?}");
        }
    }

    /// By another program, since files written earlier have them: `zlib.crc32` of Python, of
    /// `b"main/1\0moved\0" + struct.pack("<Iq", 7, 5) + b"x" * length`.
    #[test]
    fn the_checksum_is_the_same_for_ever() {
        let id = "main/1".parse().unwrap();
        for (length, sum) in [(0, 1_838_697_836), (1, 3_367_347_133), (300, 2_692_101_313)] {
            let payload = vec![b'x'; length];
            let found = checksum(&id, Seq(7), UnixMillis(5), b"moved", &payload);
            assert_eq!(found, sum, "{length}");
        }
    }

    #[test]
    fn the_checksum_covers_the_place_and_every_field() {
        let (id, other) = ("a".parse().unwrap(), "b".parse().unwrap());
        let sums = [
            checksum(&id, Seq(1), UnixMillis(5), b"moved", b"x"),
            checksum(&other, Seq(1), UnixMillis(5), b"moved", b"x"),
            checksum(&id, Seq(2), UnixMillis(5), b"moved", b"x"),
            checksum(&id, Seq(1), UnixMillis(6), b"moved", b"x"),
            checksum(&id, Seq(1), UnixMillis(5), b"move", b"x"),
            checksum(&id, Seq(1), UnixMillis(5), b"moved", b"y"),
        ];
        for (i, sum) in sums.iter().enumerate() {
            assert!(!sums[..i].contains(sum), "{i}");
        }
    }
}

//! Bundles: rows with many events each.
//!
//! A row costs the database more than its bytes do, and an index over the events of all games more
//! than the row. So what is committed together stands together, whichever streams it belongs to, and
//! a stream remembers which bundles its events are in.
//!
//! An event in a bundle is: checksum (4 bytes), row of its stream (8), seq (4), at (8), length of the
//! kind (1), length of the payload (4), little endian; then the kind and the payload.

use rusqlite::{Connection, OptionalExtension};

use super::event::{Event, NewEvent, Seq, StreamId, UnixMillis, checksum};

/// Bytes of a bundle that fills a page of the database. A larger event has a bundle for itself.
const FULL: usize = 4_000;

/// Puts the events of a transaction into bundles.
#[derive(Debug)]
pub(super) struct Bundler<'a> {
    connection: &'a Connection,
    /// The number of the bundle that is being filled.
    number: i64,
    events: Vec<u8>,
}

impl<'a> Bundler<'a> {
    /// Begins with the bundle of this number, behind all that there are.
    pub(super) fn begin(connection: &'a Connection, number: i64) -> Bundler<'a> {
        Bundler {
            connection,
            number,
            events: Vec::with_capacity(FULL),
        }
    }

    /// The number of the bundle that the next event goes to, if there is room for it.
    pub(super) fn number(&self) -> i64 {
        self.number
    }

    /// Adds an event. Returns the number of the bundle it stands in.
    pub(super) fn put(&mut self, event: Bundled<'_>) -> rusqlite::Result<i64> {
        let length = HEAD + event.kind.len() + event.payload.len();
        if !self.events.is_empty() && self.events.len() + length > FULL {
            self.write()?;
        }
        encode(&mut self.events, event);
        Ok(self.number)
    }

    /// Writes what has not been written. Returns the number of the next bundle.
    pub(super) fn finish(mut self) -> rusqlite::Result<i64> {
        if !self.events.is_empty() {
            self.write()?;
        }
        Ok(self.number)
    }

    fn write(&mut self) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("INSERT INTO bundle VALUES (?1, ?2)")?
            .execute((self.number, self.events.as_slice()))?;
        self.number += 1;
        self.events.clear();
        Ok(())
    }
}

/// An event as it stands in a bundle; nobody has looked at its checksum yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bundled<'a> {
    pub(super) row: i64,
    pub(super) seq: Seq,
    pub(super) at: UnixMillis,
    pub(super) kind: &'a [u8],
    pub(super) payload: &'a [u8],
    pub(super) checksum: u32,
}

impl<'a> Bundled<'a> {
    /// A new event of the stream in a row.
    pub(super) fn new(row: i64, stream: &StreamId, seq: Seq, event: &'a NewEvent) -> Bundled<'a> {
        let NewEvent { at, kind, payload } = event;
        Bundled {
            row,
            seq,
            at: *at,
            kind: kind.as_bytes(),
            payload,
            checksum: checksum(stream, seq, *at, kind.as_bytes(), payload),
        }
    }

    /// The event, if it is as it was written.
    pub(super) fn intact(self, stream: &StreamId) -> Option<Event> {
        if checksum(stream, self.seq, self.at, self.kind, self.payload) != self.checksum {
            return None;
        }
        Some(Event {
            seq: self.seq,
            at: self.at,
            kind: str::from_utf8(self.kind).ok()?.to_owned(),
            payload: self.payload.to_owned(),
        })
    }
}

/// The number of the bundle behind all that there are.
pub(super) fn next(connection: &Connection) -> rusqlite::Result<i64> {
    let last: Option<i64> =
        connection.query_row("SELECT max(id) FROM bundle", [], |row| row.get(0))?;
    Ok(last.unwrap_or(0) + 1)
}

/// The events of a bundle, up to where it makes no sense any more.
pub(super) fn events(mut bundle: &[u8]) -> impl Iterator<Item = Bundled<'_>> {
    std::iter::from_fn(move || decode(&mut bundle))
}

/// Reads a bundle, if it is there.
pub(super) fn read<T>(
    connection: &Connection,
    number: i64,
    read: impl FnOnce(&[u8]) -> T,
) -> rusqlite::Result<Option<T>> {
    connection
        .prepare_cached("SELECT events FROM bundle WHERE id = ?1")?
        .query_row([number], |row| Ok(read(row.get_ref(0)?.as_blob()?)))
        .optional()
}

/// Shows every event of the bundles from one on, in their order.
pub(super) fn scan(
    connection: &Connection,
    from: i64,
    mut visit: impl FnMut(i64, Bundled<'_>),
) -> rusqlite::Result<()> {
    let mut select =
        connection.prepare_cached("SELECT id, events FROM bundle WHERE id >= ?1 ORDER BY id")?;
    let mut rows = select.query([from])?;
    while let Some(row) = rows.next()? {
        let number = row.get(0)?;
        events(row.get_ref(1)?.as_blob()?).for_each(|event| visit(number, event));
    }
    Ok(())
}

/// Bytes before the kind.
const HEAD: usize = 4 + 8 + 4 + 8 + 1 + 4;

fn encode(bundle: &mut Vec<u8>, event: Bundled<'_>) {
    let Bundled { kind, payload, .. } = event;
    // The ledger has checked the lengths.
    let kind_length = u8::try_from(kind.len()).unwrap_or(u8::MAX);
    let payload_length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    bundle.extend_from_slice(&event.checksum.to_le_bytes());
    bundle.extend_from_slice(&event.row.to_le_bytes());
    bundle.extend_from_slice(&event.seq.0.to_le_bytes());
    bundle.extend_from_slice(&event.at.0.to_le_bytes());
    bundle.push(kind_length);
    bundle.extend_from_slice(&payload_length.to_le_bytes());
    bundle.extend_from_slice(kind);
    bundle.extend_from_slice(payload);
}

/// Takes the first event off.
fn decode<'a>(bundle: &mut &'a [u8]) -> Option<Bundled<'a>> {
    let checksum = u32::from_le_bytes(take(bundle)?);
    let row = i64::from_le_bytes(take(bundle)?);
    let seq = Seq(u32::from_le_bytes(take(bundle)?));
    let at = UnixMillis(i64::from_le_bytes(take(bundle)?));
    let [kind_length] = take(bundle)?;
    let payload_length = u32::from_le_bytes(take(bundle)?);
    let kind = bundle.split_off(..usize::from(kind_length))?;
    let payload = bundle.split_off(..usize::try_from(payload_length).ok()?)?;
    Some(Bundled {
        row,
        seq,
        at,
        kind,
        payload,
        checksum,
    })
}

fn take<const N: usize>(bundle: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bundle.split_first_chunk()?;
    *bundle = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle() -> (StreamId, Vec<u8>) {
        let (stream, mut bundle) = ("a".parse().unwrap(), Vec::new());
        for (seq, payload) in [(1, "one"), (2, "two")] {
            let event = NewEvent::new(UnixMillis(5), "moved", payload);
            encode(&mut bundle, Bundled::new(7, &stream, Seq(seq), &event));
        }
        (stream, bundle)
    }

    #[test]
    fn what_is_put_in_comes_out() {
        let (stream, bundle) = bundle();
        let found: Vec<Event> = events(&bundle)
            .map(|event| event.intact(&stream).unwrap())
            .collect();
        assert_eq!(
            events(&bundle).map(|event| event.row).collect::<Vec<_>>(),
            [7, 7]
        );
        assert_eq!(found[1].seq, Seq(2));
        assert_eq!(
            (found[0].kind.as_str(), &found[0].payload[..]),
            ("moved", &b"one"[..])
        );
    }

    #[test]
    fn no_flipped_bit_goes_unnoticed_and_none_panics() {
        let (stream, bundle) = bundle();
        let whole: Vec<_> = events(&bundle).map(|event| event.intact(&stream)).collect();
        for bit in 0..bundle.len() * 8 {
            let mut damaged = bundle.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let found: Vec<_> = events(&damaged)
                .filter(|event| event.row == 7)
                .map(|event| event.intact(&stream))
                .collect();
            assert_ne!(found, whole, "bit {bit}");
        }
    }

    #[test]
    fn a_bundle_that_breaks_off_is_read_up_to_there() {
        let (_, bundle) = bundle();
        for length in 0..bundle.len() {
            let whole = if length < bundle.len() / 2 { 0 } else { 1 };
            assert_eq!(events(&bundle[..length]).count(), whole, "{length}");
        }
    }
}

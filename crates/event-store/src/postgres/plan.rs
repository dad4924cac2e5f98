//! What a group of appends writes: which are refused, and the rows of the others.
//!
//! The rows follow from the plan and the appends alone: an append whose answer was lost is sent again with
//! the same bytes.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::rows::to_integer;
use crate::archive::Summary;
use crate::database::{AppendResult, check_form};
use crate::error::WriteError;
use crate::event::{Append, Seq, StreamId, checksum};
use crate::shard_id::ShardId;

/// What is known of streams.
pub(super) type StreamPositions = HashMap<StreamId, WritePosition, RandomState>;

/// Where a stream ends.
#[derive(Clone, Debug)]
pub(super) struct WritePosition {
    /// Its row, or the row that it will have.
    pub(super) row: i64,
    pub(super) last: Seq,
    pub(super) state: StreamState,
}

/// What can be done with a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum StreamState {
    /// It can be begun.
    New,
    Open,
    Closed,
    /// It cannot be continued.
    Refused(WriteError),
}

/// The outcome of a group of appends if it is committed.
#[derive(Debug)]
pub(super) struct AppendPlan {
    pub(super) outcomes: Vec<AppendResult>,
    /// The streams that are written, as they stand afterwards, in the order of their first append.
    pub(super) streams: Vec<(StreamId, WritePosition)>,
    /// Where each of them ended before.
    before: Vec<Seq>,
    /// The streams among them that are begun.
    begun: Vec<bool>,
    /// For each append that is not refused: its number in the group, and the row of its stream.
    accepted: Vec<(usize, i64)>,
}

/// The streams whose positions are needed and not known, each once.
///
/// A position from which the first append to its stream does not go on is forgotten: another node may have
/// written the stream since.
pub(super) fn unknown_streams<'a>(
    appends: &'a [Append],
    positions: &mut StreamPositions,
) -> Vec<&'a StreamId> {
    let mut unknown = Vec::new();
    let mut seen = HashSet::<_, RandomState>::default();
    for append in appends {
        let stream = &append.stream;
        if check_form(append).is_err() || !seen.insert(stream) {
            continue;
        }
        let known = positions.get(stream);
        if known.is_none_or(|known| known.last != append.after) {
            positions.remove(stream);
            unknown.push(stream);
        }
    }
    unknown
}

/// Plans a group. `positions` are those of all open streams that were written before, `found` those of
/// the others.
pub(super) fn plan(
    appends: &[Append],
    positions: &StreamPositions,
    found: &StreamPositions,
) -> AppendPlan {
    let mut plan = AppendPlan {
        outcomes: Vec::with_capacity(appends.len()),
        streams: Vec::new(),
        before: Vec::new(),
        begun: Vec::new(),
        accepted: Vec::with_capacity(appends.len()),
    };
    let mut places = HashMap::<&StreamId, usize, RandomState>::default();
    for (i, append) in appends.iter().enumerate() {
        let stream = &append.stream;
        let known = match places.get(stream) {
            Some(&place) => Some(&plan.streams[place].1),
            None => positions.get(stream).or_else(|| found.get(stream)),
        };
        let next = check_form(append).and_then(|()| after(append, known));
        plan.outcomes.push(next.clone().map(|next| next.last));
        let Ok(next) = next else {
            continue;
        };
        plan.accepted.push((i, next.row));
        if let Some(&place) = places.get(stream) {
            plan.streams[place].1 = next;
        } else {
            places.insert(stream, plan.streams.len());
            let is_new = known.is_some_and(|known| known.state == StreamState::New);
            plan.before.push(append.after);
            plan.begun.push(is_new);
            plan.streams.push((stream.clone(), next));
        }
    }
    plan
}

/// The position of a stream after an append.
fn after(append: &Append, known: Option<&WritePosition>) -> Result<WritePosition, WriteError> {
    let stream = &append.stream;
    let Some(known) = known else {
        let cause = format!("nothing is known of stream {stream}").into();
        return Err(WriteError::Unavailable { cause });
    };
    match &known.state {
        StreamState::New | StreamState::Open => {}
        StreamState::Closed => {
            return Err(WriteError::Closed {
                stream: stream.clone(),
            });
        }
        StreamState::Refused(error) => return Err(error.clone()),
    }
    if known.last != append.after {
        return Err(WriteError::Conflict {
            stream: stream.clone(),
            expected: append.after,
            actual: known.last,
        });
    }
    Ok(WritePosition {
        row: known.row,
        last: append.last(),
        state: if append.closes() {
            StreamState::Closed
        } else {
            StreamState::Open
        },
    })
}

/// The rows of a plan, as columns.
#[derive(Debug, Default)]
pub(super) struct Columns<'a> {
    pub(super) begun: Begun<'a>,
    /// The streams that are closed and not begun.
    pub(super) closed: Vec<i64>,
    pub(super) events: Events<'a>,
    pub(super) games: ArchivedGames<'a>,
}

/// Streams that are begun.
#[derive(Debug, Default)]
pub(super) struct Begun<'a> {
    pub(super) row: Vec<i64>,
    pub(super) name: Vec<&'a str>,
    pub(super) shard: Vec<i16>,
    pub(super) open: Vec<bool>,
}

/// Events that are added.
#[derive(Debug, Default)]
pub(super) struct Events<'a> {
    pub(super) stream: Vec<i64>,
    pub(super) seq: Vec<i32>,
    pub(super) at: Vec<i64>,
    pub(super) checksum: Vec<i64>,
    pub(super) kind: Vec<&'a str>,
    pub(super) payload: Vec<&'a str>,
}

/// Games that are archived.
#[derive(Debug, Default)]
pub(super) struct ArchivedGames<'a> {
    pub(super) stream: Vec<i64>,
    pub(super) events: Vec<i32>,
    pub(super) finished_at: Vec<i64>,
    pub(super) result: Vec<&'a str>,
    pub(super) reason: Vec<&'a str>,
    pub(super) clock: Vec<&'a str>,
    pub(super) plies: Vec<i32>,
    pub(super) white: Vec<Option<&'a str>>,
    pub(super) black: Vec<Option<&'a str>>,
    pub(super) white_bot: Vec<Option<&'a str>>,
    pub(super) black_bot: Vec<Option<&'a str>>,
    pub(super) document: Vec<&'a [u8]>,
    pub(super) rated: Vec<i64>,
    pub(super) event: Vec<Option<&'a str>>,
    pub(super) gave_up: Vec<Option<&'a str>>,
}

impl AppendPlan {
    /// Whether nothing is written.
    pub(super) fn is_empty(&self) -> bool {
        self.accepted.is_empty()
    }

    /// Whether the streams in the database, as they were `found`, have all events that come before the plan. A
    /// stream to be begun follows if the database still gives higher rows to later ones.
    pub(super) fn follows(&self, found: &StreamPositions) -> bool {
        let streams = self.streams.iter().zip(&self.before);
        streams
            .zip(&self.begun)
            .all(|(((stream, planned), before), is_begun)| {
                found.get(stream).is_some_and(|found| match found.state {
                    StreamState::New => *is_begun && planned.row < found.row,
                    StreamState::Open => *before <= found.last,
                    StreamState::Closed | StreamState::Refused(_) => true,
                })
            })
    }

    /// The rows. `appends` are those of the plan.
    pub(super) fn columns<'a>(&'a self, appends: &'a [Append]) -> Columns<'a> {
        let mut columns = Columns::default();
        for ((stream, position), is_new) in self.streams.iter().zip(&self.begun) {
            if *is_new {
                columns.begun.add(stream, position);
            } else if position.state == StreamState::Closed {
                columns.closed.push(position.row);
            }
        }
        for (i, row) in &self.accepted {
            let append = &appends[*i];
            columns.events.add(*row, append);
            if let Some(summary) = &append.close {
                columns.games.add(*row, append.last(), summary);
            }
        }
        columns
    }
}

impl<'a> Begun<'a> {
    fn add(&mut self, stream: &'a StreamId, position: &WritePosition) {
        self.row.push(position.row);
        self.name.push(stream.as_str());
        self.shard.push(shard_of(stream));
        self.open.push(position.state != StreamState::Closed);
    }
}

impl<'a> Events<'a> {
    fn add(&mut self, row: i64, append: &'a Append) {
        for (seq, event) in append.numbered() {
            let (kind, payload) = (event.kind.as_bytes(), &event.payload);
            let sum = checksum(&append.stream, seq, event.at, kind, payload);
            self.stream.push(row);
            self.seq.push(to_integer(seq.0));
            self.at.push(event.at.0);
            self.checksum.push(sum.into());
            self.kind.push(&event.kind);
            // Its form has been checked.
            self.payload
                .push(str::from_utf8(payload).unwrap_or_default());
        }
    }
}

impl<'a> ArchivedGames<'a> {
    fn add(&mut self, row: i64, last: Seq, summary: &'a Summary) {
        self.stream.push(row);
        self.events.push(to_integer(last.0));
        self.finished_at.push(summary.finished_at.0);
        self.result.push(&summary.result);
        self.reason.push(&summary.reason);
        self.clock.push(&summary.clock);
        self.plies.push(to_integer(summary.plies));
        self.white.push(summary.white.as_deref());
        self.black.push(summary.black.as_deref());
        self.white_bot.push(summary.white_bot.as_deref());
        self.black_bot.push(summary.black_bot.as_deref());
        self.document.push(&summary.document);
        self.rated.push(summary.rated);
        self.event.push(summary.event.as_deref());
        self.gave_up.push(summary.gave_up.as_deref());
    }
}

/// The shard of a stream: that of its table, whose id is followed by the number of the game.
fn shard_of(stream: &StreamId) -> i16 {
    let name = stream.as_str();
    let table = name.rsplit_once('-').map_or(name, |(table, _)| table);
    ShardId::of_table(table).0.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_games_of_a_table_are_in_one_shard() {
        let shard = |name: &str| shard_of(&name.parse().unwrap());
        assert_eq!(shard("main-1"), shard("main-27"));
        assert_ne!(shard("main-1"), shard("k3x-1"));
    }
}

//! A store in memory, as simple as it can be: what the others are compared with.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use event_store::{
    Append, Archive, ArchiveFilter, ArchivedGame, BatchOutcome, Cursor, Event, EventLog, GamePage,
    Health, NewEvent, PlayerGame, ReadError, Row, Seq, Sql, Statement, Store, StoreStats,
    StreamEnd, StreamId, StreamRead, Summary, UnixMillis, WriteError,
};
use futures::future::{BoxFuture, ready};
use tokio::sync::watch;

/// Streams in the order in which they were begun.
#[derive(Debug)]
pub(crate) struct Memory {
    streams: Mutex<Vec<MemoryStream>>,
    health: watch::Sender<Health>,
}

#[derive(Debug)]
struct MemoryStream {
    id: StreamId,
    read: StreamRead,
    summary: Option<Summary>,
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory {
            streams: Mutex::default(),
            health: watch::channel(Health::Ready).0,
        }
    }

    pub(crate) fn open_again(&self) {
        self.health.send_replace(Health::Ready);
    }

    fn with<T>(&self, use_streams: impl FnOnce(&mut Vec<MemoryStream>) -> T) -> T {
        use_streams(&mut self.streams.lock().unwrap())
    }

    /// The archived games with their rows, the newest first.
    fn archived(&self) -> Vec<ArchivedGame> {
        self.with(|streams| {
            let mut games = BTreeMap::new();
            for (row, stream) in (1..).zip(streams) {
                let Some(summary) = stream.summary.clone() else {
                    continue;
                };
                let place: (UnixMillis, i64) = (summary.finished_at, row);
                let game = ArchivedGame {
                    stream: stream.id.clone(),
                    last: stream.read.last(),
                    cursor: cursor(place),
                    summary,
                };
                games.insert(place, game);
            }
            games.into_values().rev().collect()
        })
    }
}

fn cursor((at, row): (UnixMillis, i64)) -> Cursor {
    format!("{}.{row}", at.0).parse().unwrap()
}

fn place(cursor: Cursor) -> (i64, i64) {
    let text = cursor.to_string();
    let (at, row) = text.split_once('.').unwrap();
    (at.parse().unwrap(), row.parse().unwrap())
}

fn write(streams: &mut Vec<MemoryStream>, append: Append) -> Result<Seq, WriteError> {
    let Append {
        stream: id,
        after,
        events,
        close,
        discard,
    } = append;
    let closes = discard || close.is_some();
    if events.is_empty() && !closes {
        return Err(WriteError::Empty);
    }
    let is_proper = |event: &NewEvent| {
        event.kind.len() <= NewEvent::MAX_KIND
            && !event.kind.contains('\0')
            && event.payload.len() <= NewEvent::MAX_PAYLOAD
            && !event.payload.contains(&0)
            && str::from_utf8(&event.payload).is_ok()
    };
    if let Some(i) = events.iter().position(|event| !is_proper(event)) {
        let seq = Seq(after.0 + i as u32 + 1);
        return Err(WriteError::Malformed { stream: id, seq });
    }
    let found = streams.iter().position(|stream| stream.id == id);
    let actual = found.map_or(Seq::NONE, |i| streams[i].read.last());
    if found.is_some_and(|i| streams[i].read.is_closed) {
        return Err(WriteError::Closed { stream: id });
    }
    if actual != after {
        return Err(WriteError::Conflict {
            stream: id,
            expected: after,
            actual,
        });
    }
    let i = found.unwrap_or_else(|| {
        let read = StreamRead {
            is_closed: false,
            events: Vec::new(),
            damage: None,
        };
        streams.push(MemoryStream {
            id,
            read,
            summary: None,
        });
        streams.len() - 1
    });
    let MemoryStream { read, summary, .. } = &mut streams[i];
    for event in events {
        let seq = read.last().next();
        read.events.push(Event {
            seq,
            at: event.at,
            kind: event.kind.into_owned(),
            payload: event.payload,
        });
    }
    read.is_closed = closes;
    *summary = close.map(|summary| *summary);
    Ok(read.last())
}

impl EventLog for Memory {
    fn append(&self, batch: Vec<Append>) -> BoxFuture<'_, BatchOutcome> {
        let outcome = if batch.is_empty() {
            Ok(Vec::new())
        } else if self.health.borrow().is_ready() {
            let write = |streams: &mut Vec<MemoryStream>| {
                let all = batch.into_iter();
                all.map(|append| write(streams, append)).collect()
            };
            Ok(self.with(write))
        } else {
            Err(WriteError::Stopped)
        };
        Box::pin(ready(outcome))
    }

    fn read(&self, id: StreamId) -> BoxFuture<'_, Result<Option<StreamRead>, ReadError>> {
        let read = self.with(|streams| {
            let found = streams.iter().find(|stream| stream.id == id);
            found.map(|stream| stream.read.clone())
        });
        Box::pin(ready(Ok(read)))
    }

    fn unfinished(&self) -> BoxFuture<'_, Result<Vec<StreamId>, ReadError>> {
        let open = self.with(|streams| {
            let open = streams.iter().filter(|stream| !stream.read.is_closed);
            open.map(|stream| stream.id.clone()).collect()
        });
        Box::pin(ready(Ok(open)))
    }

    fn latest(&self, prefix: StreamId) -> BoxFuture<'_, Result<Option<StreamId>, ReadError>> {
        let latest = self.with(|streams| {
            let mut ids = streams.iter().map(|stream| &stream.id);
            ids.rfind(|id| id.as_str().starts_with(prefix.as_str()))
                .cloned()
        });
        Box::pin(ready(Ok(latest)))
    }

    fn health(&self) -> watch::Receiver<Health> {
        self.health.subscribe()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.health.send_replace(Health::Stopped);
        Box::pin(ready(()))
    }
}

fn is_wanted(filter: &ArchiveFilter, game: &Summary) -> bool {
    let whites = (&game.white, &game.black, true);
    let blacks = (&game.black, &game.white, false);
    let fits =
        |wanted: &Option<String>, found: &Option<String>| wanted.is_none() || wanted == found;
    let is_side = |(own, other, is_white): (&Option<String>, &Option<String>, bool)| {
        fits(&filter.player, own)
            && fits(&filter.opponent, other)
            && filter.is_white.is_none_or(|wanted| wanted == is_white)
    };
    // Who plays both sides is found with White.
    let side = if filter.player.is_none() {
        true
    } else if game.white == filter.player {
        is_side(whites)
    } else {
        is_side(blacks)
    };
    let bots = [&game.white_bot, &game.black_bot];
    side && (filter.bot.is_none() || bots.contains(&&filter.bot))
        && (filter.event.is_none() || game.event == filter.event)
        && filter
            .result
            .as_ref()
            .is_none_or(|wanted| *wanted == game.result)
        && filter
            .reason
            .as_ref()
            .is_none_or(|wanted| *wanted == game.reason)
        && filter
            .clock
            .as_ref()
            .is_none_or(|wanted| *wanted == game.clock)
        && filter.min_plies.is_none_or(|least| game.plies >= least)
        && filter.max_plies.is_none_or(|most| game.plies <= most)
        && filter.from.is_none_or(|from| game.finished_at >= from)
        && filter.until.is_none_or(|until| game.finished_at < until)
}

impl Archive for Memory {
    fn games(
        &self,
        filter: ArchiveFilter,
        after: Option<Cursor>,
        limit: u32,
    ) -> BoxFuture<'_, Result<GamePage, ReadError>> {
        let mut games = self.archived();
        games.retain(|game| {
            let is_after = after.is_none_or(|after| place(game.cursor) < place(after));
            is_after && is_wanted(&filter, &game.summary)
        });
        let is_last = games.len() <= limit as usize;
        games.truncate(limit as usize);
        let next = games.last().filter(|_| !is_last).map(|game| game.cursor);
        Box::pin(ready(Ok(GamePage { games, next })))
    }

    fn game(&self, id: StreamId) -> BoxFuture<'_, Result<Option<ArchivedGame>, ReadError>> {
        let game = self.archived().into_iter().find(|game| game.stream == id);
        Box::pin(ready(Ok(game)))
    }

    fn count(&self, filter: ArchiveFilter, most: u32) -> BoxFuture<'_, Result<u32, ReadError>> {
        let games = self.archived();
        let wanted = games
            .iter()
            .filter(|game| is_wanted(&filter, &game.summary));
        Box::pin(ready(Ok(wanted.take(most as usize).count() as u32)))
    }

    fn played(&self, player: String) -> BoxFuture<'_, Result<Vec<PlayerGame>, ReadError>> {
        let player = Some(player);
        let games = self.archived().into_iter().map(|game| game.summary);
        let games = games.filter(|game| game.white == player || game.black == player);
        let played = games.map(|game| {
            let is_white = game.white == player;
            let (opponent, opponent_bot) = match is_white {
                true => (game.black, game.black_bot),
                false => (game.white, game.white_bot),
            };
            PlayerGame {
                finished_at: game.finished_at,
                is_white,
                result: game.result,
                clock: game.clock,
                opponent,
                opponent_bot,
            }
        });
        Box::pin(ready(Ok(played.collect())))
    }
}

/// The other tables, of which it has none.
#[derive(Debug)]
struct NoTables;

impl Sql for NoTables {
    fn select(&self, _: Statement) -> BoxFuture<'_, Result<Vec<Row>, ReadError>> {
        Box::pin(ready(Err(ReadError::Cancelled)))
    }

    fn transact(
        &self,
        _: Vec<Statement>,
    ) -> BoxFuture<'_, Result<Option<Vec<Vec<Row>>>, ReadError>> {
        Box::pin(ready(Err(ReadError::Cancelled)))
    }

    fn scrub(&self) -> BoxFuture<'_, Result<bool, ReadError>> {
        Box::pin(ready(Err(ReadError::Cancelled)))
    }
}

impl Store for Memory {
    fn tables(&self) -> Arc<dyn Sql> {
        Arc::new(NoTables)
    }

    fn stats(&self) -> StoreStats {
        StoreStats::default()
    }

    fn count_streams(&self) -> BoxFuture<'_, Result<u64, ReadError>> {
        Box::pin(ready(Ok(self.with(|streams| streams.len() as u64))))
    }

    fn streams(
        &self,
        after: i64,
        limit: u32,
    ) -> BoxFuture<'_, Result<Vec<(i64, StreamEnd)>, ReadError>> {
        let ends = self.with(|streams| {
            let rows = (1..).zip(&*streams).filter(|(row, _)| *row > after);
            let rows = rows.take(limit as usize);
            rows.map(|(row, stream)| (row, end(stream))).collect()
        });
        Box::pin(ready(Ok(ends)))
    }

    fn ends(&self, ids: Vec<StreamId>) -> BoxFuture<'_, Result<Vec<StreamEnd>, ReadError>> {
        let ends = self.with(|streams| {
            let wanted = streams.iter().filter(|stream| ids.contains(&stream.id));
            wanted.map(end).collect()
        });
        Box::pin(ready(Ok(ends)))
    }
}

fn end(stream: &MemoryStream) -> StreamEnd {
    let last = stream.read.last();
    StreamEnd {
        stream: stream.id.clone(),
        is_closed: stream.read.is_closed,
        last,
        checksum: stream.read.checksum(&stream.id, last),
    }
}

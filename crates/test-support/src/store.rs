//! Events and summaries for tests of a store, at random too.

use event_store::{
    Append, ArchiveFilter, BatchOutcome, EventLog, NewEvent, Seq, Store, StreamId, StreamRead,
    Summary, UnixMillis, WriteError,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

pub fn id(text: &str) -> StreamId {
    text.parse().unwrap()
}

/// An event that says which one it is.
pub fn event(text: &str) -> NewEvent {
    NewEvent::new(UnixMillis(1_700_000_000_000), "moved", text)
}

pub fn append(stream: &str, after: u32, texts: &[&str]) -> Append {
    let events = texts.iter().map(|text| event(text)).collect();
    Append::new(id(stream), Seq(after), events)
}

pub fn summary(finished_at: i64, result: &str, white: &str, black: &str) -> Summary {
    Summary {
        finished_at: UnixMillis(finished_at),
        result: result.into(),
        reason: "resignation".into(),
        clock: "none".into(),
        plies: 1,
        white: Some(white.into()),
        black: Some(black.into()),
        white_bot: None,
        black_bot: None,
        document: b"{}".into(),
        rated: 0,
        event: None,
        gave_up: None,
    }
}

/// Appends and waits until it is durable.
pub async fn write(store: &dyn EventLog, append: Append) -> Result<Seq, WriteError> {
    store.append(vec![append]).await?.remove(0)
}

/// Closes a game of one event.
pub async fn finish(store: &dyn Store, stream: &str, summary: Summary) {
    write(store, append(stream, 0, &["end"]).closing(summary))
        .await
        .unwrap();
}

/// A stream that is there.
pub async fn read(store: &dyn EventLog, stream: &str) -> StreamRead {
    store.read(id(stream)).await.unwrap().unwrap()
}

/// The payloads of a stream.
pub fn texts(read: &StreamRead) -> Vec<String> {
    let payloads = read.events.iter().map(|event| event.payload.clone());
    payloads
        .map(|payload| String::from_utf8(payload).unwrap())
        .collect()
}

/// Batches of each case.
const BATCHES: usize = 40;

/// An append, before it is known where its stream ends.
#[derive(Clone, Debug)]
struct AppendStep {
    stream: u8,
    /// How far it is wrong about the end of the stream.
    error: u32,
    events: usize,
    end: u8,
    players: (u8, u8),
}

fn step() -> impl Strategy<Value = AppendStep> {
    let error = prop_oneof![9 => Just(0_u32), 1 => 1..3_u32];
    let parts = (0..12_u8, error, 0..4_usize, 0..8_u8, (0..3_u8, 0..3_u8));
    parts.prop_map(|(stream, error, events, end, players)| AppendStep {
        stream,
        error,
        events,
        end,
        players,
    })
}

const PLAYERS: [&str; 3] = ["Ann", "Bob", "Cid"];
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2"];

impl AppendStep {
    fn append(&self, last: Seq, round: usize) -> Append {
        let stream = format!("{}-{}", self.stream % 3, self.stream);
        let text = format!("{round} {}", self.error);
        let texts = vec![text.as_str(); self.events];
        let after = last.0 + self.error;
        let append = append(&stream, after, &texts);
        match self.end {
            0 => append.discarding(),
            1 => append.closing(self.summary(round)),
            _ => append,
        }
    }

    fn summary(&self, round: usize) -> Summary {
        let (white, black) = self.players;
        let result = RESULTS[round % 3];
        let bot = (white == 2).then(|| "minimax:4".to_owned());
        Summary {
            plies: round as u32,
            white_bot: bot,
            gave_up: round.is_multiple_of(4).then(|| "white".to_owned()),
            event: (black == 1).then(|| "league".to_owned()),
            rated: if round.is_multiple_of(3) {
                Summary::TO_RATE
            } else {
                0
            },
            ..summary(
                round as i64 / 4,
                result,
                PLAYERS[usize::from(white)],
                PLAYERS[usize::from(black)],
            )
        }
    }
}

/// Random batches with their outcomes in an empty store, which has them then.
pub async fn random_batches(store: &dyn Store) -> Vec<(Vec<Append>, BatchOutcome)> {
    let mut runner = TestRunner::deterministic();
    let mut batches = Vec::new();
    for round in 0..BATCHES {
        let steps = vec(step(), 1..12).new_tree(&mut runner).unwrap().current();
        let mut batch = Vec::new();
        for step in &steps {
            let name = format!("{}-{}", step.stream % 3, step.stream);
            let end = read_end(store, &name).await;
            batch.push(step.append(end, round));
        }
        let outcome = store.append(batch.clone()).await;
        batches.push((batch, outcome));
    }
    batches
}

async fn read_end(store: &dyn Store, name: &str) -> Seq {
    let read = store.read(id(name)).await.unwrap();
    read.map_or(Seq::NONE, |read| read.last())
}

/// Fails if the stores differ in anything that can be read.
pub async fn compare(model: &dyn Store, store: &dyn Store) {
    let streams = |found: Vec<(i64, _)>| found.into_iter().map(|(_, end)| end).collect::<Vec<_>>();
    let expected = streams(model.streams(0, 10_000).await.unwrap());
    assert_eq!(streams(store.streams(0, 10_000).await.unwrap()), expected);
    assert_eq!(store.count_streams().await.unwrap(), expected.len() as u64);
    for end in &expected {
        let id = || end.stream.clone();
        assert_eq!(
            store.read(id()).await.unwrap(),
            model.read(id()).await.unwrap()
        );
        let ends = store.ends(vec![id(), "nobody".parse().unwrap()]).await;
        assert_eq!(ends.unwrap(), std::slice::from_ref(end));
    }
    assert_eq!(
        store.unfinished().await.unwrap(),
        model.unfinished().await.unwrap()
    );
    for prefix in ["0-", "1-", "2-", "3-"] {
        let found = store.latest(id(prefix)).await.unwrap();
        assert_eq!(found, model.latest(id(prefix)).await.unwrap(), "{prefix}");
    }
    for filter in filters() {
        let found = pages(store, &filter).await;
        assert_eq!(found, pages(model, &filter).await, "{filter:?}");
        let count = store.count(filter.clone(), 3).await.unwrap();
        assert_eq!(
            count,
            model.count(filter.clone(), 3).await.unwrap(),
            "{filter:?}"
        );
    }
    for player in PLAYERS {
        let found = store.played(player.into()).await.unwrap();
        assert_eq!(
            found,
            model.played(player.into()).await.unwrap(),
            "{player}"
        );
    }
}

/// All games that pass a filter, in pages of two.
async fn pages(store: &dyn Store, filter: &ArchiveFilter) -> Vec<(String, Summary)> {
    let (mut games, mut after) = (Vec::new(), None);
    loop {
        let page = store.games(filter.clone(), after, 2).await.unwrap();
        let found = page.games.into_iter();
        games.extend(found.map(|game| (game.stream.to_string(), game.summary)));
        after = page.next;
        if after.is_none() {
            return games;
        }
    }
}

/// Every combination of some conditions.
fn filters() -> impl Iterator<Item = ArchiveFilter> {
    (0..1 << 9).map(|shape: u32| {
        let is_set = |bit: u32| shape & 1 << bit != 0;
        let text = |bit, text: &str| is_set(bit).then(|| text.to_owned());
        ArchiveFilter {
            player: text(0, "Ann"),
            opponent: text(1, "Bob").filter(|_| is_set(0)),
            is_white: is_set(2).then_some(true).filter(|_| is_set(0)),
            bot: text(3, "minimax:4"),
            result: text(4, "1-0"),
            reason: text(5, "resignation"),
            clock: text(5, "none"),
            min_plies: is_set(6).then_some(8),
            max_plies: is_set(6).then_some(30),
            from: is_set(7).then_some(UnixMillis(2)),
            until: is_set(7).then_some(UnixMillis(8)),
            event: text(8, "league"),
            ..ArchiveFilter::default()
        }
    })
}

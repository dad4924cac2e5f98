//! Tests of a shard with a controllable log.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use checkers_lib::protocol::{ClientMessage, ErrorCode, ServerMessage, Since, WireColor};
use checkers_lib::{ByColor, DrawRules, TimeControl};
use event_store::{
    Append, BatchOutcome, Event, Health, ReadError, Seq, StreamId, StreamRead, TokenHash,
    WriteError,
};
use futures::future::BoxFuture;
use tokio::sync::{oneshot, watch};

use super::*;
use crate::broadcast::{OutboxReader, Outgoing, outbox};
use crate::table::{JoinRequest, StateView, Table};

const ANNA: ClientId = ClientId(1);
const BORIS: ClientId = ClientId(2);
const CLARA: ClientId = ClientId(3);

type AppendCallback = Box<dyn FnOnce(Result<Seq, WriteError>) + Send>;

/// A log in memory.
struct TestLog {
    events: Mutex<Vec<Event>>,
    /// Appends whose answers are held back, if any are.
    held: Mutex<Option<Vec<(Append, AppendCallback)>>>,
    health: watch::Sender<Health>,
}

impl TestLog {
    fn new() -> Arc<TestLog> {
        Arc::new(TestLog {
            events: Mutex::default(),
            held: Mutex::default(),
            health: watch::channel(Health::Ready).0,
        })
    }

    fn hold(&self) {
        *self.held.lock().unwrap() = Some(Vec::new());
    }

    fn release(&self) {
        for (append, answer) in self.held.lock().unwrap().take().unwrap() {
            answer(Ok(self.write(append)));
        }
    }

    fn break_down(&self) {
        let cause = "full".into();
        self.health.send_replace(Health::Failing { cause });
    }

    fn recover(&self) {
        self.health.send_replace(Health::Ready);
    }

    fn queue(&self, append: Append, answer: AppendCallback) {
        if !self.health.borrow().is_ready() {
            let cause = "full".into();
            answer(Err(WriteError::Unavailable { cause }));
        } else if let Some(held) = self.held.lock().unwrap().as_mut() {
            held.push((append, answer));
        } else {
            answer(Ok(self.write(append)));
        }
    }

    fn write(&self, append: Append) -> Seq {
        let mut events = self.events.lock().unwrap();
        for event in append.events {
            let seq = Seq(events.len() as u32 + 1);
            events.push(Event {
                seq,
                at: event.at,
                kind: event.kind.into_owned(),
                payload: event.payload,
            });
        }
        Seq(events.len() as u32)
    }

    fn kinds(&self) -> Vec<String> {
        let events = self.events.lock().unwrap();
        events.iter().map(|event| event.kind.clone()).collect()
    }
}

impl EventLog for TestLog {
    fn append(&self, batch: Vec<Append>) -> BoxFuture<'_, BatchOutcome> {
        Box::pin(async {
            let mut outcomes = Vec::new();
            for append in batch {
                let (answer, outcome) = oneshot::channel();
                self.queue(append, Box::new(|outcome| _ = answer.send(outcome)));
                outcomes.push(outcome.await.unwrap_or(Err(WriteError::Stopped)));
            }
            Ok(outcomes)
        })
    }

    fn read(&self, _stream: StreamId) -> BoxFuture<'_, Result<Option<StreamRead>, ReadError>> {
        let events = self.events.lock().unwrap().clone();
        Box::pin(async {
            Ok(Some(StreamRead {
                is_closed: false,
                events,
                damage: None,
            }))
        })
    }

    fn unfinished(&self) -> BoxFuture<'_, Result<Vec<StreamId>, ReadError>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn latest(&self, _prefix: StreamId) -> BoxFuture<'_, Result<Option<StreamId>, ReadError>> {
        Box::pin(async { Ok(None) })
    }

    fn health(&self) -> watch::Receiver<Health> {
        self.health.subscribe()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

/// A table in its shard, and its log.
struct ShardScene {
    handle: TableHandle,
    log: Arc<TestLog>,
}

/// A client at the table.
struct TestClient {
    who: ClientId,
    frames: OutboxReader,
}

/// A time control short enough to wait for.
const SHORT: &str = "20ms";

impl ShardScene {
    async fn new() -> ShardScene {
        ShardScene::timed(ByColor::default()).await
    }

    async fn timed(clocks: ByColor<Option<TimeControl>>) -> ShardScene {
        let log = TestLog::new();
        let table = Table::new("main", DrawRules::Fmjd64).with_clocks(clocks);
        let events = Arc::clone(&log) as Arc<dyn EventLog>;
        let shards = Shards::start(Some(&events), None, &Arc::new(Metrics::new()));
        let handle = shards.open(table.into()).await;
        ShardScene { handle, log }
    }

    async fn enter(&self, who: ClientId, name: &str, join_request: JoinRequest) -> TestClient {
        let (outbox, frames) = outbox();
        let name = name.to_owned();
        let join_request = JoinRequest {
            name,
            ..join_request
        };
        self.handle.enter(who, outbox, join_request).await;
        TestClient { who, frames }
    }

    async fn join(&self, who: ClientId, name: &str) -> TestClient {
        let key = TokenHash([who.0 as u8; 32]);
        let mut client = self
            .enter(who, name, JoinRequest::named("").with_key(key))
            .await;
        client.wait_for("joined").await;
        client
    }

    async fn send(&self, client: &TestClient, message: ClientMessage) {
        let command = Command::from_message(message).unwrap();
        self.handle.command(client.who, command).await;
    }

    /// A game of Anna with White and Boris with Black, with White asked for a move.
    async fn playing(&self) -> (TestClient, TestClient) {
        let mut anna = self.join(ANNA, "anna").await;
        let mut boris = self.join(BORIS, "boris").await;
        for (client, color) in [(&anna, WireColor::White), (&boris, WireColor::Black)] {
            let color = color.into();
            self.send(client, ClientMessage::TakeSeat { color }).await;
        }
        anna.wait_for("your_turn").await;
        boris.wait_for("game_started").await;
        (anna, boris)
    }

    async fn plays(&self, client: &TestClient, ply: u32, text: &str) {
        let text = text.to_owned();
        let play = ClientMessage::Move {
            game: None,
            ply,
            text,
            search: None,
            id: None,
        };
        let command = Command::from_message(play).unwrap();
        self.handle.command(client.who, command).await;
    }
}

impl TestClient {
    async fn next(&mut self) -> ServerMessage {
        match self.frames.next().await {
            Outgoing::Frame(frame) => serde_json::from_str(frame.text()).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Waits for a message of this type.
    async fn wait_for(&mut self, kind: &str) -> ServerMessage {
        loop {
            let Outgoing::Frame(frame) = self.frames.next().await else {
                panic!("{kind} was not sent");
            };
            if frame.text().starts_with(&format!(r#"{{"type":"{kind}""#)) {
                return serde_json::from_str(frame.text()).unwrap();
            }
        }
    }

    /// Checks that no message of this type was received.
    fn has_not_received(&mut self, kind: &str) {
        while let Some(frame) = self.frames.try_next() {
            assert!(!frame.text().contains(kind), "{}", frame.text());
        }
    }
}

/// Lets other tasks run.
async fn let_others_run() {
    for _ in 0..50 {
        yield_now().await;
    }
}

#[tokio::test]
async fn a_move_is_sent_once_it_is_durable() {
    let scene = ShardScene::new().await;
    let (anna, mut boris) = scene.playing().await;
    boris.has_not_received("moved");
    scene.log.hold();
    scene.plays(&anna, 0, "c3-d4").await;
    let_others_run().await;
    boris.has_not_received("moved");
    scene.log.release();
    let ServerMessage::Moved { seq, .. } = boris.wait_for("moved").await else {
        panic!();
    };
    assert_eq!(seq, 5);
    let kinds = ["opened", "seated", "seated", "started", "moved"];
    assert_eq!(scene.log.kinds(), kinds);
}

#[tokio::test]
async fn requests_wait_behind_a_move_that_is_being_written() {
    let scene = ShardScene::new().await;
    let (anna, mut boris) = scene.playing().await;
    scene.log.hold();
    scene.plays(&anna, 0, "c3-d4").await;
    let resign = ClientMessage::Resign(Default::default());
    scene.send(&boris, resign).await;
    let_others_run().await;
    boris.has_not_received("game_over");
    scene.log.release();
    boris.wait_for("moved").await;
    boris.wait_for("game_over").await;
    let kinds = scene.log.kinds();
    assert_eq!(kinds[kinds.len() - 2..], ["moved", "ended"]);
}

#[tokio::test]
async fn requests_of_a_client_stay_in_order() {
    let scene = ShardScene::new().await;
    let (anna, mut boris) = scene.playing().await;
    let resign = ClientMessage::Resign(Default::default());
    scene.send(&anna, resign).await;
    scene.plays(&anna, 0, "c3-d4").await;
    boris.wait_for("game_over").await;
    let_others_run().await;
    assert_eq!(scene.log.kinds().last().unwrap(), "ended");
}

#[tokio::test]
async fn a_clock_that_starts_with_a_move_times_out() {
    let scene = ShardScene::timed(ByColor {
        white: None,
        black: Some(SHORT.parse().unwrap()),
    })
    .await;
    let (anna, mut boris) = scene.playing().await;
    scene.plays(&anna, 0, "c3-d4").await;
    boris.wait_for("your_turn").await;
    boris.wait_for("game_over").await;
}

#[tokio::test]
async fn a_move_that_cannot_be_stored_is_refused_and_all_are_notified() {
    let scene = ShardScene::new().await;
    let (mut anna, mut boris) = scene.playing().await;
    scene.log.break_down();
    for client in [&mut anna, &mut boris] {
        let storage = client.wait_for("storage").await;
        assert!(matches!(storage, ServerMessage::Storage { ok: false, .. }));
    }
    scene.plays(&anna, 0, "c3-d4").await;
    let refused = anna.wait_for("error").await;
    let not_stored = ErrorCode::NotStored;
    assert!(matches!(refused, ServerMessage::Error { code, .. } if code == not_stored));
    // Spectators can join, and learn why no clock runs.
    let mut clara = scene.join(CLARA, "clara").await;
    clara.wait_for("game_state").await;
    let storage = clara.wait_for("storage").await;
    assert!(matches!(storage, ServerMessage::Storage { ok: false, .. }));
    boris.has_not_received("moved");

    scene.log.recover();
    anna.wait_for("storage").await;
    anna.wait_for("your_turn").await;
    scene.plays(&anna, 0, "c3-d4").await;
    clara.wait_for("moved").await;
    assert_eq!(scene.log.kinds().last().unwrap(), "moved");
}

#[tokio::test]
async fn a_failed_write_is_rolled_back() {
    let scene = ShardScene::new().await;
    let (mut anna, mut boris) = scene.playing().await;
    scene.log.hold();
    scene.plays(&anna, 0, "c3-d4").await;
    let_others_run().await;
    let held = scene.log.held.lock().unwrap().take().unwrap();
    for (_, answer) in held {
        let cause = "full".into();
        answer(Err(WriteError::Unavailable { cause }));
    }
    anna.wait_for("error").await;
    // The log is ready again at once.
    anna.wait_for("your_turn").await;
    scene.plays(&anna, 0, "a3-b4").await;
    let ServerMessage::Moved { played, seq, .. } = boris.wait_for("moved").await else {
        panic!();
    };
    assert_eq!((&*played.text, seq), ("a3-b4", 5));
}

#[tokio::test]
async fn a_client_that_joins_during_an_uncertain_write_enters_afterwards() {
    let scene = ShardScene::new().await;
    let (mut anna, mut boris) = scene.playing().await;
    scene.log.hold();
    scene.plays(&anna, 0, "c3-d4").await;
    let_others_run().await;
    scene.log.break_down();
    anna.wait_for("storage").await;
    let mut clara = scene.enter(CLARA, "clara", JoinRequest::named("")).await;
    let received = clara.next().await;
    assert!(
        matches!(received, ServerMessage::Storage { ok: false, .. }),
        "{received:?}"
    );
    let resign = ClientMessage::Resign(Default::default());
    scene.send(&boris, resign).await;
    boris.wait_for("error").await;
    scene.log.release();
    scene.log.recover();
    clara.wait_for("joined").await;
    let ServerMessage::GameState(state) = clara.wait_for("game_state").await else {
        panic!();
    };
    assert_eq!(state.ply, 1);
    boris.wait_for("moved").await;
}

#[tokio::test]
async fn a_reconnecting_client_receives_missed_events() {
    let scene = ShardScene::new().await;
    let (anna, mut boris) = scene.playing().await;
    let since = |seq| Some(Since { game: 1, seq });
    scene.plays(&anna, 0, "c3-d4").await;
    boris.wait_for("your_turn").await;
    scene.plays(&boris, 1, "b6-a5").await;
    let join_request = |seq| JoinRequest {
        since: since(seq),
        view: StateView::Table,
        ..JoinRequest::default()
    };
    let mut clara = scene.enter(CLARA, "clara", join_request(5)).await;
    let missed = clara.next().await;
    assert!(
        matches!(missed, ServerMessage::Moved { seq: 6, .. }),
        "{missed:?}"
    );
    clara.wait_for("players").await;
    scene.handle.command(CLARA, Command::Exit).await;
    let mut clara = scene.enter(CLARA, "clara", join_request(1000)).await;
    let state = clara.next().await;
    assert!(matches!(state, ServerMessage::TableState(_)), "{state:?}");
}

#[tokio::test]
async fn a_client_that_reads_does_not_fall_behind_when_a_crowd_leaves() {
    let scene = ShardScene::new().await;
    let (mut anna, boris) = scene.playing().await;
    drop(boris.frames);
    let crowd = || (100..300).map(ClientId);
    let come_and_go = async {
        for who in crowd() {
            let name = format!("visitor {}", who.0);
            scene.enter(who, &name, JoinRequest::named("")).await;
        }
        scene.handle.flush().await;
        for who in crowd() {
            scene.handle.command(who, Command::Disconnect).await;
        }
        scene.handle.flush().await;
    };
    let read = async { while let Outgoing::Frame(_) = anna.frames.next().await {} };
    tokio::select! {
        () = read => panic!("the outbox was full"),
        () = come_and_go => {}
    }
}

#[tokio::test]
async fn a_move_behind_many_requests_counts_before_a_flag_that_fell_later() {
    let scene = ShardScene::timed(ByColor {
        white: Some("50ms".parse().unwrap()),
        black: None,
    })
    .await;
    let (anna, mut boris) = scene.playing().await;
    let arrived = Instant::now();
    // The shard does not run during the sleep, and the flag falls.
    std::thread::sleep(Duration::from_millis(80));
    for _ in 0..2 * TABLE_BATCH {
        let sync = Command::Sync(None);
        scene.handle.command_of(anna.who, sync, arrived).await;
    }
    let play = ClientMessage::Move {
        game: None,
        ply: 0,
        text: "c3-d4".to_owned(),
        search: None,
        id: None,
    };
    let play = Command::from_message(play).unwrap();
    scene.handle.command_of(anna.who, play, arrived).await;
    boris.wait_for("moved").await;
}

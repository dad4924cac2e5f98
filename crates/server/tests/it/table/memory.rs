//! Tables restored from their events.

use std::time::Duration;

use checkers_lib::protocol::{
    ClaimedResult, ErrorCode, GameState, Offer, SearchInfo, ServerMessage, TablePhase, TableState,
    Takeover,
};
use checkers_lib::{ByColor, Color, DrawRules, Position};
use checkers_server::table::event::{TableEvent, TakenOver};
use checkers_server::table::{
    ClientId, Command, CompactRecord, Effect, JoinRequest, MoveRequest, Policy, StreamEnd, Table,
    TableSettings,
};
use event_store::TokenHash;
use proptest::prelude::*;

use crate::table::scene::{ANNA, ANY, BORIS, CLARA, TableScene, asked, end, sent_to, started};

const NOBODY: ClientId = ClientId(99);

fn policy() -> Policy {
    Policy {
        lag_allowance: Duration::from_millis(500),
        ..Policy::default()
    }
}

fn settings() -> TableSettings {
    let clock = "1m+2s".parse().ok();
    TableSettings {
        clocks: ByColor::new_with(|_| clock),
        openings: checkers_lib::openings::parse("c3-d4 b6-a5\nW:WKa1,c1,e3:Bh2,Kh8,b4\n").unwrap(),
        ..TableSettings::new("main", DrawRules::Fmjd64)
    }
}

pub(crate) fn key(who: ClientId) -> Option<TokenHash> {
    let known = [ANNA, BORIS, CLARA].contains(&who);
    known.then_some(TokenHash([who.0 as u8; 32]))
}

fn come(scene: &mut TableScene, who: ClientId) -> Vec<Effect> {
    let name = ["anna", "boris", "clara"][who.0 as usize - 1];
    let key = key(who);
    scene.does(
        who,
        Command::Enter(JoinRequest {
            key,
            ..JoinRequest::named(name)
        }),
    )
}

fn table_state(scene: &TableScene) -> TableState {
    match scene.table.snapshot(NOBODY, scene.now, 0) {
        ServerMessage::TableState(state) => *state,
        other => panic!("{other:?}"),
    }
}

/// A random command, from two numbers.
fn command(scene: &TableScene, kind: u8, choice: u16) -> Command {
    let offers = [Offer::Draw, Offer::Takeback, Offer::Rematch];
    let offer = offers[usize::from(choice) % 3];
    match kind {
        0 => Command::TakeSeat(Color::ALL[usize::from(choice) % 2]),
        1 => Command::Offer(offer, ANY),
        2 => Command::Accept(offer, ANY),
        3 => Command::Decline(offer, ANY),
        4 if choice.is_multiple_of(8) => Command::LeaveSeat,
        5 if choice.is_multiple_of(8) => Command::Resign(ANY),
        6 if choice.is_multiple_of(8) => Command::Exit,
        7 => Command::Disconnect,
        8 => Command::Claim(ClaimedResult::Draw),
        9 => Command::Abort(ANY),
        _ => Command::Move(move_request(scene, choice)),
    }
}

fn move_request(scene: &TableScene, choice: u16) -> MoveRequest {
    let Some(game) = table_state(scene).state else {
        return MoveRequest::default();
    };
    let position: Position = game.fen.parse().unwrap();
    let moves = position.legal_moves();
    let text = match moves.len() {
        0 => String::new(),
        count => position.notation(moves[usize::from(choice) % count]),
    };
    let search = choice.is_multiple_of(3).then_some(SearchInfo {
        score: -3,
        depth: 4,
        nodes: 5,
        time_us: 6,
        pv: text.parse().unwrap(),
    });
    MoveRequest {
        ply: game.ply,
        text,
        search,
        id: choice.is_multiple_of(2).then(|| format!("move {choice}")),
        lag: Duration::from_millis(u64::from(choice) % 400),
        ..MoveRequest::default()
    }
}

fn walk(scene: &mut TableScene, steps: &[(u8, u8, u16)]) -> Vec<Effect> {
    let mut effects = Vec::new();
    for &(who, kind, choice) in steps {
        scene.now += Duration::from_micros(u64::from(choice) * 31);
        let who = [ANNA, BORIS, CLARA][usize::from(who)];
        if !scene.table.has(who) {
            effects.extend(come(scene, who));
        }
        let command = command(scene, kind, choice);
        effects.extend(scene.does(who, command));
    }
    effects
}

/// The number of the open stream and its events; checks that every stream is complete.
fn open_stream(scene: &TableScene) -> Option<(u64, Vec<TableEvent>)> {
    let mut open: Option<(u64, Vec<TableEvent>)> = None;
    for record in &scene.records {
        if record.seq == 1 {
            assert!(
                open.is_none(),
                "a stream begins when the last one is closed"
            );
            open = Some((record.game, Vec::new()));
        }
        let (game, events) = open.as_mut().expect("a stream begins with its first event");
        assert_eq!(
            (record.game, record.seq as usize),
            (*game, events.len() + 1)
        );
        events.push(record.event.clone());
        if record.stream != StreamEnd::Open {
            open = None;
        }
    }
    open
}

fn without_thinking(state: Option<GameState>) -> Option<GameState> {
    let thinking_ms = None;
    state.map(|state| GameState {
        thinking_ms,
        ..state
    })
}

/// The visible state of a table without members.
fn seen(scene: &TableScene) -> TableState {
    let mut seen = table_state(scene);
    let runs = seen.info.state == TablePhase::Running;
    seen.state = without_thinking(seen.state.filter(|_| runs));
    if !runs {
        // The events of a game do not include the previous game.
        seen.info.state = TablePhase::Waiting;
        seen.info.ply = 0;
    }
    seen
}

fn restored(scene: &TableScene, number: u64, events: &[TableEvent]) -> Table {
    // As read from the log.
    let read = |event: &TableEvent| TableEvent::read(event.kind(), &event.payload()).unwrap();
    let events: Vec<TableEvent> = events.iter().map(read).collect();
    Table::restore(settings(), policy(), number, &events, scene.now).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_restored_table_behaves_like_the_original(
        past in prop::collection::vec((0u8..3, 0u8..24, any::<u16>()), 1..150),
        future in prop::collection::vec((0u8..3, 0u8..24, any::<u16>()), 1..40),
    ) {
        let mut scene = TableScene::new(DrawRules::Fmjd64);
        scene.table = Table::open(settings()).with_policy(policy());
        for who in [ANNA, BORIS] {
            come(&mut scene, who);
            let seat = Color::ALL[who.0 as usize - 1];
            scene.does(who, Command::TakeSeat(seat));
        }
        walk(&mut scene, &past);
        for who in [ANNA, BORIS, CLARA] {
            scene.does(who, Command::Disconnect);
        }
        if let Some((number, events)) = open_stream(&scene) {
            let mut again = TableScene::new(DrawRules::Fmjd64);
            again.now = scene.now;
            again.table = restored(&scene, number, &events);
            // Players who were absent count as absent from now on.
            for scene in [&mut scene, &mut again] {
                for who in [ANNA, BORIS, CLARA] {
                    come(scene, who);
                }
                // The time since the last event is not charged.
                scene.table.suspend();
                scene.table.resume(scene.now);
                for who in [ANNA, BORIS, CLARA] {
                    scene.does(who, Command::Disconnect);
                }
                scene.records.clear();
            }
            prop_assert_eq!(seen(&scene), seen(&again));
            prop_assert_eq!(walk(&mut scene, &future), walk(&mut again, &future));
            let events = |scene: &TableScene| {
                let records = scene.records.iter();
                records.map(|record| (record.game, record.event.clone())).collect::<Vec<_>>()
            };
            prop_assert_eq!(events(&scene), events(&again));
        }
    }
}

/// A new game of Anna and Boris with keys and clocks.
fn playing() -> TableScene {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    let openings = Vec::new();
    scene.table = Table::open(TableSettings {
        openings,
        ..settings()
    })
    .with_policy(policy());
    for who in [ANNA, BORIS] {
        come(&mut scene, who);
        let seat = Color::ALL[who.0 as usize - 1];
        scene.does(who, Command::TakeSeat(seat));
    }
    scene
}

fn clocks(scene: &TableScene) -> [u64; 2] {
    let clocks = table_state(scene).state.unwrap().clocks.unwrap();
    [clocks.white, clocks.black].map(|clock| clock.unwrap().remaining_ms)
}

#[test]
fn a_finished_game_is_archived_completely() {
    let mut scene = playing();
    scene.play_all(&["c3-d4", "b6-a5"]);
    let effects = scene.does(BORIS, Command::Resign(ANY));
    assert!(end(&effects).is_some());
    let last = scene.records.last().unwrap();
    assert_eq!((last.game, last.seq), (1, 7));
    let StreamEnd::Archived(kept) = &last.stream else {
        panic!("{last:?}");
    };
    let record = CompactRecord::read(&kept.document()).unwrap();
    assert_eq!(
        (&*record.id, &*record.table, record.number),
        ("main-1", "main", 1)
    );
    assert_eq!(
        (&*record.white.name, &*record.black.name),
        ("anna", "boris")
    );
    let moves = record
        .moves
        .iter()
        .map(|played| (played.ply, &*played.text));
    assert_eq!(moves.collect::<Vec<_>>(), [(0, "c3-d4"), (1, "b6-a5")]);
    assert_eq!(record.white_clock.as_deref(), Some("1m+2s"));
    assert_eq!(open_stream(&scene), None);
}

#[test]
fn a_takeover_is_recorded() {
    let mut scene = playing();
    let taken_over = |epoch| TakenOver {
        node: "n2".to_owned(),
        epoch,
        at_ms: 1000 + epoch,
    };
    scene.play_all(&["c3-d4"]);
    let mut events: Vec<TableEvent> = (scene.records.iter())
        .map(|record| record.event.clone())
        .collect();
    for epoch in [3, 5] {
        scene.table = restored(&scene, 1, &events);
        let record = scene.table.take_over(taken_over(epoch)).unwrap();
        assert_eq!(record.seq as usize, events.len() + 1);
        assert_eq!(scene.table.stream_position(), (1, record.seq));
        events.push(record.event);
    }
    come(&mut scene, ANNA);
    scene.does(ANNA, Command::Resign(ANY));
    let StreamEnd::Archived(kept) = &scene.records.last().unwrap().stream else {
        panic!("{:?}", scene.records);
    };
    let record = CompactRecord::read(&kept.document()).unwrap();
    let takeover = |at_ms| Takeover { ply: 1, at_ms };
    assert_eq!(record.taken_over, [takeover(1003), takeover(1005)]);
}

#[test]
fn a_table_without_a_game_has_no_takeover() {
    let mut table = Table::open(settings());
    let taken_over = TakenOver {
        node: "n2".to_owned(),
        epoch: 2,
        at_ms: 0,
    };
    assert_eq!(table.take_over(taken_over), None);
}

#[test]
fn after_a_restart_the_clock_waits_briefly_for_the_player() {
    let scene = playing();
    let (number, events) = open_stream(&scene).unwrap();
    let (second, minute) = (Duration::from_secs(1), Duration::from_secs(60));
    // Anna stays away: her clock starts after ten seconds.
    let mut restart = TableScene::new(DrawRules::Fmjd64);
    restart.table = restored(&restart, number, &events);
    assert_eq!(end(&restart.waits(10 * second + minute)), None);
    assert!(end(&restart.waits(second)).is_some());
    // She returns after three seconds.
    let mut restart = TableScene::new(DrawRules::Fmjd64);
    restart.table = restored(&restart, number, &events);
    restart.now += 3 * second;
    assert_eq!(asked(&come(&mut restart, ANNA)).0, ANNA);
    restart.now += 5 * second;
    restart.plays(ANNA, 0, "c3-d4");
    assert_eq!(clocks(&restart), [57_000, 60_000]);
}

#[test]
fn after_a_restart_a_seat_requires_its_key() {
    let scene = playing();
    let (number, events) = open_stream(&scene).unwrap();
    let mut restart = TableScene::new(DrawRules::Fmjd64);
    restart.table = restored(&restart, number, &events);
    let without_key = Command::Enter(JoinRequest::named("Anna"));
    restart.refuses(CLARA, without_key, ErrorCode::NameTaken);
    come(&mut restart, ANNA);
    assert_eq!(restart.table.seat_of(ANNA), Some(Color::White));
}

#[test]
fn rebuilding_undoes_events_that_were_not_stored() {
    let mut scene = playing();
    scene.play_all(&["c3-d4"]);
    scene.now += Duration::from_secs(7);
    let (number, events) = open_stream(&scene).unwrap();
    let before = seen(&scene);
    scene.plays(BORIS, 1, "b6-a5");
    scene.table.rebuild(number, &events, scene.now).unwrap();
    assert_eq!(seen(&scene), before);
    // All members stay, and the seven seconds are not charged to Boris.
    let effects = scene.plays(BORIS, 1, "b6-a5");
    assert_eq!(asked(&effects).0, ANNA);
    assert_eq!(clocks(&scene)[1], 62_000);
}

#[test]
fn a_table_without_events_is_rebuilt_empty() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    come(&mut scene, ANNA);
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.table.rebuild(1, &[], scene.now).unwrap();
    assert_eq!(scene.table.seat_of(ANNA), None);
    scene.records.clear();
    scene.does(ANNA, Command::TakeSeat(Color::Black));
    let kinds: Vec<_> = scene
        .records
        .iter()
        .map(|record| record.event.kind())
        .collect();
    assert_eq!(kinds, ["opened", "seated"]);
}

#[test]
fn clocks_stop_while_the_table_is_suspended() {
    let mut scene = playing();
    scene.table.suspend();
    assert_eq!(scene.waits(Duration::from_secs(3600)), []);
    let effects = scene.table.resume(scene.now);
    assert_eq!(asked(&effects).0, ANNA);
    scene.now += Duration::from_secs(10);
    scene.plays(ANNA, 0, "c3-d4");
    assert_eq!(clocks(&scene)[0], 52_000);
}

#[test]
fn inconsistent_events_are_reported() {
    let scene = playing();
    let (number, mut events) = open_stream(&scene).unwrap();
    events.remove(1);
    let now = scene.now;
    let error = Table::restore(settings(), policy(), number, &events, now).unwrap_err();
    assert_eq!(error.seq, 3);
    assert!(error.to_string().contains("a seat was free"), "{error}");
    let unknown = TableEvent::read("danced", b"{}").unwrap_err();
    assert!(unknown.to_string().contains("danced"), "{unknown}");
}

#[test]
fn rematches_have_their_own_stream() {
    let mut scene = playing();
    scene.does(ANNA, Command::Resign(ANY));
    scene.offers(ANNA, Offer::Rematch);
    let effects = scene.accepts(BORIS, Offer::Rematch);
    assert_eq!(&*started(&effects).id, "main-2");
    let (number, events) = open_stream(&scene).unwrap();
    assert_eq!((number, events.len()), (2, 4));
    let clara = scene.enter(CLARA, "clara");
    assert!(!sent_to(&clara, CLARA).is_empty());
}

//! Clocks, increments and flag falls.

use std::time::Duration;

use checkers_lib::protocol::{
    EndReason, ErrorCode, GameResult, Role, ServerMessage, WireClock, WireClocks,
};
use checkers_lib::{ByColor, Color, DrawRules};
use checkers_server::table::{Command, Effect, GameSetup, Table};

use crate::table::scene::{ANNA, BORIS, CLARA, TableScene, end, roles, sent_to, setup, started};

const SECOND: Duration = Duration::from_secs(1);

/// A new game of Anna with White against Boris with these clocks.
fn on_clocks(white: Option<&str>, black: Option<&str>) -> (TableScene, Vec<Effect>) {
    let mut scene = TableScene::directed();
    let effects = scene.arranges(GameSetup {
        clocks: ByColor {
            white: white.map(str::to_owned),
            black: black.map(str::to_owned),
        },
        ..setup(1)
    });
    (scene, effects)
}

fn clock(remaining_ms: u64, increment_ms: u64) -> Option<WireClock> {
    Some(WireClock {
        remaining_ms,
        increment_ms,
        delay_ms: None,
        per_move_ms: None,
    })
}

/// The clocks in the message of a move.
fn clocks(effects: &[Effect]) -> Option<WireClocks> {
    effects.iter().find_map(|effect| match effect {
        Effect::Broadcast(ServerMessage::Moved { clocks, .. }) => *clocks,
        _ => None,
    })
}

const LOST_BY_BLACK: GameResult = GameResult::WhiteWon;
const LOST_BY_WHITE: GameResult = GameResult::BlackWon;

#[test]
fn clocks_are_sent_from_the_start() {
    let (mut scene, effects) = on_clocks(Some("10+1"), Some("1m"));
    let full = Some(WireClocks {
        white: clock(10_000, 1000),
        black: clock(60_000, 0),
    });
    assert_eq!(started(&effects).clocks, full);
    let [ServerMessage::YourTurn { clocks, .. }] = sent_to(&effects, ANNA)[..] else {
        panic!("{effects:?}");
    };
    assert_eq!(*clocks, full);
    scene.does(CLARA, Command::Exit);
    let effects = scene.enter(CLARA, "clara");
    let [_, ServerMessage::GameState(state)] = sent_to(&effects, CLARA)[..] else {
        panic!("{effects:?}");
    };
    assert_eq!(state.clocks, full);
}

#[test]
fn a_move_costs_its_time_and_brings_the_increment() {
    let (mut scene, _) = on_clocks(Some("10+1"), Some("10+0"));
    // Fractions of milliseconds count, though the wire rounds them down.
    scene.now += 3 * SECOND + Duration::from_micros(500);
    let effects = scene.plays(ANNA, 0, "c3-d4");
    let after = WireClocks {
        white: clock(7999, 1000),
        black: clock(10_000, 0),
    };
    assert_eq!(clocks(&effects), Some(after));
    let [
        ServerMessage::YourTurn {
            clocks: requested, ..
        },
    ] = sent_to(&effects, BORIS)[..]
    else {
        panic!("{effects:?}");
    };
    assert_eq!(*requested, Some(after));
    scene.now += SECOND;
    scene.plays(BORIS, 1, "b6-a5");
    scene.now += Duration::from_micros(500);
    let after = WireClocks {
        white: clock(8999, 1000),
        black: clock(9000, 0),
    };
    assert_eq!(clocks(&scene.plays(ANNA, 2, "b2-c3")), Some(after));
}

#[test]
fn the_opening_costs_no_time() {
    let mut scene = TableScene::directed();
    let effects = scene.arranges(GameSetup {
        moves: vec!["c3-d4".to_owned()],
        clocks: ByColor {
            white: Some("1+1".to_owned()),
            black: None,
        },
        ..setup(1)
    });
    let clocks = started(&effects).clocks.unwrap();
    assert_eq!((clocks.white, clocks.black), (clock(1000, 1000), None));
    assert_eq!(scene.table.poll_timeout(), None);
}

#[test]
fn a_flag_falls_without_a_command() {
    let (mut scene, _) = on_clocks(Some("10"), Some("10"));
    scene.plays(ANNA, 0, "c3-d4");
    let flag = scene.table.poll_timeout().unwrap();
    assert!(flag > scene.now + 10 * SECOND);
    scene.now += 10 * SECOND;
    assert_eq!(scene.table.handle_timeout(scene.now), []);

    let effects = scene.table.handle_timeout(flag);
    let lost = (LOST_BY_BLACK, EndReason::Time, None, 1);
    assert_eq!(end(&effects), Some(lost));
    let is_free = |(_, role): &(String, Role)| *role == Role::Spectator;
    assert!(roles(&effects).iter().all(is_free));
    assert_eq!(scene.table.handle_timeout(flag), []);
    assert_eq!(scene.table.poll_timeout(), None);
}

#[test]
fn a_move_at_the_last_moment_counts() {
    let (mut scene, _) = on_clocks(Some("10"), None);
    scene.now += 10 * SECOND;
    let effects = scene.plays(ANNA, 0, "c3-d4");
    assert_eq!(
        (end(&effects), clocks(&effects).unwrap().white),
        (None, clock(0, 0))
    );
}

#[test]
fn a_late_move_loses_before_it_is_validated() {
    let (mut scene, _) = on_clocks(Some("10"), Some("10"));
    scene.now += 10 * SECOND + Duration::from_nanos(1);
    let effects = scene.plays(ANNA, 0, "c3-d4");
    let lost = (LOST_BY_WHITE, EndReason::Time, None, 0);
    assert_eq!(end(&effects), Some(lost));
    let refused = ErrorCode::NotSeated;
    let refusals = sent_to(&effects, ANNA);
    assert!(
        matches!(refusals[..], [ServerMessage::Error { code, .. }] if *code == refused),
        "{effects:?}"
    );
}

#[test]
fn leaving_after_the_flag_fell_loses_on_time() {
    let (mut scene, _) = on_clocks(Some("10"), None);
    scene.now += 11 * SECOND;
    let lost = (LOST_BY_WHITE, EndReason::Time, None, 0);
    assert_eq!(end(&scene.does(BORIS, Command::LeaveSeat)), Some(lost));
}

#[test]
fn a_side_may_have_no_clock() {
    let (mut scene, effects) = on_clocks(None, Some("10"));
    assert_eq!(started(&effects).clocks.unwrap().white, None);
    assert_eq!(scene.table.poll_timeout(), None);
    scene.now += 1000 * SECOND;
    assert_eq!(end(&scene.plays(ANNA, 0, "c3-d4")), None);
    assert!(scene.table.poll_timeout().is_some());
}

#[test]
fn a_move_that_ends_the_game_in_time_wins() {
    let mut scene = TableScene::directed();
    scene.arranges(GameSetup {
        start_fen: Some("W:Wc3:Bd4".to_owned()),
        clocks: ByColor {
            white: Some("1".to_owned()),
            black: Some("1".to_owned()),
        },
        ..setup(1)
    });
    scene.now += SECOND;
    let won = (GameResult::WhiteWon, EndReason::NoPieces, None, 1);
    assert_eq!(end(&scene.plays(ANNA, 0, "c3:e5")), Some(won));
    assert_eq!(scene.table.poll_timeout(), None);
}

#[test]
fn a_refused_move_costs_nothing_yet() {
    let (mut scene, _) = on_clocks(Some("10"), None);
    scene.now += SECOND;
    let flag = scene.table.poll_timeout();
    scene.plays(ANNA, 0, "c3-e5");
    assert_eq!(scene.table.poll_timeout(), flag);
    scene.now += SECOND;
    let effects = scene.plays(ANNA, 0, "c3-d4");
    assert_eq!(clocks(&effects).unwrap().white, clock(8000, 0));
}

#[test]
fn the_delay_of_every_move_is_free() {
    let (mut scene, effects) = on_clocks(Some("10~2"), None);
    let white = |remaining_ms| {
        let delay_ms = Some(2000);
        clock(remaining_ms, 0).map(|clock| WireClock { delay_ms, ..clock })
    };
    assert_eq!(started(&effects).clocks.unwrap().white, white(10_000));
    scene.now += 2 * SECOND;
    let effects = scene.plays(ANNA, 0, "c3-d4");
    assert_eq!(clocks(&effects).unwrap().white, white(10_000));
    scene.plays(BORIS, 1, "b6-a5");
    scene.now += 5 * SECOND;
    let effects = scene.plays(ANNA, 2, "b2-c3");
    assert_eq!(clocks(&effects).unwrap().white, white(7000));
    scene.plays(BORIS, 3, "a7-b6");
    scene.now += 9 * SECOND;
    assert_eq!(scene.table.handle_timeout(scene.now), []);
    let flag = scene.table.poll_timeout().unwrap();
    let lost = (LOST_BY_WHITE, EndReason::Time, None, 4);
    assert_eq!(end(&scene.table.handle_timeout(flag)), Some(lost));
}

#[test]
fn a_clock_per_move_restarts_with_every_move() {
    let (mut scene, effects) = on_clocks(Some("30/move"), None);
    let full = clock(30_000, 0).map(|clock| WireClock {
        per_move_ms: Some(30_000),
        ..clock
    });
    assert_eq!(started(&effects).clocks.unwrap().white, full);
    scene.now += 30 * SECOND;
    let effects = scene.plays(ANNA, 0, "c3-d4");
    assert_eq!(clocks(&effects).unwrap().white, full);
    scene.plays(BORIS, 1, "b6-a5");
    scene.now += 31 * SECOND;
    let lost = (LOST_BY_WHITE, EndReason::Time, None, 2);
    assert_eq!(end(&scene.table.handle_timeout(scene.now)), Some(lost));
}

#[test]
fn a_king_against_a_king_does_not_win_on_time() {
    for (fen, result, reason) in [
        ("W:WKa1:BKb8", GameResult::Draw, EndReason::TimeAgainstKing),
        ("W:WKa1:BKh8", LOST_BY_WHITE, EndReason::Time),
        ("W:WKa1,Kc1:BKb8", LOST_BY_WHITE, EndReason::Time),
    ] {
        let mut scene = TableScene::directed();
        scene.arranges(GameSetup {
            start_fen: Some(fen.to_owned()),
            clocks: ByColor {
                white: Some("1".to_owned()),
                black: None,
            },
            ..setup(1)
        });
        let flag = scene.table.poll_timeout().unwrap();
        let over = (result, reason, None, 0);
        assert_eq!(end(&scene.table.handle_timeout(flag)), Some(over), "{fen}");
    }
}

#[test]
fn a_table_has_its_own_clocks() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.table = Table::new("main", DrawRules::Fmjd64).with_clocks(ByColor {
        white: "10+1".parse().ok(),
        black: None,
    });
    scene.enter(ANNA, "anna");
    scene.enter(BORIS, "boris");
    scene.does(ANNA, Command::TakeSeat(Color::White));
    let effects = scene.does(BORIS, Command::TakeSeat(Color::Black));
    let clocks = started(&effects).clocks.unwrap();
    assert_eq!((clocks.white, clocks.black), (clock(10_000, 1000), None));
}

//! Games by correspondence: a move has days, and the players need not be there.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    ClaimedResult, EndReason, ErrorCode, GameResult, Offer, ServerMessage, TableKind,
};
use checkers_lib::{ByColor, Color, DrawRules};
use checkers_server::table::event::TableEvent;
use checkers_server::table::{
    ClientId, Command, Correspondent, Effect, JoinRequest, MoveRequest, Policy, Table,
    TableSettings, TurnTime,
};
use event_store::TokenHash;

use crate::table::scene::{ANNA, ANY, BORIS, CLARA, TableScene, end};

const SERVER: ClientId = ClientId(0);
const DAY: Duration = Duration::from_secs(24 * 3600);
const MOMENT: Duration = Duration::from_nanos(1);
const ON_TIME: (GameResult, EndReason) = (GameResult::BlackWon, EndReason::Time);

fn key(who: ClientId) -> TokenHash {
    TokenHash([who.0 as u8; 32])
}

fn settings() -> TableSettings {
    TableSettings {
        kind: TableKind::Correspondence,
        clocks: ByColor::new_with(|_| "3d/move".parse().ok()),
        casual: false,
        ..TableSettings::new("k3x", DrawRules::Fmjd64)
    }
}

fn correspondent(name: &str, who: ClientId, vacation: Duration) -> Correspondent {
    Correspondent {
        name: name.to_owned(),
        key: key(who),
        vacation,
    }
}

/// A game of Anna with White and Boris with Black, who are not there.
fn begun(vacation: Duration) -> TableScene {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.table = Table::open(settings());
    let players = ByColor {
        white: correspondent("anna", ANNA, vacation),
        black: correspondent("boris", BORIS, Duration::ZERO),
    };
    scene.does(SERVER, Command::Begin(Box::new(players)));
    scene
}

fn comes(scene: &mut TableScene, name: &str, who: ClientId) {
    let join_request = JoinRequest::named(name).with_key(key(who));
    scene.does(who, Command::Enter(join_request));
}

fn result(effects: &[Effect]) -> Option<(GameResult, EndReason)> {
    end(effects).map(|(result, reason, _, _)| (result, reason))
}

fn left(scene: &TableScene) -> Duration {
    scene.table.correspondence(scene.now).unwrap().time.left
}

#[test]
fn a_game_needs_no_players_until_its_time_is_over() {
    let mut scene = begun(Duration::ZERO);
    assert_eq!(scene.waits(3 * DAY), []);
    assert_eq!(result(&scene.waits(MOMENT)), Some(ON_TIME));
}

#[test]
fn each_move_has_the_same_time() {
    let mut scene = begun(Duration::ZERO);
    comes(&mut scene, "anna", ANNA);
    comes(&mut scene, "boris", BORIS);
    for (ply, text) in ["c3-d4", "b6-a5", "d2-c3"].into_iter().enumerate() {
        scene.waits(2 * DAY);
        assert_eq!(left(&scene), DAY);
        let mover = [ANNA, BORIS][ply % 2];
        scene.plays(mover, u32::try_from(ply).unwrap(), text);
        assert_eq!(left(&scene), 3 * DAY);
    }
    // Leaving is no resignation, and being away is no reason to claim the game.
    scene.refuses(ANNA, Command::LeaveSeat, ErrorCode::Forbidden);
    assert_eq!(result(&scene.does(BORIS, Command::Exit)), None);
    scene.waits(DAY);
    let claim = Command::Claim(ClaimedResult::Win);
    scene.refuses(ANNA, claim, ErrorCode::NotAbsent);
    scene.refuses(ANNA, Command::Abort(ANY), ErrorCode::TooLate);
    comes(&mut scene, "boris", BORIS);
    assert_eq!(left(&scene), 2 * DAY);
    let takeback = Command::Offer(Offer::Takeback, ANY);
    scene.refuses(ANNA, takeback, ErrorCode::NotCasual);
    let effects = scene.does(BORIS, Command::Resign(ANY));
    let resigned = (GameResult::WhiteWon, EndReason::Resignation);
    assert_eq!(result(&effects), Some(resigned));
    // The table had one game.
    let seat = Command::TakeSeat(Color::White);
    scene.refuses(BORIS, seat, ErrorCode::Forbidden);
    let rematch = Command::Offer(Offer::Rematch, ANY);
    scene.refuses(BORIS, rematch, ErrorCode::NoRematch);
}

#[test]
fn only_its_players_have_seats() {
    let mut scene = begun(Duration::ZERO);
    comes(&mut scene, "clara", CLARA);
    scene.refuses(CLARA, Command::TakeSeat(Color::White), ErrorCode::SeatTaken);
    let players = ByColor::new_with(|_| correspondent("clara", CLARA, Duration::ZERO));
    let begin = Command::Begin(Box::new(players));
    scene.refuses(CLARA, begin, ErrorCode::Forbidden);
}

#[test]
fn a_restored_game_has_the_time_that_it_had() {
    let mut scene = begun(Duration::ZERO);
    comes(&mut scene, "anna", ANNA);
    scene.plays(ANNA, 0, "c3-d4");
    let events: Vec<TableEvent> = scene
        .records
        .iter()
        .map(|record| record.event.clone())
        .collect();
    let now = Instant::now();
    let restore = || Table::restore(settings(), Policy::default(), 1, &events, now).unwrap();
    let mut table = restore();
    let time = TurnTime {
        since: 2 * DAY,
        left: DAY,
        vacation: ByColor::default(),
    };
    table.set_turn_time(time, now);
    assert_eq!(table.correspondence(now).unwrap().time, time);
    assert_eq!(table.handle_timeout(now + DAY), []);
    let ended = table.handle_timeout(now + DAY + MOMENT);
    let lost = (GameResult::WhiteWon, EndReason::Time);
    assert_eq!(result(&ended), Some(lost));
    // One whose time ended while it was not in memory ends at once.
    let mut table = restore();
    let left = Duration::ZERO;
    table.set_turn_time(TurnTime { left, ..time }, now);
    assert_eq!(result(&table.handle_timeout(now + MOMENT)), Some(lost));
    // A failing store does not give time back.
    let mut table = restore();
    table.set_turn_time(time, now);
    table.suspend();
    assert_eq!(table.handle_timeout(now + 2 * DAY), []);
    table.resume(now + 2 * DAY);
    assert_eq!(result(&table.handle_timeout(now + 2 * DAY)), Some(lost));
}

#[test]
fn time_stands_still_on_vacation() {
    // It began on Anna's vacation.
    let mut scene = begun(5 * DAY);
    assert_eq!(left(&scene), 8 * DAY);
    scene.waits(DAY);
    // She ends it early, four days before its end.
    scene.does(SERVER, Command::Vacation(key(ANNA), Duration::ZERO));
    assert_eq!(left(&scene), 3 * DAY);
    scene.waits(DAY);
    scene.does(SERVER, Command::Vacation(key(ANNA), 10 * DAY));
    // Twice is once, and others' vacations do not matter.
    scene.does(SERVER, Command::Vacation(key(ANNA), 10 * DAY));
    scene.does(SERVER, Command::Vacation(key(CLARA), 10 * DAY));
    assert_eq!(left(&scene), 12 * DAY);
    comes(&mut scene, "anna", ANNA);
    comes(&mut scene, "boris", BORIS);
    scene.plays(ANNA, 0, "c3-d4");
    assert_eq!(left(&scene), 3 * DAY);
    scene.plays(BORIS, 1, "b6-a5");
    assert_eq!(left(&scene), 13 * DAY);
    assert_eq!(scene.waits(13 * DAY), []);
    assert_eq!(result(&scene.waits(MOMENT)), Some(ON_TIME));
}

#[test]
fn a_move_that_was_left_is_played_once_for_its_position() {
    let mut scene = begun(Duration::ZERO);
    let left = |color, ply, text: &str| {
        let request = MoveRequest {
            ply,
            text: text.to_owned(),
            ..MoveRequest::default()
        };
        Command::PlayFor(color, request)
    };
    let is_played = |effects: &[Effect]| {
        let is_move =
            |effect: &Effect| matches!(effect, Effect::Broadcast(ServerMessage::Moved { .. }));
        effects.iter().any(is_move)
    };
    assert!(is_played(
        &scene.does(SERVER, left(Color::White, 0, "c3-d4"))
    ));
    assert!(!is_played(
        &scene.does(SERVER, left(Color::White, 0, "c3-d4"))
    ));
    assert!(!is_played(
        &scene.does(SERVER, left(Color::White, 1, "b6-a5"))
    ));
    assert!(!is_played(
        &scene.does(SERVER, left(Color::Black, 1, "b6-d4"))
    ));
    assert!(is_played(
        &scene.does(SERVER, left(Color::Black, 1, "b6-a5"))
    ));
}

//! Disconnected players, requested bots, idle tables, resent moves and lag compensation.

use std::time::Duration;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{
    ClaimedResult, ClosedReason, EndReason, ErrorCode, GameResult, Offer, ServerMessage, TableKind,
};
use checkers_lib::{ByColor, Color, DrawRules};
use checkers_server::table::{
    ClientId, Command, Effect, JoinRequest, MoveRequest, Policy, StreamEnd, Table, TableSettings,
};

use crate::table::memory::key;
use crate::table::scene::{ANNA, ANY, BORIS, CLARA, ScriptedEnd, TableScene, asked, end, sent_to};

const MINUTE: Duration = Duration::from_secs(60);
const CLAIM: Command = Command::Claim(ClaimedResult::Win);

fn come(name: &str, who: ClientId) -> Command {
    let key = key(who);
    Command::Enter(JoinRequest {
        key,
        ..JoinRequest::named(name)
    })
}

/// A game of Anna with White and Boris with Black, with keys, after two moves.
fn playing(kind: TableKind) -> TableScene {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.table = Table::open(TableSettings {
        kind,
        ..TableSettings::new("k3x", DrawRules::Fmjd64)
    });
    scene.does(ANNA, come("anna", ANNA));
    scene.does(BORIS, come("boris", BORIS));
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.does(BORIS, Command::TakeSeat(Color::Black));
    scene.play_all(&["c3-d4", "b6-a5"]);
    scene
}

fn over(result: GameResult, reason: EndReason) -> Option<ScriptedEnd> {
    Some((result, reason, None, 2))
}

/// The presence messages among the effects.
fn presence(effects: &[Effect]) -> Vec<(Color, bool, Option<u64>)> {
    let presence = |effect: &Effect| match effect {
        Effect::Broadcast(ServerMessage::Presence {
            color,
            connected,
            claim_in_ms,
            ..
        }) => Some(((*color).into(), *connected, *claim_in_ms)),
        _ => None,
    };
    effects.iter().filter_map(presence).collect()
}

#[test]
fn a_seat_is_reserved_for_a_reconnecting_player() {
    let mut scene = playing(TableKind::Main);
    let effects = scene.does(ANNA, Command::Disconnect);
    assert_eq!(presence(&effects), [(Color::White, false, Some(60_000))]);
    assert_eq!(end(&effects), None);
    scene.refuses(CLARA, come("anna", CLARA), ErrorCode::NameTaken);
    let effects = scene.does(ANNA, come("anna", ANNA));
    assert_eq!(presence(&effects), [(Color::White, true, None)]);
    assert_eq!(asked(&effects).1, 2);
    assert_eq!(asked(&scene.plays(ANNA, 2, "a3-b4")).0, BORIS);
}

#[test]
fn a_second_connection_takes_over_the_seat() {
    let mut scene = playing(TableKind::Main);
    let again = ClientId(17);
    let join_request = JoinRequest::named("anna").with_key(key(ANNA).unwrap());
    let effects = scene.does(again, Command::Enter(join_request));
    assert_eq!(effects[0], Effect::Detach(ANNA));
    assert_eq!(scene.table.seat_of(again), Some(Color::White));
    assert!(!scene.table.has(ANNA));
    // The end of the old connection does not affect the player.
    assert_eq!(presence(&scene.does(ANNA, Command::Disconnect)), []);
    assert_eq!(asked(&scene.plays(again, 2, "a3-b4")).0, BORIS);
}

#[test]
fn a_game_may_be_claimed_from_an_absent_player() {
    for (result, ending) in [
        (ClaimedResult::Win, GameResult::BlackWon),
        (ClaimedResult::Draw, GameResult::Draw),
    ] {
        let mut scene = playing(TableKind::Main);
        scene.refuses(BORIS, CLAIM, ErrorCode::NotAbsent);
        scene.does(ANNA, Command::Disconnect);
        scene.waits(MINUTE - Duration::from_millis(1));
        scene.refuses(BORIS, CLAIM, ErrorCode::TooSoon);
        scene.waits(Duration::from_millis(1));
        let effects = scene.does(BORIS, Command::Claim(result));
        assert_eq!(end(&effects), over(ending, EndReason::Abandoned));
        scene.refuses(BORIS, CLAIM, ErrorCode::NotSeated);
    }
}

#[test]
fn leaving_loses_once_both_have_moved() {
    for leave in [Command::LeaveSeat, Command::Exit] {
        let mut scene = playing(TableKind::Main);
        let left = over(GameResult::BlackWon, EndReason::PlayerLeft);
        assert_eq!(end(&scene.does(ANNA, leave)), left);
    }
}

#[test]
fn a_seat_without_a_game_stays_reserved_for_a_while() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.does(ANNA, come("anna", ANNA));
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.does(ANNA, Command::Disconnect);
    scene.enter(CLARA, "clara");
    let sit = Command::TakeSeat(Color::White);
    scene.refuses(CLARA, sit.clone(), ErrorCode::SeatTaken);
    assert_eq!(scene.table.poll_timeout(), Some(scene.now + MINUTE));
    scene.waits(MINUTE);
    scene.does(CLARA, sit);
    assert_eq!(scene.table.seat_of(CLARA), Some(Color::White));
    // Clara has no key and cannot return: her seat is free at once.
    scene.does(CLARA, Command::Disconnect);
    scene.does(ANNA, come("anna", ANNA));
    scene.does(ANNA, Command::TakeSeat(Color::White));
    assert_eq!(scene.table.seat_of(ANNA), Some(Color::White));
}

#[test]
fn a_game_without_players_ends_and_its_table_closes() {
    for (kind, closes) in [(TableKind::Main, false), (TableKind::Custom, true)] {
        let mut scene = playing(kind);
        scene.enter(CLARA, "clara");
        scene.does(ANNA, Command::Disconnect);
        scene.does(BORIS, Command::Disconnect);
        // A game without clocks has an hour.
        assert_eq!(scene.waits(59 * MINUTE), []);
        let effects = scene.waits(MINUTE);
        let abandoned = over(GameResult::Interrupted, EndReason::Abandoned);
        assert_eq!(end(&effects), abandoned);
        let last = effects.last();
        assert_eq!(last == Some(&Effect::Close(ClosedReason::Idle)), closes);
        assert_eq!(scene.table.poll_timeout(), None);
    }
}

#[test]
fn an_empty_table_closes_without_a_game() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.does(ANNA, come("anna", ANNA));
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.does(ANNA, Command::Disconnect);
    scene.waits(MINUTE);
    let effects = scene.waits(9 * MINUTE);
    assert_eq!(effects.last(), Some(&Effect::Close(ClosedReason::Idle)));
    let last = scene.records.last().unwrap();
    assert_eq!(last.event.kind(), "closed");
    assert_eq!(last.stream, StreamEnd::Discarded);
}

#[test]
fn a_table_without_players_closes_despite_spectators() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.enter(ANNA, "anna");
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.enter(CLARA, "clara");
    // A seated player waits for an opponent.
    assert_eq!(scene.table.poll_timeout(), None);
    scene.does(ANNA, Command::LeaveSeat);
    assert_eq!(scene.waits(59 * MINUTE), []);
    let effects = scene.waits(MINUTE);
    assert_eq!(effects.last(), Some(&Effect::Close(ClosedReason::Idle)));
}

#[test]
fn bots_do_not_keep_a_table_open() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.does(ANNA, come("anna", ANNA));
    let bot = JoinRequest {
        bot: Some("level 3".to_owned()),
        ..JoinRequest::named("bot")
    };
    scene.does(BORIS, Command::Enter(bot.clone()));
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.does(BORIS, Command::TakeSeat(Color::Black));
    scene.does(ANNA, Command::Disconnect);
    assert!(end(&scene.waits(60 * MINUTE)).is_some());
}

/// The effects when a bot requested by `host` joins and asks for a seat.
fn bring(scene: &mut TableScene, host: ClientId, bot: ClientId, color: Color) -> Vec<Effect> {
    let join_request = JoinRequest {
        bot: Some("level 3".to_owned()),
        host: key(host),
        ..JoinRequest::named(format!("bot {}", bot.0))
    };
    scene.does(bot, Command::Enter(join_request));
    scene.does(bot, Command::TakeSeat(color))
}

#[test]
fn the_main_table_seats_one_requested_bot_and_refuses_the_other() {
    let (first, second, third) = (ClientId(7), ClientId(8), ClientId(9));
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.table = Table::open(TableSettings {
        kind: TableKind::Main,
        ..TableSettings::new("main", DrawRules::Fmjd64)
    });
    scene.does(ANNA, come("anna", ANNA));
    scene.does(BORIS, come("boris", BORIS));
    bring(&mut scene, ANNA, first, Color::White);
    let refused = bring(&mut scene, BORIS, second, Color::Black);
    for who in [second, BORIS] {
        assert!(matches!(
            sent_to(&refused, who)[..],
            [ServerMessage::Error {
                code: ErrorCode::Forbidden,
                ..
            }]
        ));
    }
    assert_eq!(refused.len(), 2);
    scene.does(first, Command::Exit);
    scene.does(ANNA, Command::TakeSeat(Color::White));
    let started = bring(&mut scene, ANNA, third, Color::Black);
    assert_eq!(asked(&started).0, ANNA, "who sits there brings one");
}

fn move_request(ply: u32, text: &str, id: Option<&str>) -> MoveRequest {
    MoveRequest {
        ply,
        text: text.to_owned(),
        id: id.map(str::to_owned),
        ..MoveRequest::default()
    }
}

#[test]
fn a_resent_move_is_acknowledged_and_changes_nothing() {
    let mut scene = playing(TableKind::Main);
    let first = Command::Move(move_request(2, "g3-h4", Some("m1")));
    scene.does(ANNA, first.clone());
    scene.plays(BORIS, 3, "a7-b6");
    let records = scene.records.len();
    for again in [
        first,
        Command::Move(move_request(2, "g3-h4", None)),
        Command::Move(move_request(2, "e3-f4", Some("m1"))),
    ] {
        let effects = scene.does(ANNA, again);
        let acknowledged = ServerMessage::Acknowledged {
            table: "k3x".to_owned(),
            game: 1,
            seq: 7,
            ply: 2,
            id: Some("m1".to_owned()),
        };
        assert_eq!(sent_to(&effects, ANNA), [&acknowledged]);
        assert_eq!(effects.len(), 1);
    }
    assert_eq!(scene.records.len(), records);
    let other = Command::Move(move_request(2, "e3-f4", Some("m2")));
    scene.refuses(ANNA, other, ErrorCode::WrongPly);
    let long = "x".repeat(37);
    for bad in ["", "a\nb", &long] {
        let bad = Command::Move(move_request(4, "e3-f4", Some(bad)));
        scene.refuses(ANNA, bad, ErrorCode::BadMessage);
    }
    // A move of the other side is not acknowledged.
    scene.refuses(
        ANNA,
        Command::Move(move_request(3, "a7-b6", None)),
        ErrorCode::WrongPly,
    );
}

#[test]
fn the_resent_last_move_is_acknowledged() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.table = Table::new("main", DrawRules::Fmjd64)
        .with_openings(vec![Opening::new("W:Wc3:Bd4".parse().unwrap())])
        .unwrap();
    scene.enter(ANNA, "anna");
    scene.enter(BORIS, "boris");
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.does(BORIS, Command::TakeSeat(Color::Black));
    let last = Command::Move(move_request(0, "c3:e5", Some("m1")));
    assert!(end(&scene.does(ANNA, last.clone())).is_some());
    let acknowledged = |effects: &[Effect], who: ClientId| {
        let messages = sent_to(effects, who);
        matches!(messages[..], [ServerMessage::Acknowledged { game: 1, ply: 0, id: Some(id), .. }] if id == "m1")
    };
    assert!(acknowledged(&scene.does(ANNA, last.clone()), ANNA));
    // From another connection of the same player only.
    scene.does(ANNA, Command::Disconnect);
    let again = ClientId(17);
    scene.enter(again, "anna");
    assert!(acknowledged(&scene.does(again, last.clone()), again));
    scene.refuses(BORIS, last, ErrorCode::NotSeated);
    let other = Command::Move(move_request(0, "c3-b4", Some("m2")));
    scene.refuses(again, other, ErrorCode::NotSeated);
}

#[test]
fn a_move_that_was_taken_back_may_be_played_again() {
    let mut scene = playing(TableKind::Main);
    scene.plays(ANNA, 2, "a3-b4");
    scene.offers(ANNA, Offer::Takeback);
    scene.accepts(BORIS, Offer::Takeback);
    assert_eq!(asked(&scene.plays(ANNA, 2, "a3-b4")).1, 3);
}

/// A game with clocks of ten seconds and half a second of lag allowance.
fn on_the_clock() -> TableScene {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    let clock = "10s".parse().ok();
    scene.table = Table::new("main", DrawRules::Fmjd64)
        .with_clocks(ByColor::new_with(|_| clock))
        .with_policy(Policy {
            lag_allowance: Duration::from_millis(500),
            ..Default::default()
        });
    scene.enter(ANNA, "anna");
    scene.enter(BORIS, "boris");
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.does(BORIS, Command::TakeSeat(Color::Black));
    scene
}

/// Plays a move that arrives after `taken` with a measured `lag`; returns the charged time.
fn elapsed(scene: &mut TableScene, ply: u32, text: &str, taken: u64, lag: u64) -> Option<u64> {
    scene.now += Duration::from_millis(taken);
    let who = [ANNA, BORIS][ply as usize % 2];
    let lag = Duration::from_millis(lag);
    let move_request = MoveRequest {
        lag,
        ..move_request(ply, text, None)
    };
    let effects = scene.does(who, Command::Move(move_request));
    effects.iter().find_map(|effect| match effect {
        Effect::Broadcast(ServerMessage::Moved { played, .. }) => Some(played.elapsed_ms),
        _ => None,
    })
}

#[test]
fn lag_is_compensated_within_limits() {
    let mut scene = on_the_clock();
    assert_eq!(elapsed(&mut scene, 0, "c3-d4", 1000, 200), Some(800));
    assert_eq!(
        elapsed(&mut scene, 1, "b6-a5", 100, 400),
        Some(0),
        "no more than it took"
    );
    assert_eq!(
        elapsed(&mut scene, 2, "g3-h4", 1000, 900),
        Some(600),
        "400 ms are left"
    );
    assert_eq!(elapsed(&mut scene, 3, "a7-b6", 1000, 900), Some(500));
    assert_eq!(
        elapsed(&mut scene, 4, "f2-g3", 1000, 900),
        Some(900),
        "each move adds 100 ms"
    );
}

#[test]
fn network_lag_is_compensated_when_the_flag_falls() {
    let mut scene = on_the_clock();
    assert_eq!(elapsed(&mut scene, 0, "c3-d4", 10_400, 400), Some(10_000));
    let mut scene = on_the_clock();
    assert_eq!(elapsed(&mut scene, 0, "c3-d4", 10_400, 399), None);
    scene.refuses(ANNA, Command::Resign(ANY), ErrorCode::NotSeated);
    let mut scene = on_the_clock();
    let credit = Duration::from_millis(10_500);
    assert_eq!(end(&scene.waits(credit)), None);
    assert!(end(&scene.waits(Duration::from_nanos(1))).is_some());
}

#[test]
fn only_casual_tables_allow_takebacks() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.table = Table::open(TableSettings {
        casual: false,
        ..TableSettings::new("k3x", DrawRules::Fmjd64)
    });
    scene.enter(ANNA, "anna");
    scene.enter(BORIS, "boris");
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.does(BORIS, Command::TakeAnySeat(Color::White));
    scene.play_all(&["c3-d4"]);
    let back = Command::Offer(Offer::Takeback, ANY);
    scene.refuses(ANNA, back, ErrorCode::NotCasual);
    let offer = scene.offers(ANNA, Offer::Draw);
    assert_eq!(offer.len(), 1);
}

#[test]
fn the_first_hundred_watchers_are_listed_and_all_are_counted() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    for i in 1..=150 {
        scene.enter(ClientId(i), &format!("guest {i}"));
    }
    let last = ClientId(150);
    let effects = scene.does(last, Command::TakeSeat(Color::White));
    let Some(Effect::Broadcast(ServerMessage::Players {
        players, watchers, ..
    })) = effects.first()
    else {
        panic!("{effects:?}");
    };
    assert_eq!((players.len(), *watchers), (101, 149));
    assert_eq!(players[100].name, "guest 150");
}

#[test]
fn a_reconnected_player_may_have_a_rematch() {
    let mut scene = playing(TableKind::Main);
    scene.does(BORIS, Command::Resign(ANY));
    let again = ClientId(17);
    let join_request = JoinRequest::named("anna").with_key(key(ANNA).unwrap());
    scene.does(again, Command::Enter(join_request));
    scene.does(ANNA, Command::Disconnect);
    scene.offers(BORIS, Offer::Rematch);
    let effects = scene.accepts(again, Offer::Rematch);
    assert_eq!(asked(&effects).0, BORIS);
}

#[test]
fn a_closed_table_refuses_commands() {
    let mut scene = playing(TableKind::Custom);
    let effects = scene.does(CLARA, Command::Close(ClosedReason::Admin));
    let ended = over(GameResult::Interrupted, EndReason::Adjudication);
    assert_eq!(end(&effects), ended);
    scene.refuses(CLARA, come("clara", CLARA), ErrorCode::NoSuchTable);
    assert_eq!(scene.does(ANNA, Command::Disconnect), []);
}

#[test]
fn an_unused_table_closes_unless_a_game_has_begun() {
    let mut scene = playing(TableKind::Custom);
    assert_eq!(scene.does(CLARA, Command::CloseUnused), []);
    scene.does(BORIS, Command::Resign(ANY));
    let effects = scene.does(CLARA, Command::CloseUnused);
    assert_eq!(effects.last(), Some(&Effect::Close(ClosedReason::Ended)));
}

#[test]
fn a_watched_table_stays_open_for_an_hour() {
    let mut scene = on_the_clock();
    scene.enter(CLARA, "clara");
    scene.does(ANNA, Command::Disconnect);
    scene.does(BORIS, Command::Disconnect);
    assert!(end(&scene.waits(MINUTE)).is_some());
    assert_eq!(scene.waits(50 * MINUTE), []);
    let effects = scene.waits(10 * MINUTE);
    assert_eq!(effects.last(), Some(&Effect::Close(ClosedReason::Idle)));
}

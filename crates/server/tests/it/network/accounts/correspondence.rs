//! Games by correspondence: challenges, turns, vacations and conditional moves.

mod idle;

use std::net::SocketAddr;
use std::time::Duration;

use checkers_lib::protocol::{
    ClientMessage, ErrorCode, Join, Meant, Registration, SeatWish, ServerMessage, TableKind,
    TableState, Watch,
};
use event_store::UnixMillis;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::sleep;

use super::ratings::{bot, owner};
use super::{call, enter, keeping, keeping_in_postgresql, post};
use crate::network::support::{TestClient, TestServer, move_of, within};

pub(super) async fn overview(at: SocketAddr, token: &str) -> Value {
    let (status, found) = call(at, "GET", "/correspondence", token, &json!({})).await;
    assert_eq!(status, 200, "{found}");
    found
}

/// The overview once it is as wanted: rows follow the games.
pub(super) async fn overview_with(
    at: SocketAddr,
    token: &str,
    is_wanted: impl Fn(&Value) -> bool,
) -> Value {
    let wanted = async {
        loop {
            let found = overview(at, token).await;
            if is_wanted(&found) {
                return found;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    within(wanted).await
}

pub(super) async fn challenge(at: SocketAddr, token: &str, wanted: Value) -> (u16, Value) {
    call(at, "POST", "/correspondence/challenges", token, &wanted).await
}

pub(super) async fn answer(at: SocketAddr, token: &str, id: &str, how: &str) -> u16 {
    let path = format!("/correspondence/challenges/{id}/{how}");
    call(at, "POST", &path, token, &json!({})).await.0
}

/// Starts a game in which the owner of the first token has White. Returns its table.
pub(super) async fn begin(at: SocketAddr, white: &str, black: &str, name: &str) -> String {
    let wanted = json!({"opponent": name, "days": 3, "color": "white", "rated": true});
    let (status, made) = challenge(at, white, wanted).await;
    assert_eq!(status, 200, "{made}");
    let id = made["id"].as_str().unwrap().to_owned();
    assert_eq!(answer(at, black, &id, "accept").await, 200);
    id
}

/// Connects as the owner of an account, and watches a table.
async fn watch(at: SocketAddr, name: &str, token: &str, table: &str) -> (TestClient, TableState) {
    let mut client = TestClient::connect(&at.to_string()).await;
    let join = Join {
        token: Some(token.to_owned()),
        lobby: true,
        ..Join::new(name)
    };
    client.enter(join).await;
    client
        .say_at(table, ClientMessage::Watch(Watch { since: None }))
        .await;
    let is_state = |message: &ServerMessage| matches!(message, ServerMessage::TableState(_));
    match client.wait_for(is_state).await {
        ServerMessage::TableState(state) => (client, *state),
        other => panic!("{other:?}"),
    }
}

/// Connects, plays a move, and leaves.
pub(super) async fn play(
    at: SocketAddr,
    (name, token): (&str, &str),
    table: &str,
    ply: u32,
    text: &str,
) {
    let (mut client, _) = watch(at, name, token, table).await;
    client.say_at(table, move_of(ply, text)).await;
    let is_played = |message: &ServerMessage| match message {
        ServerMessage::Moved { played, .. } => played.ply == ply,
        ServerMessage::Error { message, .. } => panic!("{message}"),
        _ => false,
    };
    client.wait_for(is_played).await;
    client.send_message(&ClientMessage::Leave).await;
}

const DAY: i64 = 24 * 3600 * 1000;

async fn a_game_is_played(server: TestServer) {
    let (_, anna) = owner(&server, "anna").await;
    let (boris_here, boris) = owner(&server, "boris").await;
    drop(boris_here);
    let wanted = json!({"opponent": "boris", "days": 3, "color": "white"});
    let (_, made) = challenge(server.address, &anna, wanted.clone()).await;
    let id = made["id"].as_str().unwrap();
    let found = overview(server.address, &boris).await;
    let waiting = &found["challenges"][0];
    assert_eq!(
        [
            &waiting["with"],
            &waiting["received"],
            &waiting["color"],
            &waiting["days"]
        ],
        [&json!("anna"), &json!(true), &json!("black"), &json!(3)]
    );
    // One challenge waits for each pair, and only the challenged accepts it, once.
    assert_eq!(challenge(server.address, &anna, wanted).await.0, 409);
    assert_eq!(answer(server.address, &anna, id, "accept").await, 404);
    assert_eq!(answer(server.address, &boris, id, "accept").await, 200);
    assert_eq!(answer(server.address, &boris, id, "accept").await, 404);
    assert_eq!(answer(server.address, &anna, id, "decline").await, 404);

    let game = overview_with(server.address, &anna, |found| {
        found["games"][0]["your_turn"] == true
    })
    .await;
    assert_eq!(game["challenges"], json!([]));
    let game = &game["games"][0];
    assert_eq!(
        [&game["table"], &game["opponent"]],
        [&json!(id), &json!("boris")]
    );
    let left = game["deadline_ms"].as_i64().unwrap() - UnixMillis::now().0;
    assert!((3 * DAY - 60_000..=3 * DAY).contains(&left), "{left}");

    let (mut client, state) = watch(server.address, "anna", &anna, id).await;
    assert_eq!(state.info.kind, TableKind::Correspondence);
    let clock = state.state.unwrap().clocks.unwrap().white.unwrap();
    assert_eq!(clock.per_move_ms, Some(3 * DAY.unsigned_abs()));
    // The seats are given, and bots do not play.
    client.say_at(id, ClientMessage::LeaveSeat).await;
    assert_eq!(client.error().await, ErrorCode::Forbidden);
    drop(client);
    let (mut guest, _) = enter(&server, "vera", None).await;
    guest
        .say_at(id, ClientMessage::Watch(Watch { since: None }))
        .await;
    let color = SeatWish::Random;
    guest.say_at(id, ClientMessage::TakeSeat { color }).await;
    assert!(matches!(
        guest.error().await,
        ErrorCode::Forbidden | ErrorCode::SeatTaken
    ));

    play(server.address, ("anna", &anna), id, 0, "c3-d4").await;
    overview_with(server.address, &boris, |found| {
        found["games"][0]["your_turn"] == true
    })
    .await;
    play(server.address, ("boris", &boris), id, 1, "b6-a5").await;
    let found = overview_with(server.address, &anna, |found| found["games"][0]["ply"] == 2).await;
    assert_eq!(found["games"][0]["your_turn"], true);

    let (mut client, _) = watch(server.address, "anna", &anna, id).await;
    client
        .say_at(id, ClientMessage::Resign(Meant::default()))
        .await;
    let is_over = |message: &ServerMessage| matches!(message, ServerMessage::GameOver { .. });
    client.wait_for(is_over).await;
    overview_with(server.address, &anna, |found| found["games"] == json!([])).await;
    let game = super::ladder::read(&server, &format!("/api/games/{id}-1")).await;
    assert_eq!(
        [&game["result"], &game["white_clock"]],
        [&json!("black_won"), &json!("72h/move")]
    );
    server.stop().await;
}

#[tokio::test]
async fn a_game_is_played_by_correspondence() {
    let directory = tempfile::tempdir().unwrap();
    a_game_is_played(keeping(&directory, Registration::Open).await).await;
    if let Some((server, _)) = keeping_in_postgresql(&directory).await {
        a_game_is_played(server).await;
    }
}

#[tokio::test]
async fn challenges_are_limited_and_between_people_with_accounts() {
    let directory = tempfile::tempdir().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (_, anna) = owner(&server, "anna").await;
    let (_, boris) = owner(&server, "boris").await;
    let kestrel = bot(&server, &boris, "kestrel").await;
    drop(kestrel);
    let to = |name: &str, days: i64| json!({"opponent": name, "days": days});
    for (wanted, expected) in [
        (to("boris", 0), 400),
        (to("boris", 15), 400),
        (to("boris", -1), 400),
        (json!({"opponent": "boris"}), 400),
        (json!({"opponent": "boris", "days": 3, "color": "red"}), 400),
        (to("anna", 3), 404),
        (to("nobody", 3), 404),
        (to("kestrel[bot]", 3), 404),
        (to("' OR 1=1 --", 3), 404),
    ] {
        let (status, problem) = challenge(server.address, &anna, wanted.clone()).await;
        assert_eq!(status, expected, "{wanted}: {problem}");
    }
    assert_eq!(challenge(server.address, "00", to("boris", 3)).await.0, 401);
    // A challenge that is withdrawn is gone.
    let (_, made) = challenge(server.address, &anna, to("boris", 3)).await;
    let id = made["id"].as_str().unwrap();
    assert_eq!(answer(server.address, &anna, id, "decline").await, 200);
    assert_eq!(answer(server.address, &boris, id, "accept").await, 404);
    assert_eq!(
        overview(server.address, &boris).await["challenges"],
        json!([])
    );
    // Who is blocked cannot challenge, and what waits from before cannot be accepted.
    let (_, made) = challenge(server.address, &anna, to("boris", 3)).await;
    let id = made["id"].as_str().unwrap();
    let block = json!({"name": "anna"});
    assert_eq!(post(&server, "/blocks", &boris, block).await.0, 200);
    let waiting = overview(server.address, &boris).await;
    assert_eq!(waiting["challenges"], json!([]));
    assert_eq!(answer(server.address, &boris, id, "accept").await, 404);
    assert_eq!(answer(server.address, &anna, id, "decline").await, 200);
    for (token, name) in [(&anna, "boris"), (&boris, "anna")] {
        let (status, _) = challenge(server.address, token, to(name, 3)).await;
        assert_eq!(status, 404);
    }
    for number in 0..21 {
        let (_, _) = owner(&server, &format!("guest{number}")).await;
        let (status, _) = challenge(server.address, &anna, to(&format!("guest{number}"), 3)).await;
        assert_eq!(status, if number < 20 { 200 } else { 409 });
    }
    server.stop().await;
}

async fn vacations(server: TestServer) {
    let (_, anna) = owner(&server, "anna").await;
    let (_, boris) = owner(&server, "boris").await;
    let table = begin(server.address, &anna, &boris, "boris").await;
    let found = overview_with(server.address, &anna, |found| found["games"][0]["ply"] == 0).await;
    let before = found["games"][0]["deadline_ms"].as_i64().unwrap();
    assert_eq!(found["vacation"]["days_left"], 30);
    let vacation = async |token: &str, days: i64| {
        post(
            &server,
            "/correspondence/vacation",
            token,
            json!({"days": days}),
        )
        .await
    };
    for days in [0, -3, 31] {
        assert_eq!(vacation(&anna, days).await.0, 400, "{days}");
    }
    let (status, begun) = vacation(&anna, 10).await;
    assert_eq!((status, &begun["days_left"]), (200, &json!(20)));
    assert_eq!(vacation(&anna, 1).await.0, 403);
    let after = |found: &Value| found["games"][0]["deadline_ms"].as_i64().unwrap();
    let close = |found: i64, expected: i64| {
        assert!((found - expected).abs() < 60_000, "{found}, {expected}");
    };
    let found = overview(server.address, &boris).await;
    close(after(&found), before + 10 * DAY);
    assert_eq!(found["games"][0]["opponent_away_ms"], begun["until_ms"]);
    // It is the same in memory, and a turn that begins on vacation has its whole time after it.
    let (_, state) = watch(server.address, "boris", &boris, &table).await;
    let state = state.state.unwrap();
    let left =
        state.clocks.unwrap().white.unwrap().remaining_ms - state.thinking_ms.unwrap_or_default();
    close(left.cast_signed(), 13 * DAY);
    play(server.address, ("anna", &anna), &table, 0, "c3-d4").await;
    play(server.address, ("boris", &boris), &table, 1, "b6-a5").await;
    let found = overview_with(server.address, &anna, |found| found["games"][0]["ply"] == 2).await;
    close(after(&found), begun["until_ms"].as_i64().unwrap() + 3 * DAY);

    let end = "/correspondence/vacation/end";
    assert_eq!(post(&server, end, &anna, json!({})).await.0, 200);
    assert_eq!(post(&server, end, &anna, json!({})).await.0, 403);
    let found = overview(server.address, &anna).await;
    close(after(&found), before);
    assert_eq!(found["vacation"]["days_left"], 29);
    server.stop().await;
}

#[tokio::test]
async fn time_stands_still_on_vacation() {
    let directory = tempfile::tempdir().unwrap();
    vacations(keeping(&directory, Registration::Open).await).await;
    if let Some((server, _)) = keeping_in_postgresql(&directory).await {
        vacations(server).await;
    }
}

async fn conditional_moves(server: TestServer) {
    let (_, anna) = owner(&server, "anna").await;
    let (_, boris) = owner(&server, "boris").await;
    let (_, clara) = owner(&server, "clara").await;
    let table = begin(server.address, &anna, &boris, "boris").await;
    overview_with(server.address, &anna, |found| found["games"][0]["ply"] == 0).await;
    let path = format!("/correspondence/games/{table}-1/conditional");
    let set = async |token: &str, lines: Value| {
        post(&server, &path, token, json!({"lines": lines})).await
    };
    let lines = json!(["c3-d4 b6-a5 d2-c3 a7-b6", "g3-f4 h6-g5"]);
    // Only a player, and only while the opponent is to move.
    assert_eq!(set(&anna, lines.clone()).await.0, 403);
    assert_eq!(set(&clara, lines.clone()).await.0, 404);
    for bad in [
        json!(["c3-d4"]),
        json!(["c3-d4 a1-h8"]),
        json!(["c3-d4 b6-a5", "c3-d4 b6-c5"]),
        json!([""]),
    ] {
        let (status, problem) = set(&boris, bad.clone()).await;
        assert_eq!(
            (status, &problem["code"]),
            (400, &json!("bad_move")),
            "{bad}"
        );
    }
    let many: Vec<String> = vec!["c3-d4 b6-a5".into(); 51];
    assert_eq!(set(&boris, json!(many)).await.0, 400);
    assert_eq!(
        set(&boris, lines.clone()).await,
        (200, json!({"lines": lines}))
    );
    for other in [&anna, &clara] {
        let (_, found) = call(server.address, "GET", &path, other, &json!({})).await;
        assert_ne!(found["lines"], lines);
    }

    play(server.address, ("anna", &anna), &table, 0, "c3-d4").await;
    overview_with(server.address, &anna, |found| found["games"][0]["ply"] == 2).await;
    let (_, left) = call(server.address, "GET", &path, &boris, &json!({})).await;
    assert_eq!(left["lines"], json!(["d2-c3 a7-b6"]));
    play(server.address, ("anna", &anna), &table, 2, "d2-c3").await;
    overview_with(server.address, &anna, |found| found["games"][0]["ply"] == 4).await;
    // The lines are used up.
    play(server.address, ("anna", &anna), &table, 4, "g3-f4").await;
    overview_with(server.address, &boris, |found| {
        found["games"][0]["your_turn"] == true
    })
    .await;
    let (_, left) = call(server.address, "GET", &path, &boris, &json!({})).await;
    assert_eq!(left["lines"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn moves_that_a_player_has_left_are_played() {
    let directory = tempfile::tempdir().unwrap();
    conditional_moves(keeping(&directory, Registration::Open).await).await;
    if let Some((server, _)) = keeping_in_postgresql(&directory).await {
        conditional_moves(server).await;
    }
}

#[tokio::test]
async fn an_account_that_is_deleted_gives_its_games_up() {
    let directory: TempDir = tempfile::tempdir().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (_, anna) = owner(&server, "anna").await;
    let (_, boris) = owner(&server, "boris").await;
    let table = begin(server.address, &anna, &boris, "boris").await;
    overview_with(server.address, &boris, |found| {
        found["games"][0]["ply"] == 0
    })
    .await;
    assert_eq!(
        post(&server, "/delete", &anna, json!({"name": "anna"}))
            .await
            .0,
        200
    );
    overview_with(server.address, &boris, |found| found["games"] == json!([])).await;
    let game = super::ladder::read(&server, &format!("/api/games/{table}-1")).await;
    assert_eq!(game["result"], "black_won");
    server.stop().await;
}

//! Computer opponents, as clients meet them.

use std::time::Duration;

use checkers_lib::protocol::{
    AddBot, BotRequest, BotRequests, ClientMessage, CreateTable, EndReason, ErrorCode, Join, Meant,
    Role, SeatWish, ServerMessage, TableKind, TablePhase, WireColor,
};
use checkers_server::Config;

use crate::network::support::{TestClient, TestServer, get, move_of};

fn quick() -> Config {
    Config {
        bot_pace: Duration::ZERO,
        in_memory: true,
        ..Config::default()
    }
}

fn add_bot(color: SeatWish, bot: BotRequest) -> ClientMessage {
    ClientMessage::AddBot(AddBot { color, bot })
}

fn spec(text: &str) -> BotRequest {
    BotRequest::Spec(text.to_owned())
}

fn is_over(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::GameOver { .. })
}

fn is_your_turn(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::YourTurn { .. })
}

/// Anna with White against a bot, asked for her first move.
async fn against(server: &TestServer, bot: BotRequest) -> TestClient {
    let mut anna = server.sit("anna", WireColor::White).await;
    anna.send_message(&add_bot(SeatWish::Random, bot)).await;
    anna
}

/// A table where whoever makes it plays White from a position, a bot of this level Black.
fn against_at(fen: &str, level: u8) -> ClientMessage {
    ClientMessage::CreateTable(CreateTable {
        color: Some(SeatWish::White),
        start_fen: Some(fen.to_owned()),
        bots: BotRequests {
            black: Some(BotRequest::Level(level)),
            ..BotRequests::default()
        },
        ..CreateTable::default()
    })
}

#[tokio::test]
async fn a_bot_plays_a_whole_game_and_another_one() {
    let server = TestServer::start_with(quick()).await;
    let mut anna = against(&server, BotRequest::Level(1)).await;
    let started = anna
        .wait_for(|message| matches!(message, ServerMessage::GameStarted(_)))
        .await;
    let ServerMessage::GameStarted(game) = started else {
        unreachable!()
    };
    assert_eq!((&*game.white, &*game.black), ("anna", "Level 1"));
    let over = anna.play_first_moves().await;
    let ServerMessage::GameOver { reason, .. } = over else {
        unreachable!()
    };
    assert!(reason.is_on_board(), "{reason:?}");
    anna.send_message(&ClientMessage::OfferRematch(Meant::default()))
        .await;
    let started = anna
        .wait_for(|message| matches!(message, ServerMessage::GameStarted(_)))
        .await;
    let ServerMessage::GameStarted(game) = started else {
        unreachable!()
    };
    assert_eq!((&*game.white, &*game.black), ("Level 1", "anna"));
    anna.wait_for(is_your_turn).await;
    anna.send_message(&ClientMessage::Resign(Meant::default()))
        .await;
    anna.wait_for(is_over).await;
    server.stop().await;
}

#[tokio::test]
async fn a_bot_accepts_a_takeback_and_moves_again() {
    let server = TestServer::start_with(quick()).await;
    let mut anna = against(&server, spec("alpha-beta:depth=2")).await;
    anna.wait_for(is_your_turn).await;
    anna.send_message(&move_of(0, "c3-d4")).await;
    anna.wait_for(is_your_turn).await;
    anna.send_message(&ClientMessage::OfferTakeback(Meant::default()))
        .await;
    anna.wait_for(|message| matches!(message, ServerMessage::TookBack { ply: 0, .. }))
        .await;
    anna.send_message(&move_of(0, "e3-f4")).await;
    anna.wait_for(|message| matches!(message, ServerMessage::YourTurn { ply: 2, .. }))
        .await;
    server.stop().await;
}

#[tokio::test]
async fn a_bot_declines_a_draw_in_the_opening() {
    let server = TestServer::start_with(quick()).await;
    for level in 1..=3 {
        let mut anna = server.join_lobby(&format!("anna-{level}")).await;
        anna.send_message(&against_at(
            "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3:Bb8,d8,f8,h8,a7,c7,e7,g7,b6",
            level,
        ))
        .await;
        for _ in 0..2 {
            anna.play_first_move().await;
        }
        anna.wait_for(is_your_turn).await;
        anna.send_message(&ClientMessage::OfferDraw(Meant::default()))
            .await;
        let answer = |message: &ServerMessage| {
            matches!(message, ServerMessage::Declined { .. }) || is_over(message)
        };
        let answer = anna.wait_for(answer).await;
        assert!(matches!(answer, ServerMessage::Declined { .. }), "{level}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_bot_offers_a_draw_in_a_dead_position() {
    let server = TestServer::start_with(quick()).await;
    let mut anna = server.join_lobby("anna").await;
    anna.send_message(&against_at("W:WKa1:BKg1", 1)).await;
    anna.wait_for(is_your_turn).await;
    anna.send_message(&move_of(0, "a1-b2")).await;
    let offered = |message: &ServerMessage| matches!(message, ServerMessage::Offered { .. });
    anna.wait_for(offered).await;
    // It lapses, and is not made again.
    anna.send_message(&move_of(2, "b2-a1")).await;
    anna.wait_for(|message| matches!(message, ServerMessage::YourTurn { ply: 4, .. }))
        .await;
    anna.send_message(&ClientMessage::OfferDraw(Meant::default()))
        .await;
    let received = anna.wait_for(|message| offered(message) || is_over(message));
    let offer = received.await;
    assert!(
        matches!(
            &offer,
            ServerMessage::Offered {
                by: WireColor::White,
                ..
            }
        ),
        "{offer:?}"
    );
    let over = anna.wait_for(is_over).await;
    let ServerMessage::GameOver { reason, .. } = over else {
        unreachable!()
    };
    assert_eq!(reason, EndReason::Agreement);
    server.stop().await;
}

#[tokio::test]
async fn a_bot_answers_within_its_clock() {
    let config = Config {
        clock: Some("1".parse().expect("a clock")),
        ..quick()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = against(&server, spec("minimax:depth=30")).await;
    anna.wait_for(is_your_turn).await;
    anna.send_message(&move_of(0, "c3-d4")).await;
    anna.wait_for(is_your_turn).await;
    server.stop().await;
}

#[tokio::test]
async fn a_visitor_may_request_a_bot_before_sitting_down() {
    let server = TestServer::start_with(quick()).await;
    let mut anna = server.join("anna").await;
    anna.send_message(&add_bot(SeatWish::Black, BotRequest::Level(1)))
        .await;
    let sits = |message: &ServerMessage| match message {
        ServerMessage::Players { players, .. } => {
            let is_included = |bot: &Option<String>| bot.as_deref() == Some("level 1");
            let mut sits = players.iter().filter(|player| player.role == Role::Black);
            sits.any(|player| is_included(&player.bot))
        }
        _ => false,
    };
    anna.wait_for(sits).await;
    anna.send_message(&add_bot(SeatWish::White, BotRequest::Level(1)))
        .await;
    assert_eq!(anna.error().await, ErrorCode::Forbidden, "one is enough");
    let color = SeatWish::White;
    anna.send_message(&ClientMessage::TakeSeat { color }).await;
    anna.wait_for(is_your_turn).await;
    server.stop().await;
}

#[tokio::test]
async fn one_of_two_simultaneous_bot_requests_succeeds() {
    let server = TestServer::start_with(quick()).await;
    let (mut anna, mut boris) = (server.join("anna").await, server.join("boris").await);
    let (white, black) = (
        add_bot(SeatWish::White, BotRequest::Level(1)),
        add_bot(SeatWish::Black, BotRequest::Level(1)),
    );
    tokio::join!(anna.send_message(&white), boris.send_message(&black));
    let refused = tokio::select! {
        code = anna.error() => code,
        code = boris.error() => code,
    };
    assert_eq!(refused, ErrorCode::Forbidden);
    server.stop().await;
}

#[tokio::test]
async fn clients_cannot_use_names_of_bots() {
    let server = TestServer::start_with(quick()).await;
    let mut anna = server.connect().await;
    anna.send_message(&ClientMessage::Join(Join::new("Level 3")))
        .await;
    assert_eq!(anna.error().await, ErrorCode::NameTaken);
    anna.enter(Join::new("anna")).await;
    server.stop().await;
}

#[tokio::test]
async fn what_cannot_be_is_refused() {
    let config = Config {
        max_bots: 1,
        ..quick()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let level = || BotRequest::Level(2);
    let mut boris = server.join("boris").await;
    boris.send_message(&add_bot(SeatWish::Black, level())).await;
    assert_eq!(boris.error().await, ErrorCode::Forbidden);
    for (color, bot, code) in [
        (SeatWish::White, level(), ErrorCode::SeatTaken),
        (SeatWish::Black, BotRequest::Level(11), ErrorCode::BadBot),
        (
            SeatWish::Black,
            spec("alpha-beta:deep=1"),
            ErrorCode::BadBot,
        ),
        (SeatWish::Black, spec("mtdf:tt=16384"), ErrorCode::BadBot),
    ] {
        let text = format!("{bot:?}");
        anna.send_message(&add_bot(color, bot)).await;
        assert_eq!(anna.error().await, code, "{text}");
    }
    let bots = BotRequests {
        white: Some(level()),
        black: Some(level()),
    };
    let both = CreateTable {
        bots,
        ..CreateTable::default()
    };
    anna.send_message(&ClientMessage::CreateTable(both)).await;
    assert_eq!(anna.error().await, ErrorCode::BotsBusy);
    server.stop().await;
}

#[tokio::test]
async fn a_bot_whose_game_is_over_makes_room_for_another() {
    let config = Config {
        max_bots: 1,
        ..quick()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = against(&server, BotRequest::Level(1)).await;
    anna.wait_for(is_your_turn).await;
    let mut boris = server.join("boris").await;
    let table = || {
        let bots = BotRequests {
            black: Some(BotRequest::Level(2)),
            ..BotRequests::default()
        };
        ClientMessage::CreateTable(CreateTable {
            bots,
            ..CreateTable::default()
        })
    };
    boris.send_message(&table()).await;
    assert_eq!(boris.error().await, ErrorCode::BotsBusy, "it plays");
    anna.send_message(&ClientMessage::Resign(Meant::default()))
        .await;
    boris.wait_for(is_over).await;
    let here = |message: &ServerMessage, name: &str| match message {
        ServerMessage::Players { players, .. } => players.iter().any(|player| player.name == name),
        _ => false,
    };
    let is_here = |message: &ServerMessage| {
        matches!(message, ServerMessage::Error { .. }) || here(message, "Level 2")
    };
    // The bot may hear of the end a moment later.
    boris.send_message(&table()).await;
    while let ServerMessage::Error { .. } = boris.wait_for(is_here).await {
        boris.send_message(&table()).await;
    }
    let is_gone = |message: &ServerMessage| {
        matches!(message, ServerMessage::Players { .. }) && !here(message, "Level 1")
    };
    anna.wait_for(is_gone).await;
    server.stop().await;
}

#[tokio::test]
async fn a_bot_leaves_early_without_people() {
    let server = TestServer::start_with(quick()).await;
    let mut anna = against(&server, BotRequest::Level(1)).await;
    anna.wait_for(is_your_turn).await;
    anna.send_message(&ClientMessage::Resign(Meant::default()))
        .await;
    anna.wait_for(is_over).await;
    drop(anna);
    let seated = "checkers_bots_seated 0";
    let gone = async {
        while !get(server.address, "/metrics").await.contains(seated) {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_secs(30), gone).await;
    assert!(in_time.is_ok(), "it waits for nobody");
    server.stop().await;
}

#[tokio::test]
async fn showcase_games_run_for_spectators() {
    let server = TestServer::start_with(quick()).await;
    let mut anna = server.join("anna").await;
    let bots = BotRequests {
        white: Some(BotRequest::Level(1)),
        black: Some(BotRequest::Level(1)),
    };
    let table = CreateTable {
        bots,
        ..CreateTable::default()
    };
    anna.send_message(&ClientMessage::CreateTable(table)).await;
    let over = anna.wait_for(is_over).await;
    let ServerMessage::GameOver { reason, ply, .. } = over else {
        unreachable!()
    };
    assert!(reason.is_on_board() && ply > 10, "{reason:?} {ply}");
    let players = |message: &ServerMessage| match message {
        ServerMessage::Players { players, .. } => {
            let looks = |name| players.iter().any(|player| player.name == name);
            let is_free = players.iter().all(|player| player.role == Role::Spectator);
            looks("Level 1") && looks("Level 1 (2)") && is_free
        }
        _ => false,
    };
    anna.wait_for(players).await;
    server.stop().await;
}

#[tokio::test]
async fn lobby_visitors_see_a_showcase_game() {
    let slow = Config {
        bot_pace: Duration::from_secs(1),
        ..quick()
    };
    let server = TestServer::start_with(slow).await;
    let mut anna = server.join_lobby("anna").await;
    let on = |message: &ServerMessage| match message {
        ServerMessage::Lobby(list) => list.tables.iter().any(|table| {
            let is_bot = |seat: &Option<checkers_lib::protocol::SeatInfo>| {
                seat.as_ref().is_some_and(|seat| seat.bot.is_some())
            };
            table.kind == TableKind::Showcase
                && table.state == TablePhase::Running
                && is_bot(&table.seats.white)
                && is_bot(&table.seats.black)
        }),
        _ => false,
    };
    anna.wait_for(on).await;
    server.stop().await;
}

#[tokio::test]
async fn a_bot_resumes_its_game_after_a_restart() {
    let data = tempfile::tempdir().expect("a directory");
    let config = || Config {
        in_memory: false,
        data: data.path().to_owned(),
        ..quick()
    };
    let server = TestServer::start_with(config()).await;
    let mut anna = server.connect().await;
    let joined = anna.enter(Join::new("anna")).await;
    let color = SeatWish::White;
    anna.send_message(&ClientMessage::TakeSeat { color }).await;
    let bot = BotRequest::Level(4);
    anna.send_message(&add_bot(SeatWish::Black, bot)).await;
    anna.wait_for(is_your_turn).await;
    anna.send_message(&move_of(0, "c3-d4")).await;
    anna.wait_for(is_your_turn).await;
    server.stop().await;

    let server = TestServer::start_with(config()).await;
    let mut anna = server.connect().await;
    let token = joined.token;
    anna.enter(Join {
        token,
        ..Join::new("anna")
    })
    .await;
    let ServerMessage::YourTurn {
        ply, legal_moves, ..
    } = anna.wait_for(is_your_turn).await
    else {
        unreachable!()
    };
    assert_eq!(ply, 2);
    anna.send_message(&move_of(ply, &legal_moves[0].text)).await;
    anna.wait_for(|message| matches!(message, ServerMessage::YourTurn { ply: 4, .. }))
        .await;
    anna.send_message(&ClientMessage::Resign(Meant::default()))
        .await;
    let over = anna.wait_for(is_over).await;
    let ServerMessage::GameOver { reason, .. } = over else {
        unreachable!()
    };
    assert_eq!(reason, EndReason::Resignation);
    server.stop().await;
}

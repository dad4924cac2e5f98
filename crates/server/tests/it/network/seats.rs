//! Seats of a client at several tables, and leaving for good.

use checkers_lib::protocol::{
    BotRequest, BotRequests, ClientMessage, CreateTable, EndReason, ErrorCode, GameResult,
    HeldSeat, Join, Joined, Meant, Quick, SeatWish, ServerMessage, TableInfo, TableKind,
    TablePhase, Visibility, WireColor, close_code,
};
use checkers_server::Config;

use crate::network::support::{TestClient, TestServer};

const ANY: Meant = Meant { game: None };

fn is_over(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::GameOver { .. })
}

fn is_turn(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::YourTurn { .. })
}

/// Joins the lobby, with a token if given.
async fn come(server: &TestServer, token: Option<&String>) -> (TestClient, Joined) {
    let mut client = server.connect().await;
    let join = Join {
        token: token.cloned(),
        lobby: true,
        ..Join::new("anna")
    };
    let joined = client.enter(join).await;
    (client, joined)
}

/// Creates a game with White against a bot.
fn against_a_bot() -> ClientMessage {
    ClientMessage::CreateTable(CreateTable {
        visibility: Visibility::Link,
        color: Some(SeatWish::White),
        bots: BotRequests {
            black: Some(BotRequest::Level(1)),
            ..BotRequests::default()
        },
        ..CreateTable::default()
    })
}

#[tokio::test]
async fn a_reconnecting_client_learns_its_seats() {
    let server = TestServer::start().await;
    let (mut anna, joined) = come(&server, None).await;
    assert_eq!(joined.seats, []);
    anna.send_message(&against_a_bot()).await;
    let table = anna.created().await;
    anna.wait_for(is_turn).await;
    // A second connection replaces the first.
    let (mut anna, joined) = come(&server, joined.token.as_ref()).await;
    let seat = HeldSeat {
        table: table.clone(),
        color: WireColor::White,
        state: TablePhase::Running,
    };
    assert_eq!(joined.seats, [seat]);
    anna.say_at(&table, ClientMessage::Watch(Default::default()))
        .await;
    anna.wait_for(is_turn).await;
    anna.say_at(&table, ClientMessage::Resign(ANY)).await;
    anna.wait_for(is_over).await;
    let (_, joined) = come(&server, joined.token.as_ref()).await;
    assert!(joined.resumed);
    assert_eq!(joined.seats, []);
    server.stop().await;
}

#[tokio::test]
async fn games_that_are_over_do_not_count() {
    let config = Config {
        client_tables: 2,
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let (mut anna, _) = come(&server, None).await;
    for _ in 0..5 {
        anna.send_message(&against_a_bot()).await;
        let table = anna.created().await;
        anna.wait_for(is_turn).await;
        anna.say_at(&table, ClientMessage::Resign(ANY)).await;
        anna.wait_for(is_over).await;
    }
    for _ in 0..2 {
        anna.send_message(&against_a_bot()).await;
        anna.wait_for(is_turn).await;
    }
    anna.send_message(&against_a_bot()).await;
    assert_eq!(anna.error().await, ErrorCode::TooManyTables);
    server.stop().await;
}

#[tokio::test]
async fn leaving_loses_the_game_and_frees_the_name() {
    let server = TestServer::start().await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    anna.wait_for(is_turn).await;
    anna.send_message(&ClientMessage::Leave).await;
    assert_eq!(anna.closed().await.0, close_code::NORMAL);
    // Another client, without a token.
    let mut other = server.connect().await;
    let joined = other.enter(Join::new("anna")).await;
    assert!(!joined.resumed);
    let ServerMessage::GameOver {
        result,
        reason,
        left,
        ..
    } = boris.wait_for(is_over).await
    else {
        unreachable!("just waited for it")
    };
    assert_eq!(result, GameResult::Interrupted);
    assert_eq!(reason, EndReason::PlayerLeft);
    assert_eq!(left, Some(WireColor::White));
    server.stop().await;
}

#[tokio::test]
async fn leaving_requires_a_join() {
    let server = TestServer::start().await;
    let mut anna = server.connect().await;
    anna.send_message(&ClientMessage::Leave).await;
    assert_eq!(anna.error().await, ErrorCode::NotJoined);
    server.stop().await;
}

#[tokio::test]
async fn a_quick_game_without_players_is_not_listed() {
    let server = TestServer::start().await;
    let mut clara = server.join_lobby("clara").await;
    let mut players = Vec::new();
    for name in ["anna", "boris"] {
        let mut player = server.join_lobby(name).await;
        player
            .send_message(&ClientMessage::Quick(Quick::default()))
            .await;
        players.push(player);
    }
    let lists = |wanted: bool| {
        move |message: &ServerMessage| {
            let is_quick = |info: &TableInfo| info.kind == TableKind::Quick;
            matches!(message, ServerMessage::Lobby(list)
                if list.tables.iter().any(is_quick) == wanted)
        }
    };
    clara.wait_for(lists(true)).await;
    drop(players);
    clara.wait_for(lists(false)).await;
    server.stop().await;
}

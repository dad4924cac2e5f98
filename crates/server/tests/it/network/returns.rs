//! Disconnects and reconnects.

use std::time::Duration;

use checkers_lib::protocol::{
    ClaimedResult, ClientMessage, EndReason, ErrorCode, GameResult, Join, Quick, ServerMessage,
    Since, Watch, WireColor,
};
use checkers_server::{Config, Stop};
use tokio::net::TcpSocket;
use tokio_tungstenite::{MaybeTlsStream, client_async};

use crate::network::support::{TestClient, TestServer, within};

fn back(name: &str, token: &str, since: Option<Since>) -> Join {
    Join {
        token: Some(token.into()),
        since,
        ..Join::new(name)
    }
}

fn play(ply: u32, text: &str, id: &str) -> ClientMessage {
    ClientMessage::Move {
        game: None,
        ply,
        text: text.into(),
        search: None,
        id: Some(id.into()),
    }
}

fn is_turn(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::YourTurn { .. })
}

async fn moved(client: &mut TestClient) -> (u32, u32) {
    let is_move = |message: &ServerMessage| matches!(message, ServerMessage::Moved { .. });
    match client.wait_for(is_move).await {
        ServerMessage::Moved { played, seq, .. } => (played.ply, seq),
        _ => unreachable!("just waited for it"),
    }
}

/// A main table with Anna, who has White and a token, and Boris.
async fn players(server: &TestServer) -> (TestClient, String, TestClient) {
    let mut anna = server.connect().await;
    let token = anna.enter(Join::new("anna")).await.token.expect("a token");
    let color = WireColor::White.into();
    anna.send_message(&ClientMessage::TakeSeat { color }).await;
    let boris = server.sit("boris", WireColor::Black).await;
    anna.wait_for(is_turn).await;
    (anna, token, boris)
}

fn gone(connected: bool) -> impl Fn(&ServerMessage) -> bool {
    move |message| {
        matches!(message, ServerMessage::Presence { color: WireColor::White, connected: is, .. }
            if *is == connected)
    }
}

#[tokio::test]
async fn a_reconnecting_client_receives_exactly_the_missed_events() {
    let server = TestServer::start().await;
    let (mut anna, token, mut boris) = players(&server).await;
    anna.send_message(&play(0, "c3-d4", "a0")).await;
    let (_, seq) = moved(&mut anna).await;
    boris.wait_for(is_turn).await;
    drop(anna);
    boris.wait_for(gone(false)).await;
    boris.send_message(&play(1, "b6-a5", "b1")).await;
    moved(&mut boris).await;

    let mut anna = server.connect().await;
    let since = Since { game: 1, seq };
    let joined = anna.enter(back("anna", &token, Some(since))).await;
    assert!(joined.resumed);
    assert_eq!(joined.token.as_deref(), Some(token.as_str()));
    assert_eq!(
        moved(&mut anna).await,
        (1, seq + 1),
        "and nothing before it"
    );
    anna.wait_for(is_turn).await;
    boris.wait_for(gone(true)).await;
    anna.send_message(&play(2, "d4-c5", "a2")).await;
    assert_eq!(moved(&mut boris).await, (2, seq + 2));
    server.stop().await;
}

#[tokio::test]
async fn a_client_with_another_game_receives_the_state() {
    let server = TestServer::start().await;
    let (anna, token, _boris) = players(&server).await;
    drop(anna);
    let mut anna = server.connect().await;
    let since = Since { game: 7, seq: 3 };
    anna.enter(back("anna", &token, Some(since))).await;
    let shown = |message: &ServerMessage| matches!(message, ServerMessage::TableState(_));
    let ServerMessage::TableState(state) = anna.wait_for(shown).await else {
        unreachable!("just waited for it")
    };
    assert_eq!(state.you, Some(WireColor::White));
    assert_eq!(state.state.map(|game| game.game), Some(1));
    server.stop().await;
}

#[tokio::test]
async fn a_replaced_connection_is_notified() {
    let server = TestServer::start().await;
    let (mut first, token, mut boris) = players(&server).await;
    let mut second = server.connect().await;
    assert!(second.enter(back("anna", &token, None)).await.resumed);
    first
        .wait_for(|message| *message == ServerMessage::Replaced)
        .await;
    assert_eq!(first.closed().await.0, 4002);
    second.wait_for(is_turn).await;
    second.send_message(&play(0, "c3-d4", "a0")).await;
    assert_eq!(moved(&mut boris).await.0, 0);
    server.stop().await;
}

#[tokio::test]
async fn a_name_requires_its_token() {
    let server = TestServer::start().await;
    let (anna, _, mut boris) = players(&server).await;
    drop(anna);
    boris.wait_for(gone(false)).await;
    let mut thief = server.connect().await;
    for (token, code) in [
        (None, ErrorCode::NameTaken),
        (Some("0".repeat(32)), ErrorCode::NameTaken),
        (Some("secret".to_owned()), ErrorCode::BadToken),
    ] {
        let join = Join {
            token,
            ..Join::new("Anna")
        };
        thief.send_message(&ClientMessage::Join(join)).await;
        assert_eq!(thief.error().await, code);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_name_is_free_again_after_the_grace() {
    let config = Config {
        grace: Duration::from_millis(50),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = server.connect().await;
    let token = anna.enter(Join::new("anna")).await.token.expect("a token");
    drop(anna);
    loop {
        let mut other = server.connect().await;
        other.send_message(&ClientMessage::join("anna")).await;
        let answer = |message: &ServerMessage| {
            matches!(
                message,
                ServerMessage::Joined(_) | ServerMessage::Error { .. }
            )
        };
        if let ServerMessage::Joined(joined) = other.wait_for(answer).await {
            assert!(!joined.resumed);
            assert_ne!(joined.token, Some(token));
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_move_sent_twice_is_played_once_and_acknowledged() {
    let server = TestServer::start().await;
    let (mut anna, _, mut boris) = players(&server).await;
    for _ in 0..2 {
        anna.send_message(&play(0, "c3-d4", "a0")).await;
    }
    let (_, seq) = moved(&mut anna).await;
    let acknowledged = |message: &ServerMessage| {
        matches!(message, ServerMessage::Acknowledged { ply: 0, seq: at, id, .. }
            if *at == seq && id.as_deref() == Some("a0"))
    };
    anna.wait_for(acknowledged).await;
    boris.wait_for(is_turn).await;
    boris.send_message(&play(1, "b6-a5", "b1")).await;
    assert_eq!(moved(&mut anna).await, (1, seq + 1));
    server.stop().await;
}

#[tokio::test]
async fn a_game_is_claimed_after_the_grace_and_not_before() {
    let config = Config {
        grace: Duration::from_millis(300),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let (anna, _, mut boris) = players(&server).await;
    let claim = ClientMessage::Claim {
        result: ClaimedResult::Win,
    };
    boris.send_message(&claim).await;
    assert_eq!(boris.error().await, ErrorCode::NotAbsent);
    drop(anna);
    boris.wait_for(gone(false)).await;
    let over = loop {
        boris.send_message(&claim).await;
        let answer = |message: &ServerMessage| {
            matches!(
                message,
                ServerMessage::GameOver { .. } | ServerMessage::Error { .. }
            )
        };
        let received = boris.wait_for(answer).await;
        if matches!(received, ServerMessage::GameOver { .. }) {
            break received;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(
        matches!(
            over,
            ServerMessage::GameOver {
                result: GameResult::BlackWon,
                reason: EndReason::Abandoned,
                ..
            }
        ),
        "{over:?}"
    );
    server.stop().await;
}

#[tokio::test]
async fn watching_a_table_twice_sends_its_state_twice() {
    let server = TestServer::start().await;
    let mut anna = server.join("anna").await;
    for message in [
        ClientMessage::Sync(Watch::default()),
        ClientMessage::Watch(Watch::default()),
    ] {
        anna.send_message(&message).await;
        let shown = |message: &ServerMessage| matches!(message, ServerMessage::TableState(_));
        anna.wait_for(shown).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn clients_are_notified_of_a_restart() {
    let config = Config {
        restart_delay: Duration::from_secs(7),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = server.join("anna").await;
    let mut stranger = server.connect().await;
    let stopped = server.stop_by(Stop::Restart);
    let received = async {
        let restarting = ServerMessage::Restarting {
            delay_ms: 7000,
            in_ms: None,
        };
        anna.wait_for(|message| *message == restarting).await;
        assert_eq!(anna.closed().await.0, 1012);
        assert_eq!(stranger.closed().await.0, 1012);
    };
    tokio::join!(stopped, received);
}

#[tokio::test]
async fn clients_are_warned_of_a_restart_and_can_play_on() {
    let config = Config {
        restart_delay: Duration::from_secs(7),
        drain_time: Duration::from_secs(8),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let (mut anna, _, mut boris) = players(&server).await;
    let stopped = server.stop_by(Stop::Restart);
    let received = async {
        let restarting = |in_ms| ServerMessage::Restarting {
            delay_ms: 7000,
            in_ms,
        };
        let ahead = restarting(Some(8000));
        anna.wait_for(|message| *message == ahead).await;
        anna.send_message(&play(0, "c3-d4", "a")).await;
        assert_eq!(moved(&mut boris).await.0, 0);
        let now = restarting(None);
        anna.wait_for(|message| *message == now).await;
        assert_eq!(anna.closed().await.0, 1012);
        assert_eq!(boris.closed().await.0, 1012);
    };
    tokio::join!(stopped, received);
}

#[tokio::test]
async fn one_of_many_concurrent_requests_for_a_name_or_seat_succeeds() {
    let server = TestServer::start().await;
    let mut clients = Vec::new();
    for _ in 0..20 {
        clients.push(server.connect().await);
    }
    for client in &mut clients {
        client.send_message(&ClientMessage::join("anna")).await;
    }
    let mut joined = 0;
    for client in &mut clients {
        let answer = |message: &ServerMessage| {
            matches!(
                message,
                ServerMessage::Joined(_) | ServerMessage::Error { .. }
            )
        };
        let received = client.wait_for(answer).await;
        joined += usize::from(matches!(received, ServerMessage::Joined(_)));
    }
    assert_eq!(joined, 1);

    let mut sitters = Vec::new();
    for i in 0..20 {
        sitters.push(server.join(&format!("sitter {i}")).await);
    }
    for sitter in &mut sitters {
        let color = WireColor::White.into();
        sitter
            .send_message(&ClientMessage::TakeSeat { color })
            .await;
    }
    let mut taken = 0;
    for sitter in &mut sitters {
        sitter.send_message(&ClientMessage::LeaveSeat).await;
        sitter
            .send_message(&ClientMessage::Quick(Quick {
                clock: Some("soon".into()),
                ..Quick::default()
            }))
            .await;
        let mut has_seat = true;
        loop {
            match sitter.error().await {
                ErrorCode::SeatTaken => has_seat = false,
                ErrorCode::NotSeated => {}
                ErrorCode::BadTable => break,
                other => panic!("{other:?}"),
            }
        }
        taken += usize::from(has_seat);
        if has_seat {
            break;
        }
    }
    assert_eq!(taken, 1);
    server.stop().await;
}

#[tokio::test]
async fn a_slow_spectator_receives_the_state_afresh() {
    let server = TestServer::start().await;
    let mut sleeper = slow_client(&server).await;
    sleeper.enter(Join::new("sleeper")).await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    for _ in 0..12 {
        tokio::join!(anna.play_first_moves(), boris.play_first_moves());
        for (player, color) in [
            (&mut anna, WireColor::White),
            (&mut boris, WireColor::Black),
        ] {
            let color = color.into();
            player
                .send_message(&ClientMessage::TakeSeat { color })
                .await;
        }
    }
    let shown = |message: &ServerMessage| matches!(message, ServerMessage::TableState(_));
    let ServerMessage::TableState(state) = sleeper.wait_for(shown).await else {
        unreachable!("just waited for it")
    };
    assert!(state.state.is_some_and(|game| game.game > 1));
    server.stop().await;
}

/// A client with a small receive buffer.
async fn slow_client(server: &TestServer) -> TestClient {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(2048).expect("a small buffer");
    let stream = within(socket.connect(server.address))
        .await
        .expect("connected");
    let url = format!("ws://{}/ws", server.address);
    let stream = MaybeTlsStream::Plain(stream);
    let (socket, _) = within(client_async(url, stream))
        .await
        .expect("a WebSocket");
    TestClient { socket }
}

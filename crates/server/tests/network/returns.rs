//! Connections that break, and clients that come back.

use std::time::Duration;

use checkers_lib::protocol::{
    ClaimedResult, ClientMessage, EndReason, ErrorCode, GameResult, Join, ServerMessage, Since,
    Watch, WireColor,
};
use checkers_server::{Config, Stop};
use tokio::net::TcpSocket;
use tokio_tungstenite::{MaybeTlsStream, client_async};

use crate::support::{TestClient, TestServer, within};

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

/// Anna, who has White and a token, and Boris, at the main table.
async fn players(server: &TestServer) -> (TestClient, String, TestClient) {
    let mut anna = server.connect().await;
    let token = anna.enter(Join::new("anna")).await.token.expect("a token");
    let color = WireColor::White.into();
    anna.say(&ClientMessage::TakeSeat { color }).await;
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
async fn who_comes_back_is_told_exactly_what_was_missed() {
    let server = TestServer::start().await;
    let (mut anna, token, mut boris) = players(&server).await;
    anna.say(&play(0, "c3-d4", "a0")).await;
    let (_, seq) = moved(&mut anna).await;
    boris.wait_for(is_turn).await;
    drop(anna);
    boris.wait_for(gone(false)).await;
    boris.say(&play(1, "b6-a5", "b1")).await;
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
    anna.say(&play(2, "d4-c5", "a2")).await;
    assert_eq!(moved(&mut boris).await, (2, seq + 2));
    server.stop().await;
}

#[tokio::test]
async fn who_knows_another_game_is_shown_the_table() {
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
async fn a_second_connection_replaces_the_first_which_is_told() {
    let server = TestServer::start().await;
    let (mut first, token, mut boris) = players(&server).await;
    let mut second = server.connect().await;
    assert!(second.enter(back("anna", &token, None)).await.resumed);
    first
        .wait_for(|message| *message == ServerMessage::Replaced)
        .await;
    assert_eq!(first.closed().await.0, 4002);
    second.wait_for(is_turn).await;
    second.say(&play(0, "c3-d4", "a0")).await;
    assert_eq!(moved(&mut boris).await.0, 0);
    server.stop().await;
}

#[tokio::test]
async fn a_name_is_only_for_who_shows_its_token() {
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
        thief.say(&ClientMessage::Join(join)).await;
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
        other.say(&ClientMessage::join("anna")).await;
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
        anna.say(&play(0, "c3-d4", "a0")).await;
    }
    let (_, seq) = moved(&mut anna).await;
    let acknowledged = |message: &ServerMessage| {
        matches!(message, ServerMessage::Acknowledged { ply: 0, seq: at, id, .. }
            if *at == seq && id.as_deref() == Some("a0"))
    };
    anna.wait_for(acknowledged).await;
    boris.wait_for(is_turn).await;
    boris.say(&play(1, "b6-a5", "b1")).await;
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
    boris.say(&claim).await;
    assert_eq!(boris.error().await, ErrorCode::NotAbsent);
    drop(anna);
    boris.wait_for(gone(false)).await;
    let over = loop {
        boris.say(&claim).await;
        let answer = |message: &ServerMessage| {
            matches!(
                message,
                ServerMessage::GameOver { .. } | ServerMessage::Error { .. }
            )
        };
        let told = boris.wait_for(answer).await;
        if matches!(told, ServerMessage::GameOver { .. }) {
            break told;
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
async fn a_table_that_is_asked_for_twice_is_shown_twice() {
    let server = TestServer::start().await;
    let mut anna = server.join("anna").await;
    for message in [
        ClientMessage::Sync(Watch::default()),
        ClientMessage::Watch(Watch::default()),
    ] {
        anna.say(&message).await;
        let shown = |message: &ServerMessage| matches!(message, ServerMessage::TableState(_));
        anna.wait_for(shown).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn who_is_in_is_told_that_the_server_comes_back() {
    let config = Config {
        restart_delay: Duration::from_secs(7),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = server.join("anna").await;
    let mut stranger = server.connect().await;
    let stopped = server.stop_by(Stop::Restart);
    let told = async {
        let restarting = ServerMessage::Restarting {
            delay_ms: 7000,
            in_ms: None,
        };
        anna.wait_for(|message| *message == restarting).await;
        assert_eq!(anna.closed().await.0, 1012);
        assert_eq!(stranger.closed().await.0, 1012);
    };
    tokio::join!(stopped, told);
}

#[tokio::test]
async fn who_is_in_is_told_of_a_restart_ahead_and_plays_on() {
    let config = Config {
        restart_delay: Duration::from_secs(7),
        drain_time: Duration::from_secs(8),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let (mut anna, _, mut boris) = players(&server).await;
    let stopped = server.stop_by(Stop::Restart);
    let told = async {
        let restarting = |in_ms| ServerMessage::Restarting {
            delay_ms: 7000,
            in_ms,
        };
        let ahead = restarting(Some(8000));
        anna.wait_for(|message| *message == ahead).await;
        anna.say(&play(0, "c3-d4", "a")).await;
        assert_eq!(moved(&mut boris).await.0, 0);
        let now = restarting(None);
        anna.wait_for(|message| *message == now).await;
        assert_eq!(anna.closed().await.0, 1012);
        assert_eq!(boris.closed().await.0, 1012);
    };
    tokio::join!(stopped, told);
}

#[tokio::test]
async fn of_all_who_want_a_name_or_a_seat_at_once_one_gets_it() {
    let server = TestServer::start().await;
    let mut clients = Vec::new();
    for _ in 0..20 {
        clients.push(server.connect().await);
    }
    for client in &mut clients {
        client.say(&ClientMessage::join("anna")).await;
    }
    let mut joined = 0;
    for client in &mut clients {
        let answer = |message: &ServerMessage| {
            matches!(
                message,
                ServerMessage::Joined(_) | ServerMessage::Error { .. }
            )
        };
        let told = client.wait_for(answer).await;
        joined += usize::from(matches!(told, ServerMessage::Joined(_)));
    }
    assert_eq!(joined, 1);

    let mut sitters = Vec::new();
    for i in 0..20 {
        sitters.push(server.join(&format!("sitter {i}")).await);
    }
    for sitter in &mut sitters {
        let color = WireColor::White.into();
        sitter.say(&ClientMessage::TakeSeat { color }).await;
    }
    let mut taken = 0;
    for sitter in &mut sitters {
        sitter.say(&ClientMessage::LeaveSeat).await;
        sitter
            .say(&ClientMessage::Quick {
                clock: Some("soon".into()),
            })
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
async fn a_slow_spectator_misses_news_and_is_shown_the_table() {
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
            player.say(&ClientMessage::TakeSeat { color }).await;
        }
    }
    let shown = |message: &ServerMessage| matches!(message, ServerMessage::TableState(_));
    let ServerMessage::TableState(state) = sleeper.wait_for(shown).await else {
        unreachable!("just waited for it")
    };
    assert!(state.state.is_some_and(|game| game.game > 1));
    server.stop().await;
}

/// A client for which the kernel keeps little.
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

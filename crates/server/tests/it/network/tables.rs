//! Several tables: created, listed, found, shared and limited.

use std::time::Duration;

use checkers_lib::protocol::{
    ClientMessage, CreateTable, ErrorCode, Join, ListTables, Meant, Ping, Quick, SeatWish,
    ServerMessage, TableFilter, TableList, TablePhase, TableState, Visibility, Watch, WireColor,
};
use checkers_server::Config;

use crate::network::support::{TestClient, TestServer, move_of};

fn watch() -> ClientMessage {
    ClientMessage::Watch(Watch::default())
}

fn take(color: SeatWish) -> ClientMessage {
    ClientMessage::TakeSeat { color }
}

fn white_seat() -> CreateTable {
    CreateTable {
        color: Some(SeatWish::White),
        ..CreateTable::default()
    }
}

/// Creates a table and returns its id.
async fn create(client: &mut TestClient, wanted: CreateTable) -> String {
    client
        .send_message(&ClientMessage::CreateTable(wanted))
        .await;
    client.created().await
}

async fn state(client: &mut TestClient) -> Box<TableState> {
    let shown = |message: &ServerMessage| matches!(message, ServerMessage::TableState(_));
    match client.wait_for(shown).await {
        ServerMessage::TableState(state) => state,
        _ => unreachable!("just waited for it"),
    }
}

async fn started_at(client: &mut TestClient) -> String {
    let started = |message: &ServerMessage| matches!(message, ServerMessage::GameStarted(_));
    match client.wait_for(started).await {
        ServerMessage::GameStarted(game) => game.table,
        _ => unreachable!("just waited for it"),
    }
}

async fn list(client: &mut TestClient, wanted: ListTables) -> TableList {
    client
        .send_message(&ClientMessage::ListTables(wanted))
        .await;
    let listed = |message: &ServerMessage| matches!(message, ServerMessage::Tables(_));
    match client.wait_for(listed).await {
        ServerMessage::Tables(list) => list,
        _ => unreachable!("just waited for it"),
    }
}

fn live() -> ListTables {
    ListTables {
        state: TableFilter::Live,
        ..ListTables::default()
    }
}

#[tokio::test]
async fn a_table_is_created_listed_and_joined_by_its_id() {
    let server = TestServer::start().await;
    let mut anna = server.join("anna").await;
    let wanted = CreateTable {
        clock: Some("5m+3s".into()),
        ..white_seat()
    };
    let table = create(&mut anna, wanted).await;
    let seen = state(&mut anna).await;
    assert_eq!(seen.table, table);
    assert_eq!(seen.info.white_clock.as_deref(), Some("5m+3s"));
    assert_eq!(seen.info.state, TablePhase::Waiting);

    let mut boris = server.join_lobby("boris").await;
    let open = list(&mut boris, ListTables::default()).await;
    let ids: Vec<&str> = open.tables.iter().map(|info| info.id.as_str()).collect();
    assert!(
        ids.contains(&table.as_str()) && ids.contains(&"main"),
        "{ids:?}"
    );
    assert_eq!((open.live, open.players), (0, 2));
    boris.say_at(&table, watch()).await;
    assert_eq!(state(&mut boris).await.table, table);
    boris.say_at(&table, take(SeatWish::Black)).await;
    assert_eq!(started_at(&mut anna).await, table);
    assert_eq!(started_at(&mut boris).await, table);
    let running = list(&mut boris, live()).await;
    assert_eq!((running.tables.len(), running.live), (1, 1));

    let mut clara = server.join("clara").await;
    clara.say_at(&table, watch()).await;
    let seen = state(&mut clara).await;
    assert_eq!(seen.info.state, TablePhase::Running);
    assert_eq!(
        seen.state.as_ref().map(|game| game.white.as_str()),
        Some("anna")
    );
    let (white, black) = tokio::join!(anna.play_first_moves(), boris.play_first_moves());
    assert_eq!(white, black);
    server.stop().await;
}

#[tokio::test]
async fn a_table_starts_from_an_opening_of_the_configured_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("openings.txt");
    let text = "c3-d4 d6-c5\n\"Старый кол\" g3-f4 b6-a5 f4-g5\n";
    std::fs::write(&file, text).expect("a file");
    let config = Config {
        openings: Some(file),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = server.join("anna").await;
    let mut boris = server.join("boris").await;
    let with = |opening: &str| CreateTable {
        opening: Some(opening.into()),
        ..white_seat()
    };
    for (opening, ply) in [("1", 2), ("старый КОЛ", 3)] {
        let table = create(&mut anna, with(opening)).await;
        boris.say_at(&table, watch()).await;
        boris.say_at(&table, take(SeatWish::Black)).await;
        let begun = |message: &ServerMessage| matches!(message, ServerMessage::GameStarted(game) if game.table == table);
        match anna.wait_for(begun).await {
            ServerMessage::GameStarted(game) => assert_eq!(game.moves.len(), ply, "{opening}"),
            _ => unreachable!("just waited for it"),
        }
    }
    for unknown in ["3", "кол"] {
        anna.send_message(&ClientMessage::CreateTable(with(unknown)))
            .await;
        assert_eq!(anna.error().await, ErrorCode::BadTable, "{unknown}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_client_plays_at_two_tables_and_main_is_another() {
    let server = TestServer::start().await;
    let mut anna = server.join("anna").await;
    let first = create(&mut anna, white_seat()).await;
    let second = create(&mut anna, white_seat()).await;
    let mut boris = server.join("boris").await;
    for table in [&second, &first] {
        boris.say_at(table, watch()).await;
        boris.say_at(table, take(SeatWish::Black)).await;
        assert_eq!(&started_at(&mut anna).await, table);
    }
    for (table, text) in [(&first, "c3-d4"), (&second, "a3-b4")] {
        anna.say_at(table, move_of(0, text)).await;
        let moved = |message: &ServerMessage| {
            matches!(message, ServerMessage::Moved { table: at, played, .. }
                if at == table && played.text == text)
        };
        boris.wait_for(moved).await;
    }
    anna.say_at("main", take(SeatWish::White)).await;
    boris.say_at("main", take(SeatWish::Random)).await;
    assert_eq!(started_at(&mut boris).await, "main");
    server.stop().await;
}

#[tokio::test]
async fn a_random_seat_is_a_free_one() {
    let server = TestServer::start().await;
    let mut anna = server.join("anna").await;
    let mut boris = server.join("boris").await;
    anna.send_message(&take(SeatWish::Random)).await;
    boris.send_message(&take(SeatWish::Random)).await;
    assert_eq!(started_at(&mut anna).await, "main");
    let mut clara = server.join("clara").await;
    clara.send_message(&take(SeatWish::Random)).await;
    assert_eq!(clara.error().await, ErrorCode::SeatTaken);
    server.stop().await;
}

#[tokio::test]
async fn a_hidden_table_is_found_only_by_its_id() {
    let server = TestServer::start().await;
    let mut anna = server.join("anna").await;
    let hidden = CreateTable {
        visibility: Visibility::Link,
        ..white_seat()
    };
    let table = create(&mut anna, hidden).await;
    let mut boris = server.join("boris").await;
    let all = list(&mut boris, ListTables::default()).await;
    assert!(all.tables.iter().all(|info| info.id != table));
    boris.say_at(&table, watch()).await;
    assert_eq!(state(&mut boris).await.table, table);
    server.stop().await;
}

#[tokio::test]
async fn invalid_requests_are_refused_and_change_nothing() {
    let config = Config {
        client_tables: 2,
        max_tables: 3,
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = server.join("anna").await;
    for (table, message, code) in [
        ("nowhere", watch(), ErrorCode::NoSuchTable),
        ("nowhere", take(SeatWish::White), ErrorCode::NoSuchTable),
        ("nowhere", ClientMessage::Unwatch, ErrorCode::NoSuchTable),
        (
            "main",
            ClientMessage::DeclineChallenge,
            ErrorCode::NoSuchTable,
        ),
    ] {
        anna.say_at(table, message).await;
        assert_eq!(anna.error().await, code, "{table}");
    }
    for (wanted, code) in [
        (
            CreateTable {
                clock: Some("soon".into()),
                ..CreateTable::default()
            },
            ErrorCode::BadTable,
        ),
        (
            CreateTable {
                opponent: Some("nobody".into()),
                ..CreateTable::default()
            },
            ErrorCode::NoSuchPlayer,
        ),
    ] {
        anna.send_message(&ClientMessage::CreateTable(wanted)).await;
        assert_eq!(anna.error().await, code);
    }
    // She is at main and one more; with three tables the server is full.
    create(&mut anna, CreateTable::default()).await;
    anna.send_message(&ClientMessage::CreateTable(CreateTable::default()))
        .await;
    assert_eq!(anna.error().await, ErrorCode::TooManyTables);
    let mut boris = server.join_lobby("boris").await;
    create(&mut boris, CreateTable::default()).await;
    let mut clara = server.join_lobby("clara").await;
    clara
        .send_message(&ClientMessage::CreateTable(CreateTable::default()))
        .await;
    assert_eq!(clara.error().await, ErrorCode::TooManyTables);
    server.stop().await;
}

#[tokio::test]
async fn unwatching_stops_messages_of_the_table() {
    let server = TestServer::start().await;
    let mut anna = server.join("anna").await;
    let table = create(&mut anna, CreateTable::default()).await;
    anna.say_at(&table, ClientMessage::Unwatch).await;
    let unwatched = ServerMessage::Unwatched {
        table: table.clone(),
    };
    anna.wait_for(|message| *message == unwatched).await;
    anna.say_at(&table, take(SeatWish::White)).await;
    assert_eq!(anna.error().await, ErrorCode::NoSuchTable);
    server.stop().await;
}

/// Anna challenges Boris; returns both and the table.
async fn challenge(server: &TestServer) -> (TestClient, TestClient, String) {
    let mut boris = server.join_lobby("boris").await;
    let mut anna = server.join_lobby("anna").await;
    let wanted = CreateTable {
        opponent: Some("boris".into()),
        ..white_seat()
    };
    let table = create(&mut anna, wanted).await;
    let challenged = |message: &ServerMessage| {
        matches!(message, ServerMessage::Challenged { table: at, by, info }
            if *at == table && by == "anna" && info.opponent.as_deref() == Some("boris"))
    };
    boris.wait_for(challenged).await;
    (anna, boris, table)
}

#[tokio::test]
async fn a_challenge_is_accepted() {
    let server = TestServer::start().await;
    let (mut anna, mut boris, table) = challenge(&server).await;
    boris.say_at(&table, watch()).await;
    boris.say_at(&table, take(SeatWish::Random)).await;
    assert_eq!(started_at(&mut anna).await, table);
    assert_eq!(started_at(&mut boris).await, table);
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_is_declined() {
    let server = TestServer::start().await;
    let (mut anna, mut boris, table) = challenge(&server).await;
    boris.say_at(&table, ClientMessage::DeclineChallenge).await;
    let declined = ServerMessage::ChallengeDeclined {
        table: table.clone(),
        by: "boris".into(),
    };
    anna.wait_for(|message| *message == declined).await;
    boris.wait_for(|message| *message == declined).await;
    let closed = |message: &ServerMessage| matches!(message, ServerMessage::TableClosed { table: at, .. } if *at == table);
    anna.wait_for(closed).await;
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_is_withdrawn_with_the_seat() {
    let server = TestServer::start().await;
    let (mut anna, mut boris, table) = challenge(&server).await;
    let seated = |message: &ServerMessage| matches!(message, ServerMessage::Players { players, .. } if !players.is_empty());
    anna.wait_for(seated).await;
    anna.say_at(&table, ClientMessage::LeaveSeat).await;
    let withdrawn = ServerMessage::ChallengeWithdrawn { table };
    boris.wait_for(|message| *message == withdrawn).await;
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_survives_a_restart() {
    let data = tempfile::tempdir().expect("a directory");
    let config = || Config {
        data: data.path().to_owned(),
        ..Config::default()
    };
    let server = TestServer::start_with(config()).await;
    let (mut anna, mut boris) = (server.connect().await, server.connect().await);
    let in_lobby = |name: &str, token| Join {
        lobby: true,
        token,
        ..Join::new(name)
    };
    let boriss = boris.enter(in_lobby("boris", None)).await.token;
    let annas = anna.enter(in_lobby("anna", None)).await.token;
    let wanted = CreateTable {
        opponent: Some("boris".into()),
        ..white_seat()
    };
    let table = create(&mut anna, wanted).await;
    let seated = |message: &ServerMessage| matches!(message, ServerMessage::Players { players, .. } if !players.is_empty());
    anna.wait_for(seated).await;
    server.stop().await;

    let server = TestServer::start_with(config()).await;
    let mut stranger = server.connect().await;
    stranger.send_message(&ClientMessage::join("boris")).await;
    assert_eq!(stranger.error().await, ErrorCode::NameTaken);
    let mut boris = server.connect().await;
    assert!(boris.enter(in_lobby("boris", boriss)).await.resumed);
    let challenged = |message: &ServerMessage| {
        matches!(message, ServerMessage::Challenged { table: at, by, .. }
            if *at == table && by == "anna")
    };
    boris.wait_for(challenged).await;
    let mut anna = server.connect().await;
    anna.enter(in_lobby("anna", annas)).await;
    anna.say_at(&table, watch()).await;
    state(&mut anna).await;
    boris.say_at(&table, watch()).await;
    boris.say_at(&table, take(SeatWish::Random)).await;
    assert_eq!(started_at(&mut anna).await, table);
    server.stop().await;
}

#[tokio::test]
async fn two_quick_requests_start_a_game() {
    let server = TestServer::start().await;
    let mut anna = server.join_lobby("anna").await;
    let mut boris = server.join_lobby("boris").await;
    let quick = ClientMessage::Quick(Quick {
        clock: Some("1m".into()),
        ..Quick::default()
    });
    let queued = ServerMessage::Queued {
        clock: Some("1m+0s".into()),
        rated: false,
        tournament: None,
    };
    anna.send_message(&quick).await;
    anna.wait_for(|message| *message == queued).await;
    anna.send_message(&ClientMessage::CancelQuick).await;
    anna.wait_for(|message| *message == ServerMessage::Unqueued)
        .await;
    boris.send_message(&quick).await;
    boris.wait_for(|message| *message == queued).await;
    anna.send_message(&quick).await;
    let mut seats = Vec::new();
    for client in [&mut anna, &mut boris] {
        let paired = |message: &ServerMessage| matches!(message, ServerMessage::Paired { .. });
        let ServerMessage::Paired { table, color } = client.wait_for(paired).await else {
            unreachable!("just waited for it")
        };
        assert_eq!(started_at(client).await, table);
        seats.push((table, color));
    }
    assert_eq!(seats[0].0, seats[1].0);
    assert_ne!(seats[0].1, seats[1].1);
    server.stop().await;
}

#[tokio::test]
async fn lobby_subscribers_receive_changes() {
    let server = TestServer::start().await;
    let mut clara = server.join_lobby("clara").await;
    let lobby = |live: u32| move |message: &ServerMessage| matches!(message, ServerMessage::Lobby(list) if list.live == live);
    clara.wait_for(lobby(0)).await;
    let anna = server.sit("anna", WireColor::White).await;
    let boris = server.sit("boris", WireColor::Black).await;
    clara.wait_for(lobby(1)).await;
    drop((anna, boris));
    server.stop().await;
}

#[tokio::test]
async fn tv_shows_the_current_game() {
    let server = TestServer::start().await;
    let mut clara = server.join_lobby("clara").await;
    clara.send_message(&ClientMessage::Tv).await;
    let nothing = ServerMessage::Tv { table: None };
    clara.wait_for(|message| *message == nothing).await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    let table = Some("main".to_owned());
    let on = ServerMessage::Tv { table };
    clara.wait_for(|message| *message == on).await;
    assert_eq!(state(&mut clara).await.table, "main");
    let played = async { tokio::join!(anna.play_first_moves(), boris.play_first_moves()) };
    let moved = |message: &ServerMessage| matches!(message, ServerMessage::Moved { .. });
    tokio::join!(played, clara.wait_for(moved));
    clara.send_message(&ClientMessage::LeaveTv).await;
    clara.say_at("main", take(SeatWish::White)).await;
    assert_eq!(clara.error().await, ErrorCode::NoSuchTable);
    server.stop().await;
}

#[tokio::test]
async fn taking_a_seat_at_the_tv_table_keeps_it() {
    let server = TestServer::start().await;
    let mut clara = server.join_lobby("clara").await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    clara.send_message(&ClientMessage::Tv).await;
    assert_eq!(state(&mut clara).await.table, "main");
    anna.send_message(&ClientMessage::Resign(Meant::default()))
        .await;
    let is_over = |message: &ServerMessage| matches!(message, ServerMessage::GameOver { .. });
    tokio::join!(clara.wait_for(is_over), boris.wait_for(is_over));
    clara.say_at("main", take(SeatWish::White)).await;
    boris.send_message(&take(SeatWish::Black)).await;
    clara.send_message(&ClientMessage::LeaveTv).await;
    let (over, _) = tokio::join!(clara.play_first_moves(), boris.play_first_moves());
    let ServerMessage::GameOver { left, .. } = over else {
        unreachable!("it is what was waited for");
    };
    assert_eq!(left, None, "nobody has left");
    server.stop().await;
}

#[tokio::test]
async fn pings_within_limits_are_free() {
    let config = Config {
        message_burst: 1,
        message_rate: 0,
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = server.join("anna").await;
    for t in 0..4 {
        anna.send_message(&ClientMessage::Ping(Ping { t: Some(t) }))
            .await;
        let answer = |message: &ServerMessage| matches!(message, ServerMessage::Pong(pong) if pong.t == Some(t) && pong.server_ms > 0);
        anna.wait_for(answer).await;
    }
    for _ in 0..8 {
        anna.send_message(&ClientMessage::Ping(Ping::default()))
            .await;
    }
    assert_eq!(anna.error().await, ErrorCode::TooManyMessages);
    server.stop().await;
}

#[tokio::test]
async fn a_pong_about_a_table_follows_the_answers_of_the_table() {
    let server = TestServer::start().await;
    let mut anna = server.join("anna").await;
    let is_answer = |message: &ServerMessage| {
        matches!(
            message,
            ServerMessage::Error { .. } | ServerMessage::Pong(_)
        )
    };
    for t in 0..20 {
        anna.say_at("main", ClientMessage::Resign(Meant::default()))
            .await;
        anna.say_at("main", ClientMessage::Ping(Ping { t: Some(t) }))
            .await;
        let refused = anna.wait_for(is_answer).await;
        let ServerMessage::Error { code, table, .. } = refused else {
            panic!("{refused:?}");
        };
        assert_eq!(
            (code, table.as_deref()),
            (ErrorCode::NotSeated, Some("main"))
        );
        let pong = anna.wait_for(is_answer).await;
        assert!(matches!(pong, ServerMessage::Pong(pong) if pong.t == Some(t)));
    }
    // Elsewhere it is answered all the same.
    anna.say_at("elsewhere", ClientMessage::Ping(Ping::default()))
        .await;
    let pong = anna.wait_for(is_answer).await;
    assert!(matches!(pong, ServerMessage::Pong(_)));
    server.stop().await;
}

#[tokio::test]
async fn pongs_have_the_round_trip_time_once_it_is_known() {
    let config = Config {
        ping_interval: Duration::from_millis(20),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = server.join("anna").await;
    loop {
        anna.send_message(&ClientMessage::Ping(Ping::default()))
            .await;
        let pong = |message: &ServerMessage| matches!(message, ServerMessage::Pong(_));
        if let ServerMessage::Pong(pong) = anna.wait_for(pong).await
            && pong.rtt_ms.is_some()
        {
            break;
        }
        // The round trip is measured at most once a second.
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    server.stop().await;
}

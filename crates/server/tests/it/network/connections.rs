//! Whole games, protocol violations and slow clients.

use std::time::Duration;

use checkers_lib::protocol::{
    ClientMessage, EndReason, ErrorCode, GameResult, MAX_FRAME_BYTES, ServerMessage, WireColor,
};
use checkers_server::Config;
use futures::SinkExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use crate::network::support::{TestServer, move_of, within};

#[tokio::test]
async fn two_clients_play_a_whole_game_and_a_third_watches() {
    let server = TestServer::start().await;
    let mut clara = server.join("clara").await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    let (white, black) = tokio::join!(anna.play_first_moves(), boris.play_first_moves());
    let seen = clara
        .wait_for(|message| matches!(message, ServerMessage::GameOver { .. }))
        .await;
    assert_eq!((&white, &black), (&seen, &seen));
    let ServerMessage::GameOver { result, .. } = seen else {
        unreachable!()
    };
    assert_ne!(result, GameResult::Interrupted);
    server.stop().await;
}

#[tokio::test]
async fn a_late_spectator_gets_the_moves_so_far() {
    let server = TestServer::start().await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    anna.wait_for(|message| matches!(message, ServerMessage::YourTurn { .. }))
        .await;
    anna.send_message(&move_of(0, "c3-d4")).await;
    boris
        .wait_for(|message| matches!(message, ServerMessage::YourTurn { ply: 1, .. }))
        .await;
    let mut clara = server.connect().await;
    clara.send_message(&ClientMessage::join("clara")).await;
    let state = clara
        .wait_for(|message| matches!(message, ServerMessage::GameState(_)))
        .await;
    let ServerMessage::GameState(state) = state else {
        unreachable!()
    };
    assert_eq!((state.ply, state.moves.len()), (1, 1));
    server.stop().await;
}

#[tokio::test]
async fn client_errors_are_reported_and_the_connection_stays_open() {
    let server = TestServer::start().await;
    let mut anna = server.connect().await;
    for (text, code) in [
        ("{", ErrorCode::BadJson),
        (r#"{"type":"dance"}"#, ErrorCode::UnknownType),
        (r#"{"type":"join"}"#, ErrorCode::BadMessage),
        (r#"{"type":"leave_seat"}"#, ErrorCode::NotJoined),
        (r#"{"type":"join","name":""}"#, ErrorCode::BadName),
    ] {
        anna.send(text).await;
        assert_eq!(anna.error().await, code, "{text}");
    }
    let mut boris = server.sit("boris", WireColor::Black).await;
    anna.send_message(&ClientMessage::join("boris")).await;
    assert_eq!(anna.error().await, ErrorCode::NameTaken);
    anna.send_message(&ClientMessage::join("anna")).await;
    anna.send_message(&ClientMessage::TakeSeat {
        color: WireColor::Black.into(),
    })
    .await;
    assert_eq!(anna.error().await, ErrorCode::SeatTaken);
    anna.send_message(&ClientMessage::TakeSeat {
        color: WireColor::White.into(),
    })
    .await;
    boris
        .wait_for(|message| matches!(message, ServerMessage::GameStarted(_)))
        .await;
    for (ply, text, code) in [
        (0, "c3", ErrorCode::BadMove),
        (0, "c3-e5", ErrorCode::IllegalMove),
        (7, "c3-d4", ErrorCode::WrongPly),
    ] {
        anna.send_message(&move_of(ply, text)).await;
        assert_eq!(anna.error().await, code, "{text}");
    }
    boris.send_message(&move_of(0, "b6-a5")).await;
    assert_eq!(boris.error().await, ErrorCode::NotYourTurn);
    anna.send_message(&move_of(0, "c3-d4")).await;
    boris
        .wait_for(|message| matches!(message, ServerMessage::Moved { .. }))
        .await;
    server.stop().await;
}

#[tokio::test]
async fn leaving_the_seat_before_both_have_moved_aborts_the_game() {
    let server = TestServer::start().await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    anna.wait_for(|message| matches!(message, ServerMessage::GameStarted(_)))
        .await;
    anna.send_message(&ClientMessage::LeaveSeat).await;
    let over = boris
        .wait_for(|message| matches!(message, ServerMessage::GameOver { .. }))
        .await;
    let ServerMessage::GameOver { result, .. } = over else {
        unreachable!("just waited for it")
    };
    assert_eq!(result, GameResult::Interrupted);
    server.stop().await;
}

#[tokio::test]
async fn an_oversized_frame_closes_with_1009() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.send("x".repeat(MAX_FRAME_BYTES)).await;
    assert_eq!(client.error().await, ErrorCode::BadJson);
    client.send("x".repeat(MAX_FRAME_BYTES + 1)).await;
    assert_eq!(client.closed().await.0, 1009);
    server.stop().await;
}

#[tokio::test]
async fn endless_fragments_close_with_1009() {
    let server = TestServer::start().await;
    let mut stream = raw_websocket(&server).await;
    // Masked text frames of 8 KiB without FIN: the first starts a message, the others continue it.
    let fragment = |opcode: u8| {
        let mut frame = vec![opcode, 0x80 | 126, 0x20, 0x00, 0, 0, 0, 0];
        frame.extend([b'x'; 0x2000]);
        frame
    };
    stream.write_all(&fragment(0x01)).await.expect("sent");
    for _ in 0..4 {
        let _ = stream.write_all(&fragment(0x00)).await;
    }
    assert_eq!(close_code(&mut stream).await, 1009);
    server.stop().await;
}

#[tokio::test]
async fn endless_empty_fragments_close_with_1008() {
    let server = TestServer::start().await;
    let mut stream = raw_websocket(&server).await;
    let first = [0x01, 0x80, 0, 0, 0, 0];
    stream.write_all(&first).await.expect("sent");
    let empty = [0x00, 0x80, 0, 0, 0, 0].repeat(MAX_FRAME_BYTES);
    let _ = stream.write_all(&[&empty[..], &empty[..]].concat()).await;
    assert_eq!(close_code(&mut stream).await, 1008);
    server.stop().await;
}

#[tokio::test]
async fn a_binary_frame_closes_with_1003() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client
        .socket
        .send(Message::binary(vec![1, 2, 3]))
        .await
        .expect("sent");
    assert_eq!(client.closed().await.0, 1003);
    server.stop().await;
}

#[tokio::test]
async fn text_that_is_not_utf8_closes_with_1007() {
    let server = TestServer::start().await;
    let mut stream = raw_websocket(&server).await;
    stream
        .write_all(&[0x81, 0x81, 0, 0, 0, 0, 0xff])
        .await
        .expect("sent");
    assert_eq!(close_code(&mut stream).await, 1007);
    server.stop().await;
}

#[tokio::test]
async fn an_unmasked_frame_closes_with_1002() {
    let server = TestServer::start().await;
    let mut stream = raw_websocket(&server).await;
    stream.write_all(&[0x81, 0x01, b'x']).await.expect("sent");
    assert_eq!(close_code(&mut stream).await, 1002);
    server.stop().await;
}

#[tokio::test]
async fn a_flood_is_warned_then_closed_with_1008() {
    let config = Config {
        message_burst: 10,
        message_rate: 1,
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut client = server.connect().await;
    for _ in 0..100 {
        let message = Message::text(r#"{"type":"leave_seat"}"#);
        if client.socket.send(message).await.is_err() {
            break;
        }
    }
    while client.error().await != ErrorCode::TooManyMessages {}
    assert_eq!(client.closed().await.0, 1008);
    server.stop().await;
}

#[tokio::test]
async fn a_fast_game_stays_within_the_rate_limit() {
    let config = Config {
        message_burst: 4,
        message_rate: 1,
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    for _ in 0..3 {
        let (white, black) = tokio::join!(anna.play_first_moves(), boris.play_first_moves());
        assert_eq!(white, black);
        anna.send_message(&ClientMessage::TakeSeat {
            color: WireColor::White.into(),
        })
        .await;
        boris
            .send_message(&ClientMessage::TakeSeat {
                color: WireColor::Black.into(),
            })
            .await;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_spectator_who_never_reads_is_disconnected_and_the_game_continues() {
    let config = Config {
        write_timeout: Duration::from_millis(200),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let sleeper = server.join("sleeper").await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    // Each game sends tens of kilobytes; the socket of the idle client fills up.
    let gone = |message: &ServerMessage| {
        matches!(message, ServerMessage::Players { players, .. }
            if players.iter().all(|player| player.name != "sleeper"))
    };
    let mut watcher = server.join("watcher").await;
    let games = async {
        loop {
            tokio::join!(anna.play_first_moves(), boris.play_first_moves());
            anna.send_message(&ClientMessage::TakeSeat {
                color: WireColor::White.into(),
            })
            .await;
            boris
                .send_message(&ClientMessage::TakeSeat {
                    color: WireColor::Black.into(),
                })
                .await;
        }
    };
    tokio::select! {
        () = games => unreachable!("games go on"),
        _ = watcher.wait_for(gone) => {}
    }
    drop(sleeper);
    server.stop().await;
}

#[tokio::test]
async fn flooding_seat_requests_disconnects_no_other_clients() {
    let server = TestServer::start().await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    let mut clara = server.join("clara").await;
    let mut pest = server.join("pest").await;
    // A full burst, in one write.
    for _ in 0..45 {
        for message in [
            ClientMessage::TakeSeat {
                color: WireColor::White.into(),
            },
            ClientMessage::LeaveSeat,
        ] {
            let text = serde_json::to_string(&message).expect("JSON");
            pest.socket.feed(Message::text(text)).await.expect("sent");
        }
    }
    pest.socket.flush().await.expect("sent");
    drop(pest);
    let gone = |message: &ServerMessage| {
        matches!(message, ServerMessage::Players { players, .. }
            if players.iter().all(|player| player.name != "pest"))
    };
    boris.wait_for(gone).await;
    clara.wait_for(gone).await;
    server.stop().await;
}

#[tokio::test]
async fn a_game_continues_while_crowds_come_and_go() {
    let server = TestServer::start().await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    let crowds = async {
        for crowd in 0..3 {
            let mut visitors = Vec::new();
            for i in 0..100 {
                let mut visitor = server.connect().await;
                let name = format!("visitor {crowd} {i}");
                visitor.send_message(&ClientMessage::join(name)).await;
                visitors.push(visitor);
            }
            drop(visitors);
        }
    };
    let game = async {
        tokio::join!(anna.play_first_moves(), boris.play_first_moves());
        // No one was disconnected: both can play again.
        let white = ClientMessage::TakeSeat {
            color: WireColor::White.into(),
        };
        let black = ClientMessage::TakeSeat {
            color: WireColor::Black.into(),
        };
        tokio::join!(anna.send_message(&white), boris.send_message(&black));
        tokio::join!(anna.play_first_moves(), boris.play_first_moves())
    };
    let ((), (white, black)) = tokio::join!(crowds, game);
    assert_eq!(white, black);
    server.stop().await;
}

#[tokio::test]
async fn a_silent_peer_is_disconnected() {
    let config = Config {
        ping_interval: Duration::from_millis(50),
        silence_timeout: Duration::from_millis(200),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    // A raw stream answers no ping.
    let mut stream = raw_websocket(&server).await;
    assert_eq!(close_code(&mut stream).await, 4001);
    server.stop().await;
}

#[tokio::test]
async fn a_silent_peer_is_disconnected_in_time_with_rare_pings() {
    let config = Config {
        ping_interval: Duration::from_secs(60),
        silence_timeout: Duration::from_millis(200),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut stream = raw_websocket(&server).await;
    let code = tokio::time::timeout(Duration::from_secs(30), close_code(&mut stream));
    assert_eq!(code.await, Ok(4001));
    server.stop().await;
}

#[tokio::test]
async fn a_peer_that_answers_pings_stays() {
    let config = Config {
        ping_interval: Duration::from_millis(50),
        silence_timeout: Duration::from_secs(1),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut anna = server.join("anna").await;
    let reading = anna.wait_for(|_| false);
    assert!(
        tokio::time::timeout(Duration::from_millis(1500), reading)
            .await
            .is_err()
    );
    anna.send_message(&ClientMessage::TakeSeat {
        color: WireColor::White.into(),
    })
    .await;
    anna.wait_for(|message| matches!(message, ServerMessage::Players { .. }))
        .await;
    server.stop().await;
}

#[tokio::test]
async fn a_silent_or_dribbling_handshake_is_cut() {
    let config = Config {
        handshake_timeout: Duration::from_millis(200),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let mut silent = TcpStream::connect(server.address).await.expect("connected");
    let mut dribbling = TcpStream::connect(server.address).await.expect("connected");
    let dribble = async {
        for byte in b"GET /ws HTTP/1.1\r\n".iter().cycle() {
            if dribbling.write_all(&[*byte]).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    within(dribble).await;
    let mut rest = Vec::new();
    let _ = within(silent.read_to_end(&mut rest)).await;
    server.stop().await;
}

#[tokio::test]
async fn plain_http_gets_an_answer() {
    let server = TestServer::start().await;
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "200 OK"),
        (
            "GET /ws HTTP/1.1\r\nHost: x\r\n\r\n",
            "426 Upgrade Required",
        ),
        ("GET /ws HTTP/1.0\r\n\r\n", "426 Upgrade Required"),
        (
            "GET /ws HTTP/1.0\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
            "400 Bad Request",
        ),
        ("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", "404 Not Found"),
        (
            "POST /ws HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
            "405 Method Not Allowed",
        ),
        (
            "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 12\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            "426 Upgrade Required",
        ),
        (
            "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n",
            "400 Bad Request",
        ),
        ("nonsense\r\n\r\n", "400 Bad Request"),
    ] {
        let mut stream = TcpStream::connect(server.address).await.expect("connected");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        within(stream.read_to_end(&mut answer))
            .await
            .expect("an answer");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(
            answer["HTTP/1.x ".len()..].starts_with(status),
            "{request}{answer}"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn one_connection_too_many_is_refused_with_a_reason() {
    let server = TestServer::start_with(Config {
        max_connections: 1,
        ..Config::default()
    })
    .await;
    let anna = server.join("anna").await;
    let mut stream = TcpStream::connect(server.address).await.expect("connected");
    let mut answer = String::new();
    within(stream.read_to_string(&mut answer))
        .await
        .expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    drop(anna);
    let freed = async {
        while tokio_tungstenite::connect_async(format!("ws://{}/", server.address))
            .await
            .is_err()
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    within(freed).await;
    server.stop().await;
}

#[tokio::test]
async fn shutdown_sends_a_reason_to_all_clients() {
    let server = TestServer::start().await;
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    let ((), anna_closed, boris_closed) =
        tokio::join!(server.stop(), anna.closed(), boris.closed());
    assert_eq!(
        anna_closed,
        (1001, "the server is shutting down".to_owned())
    );
    assert_eq!(boris_closed.0, 1001);
}

/// A WebSocket whose bytes the test writes and reads itself.
async fn raw_websocket(server: &TestServer) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.expect("connected");
    let request = "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                   Sec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(within(stream.read_u8()).await.expect("an answer"));
    }
    let head = String::from_utf8_lossy(&head).to_lowercase();
    // The accept value for the key of RFC 6455, section 1.3.
    assert!(head.contains("s3pplmbitxaq9kygzzhzrbk+xoo="), "{head}");
    stream
}

/// Reads frames until the close frame and returns its code.
async fn close_code(stream: &mut TcpStream) -> u16 {
    loop {
        let opcode = within(stream.read_u8()).await.expect("a frame") & 0x0f;
        let length = within(stream.read_u8()).await.expect("a frame");
        let length = match length {
            126 => usize::from(within(stream.read_u16()).await.expect("a frame")),
            short => usize::from(short),
        };
        let mut payload = vec![0; length];
        within(stream.read_exact(&mut payload))
            .await
            .expect("a frame");
        if opcode == 0x8 {
            return u16::from_be_bytes([payload[0], payload[1]]);
        }
    }
}

#[tokio::test]
async fn the_configured_clock_applies_to_games_on_the_main_table() {
    let config = Config {
        clock: Some("300ms".parse().expect("a clock")),
        ..Config::default()
    };
    let server = TestServer::start_with(config).await;
    let _anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    let over = boris
        .wait_for(|message| matches!(message, ServerMessage::GameOver { .. }))
        .await;
    let ServerMessage::GameOver { result, reason, .. } = over else {
        panic!("{over:?}");
    };
    assert_eq!((result, reason), (GameResult::BlackWon, EndReason::Time));
    server.stop().await;
}

#[tokio::test]
async fn a_close_frame_is_answered() {
    let server = TestServer::start().await;
    let mut anna = server.join("anna").await;
    let farewell = CloseFrame {
        code: 3000.into(),
        reason: "enough".into(),
    };
    let closing = anna.socket.close(Some(farewell));
    within(closing).await.expect("sent");
    assert_eq!(anna.closed().await, (3000, "enough".to_owned()));
    server.stop().await;
}

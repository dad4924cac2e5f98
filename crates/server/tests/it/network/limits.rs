//! Limits per address, proxies, origins and names.

use std::net::SocketAddr;

use checkers_lib::protocol::{ClientMessage, CreateTable, ErrorCode, Quick};
use checkers_server::{AddressList, Config};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Error as WsError;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderName, StatusCode};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::network::support::{TestClient, TestServer, request, within};

/// No address is exempt from limits, not even loopback.
fn strict() -> Config {
    Config {
        unlimited_addresses: AddressList::default(),
        ..Config::default()
    }
}

/// The loopback address is a trusted proxy.
fn behind_a_proxy() -> Config {
    Config {
        trusted_proxies: "127.0.0.1".parse().expect("an address"),
        ..Config::default()
    }
}

/// Opens a WebSocket with an extra header.
async fn connect_with(
    server: &TestServer,
    name: &'static str,
    value: &str,
) -> Result<TestClient, StatusCode> {
    let url = format!("ws://{}/ws", server.address);
    let mut request = url.into_client_request().expect("a request");
    let value = value.parse().expect("a value");
    let name = HeaderName::from_static(name);
    request.headers_mut().insert(name, value);
    match within(connect_async(request)).await {
        Ok((socket, _)) => Ok(TestClient { socket }),
        Err(WsError::Http(answer)) => Err(answer.status()),
        Err(error) => panic!("{error}"),
    }
}

/// Opens a WebSocket from a loopback address.
async fn connect_from(
    server: &TestServer,
    address: &str,
) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, StatusCode> {
    let socket = TcpSocket::new_v4().expect("a socket");
    let from = SocketAddr::new(address.parse().expect("an address"), 0);
    socket.bind(from).expect("an address of this machine");
    let stream = within(socket.connect(server.address))
        .await
        .expect("connected");
    let stream = MaybeTlsStream::Plain(stream);
    let url = format!("ws://{}/ws", server.address);
    match within(tokio_tungstenite::client_async(url, stream)).await {
        Ok((socket, _)) => Ok(socket),
        Err(WsError::Http(answer)) => Err(answer.status()),
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn an_address_with_too_many_connections_is_refused_with_a_reason() {
    let server = TestServer::start_with(Config {
        address_connections: 2,
        ..strict()
    })
    .await;
    let first = connect_from(&server, "127.0.0.2").await.expect("let in");
    let _second = connect_from(&server, "127.0.0.2").await.expect("let in");
    let third = connect_from(&server, "127.0.0.2").await;
    assert_eq!(third.err(), Some(StatusCode::TOO_MANY_REQUESTS));
    let _other = connect_from(&server, "127.0.0.3").await.expect("let in");
    drop(first);
    let freed = async { while connect_from(&server, "127.0.0.2").await.is_err() {} };
    within(freed).await;
    server.stop().await;
}

#[tokio::test]
async fn an_address_that_connects_too_fast_is_refused_with_a_reason() {
    let server = TestServer::start_with(Config {
        address_connection_burst: 3,
        address_connection_rate: 0,
        ..strict()
    })
    .await;
    for _ in 0..3 {
        drop(connect_from(&server, "127.0.0.2").await.expect("let in"));
    }
    let answer = request(server.address, "GET /ws HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 426"), "{answer}");
    let fourth = connect_from(&server, "127.0.0.2").await;
    assert_eq!(fourth.err(), Some(StatusCode::TOO_MANY_REQUESTS));
    server.stop().await;
}

#[tokio::test]
async fn an_address_with_too_many_open_handshakes_is_refused_with_a_reason() {
    let server = TestServer::start_with(Config {
        address_handshakes: 2,
        ..strict()
    })
    .await;
    let mut silent = Vec::new();
    for _ in 0..2 {
        silent.push(TcpStream::connect(server.address).await.expect("connected"));
    }
    let mut third = TcpStream::connect(server.address).await.expect("connected");
    let mut answer = String::new();
    within(third.read_to_string(&mut answer))
        .await
        .expect("an answer");
    assert!(
        answer.starts_with("HTTP/1.1 429 Too Many Requests\r\n"),
        "{answer}"
    );
    assert!(answer.contains("\r\nRetry-After: 30\r\n"), "{answer}");
    assert!(
        answer.contains("too many unfinished connections"),
        "{answer}"
    );
    drop(silent);
    server.stop().await;
}

#[tokio::test]
async fn clients_behind_a_proxy_are_distinguished() {
    let server = TestServer::start_with(Config {
        address_connections: 1,
        ..behind_a_proxy()
    })
    .await;
    let from = |addresses| connect_with(&server, "x-forwarded-for", addresses);
    let _anna = from("192.0.2.1").await.expect("let in");
    let again = from("forged, 192.0.2.1").await;
    assert_eq!(again.err(), Some(StatusCode::TOO_MANY_REQUESTS));
    let _boris = from("192.0.2.2").await.expect("let in");
    let _clara = from("2001:db8::1").await.expect("let in");
    let neighbour = from("2001:db8::2").await;
    assert_eq!(neighbour.err(), Some(StatusCode::TOO_MANY_REQUESTS));
    server.stop().await;
}

#[tokio::test]
async fn a_client_behind_a_proxy_that_connects_too_fast_is_refused() {
    let server = TestServer::start_with(Config {
        address_connection_burst: 2,
        address_connection_rate: 0,
        ..behind_a_proxy()
    })
    .await;
    let from = |address| connect_with(&server, "x-forwarded-for", address);
    for _ in 0..2 {
        drop(from("192.0.2.1").await.expect("let in"));
    }
    let third = from("192.0.2.1").await;
    assert_eq!(third.err(), Some(StatusCode::TOO_MANY_REQUESTS));
    let _other = from("192.0.2.2").await.expect("let in");
    server.stop().await;
}

#[tokio::test]
async fn forwarded_headers_of_untrusted_peers_are_ignored() {
    let server = TestServer::start_with(Config {
        address_connections: 1,
        ..strict()
    })
    .await;
    let _first = connect_with(&server, "x-forwarded-for", "192.0.2.1")
        .await
        .expect("let in");
    let second = connect_with(&server, "x-forwarded-for", "192.0.2.2").await;
    assert_eq!(second.err(), Some(StatusCode::TOO_MANY_REQUESTS));
    server.stop().await;
}

#[tokio::test]
async fn a_flood_from_one_address_is_warned_then_closed() {
    let server = TestServer::start_with(Config {
        message_burst: 10,
        message_rate: 0,
        address_message_burst: 15,
        address_message_rate: 0,
        ..behind_a_proxy()
    })
    .await;
    let from = |address| connect_with(&server, "x-forwarded-for", address);
    let mut anna = from("192.0.2.1").await.expect("let in");
    let mut boris = from("192.0.2.1").await.expect("let in");
    for _ in 0..10 {
        anna.send_message(&ClientMessage::LeaveSeat).await;
        assert_eq!(anna.error().await, ErrorCode::NotJoined);
    }
    // Anna has left only five messages of the shared budget for Boris.
    for _ in 0..5 {
        boris.send_message(&ClientMessage::LeaveSeat).await;
        assert_eq!(boris.error().await, ErrorCode::NotJoined);
    }
    boris.send_message(&ClientMessage::LeaveSeat).await;
    assert_eq!(boris.error().await, ErrorCode::TooManyMessages);
    for _ in 0..50 {
        boris.send_message(&ClientMessage::LeaveSeat).await;
    }
    assert_eq!(boris.closed().await.0, 1008);
    let mut stranger = connect_with(&server, "x-forwarded-for", "192.0.2.2")
        .await
        .expect("let in");
    stranger.send_message(&ClientMessage::LeaveSeat).await;
    assert_eq!(stranger.error().await, ErrorCode::NotJoined);
    server.stop().await;
}

#[tokio::test]
async fn pages_of_foreign_origins_may_not_connect() {
    let server = TestServer::start_with(Config {
        allowed_origins: "https://club.example".parse().expect("an origin"),
        ..Config::default()
    })
    .await;
    let own = format!("http://{}", server.address);
    for (origin, expected) in [
        (own.as_str(), None),
        ("https://club.example", None),
        ("https://evil.example", Some(StatusCode::FORBIDDEN)),
        ("http://club.example", Some(StatusCode::FORBIDDEN)),
        ("null", Some(StatusCode::FORBIDDEN)),
    ] {
        let answer = connect_with(&server, "origin", origin).await;
        assert_eq!(answer.err(), expected, "{origin}");
    }
    server.stop().await;
}

#[tokio::test]
async fn confusable_names_are_refused() {
    let server = TestServer::start().await;
    let _anna = server.join("anna").await;
    let mut client = server.connect().await;
    for name in ["anna", "Anna", "аnnа"] {
        client.send_message(&ClientMessage::join(name)).await;
        assert_eq!(client.error().await, ErrorCode::NameTaken, "{name}");
    }
    client.send_message(&ClientMessage::join("hanna")).await;
    client.receive().await;
    server.stop().await;
}

#[tokio::test]
async fn a_refusal_reaches_a_client_that_has_already_sent_data() {
    let server = TestServer::start_with(Config {
        max_connections: 1,
        ..Config::default()
    })
    .await;
    let _anna = server.join("anna").await;
    let mut stream = TcpStream::connect(server.address).await.expect("connected");
    let request = "GET /ws HTTP/1.1\r\nHost: x\r\n\r\n";
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    within(stream.read_to_string(&mut answer))
        .await
        .expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    server.stop().await;
}

#[tokio::test]
async fn tables_are_limited_per_address() {
    let server = TestServer::start_with(Config {
        address_tables: 2,
        ..strict()
    })
    .await;
    let create = ClientMessage::CreateTable(CreateTable::default());
    for name in ["anna", "boris"] {
        let mut client = server.join_lobby(name).await;
        client.send_message(&create).await;
        client.created().await;
    }
    let mut clara = server.join_lobby("clara").await;
    let quick = ClientMessage::Quick(Quick::default());
    for message in [&create, &quick] {
        clara.send_message(message).await;
        assert_eq!(clara.error().await, ErrorCode::TooManyTables);
    }
    server.stop().await;
}

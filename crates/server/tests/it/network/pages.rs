//! Health, readiness and metrics over HTTP.

use std::time::Duration;

use checkers_lib::protocol::{ClientMessage, ErrorCode, WireColor};
use checkers_server::{Config, Stop};

use crate::network::support::{TestServer, get, within};

#[tokio::test]
async fn a_server_that_serves_is_healthy_and_ready() {
    let server = TestServer::start().await;
    let health = get(server.address, "/healthz").await;
    assert!(health.starts_with("HTTP/1.1 200 OK"), "{health}");
    let ready = get(server.address, "/readyz").await;
    assert!(ready.starts_with("HTTP/1.1 200 OK"), "{ready}");
    assert!(ready.contains("application/json"), "{ready}");
    assert!(ready.ends_with("{\"ready\":true}\n"), "{ready}");
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_drains_is_healthy_but_not_ready() {
    let server = TestServer::start_with(Config {
        drain_time: Duration::from_secs(3),
        ..Config::default()
    })
    .await;
    let mut anna = server.join("anna").await;
    let address = server.address;
    let draining = async {
        loop {
            let answer = get(address, "/readyz").await;
            if answer.starts_with("HTTP/1.1 503") {
                return answer;
            }
        }
    };
    let stopping = tokio::spawn(server.stop_by(Stop::Restart));
    let answer = within(draining).await;
    let body = "{\"ready\":false,\"reason\":\"shutting_down\"}\n";
    assert!(answer.ends_with(body), "{answer}");
    let health = get(address, "/healthz").await;
    assert!(health.starts_with("HTTP/1.1 200 OK"), "{health}");
    let refused = tokio_tungstenite::connect_async(format!("ws://{address}/ws")).await;
    assert!(refused.is_err());
    let seat = WireColor::White;
    anna.send_message(&ClientMessage::TakeSeat { color: seat.into() })
        .await;
    anna.receive().await;
    let restarting = (1012, "restarting: come back in 5s".to_owned());
    assert_eq!(anna.closed().await, restarting);
    stopping.await.expect("stopped");
}

#[tokio::test]
async fn a_full_server_is_not_ready() {
    let server = TestServer::start_with(Config {
        max_connections: 1,
        ..Config::default()
    })
    .await;
    // The request's own connection is the last one.
    let answer = get(server.address, "/readyz").await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    let body = "{\"ready\":false,\"reason\":\"full\"}\n";
    assert!(answer.ends_with(body), "{answer}");
    server.stop().await;
}

#[tokio::test]
async fn metrics_count_connections_and_messages() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = TestServer::start_with(Config {
        data: directory.path().to_owned(),
        ..Config::default()
    })
    .await;
    let mut clara = server.join("clara").await;
    clara.send(r#"{"type":"dance"}"#).await;
    assert_eq!(clara.error().await, ErrorCode::UnknownType);
    let mut anna = server.sit("anna", WireColor::White).await;
    let mut boris = server.sit("boris", WireColor::Black).await;
    tokio::join!(anna.play_first_moves(), boris.play_first_moves());
    let text = get(server.address, "/metrics").await;
    assert!(text.starts_with("HTTP/1.1 200 OK"), "{text}");
    assert!(text.contains("application/openmetrics-text"), "{text}");
    let value = |name: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix(name));
        let number = found.and_then(|value| value.trim().parse::<f64>().ok());
        number.unwrap_or_else(|| panic!("no {name} in {text}"))
    };
    assert_eq!(value("checkers_connections_open"), 3.0);
    assert_eq!(value("checkers_connections_total"), 4.0);
    assert_eq!(value("checkers_handshakes_total{outcome=\"done\"}"), 3.0);
    let moves = value("checkers_moves_total");
    assert!(moves > 10.0, "{text}");
    assert_eq!(value("checkers_move_durable_seconds_count"), moves);
    // The last message is counted after it was sent, and may be received before that.
    assert!(value("checkers_move_seconds_count") >= moves - 1.0);
    assert!(value("checkers_store_commit_seconds_count") > 0.0);
    assert_eq!(value("checkers_store_queued"), 0.0);
    assert_eq!(value("checkers_tables"), 1.0);
    assert_eq!(
        value("checkers_messages_received_total{type=\"move\"}"),
        moves
    );
    assert_eq!(
        value("checkers_messages_received_total{type=\"join\"}"),
        3.0
    );
    assert_eq!(value("checkers_messages_received_total{type=\"bad\"}"), 1.0);
    assert_eq!(value("checkers_messages_sent_total{type=\"joined\"}"), 3.0);
    assert_eq!(value("checkers_refusals_total{code=\"unknown_type\"}"), 1.0);
    assert_eq!(value("checkers_games_started_total"), 1.0);
    assert!(text.contains("checkers_games_over_total{result="), "{text}");
    assert!(text.ends_with("# EOF\n"), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn pages_are_read_only() {
    let server = TestServer::start().await;
    for path in ["/healthz", "/readyz", "/metrics"] {
        let post = format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
        let answer = crate::network::support::request(server.address, &post).await;
        assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");
        assert!(answer.to_lowercase().contains("\r\nallow: get"), "{answer}");
    }
    server.stop().await;
}

//! The ids of requests.

use checkers_server::Config;

use crate::network::support::{TestServer, request};

/// The id of the answer to a request with this header.
async fn id_of(server: &TestServer, header: &str) -> String {
    let request_text =
        format!("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{header}\r\n\r\n");
    let answer = request(server.address, &request_text).await;
    let line = answer
        .lines()
        .find_map(|line| line.strip_prefix("x-request-id: "));
    line.unwrap_or_else(|| panic!("no id in {answer}"))
        .to_owned()
}

#[tokio::test]
async fn every_answer_has_an_id_of_its_own() {
    let server = TestServer::start().await;
    let (first, second) = (
        id_of(&server, "X-Request-Id: claimed").await,
        id_of(&server, "X-Request-Id: claimed").await,
    );
    assert_eq!((first.len(), second.len()), (36, 36));
    assert_ne!(first, second);
    server.stop().await;
}

#[tokio::test]
async fn a_trusted_proxy_gives_the_id() {
    let server = TestServer::start_with(Config {
        trusted_proxies: "127.0.0.1".parse().expect("an address"),
        ..Config::default()
    })
    .await;
    assert_eq!(id_of(&server, "X-Request-Id: 7f3a").await, "7f3a");
    let too_long = format!("X-Request-Id: {}", "a".repeat(129));
    assert_eq!(id_of(&server, &too_long).await.len(), 36);
    server.stop().await;
}

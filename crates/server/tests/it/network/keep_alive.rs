//! Several requests on one connection.

use std::time::Duration;

use checkers_server::Config;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::network::support::{TestServer, get, within};

/// A connection that sends requests and reads responses one by one.
struct Browser {
    stream: BufReader<TcpStream>,
}

impl Browser {
    async fn open(server: &TestServer) -> Browser {
        let stream = within(TcpStream::connect(server.address)).await;
        Browser {
            stream: BufReader::new(stream.expect("connected")),
        }
    }

    async fn ask(&mut self, request: &str) {
        let request = format!("{request}\r\nHost: x\r\n\r\n");
        let sent = self.stream.get_mut().write_all(request.as_bytes());
        within(sent).await.expect("sent");
    }

    /// The head of the next response; skips its body.
    async fn head(&mut self) -> String {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = within(self.stream.read_line(&mut head)).await;
            assert_ne!(read.expect("a line"), 0, "closed after {head:?}");
        }
        let head = head.to_lowercase();
        let length = head
            .lines()
            .find_map(|l| l.strip_prefix("content-length: "));
        let length = length.expect("a length").parse().expect("a number");
        let mut body = vec![0; length];
        within(self.stream.read_exact(&mut body))
            .await
            .expect("a body");
        head
    }

    /// The rest of the data until the server closes.
    async fn rest(&mut self) -> String {
        let mut rest = String::new();
        within(self.stream.read_to_string(&mut rest))
            .await
            .expect("the end");
        rest
    }
}

#[tokio::test]
async fn a_connection_serves_several_requests() {
    let server = TestServer::start().await;
    let mut browser = Browser::open(&server).await;
    for path in ["/healthz", "/readyz", "/metrics", "/healthz"] {
        browser.ask(&format!("GET {path} HTTP/1.1")).await;
        let head = browser.head().await;
        assert!(head.starts_with("http/1.1 200"), "{head}");
        assert!(!head.contains("connection: close"), "{head}");
    }
    // Pipelined requests are answered in order.
    browser
        .ask("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /metrics HTTP/1.1")
        .await;
    assert!(browser.head().await.contains("text/plain"));
    assert!(browser.head().await.contains("openmetrics"));
    server.stop().await;
}

#[tokio::test]
async fn malformed_requests_end_the_connection() {
    let server = TestServer::start().await;
    for request in [
        "GET /nothing HTTP/1.1",
        "POST /healthz HTTP/1.1\r\nContent-Length: 0",
        "GET /ws HTTP/1.1",
        "GET /healthz HTTP/1.0",
        "nonsense",
    ] {
        let mut browser = Browser::open(&server).await;
        browser.ask(request).await;
        browser.rest().await;
    }
    server.stop().await;
}

#[tokio::test]
async fn requests_that_come_too_fast_end_the_connection() {
    let server = TestServer::start_with(Config {
        message_burst: 2,
        message_rate: 0,
        ..Config::default()
    })
    .await;
    let mut browser = Browser::open(&server).await;
    for _ in 0..3 {
        browser.ask("GET /healthz HTTP/1.1").await;
        assert!(browser.head().await.starts_with("http/1.1 200"));
    }
    browser.ask("GET /healthz HTTP/1.1").await;
    let head = browser.head().await;
    assert!(head.starts_with("http/1.1 429"), "{head}");
    assert!(head.contains("retry-after: "), "{head}");
    assert_eq!(browser.rest().await, "");
    server.stop().await;
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let server = TestServer::start_with(Config {
        handshake_timeout: Duration::from_millis(100),
        ..Config::default()
    })
    .await;
    let mut browser = Browser::open(&server).await;
    browser.ask("GET /healthz HTTP/1.1").await;
    assert!(browser.head().await.starts_with("http/1.1 200"));
    assert_eq!(browser.rest().await, "");
    server.stop().await;
}

#[tokio::test]
async fn clients_behind_a_proxy_share_a_connection_but_no_limit() {
    let server = TestServer::start_with(Config {
        trusted_proxies: "127.0.0.1".parse().expect("an address"),
        address_connection_burst: 2,
        address_connection_rate: 0,
        message_burst: 1,
        message_rate: 0,
        handshake_timeout: Duration::from_millis(50),
        ..Config::default()
    })
    .await;
    let mut proxy = Browser::open(&server).await;
    for (client, path, status) in [
        ("X-Forwarded-For: 192.0.2.1", "/healthz", "200"),
        ("X-Forwarded-For: 192.0.2.1", "/nothing", "404"),
        ("X-Forwarded-For: 192.0.2.1", "/healthz", "429"),
        ("X-Forwarded-For: 192.0.2.2", "/healthz", "200"),
        ("X-Own-Check: 1", "/healthz", "200"),
        ("X-Own-Check: 2", "/healthz", "200"),
    ] {
        // A proxy keeps an idle connection for longer than a browser.
        sleep(Duration::from_millis(100)).await;
        proxy.ask(&format!("GET {path} HTTP/1.1\r\n{client}")).await;
        let head = proxy.head().await;
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{head}");
        assert!(!head.contains("connection: close"), "{head}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_takes_nothing_of_the_answers_is_cut() {
    let server = TestServer::start_with(Config {
        max_connections: 1,
        write_timeout: Duration::from_millis(100),
        ..Config::default()
    })
    .await;
    let mut sleeper = Browser::open(&server).await;
    // Together more than the sockets hold.
    let requests = "GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(60);
    sleeper.ask(&format!("{requests}GET / HTTP/1.1")).await;
    let freed = async { while !get(server.address, "/healthz").await.contains("200 OK") {} };
    within(freed).await;
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_stops_finishes_an_answer() {
    const FEN: &[u8] = b"W:Wa1:Bh8";
    let server = TestServer::start().await;
    let address = server.address;
    let mut browser = Browser::open(&server).await;
    browser
        .ask("POST /api/pdn HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 9")
        .await;
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        let read = within(browser.stream.read_line(&mut line)).await;
        read.expect("a line");
    }
    let stopping = tokio::spawn(server.stop());
    within(async { while TcpStream::connect(address).await.is_ok() {} }).await;
    let sent = browser.stream.get_mut().write_all(FEN);
    within(sent).await.expect("sent");
    let head = browser.head().await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert_eq!(browser.rest().await, "");
    stopping.await.expect("stopped");
}

#[tokio::test]
async fn a_server_that_stops_does_not_wait_for_open_connections() {
    let server = TestServer::start().await;
    let mut browser = Browser::open(&server).await;
    browser.ask("GET /healthz HTTP/1.1").await;
    browser.head().await;
    server.stop().await;
    assert_eq!(browser.rest().await, "");
}

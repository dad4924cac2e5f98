//! Notifications of turns, by a push service that is in this process.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;

use checkers_lib::protocol::Join;
use serde_json::{Value, json};
use test_support::PostgresServer;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::correspondence::{begin, overview_with, play};
use super::{call, keep};
use crate::network::support::{TestClient, within};

/// A push service, which answers 410 at `/gone`.
struct PushService {
    port: u16,
    /// The heads of the requests.
    heads: mpsc::UnboundedReceiver<Vec<String>>,
}

impl PushService {
    /// Starts it, and writes its certificate.
    async fn start(certificate: &Path) -> PushService {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(certificate, made.cert.pem()).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.into()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("localhost:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (heads, received) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let mut stream = BufReader::new(acceptor.accept(stream).await.unwrap());
                let mut head = Vec::new();
                loop {
                    let mut line = String::new();
                    stream.read_line(&mut line).await.unwrap();
                    match line.trim() {
                        "" => break,
                        line => head.push(line.to_owned()),
                    }
                }
                let answer = match head[0].contains("/gone") {
                    true => "410 Gone",
                    false => "201 Created",
                };
                let answer =
                    format!("HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                stream.write_all(answer.as_bytes()).await.unwrap();
                stream.shutdown().await.unwrap();
                let _ = heads.send(head);
            }
        });
        PushService {
            port,
            heads: received,
        }
    }

    async fn next(&mut self) -> Vec<String> {
        within(self.heads.recv()).await.unwrap()
    }

    fn address(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.port)
    }
}

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn account(at: SocketAddr, name: &str) -> String {
    let mut client = TestClient::connect(&at.to_string()).await;
    client.enter(Join::new(name)).await;
    keep(&mut client, None).await.unwrap().token
}

async fn subscribe(at: SocketAddr, token: &str, endpoint: &str) -> u16 {
    let wanted = json!({"endpoint": endpoint});
    call(at, "POST", "/notifications", token, &wanted).await.0
}

async fn offer(at: SocketAddr, token: &str) -> Value {
    call(at, "GET", "/notifications", token, &json!({})).await.1
}

async fn a_player_is_notified(store: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    let certificate = directory.path().join("trusted.pem");
    let mut service = PushService::start(&certificate).await;
    let services = format!("localhost:{}", service.port);
    let data = directory.path().join("data");
    let mut arguments = vec!["--port", "0", "--data", data.to_str().unwrap()];
    arguments.extend(["--push-services", &services]);
    arguments.extend(store);
    let (child, address) = crate::process::start_with(&arguments, |command: &mut Command| {
        command.env("SSL_CERT_FILE", &certificate);
    });
    let _running = Running(child);
    let at: SocketAddr = address.parse().unwrap();
    let (anna, boris) = (account(at, "anna").await, account(at, "boris").await);

    for bad in [
        "https://169.254.169.254/",
        "http://localhost/x",
        "https://push.example/x",
        "x",
    ] {
        assert_eq!(subscribe(at, &boris, bad).await, 400, "{bad}");
    }
    assert_eq!(subscribe(at, "", &service.address("/x")).await, 401);
    let before = offer(at, &boris).await;
    assert_eq!(before["subscribed"], false);
    assert_eq!(before["key"], offer(at, &anna).await["key"]);
    assert_eq!(subscribe(at, &boris, &service.address("/boris")).await, 200);
    assert_eq!(offer(at, &boris).await["subscribed"], true);

    let table = begin(at, &anna, &boris, "boris").await;
    play(at, ("anna", &anna), &table, 0, "c3-d4").await;
    let head = service.next().await;
    assert_eq!(head[0], "POST /boris HTTP/1.1");
    let has = |wanted: &str| head.iter().any(|line| line.starts_with(wanted));
    for wanted in [
        "ttl: ",
        "topic: turn",
        "content-length: 0",
        "authorization: vapid t=",
    ] {
        assert!(has(wanted), "{wanted}: {head:?}");
    }
    let key = format!("k={}", before["key"].as_str().unwrap());
    assert!(head.iter().any(|line| line.ends_with(&key)), "{head:?}");

    // A move that Boris has left is played at once, and Boris is told about the turn after it, once.
    play(at, ("boris", &boris), &table, 1, "b6-a5").await;
    overview_with(at, &boris, |found| found["games"][0]["your_turn"] == false).await;
    let lines = json!({"lines": ["d4-e5 d6-f4"]});
    let path = format!("/correspondence/games/{table}-1/conditional");
    let (status, found) = call(at, "POST", &path, &boris, &lines).await;
    assert_eq!(status, 200, "{found}");
    play(at, ("anna", &anna), &table, 2, "d4-e5").await;
    overview_with(at, &anna, |found| found["games"][0]["ply"] == 4).await;
    assert_eq!(subscribe(at, &boris, &service.address("/gone")).await, 200);
    play(at, ("anna", &anna), &table, 4, "g3:e5").await;
    assert_eq!(service.next().await[0], "POST /gone HTTP/1.1");
    // The service does not know this address any more.
    let forgotten = async { while offer(at, &boris).await["subscribed"] == true {} };
    within(forgotten).await;

    // A session that has ended is not notified.
    assert_eq!(subscribe(at, &anna, &service.address("/anna")).await, 200);
    assert_eq!(
        call(at, "POST", "/notifications/end", &anna, &json!({}))
            .await
            .0,
        200
    );
    assert_eq!(offer(at, &anna).await["subscribed"], false);
    assert!(service.heads.try_recv().is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_notified_of_a_turn_in_sqlite() {
    a_player_is_notified(&[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_notified_of_a_turn_in_postgresql() {
    if let Some(database) = PostgresServer::shared().map(PostgresServer::database) {
        a_player_is_notified(&["--store", &database]).await;
    }
}

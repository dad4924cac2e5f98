//! TLS on the server's port.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use checkers_lib::protocol::{ClientMessage, ServerMessage};
use checkers_server::{Config, Server, ServerError, TlsError};
use futures::{SinkExt, StreamExt};
use test_support::send_signal;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{ChildStderr, Command};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

use crate::network::support::{TestServer, within};

/// Writes a fresh certificate for `localhost` and its key, and returns it.
fn write_certificate(directory: &Path) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]);
    let made = made.expect("a certificate");
    std::fs::write(directory.join("cert.pem"), made.cert.pem()).expect("written");
    std::fs::write(directory.join("key.pem"), made.signing_key.serialize_pem()).expect("written");
    made.cert.into()
}

fn config(directory: &Path) -> Config {
    Config {
        tls_cert: Some(directory.join("cert.pem")),
        tls_key: Some(directory.join("key.pem")),
        in_memory: true,
        ..Config::default()
    }
}

/// A connector that trusts only this certificate.
fn connector(certificate: CertificateDer<'static>) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(certificate).expect("a certificate");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

/// Opens a TLS connection to a server that must show this certificate.
async fn connect(
    address: SocketAddr,
    certificate: CertificateDer<'static>,
) -> std::io::Result<TlsStream<TcpStream>> {
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from("localhost").expect("a name");
    within(connector(certificate).connect(name, stream)).await
}

#[tokio::test]
async fn clients_play_over_tls() {
    let directory = tempfile::tempdir().expect("a directory");
    let certificate = write_certificate(directory.path());
    let server = TestServer::start_with(config(directory.path())).await;
    let stream = connect(server.address, certificate).await.expect("TLS");
    let opened = within(client_async("wss://localhost/ws", stream)).await;
    let (mut socket, _) = opened.expect("a WebSocket");
    let name = "anna".to_owned();
    let join = serde_json::to_string(&ClientMessage::join(name)).expect("JSON");
    socket.send(Message::text(join)).await.expect("sent");
    let Some(Ok(Message::Text(text))) = within(socket.next()).await else {
        panic!("no message");
    };
    let joined = serde_json::from_str(&text).expect("a message");
    assert!(matches!(joined, ServerMessage::Joined { .. }), "{joined:?}");
    server.stop().await;
}

#[tokio::test]
async fn sighup_reloads_the_certificate() {
    let directory = tempfile::tempdir().expect("a directory");
    let old = write_certificate(directory.path());
    let mut server = Command::new(env!("CARGO_BIN_EXE_checkers-server"))
        .args(["--bind", "127.0.0.1", "--port", "0"])
        .args(["--tls-cert", "cert.pem", "--tls-key", "key.pem"])
        .current_dir(directory.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("started");
    let mut out = BufReader::new(server.stdout.take().expect("piped")).lines();
    let mut log = BufReader::new(server.stderr.take().expect("piped")).lines();
    let first = within(out.next_line())
        .await
        .expect("read")
        .expect("a line");
    let address = first
        .strip_prefix("listening on wss://")
        .expect("an address");
    let address: SocketAddr = address.parse().expect("an address");
    connect(address, old.clone()).await.expect("TLS");
    let hang_up = async |log: &mut Lines<BufReader<ChildStderr>>, word: &str| {
        send_signal(server.id().expect("running"), "-HUP");
        while !within(log.next_line())
            .await
            .expect("read")
            .expect("a line")
            .contains(word)
        {}
    };
    std::fs::write(directory.path().join("cert.pem"), "nonsense").expect("written");
    hang_up(&mut log, "the old certificate stays").await;
    connect(address, old.clone()).await.expect("TLS");
    let new = write_certificate(directory.path());
    hang_up(&mut log, "read again").await;
    connect(address, new).await.expect("TLS");
    assert!(connect(address, old).await.is_err());
}

#[tokio::test]
async fn a_tls_server_refuses_plain_websockets() {
    let directory = tempfile::tempdir().expect("a directory");
    write_certificate(directory.path());
    let server = TestServer::start_with(config(directory.path())).await;
    let plain = tokio_tungstenite::connect_async(format!("ws://{}/ws", server.address));
    assert!(within(plain).await.is_err());
    server.stop().await;
}

#[tokio::test]
async fn bad_certificates_are_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let missing = Server::bind(Config {
        port: 0,
        ..config(directory.path())
    })
    .await;
    assert!(matches!(missing, Err(ServerError::Tls(_))), "{missing:?}");
    let half = Config {
        port: 0,
        tls_key: None,
        ..config(directory.path())
    };
    let half = Server::bind(half).await;
    let incomplete: Result<Server, _> = Err(ServerError::Tls(TlsError::Incomplete));
    assert_eq!(format!("{half:?}"), format!("{incomplete:?}"));
    write_certificate(directory.path());
    let key = directory.path().join("key.pem");
    let other = rcgen::KeyPair::generate().expect("a key");
    std::fs::write(key, other.serialize_pem()).expect("written");
    let foreign = Server::bind(Config {
        port: 0,
        ..config(directory.path())
    })
    .await;
    assert!(matches!(foreign, Err(ServerError::Tls(_))), "{foreign:?}");
}

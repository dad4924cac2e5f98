//! The `checkers-server` process: first line, signals and exit codes.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};

use checkers_lib::protocol::ClientMessage;
use serde_json::Value;
use test_support::send_signal;

use crate::network::support::TestClient;

fn server(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
    command.args(["--bind", "127.0.0.1"]).args(arguments);
    if !arguments.contains(&"--data") {
        command.arg("--in-memory");
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts a server and returns it with the address that it prints.
pub(crate) fn start(arguments: &[&str]) -> (Child, String) {
    start_with(arguments, |_| {})
}

/// The same, with a change to the command.
pub(crate) fn start_with(arguments: &[&str], change: impl FnOnce(&mut Command)) -> (Child, String) {
    let mut command = server(arguments);
    change(&mut command);
    let mut child = command.spawn().unwrap();
    let address = address_of(&mut child);
    (child, address)
}

fn address_of(child: &mut Child) -> String {
    let mut line = String::new();
    let out = child.stdout.as_mut().unwrap();
    BufReader::new(out).read_line(&mut line).unwrap();
    let address = line.strip_prefix("listening on ws://").unwrap();
    address.trim().to_owned()
}

#[tokio::test]
async fn a_signal_closes_every_connection_with_a_reason_and_exits_0() {
    use futures::StreamExt;
    use tokio_tungstenite::tungstenite::Message;
    for (name, code, reason) in [
        ("-INT", 1001, "the server is shutting down"),
        ("-TERM", 1012, "restarting: come back in 7s"),
    ] {
        let (mut child, address) = start(&["--port", "0", "--restart-delay", "7s"]);
        let mut socket = TestClient::connect(&address).await.socket;
        send_signal(child.id(), name);
        let Some(Ok(Message::Close(Some(frame)))) = socket.next().await else {
            panic!("no close frame");
        };
        assert_eq!(u16::from(frame.code), code);
        assert_eq!(frame.reason.as_str(), reason);
        assert!(socket.next().await.is_none());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{name}");
    }
}

#[test]
fn a_second_signal_exits_at_once() {
    for (name, code) in [("-TERM", 143), ("-INT", 130)] {
        let (mut child, _) = start(&["--port", "0", "--drain-time", "1h"]);
        send_signal(child.id(), "-TERM");
        // The first signal was handled once it is logged.
        let log = BufReader::new(child.stderr.take().unwrap());
        let lines = log.lines().map(|line| line.unwrap());
        assert!({ lines }.any(|line| line.contains("draining")));
        send_signal(child.id(), name);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{name}");
    }
}

#[test]
fn a_port_in_use_is_tried_again_then_explained() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let Output { status, stderr, .. } = server(&["--port", &port]).output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1), "{stderr}");
    assert_eq!(stderr.matches("trying again").count(), 1, "{stderr}");
    assert!(stderr.contains("the port is in use"), "{stderr}");
}

#[test]
fn a_port_that_becomes_free_is_taken() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut child = server(&["--port", &port]).spawn().unwrap();
    // The first attempt has failed once it is logged.
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    assert!(line.contains("in use"), "{line}");
    drop(taken);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    assert_eq!(first, format!("listening on ws://127.0.0.1:{port}\n"));
    send_signal(child.id(), "-TERM");
    let mut rest = String::new();
    log.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{rest}");
}

#[test]
fn settings_come_from_flags_and_from_the_environment() {
    let mut command = server(&[]);
    command
        .env("CHECKERS_PORT", "0")
        .env("CHECKERS_DRAW_RULES", "nonsense");
    let Output { status, stderr, .. } = command.output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("expected fmjd64 or study"), "{stderr}");
}

/// Runs `healthcheck` with these arguments and returns its exit code and what it prints.
fn healthcheck(settings: &[&str], options: &[&str]) -> (Option<i32>, String) {
    let mut command = server(settings);
    let Output { status, stderr, .. } = command.arg("healthcheck").args(options).output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

#[test]
fn healthcheck_asks_the_server_of_its_settings_or_of_a_url() {
    let (mut child, address) = start(&["--port", "0", "--drain-time", "1h"]);
    let (_, port) = address.rsplit_once(':').unwrap();
    assert_eq!(
        healthcheck(&["--port", port], &[]),
        (Some(0), String::new())
    );
    let root = format!("http://{address}");
    assert_eq!(
        healthcheck(&[], &["--url", &root]),
        (Some(0), String::new())
    );
    let ready = format!("http://{address}/readyz");
    assert_eq!(
        healthcheck(&[], &["--url", &ready]),
        (Some(0), String::new())
    );

    send_signal(child.id(), "-TERM");
    let log = BufReader::new(child.stderr.take().unwrap());
    let lines = log.lines().map(|line| line.unwrap());
    assert!({ lines }.any(|line| line.contains("draining")));
    let (code, complaint) = healthcheck(&[], &["--url", &ready]);
    assert_eq!(code, Some(1), "{complaint}");
    let expected = format!(
        "error: {ready}: 503 Service Unavailable: {{\"ready\":false,\"reason\":\"shutting_down\"}}\n"
    );
    assert_eq!(complaint, expected);
    child.kill().unwrap();
    child.wait().unwrap();

    let (code, complaint) = healthcheck(&["--port", port], &[]);
    assert_eq!(code, Some(1), "{complaint}");
    let expected = format!("error: http://{address}/healthz: cannot connect: Connection refused\n");
    assert_eq!(complaint, expected);
}

#[test]
fn healthcheck_works_over_tls() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name| directory.path().join(name).to_str().unwrap().to_owned();
    let made = rcgen::generate_simple_self_signed(["club.example".to_owned()]).unwrap();
    std::fs::write(file("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(file("key.pem"), made.signing_key.serialize_pem()).unwrap();
    let (cert, key) = (file("cert.pem"), file("key.pem"));
    let tls = ["--tls-cert", &cert, "--tls-key", &key, "--port"];

    let mut child = server(&[&tls[..], &["0"]].concat()).spawn().unwrap();
    let mut line = String::new();
    let out = child.stdout.as_mut().unwrap();
    BufReader::new(out).read_line(&mut line).unwrap();
    let port = line.trim().rsplit_once(':').unwrap().1;
    let checked = healthcheck(&[&tls[..], &[port]].concat(), &[]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(checked, (Some(0), String::new()));
}

#[test]
fn healthcheck_explains_what_cannot_be_asked() {
    for (settings, options, expected) in [
        (
            ["--port", "0"],
            &[][..],
            "port 0 takes a free port: name the server's address with --url",
        ),
        (
            ["--port", "1"],
            &["--url", "club.example"][..],
            "expected a URL that begins with http:// or https://",
        ),
    ] {
        let (code, complaint) = healthcheck(&settings, options);
        assert_eq!(code, Some(2), "{complaint}");
        assert!(complaint.contains(expected), "{complaint}");
    }
}

async fn join(address: &str, name: &str) -> TestClient {
    let mut client = TestClient::connect(address).await;
    client.send_message(&ClientMessage::join(name)).await;
    client
}

/// The next message of this type.
async fn receive(client: &mut TestClient, kind: &str) -> Value {
    loop {
        let message = serde_json::to_value(client.receive().await).unwrap();
        if message["type"] == kind {
            return message;
        }
    }
}

#[tokio::test]
async fn an_unwritable_log_stops_nothing() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = server(&["--port", "0"]);
    let mut child = command
        .env("CHECKERS_LOG", "debug")
        .stderr(full)
        .spawn()
        .unwrap();
    let address = address_of(&mut child);
    let mut anna = join(&address, "anna").await;
    assert_eq!(receive(&mut anna, "joined").await["name"], "anna");
    anna.send(r#"{"type":"take_seat","color":"white"}"#).await;
    while receive(&mut anna, "players").await["players"][0]["role"] != "white" {}
    send_signal(child.id(), "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[tokio::test]
async fn a_game_continues_after_the_server_was_killed() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let arguments = ["--port", "0", "--data", data];
    let (mut child, address) = start(&arguments);
    let mut anna = join(&address, "anna").await;
    let mut boris = join(&address, "boris").await;
    anna.send(r#"{"type":"take_seat","color":"white"}"#).await;
    boris.send(r#"{"type":"take_seat","color":"black"}"#).await;
    let mut moves = Vec::new();
    for ply in 0..10 {
        let mover = if ply % 2 == 0 { &mut anna } else { &mut boris };
        let asked = receive(mover, "your_turn").await;
        let text = asked["legal_moves"][0]["move"].as_str().unwrap().to_owned();
        mover
            .send(format!(r#"{{"type":"move","ply":{ply},"move":"{text}"}}"#))
            .await;
        receive(mover, "moved").await;
        moves.push(text);
    }
    send_signal(child.id(), "-KILL");
    child.wait().unwrap();

    let (mut child, address) = start(&arguments);
    let mut clara = join(&address, "clara").await;
    let game = receive(&mut clara, "game_state").await;
    let played = game["moves"].as_array().unwrap().iter();
    let played: Vec<_> = played.map(|m| m["move"].as_str().unwrap()).collect();
    assert_eq!(played, moves);
    assert_eq!((&game["id"], &game["ply"]), (&"main-1".into(), &10.into()));
    assert_eq!(
        (&game["white"], &game["black"]),
        (&"anna".into(), &"boris".into())
    );
    // Their names are reserved.
    let mut stranger = join(&address, "Anna").await;
    let refused = receive(&mut stranger, "error").await;
    assert_eq!(refused["code"], "name_taken");
    send_signal(child.id(), "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A store with a blank page: its middle page, or the root page of this table or index.
async fn damage(directory: &std::path::Path, root: Option<&str>) {
    use event_store::{Append, EventLog, NewEvent, Seq, SqliteStore, StoreConfig, UnixMillis};
    let store = SqliteStore::open(StoreConfig::new(directory)).unwrap();
    for after in 0..100 {
        let event = NewEvent::new(UnixMillis(after), "unknown", [b'x'; 1000]);
        let (stream, after) = ("main-1".parse().unwrap(), Seq(after as u32));
        let append = Append::new(stream, after, vec![event]);
        let written = store.append(vec![append]).await.unwrap();
        assert!(written[0].is_ok());
    }
    store.close().await;
    let path = directory.join("checkers.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let page = match root {
        Some(name) => root_page(&path, name) - 1,
        None => bytes.len() / 2 / 4096,
    };
    bytes[page * 4096..(page + 1) * 4096].fill(0xff);
    std::fs::write(path, bytes).unwrap();
}

/// The number of the first page of a table or index, from 1.
fn root_page(database: &std::path::Path, name: &str) -> usize {
    let connection = rusqlite::Connection::open(database).unwrap();
    let root = "SELECT rootpage FROM sqlite_master WHERE name = ?1";
    let page: u32 = connection
        .query_row(root, [name], |row| row.get(0))
        .unwrap();
    page as usize
}

/// Starts a server on a store damaged there, and returns its log.
async fn log_of_damaged(root: Option<&str>) -> String {
    let directory = tempfile::tempdir().unwrap();
    damage(directory.path(), root).await;
    let data = directory.path().to_str().unwrap();
    let (mut child, address) = start(&["--port", "0", "--data", data]);
    let mut anna = join(&address, "anna").await;
    assert_eq!(receive(&mut anna, "joined").await["name"], "anna");
    anna.send(r#"{"type":"take_seat","color":"white"}"#).await;
    assert_eq!(receive(&mut anna, "error").await["code"], "not_stored");
    send_signal(child.id(), "-TERM");
    let mut log = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut log)
        .unwrap();
    assert!(log.contains("is damaged: "), "{log}");
    assert!(log.contains("the readable games are served"), "{log}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    log
}

#[tokio::test]
async fn a_damaged_store_is_served_read_only() {
    for root in [None, Some("sqlite_autoindex_stream_1"), Some("stream_open")] {
        let log = log_of_damaged(root).await;
        // The open game is found, but cannot be restored.
        assert!(log.contains("event 1 of stream main-1"), "{log}");
    }
}

#[tokio::test]
async fn a_damaged_store_without_its_streams_is_served() {
    let log = log_of_damaged(Some("stream")).await;
    assert!(!log.contains("main-1"), "{log}");
}

//! Export and deletion of accounts.

use std::fs;
use std::io::{Cursor, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use checkers_lib::protocol::{
    ClientMessage, CreateTable, Join, Joined, Meant, Registration, ServerMessage, WireColor,
};
use event_store::{SqliteStore, StoreConfig};
use serde_json::{Value, json};
use tempfile::TempDir;
use test_support::{PostgresServer, query, stdout};
use zip::ZipArchive;

use super::{call, command, enter, keep, keeping, post, registered};
use crate::network::support::{TestClient, get, request_bytes, within};
use crate::process::start;

/// A name that is nowhere else.
const NAME: &str = "Zerbinetta";

/// A server process, and what it has logged.
struct LoggedServer {
    child: Child,
    address: SocketAddr,
}

impl LoggedServer {
    fn start(arguments: &[&str]) -> LoggedServer {
        let (child, address) = start(arguments);
        let address = address.parse().unwrap();
        LoggedServer { child, address }
    }

    async fn join(&self, name: &str) -> (TestClient, Joined) {
        let mut client = TestClient::connect(&self.address.to_string()).await;
        let joined = client.enter(Join::new(name)).await;
        (client, joined)
    }

    async fn post(&self, path: &str, token: &str, body: Value) -> (u16, Value) {
        call(self.address, "POST", path, token, &body).await
    }

    /// The number of games on a player's page.
    async fn games_of(&self, name: &str) -> u64 {
        let answer = get(self.address, &format!("/api/games?player={name}")).await;
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let list: Value = serde_json::from_str(body).unwrap();
        list["count"].as_u64().unwrap()
    }

    fn kill(mut self) -> String {
        self.child.kill().unwrap();
        let mut log = String::new();
        let mut errors = self.child.stderr.take().unwrap();
        errors.read_to_string(&mut log).unwrap();
        self.child.wait().unwrap();
        log
    }
}

async fn take_seat(client: &mut TestClient, color: WireColor) {
    let color = color.into();
    client
        .send_message(&ClientMessage::TakeSeat { color })
        .await;
}

fn has_started(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::GameStarted(_))
}

fn is_over(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::GameOver { .. })
}

/// Somebody deletes the account during a game; the server is killed before the game is over. Returns the logs.
async fn deletes_an_account_during_a_game(arguments: &[&str]) -> String {
    let server = LoggedServer::start(arguments);
    let (mut leaver, _) = server.join(NAME).await;
    let token = keep(&mut leaver, None).await.unwrap().token;
    let arena = json!({"name": "Friday", "format": "arena", "entrants": "people", "clock": "3m", "minutes": 60});
    let (_, made) = server.post("/tournaments", &token, arena).await;
    let path = format!("/tournaments/{}/enter", made["id"].as_str().unwrap());
    assert_eq!(server.post(&path, &token, json!({})).await.0, 200);
    let (mut boris, joined) = server.join("boris").await;
    take_seat(&mut leaver, WireColor::White).await;
    take_seat(&mut boris, WireColor::Black).await;
    leaver.wait_for(has_started).await;
    boris
        .send_message(&ClientMessage::Resign(Meant::default()))
        .await;
    leaver.wait_for(is_over).await;
    // Boris invites the other to a table, where nobody plays.
    let wanted = CreateTable {
        opponent: Some(NAME.into()),
        ..CreateTable::default()
    };
    boris
        .send_message(&ClientMessage::CreateTable(wanted))
        .await;
    boris.created().await;
    // The second game goes on while the account is deleted.
    leaver
        .say_at("main", ClientMessage::OfferRematch(Meant::default()))
        .await;
    let is_offered = |message: &ServerMessage| matches!(message, ServerMessage::Offered { .. });
    boris.wait_for(is_offered).await;
    boris
        .say_at("main", ClientMessage::AcceptRematch(Meant::default()))
        .await;
    leaver.wait_for(has_started).await;
    let (status, _) = server
        .post("/delete", &token, json!({"name": "boris"}))
        .await;
    assert_eq!(status, 400);
    let (status, answer) = server.post("/delete", &token, json!({"name": NAME})).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(server.post("/sign-out", &token, json!({})).await.0, 401);
    assert_eq!(server.games_of(NAME).await, 1, "a game goes on");
    let first = server.kill();

    let server = LoggedServer::start(arguments);
    let mut boris = TestClient::connect(&server.address.to_string()).await;
    let token = joined.token;
    boris
        .enter(Join {
            token,
            ..Join::new("boris")
        })
        .await;
    boris
        .send_message(&ClientMessage::Resign(Meant::default()))
        .await;
    boris.wait_for(is_over).await;
    drop(boris);
    let second = server.kill();
    first + &second
}

/// Whether there is any account.
fn has_account(arguments: &[&str]) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
    !stdout(command.args(arguments).args(["account", "list"])).is_empty()
}

/// What is left of the name: nothing.
async fn is_removed(arguments: &[&str]) -> String {
    let server = LoggedServer::start(arguments);
    let gone = async {
        // The row of the account goes last.
        while has_account(arguments) {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    within(gone).await;
    let answer = get(server.address, "/api/players/boris").await;
    assert!(!answer.contains(NAME), "{answer}");
    let (_, other) = answer.split_once("deleted-").unwrap();
    let (other, _) = other.split_once('"').unwrap();
    assert_eq!(server.games_of(&format!("deleted-{other}")).await, 2);
    // The name is free.
    let (mut other, joined) = server.join("Another").await;
    assert!(!joined.account);
    other.send_message(&ClientMessage::Leave).await;
    server.kill()
}

#[tokio::test]
async fn a_deleted_name_is_nowhere_in_a_file_or_a_log() {
    let directory = TempDir::new().unwrap();
    let data = directory.path().to_str().unwrap();
    let arguments = with_store(&["--data", data]);
    let log = deletes_an_account_during_a_game(&arguments).await;
    let log = log + &is_removed(&arguments).await;
    assert!(!log.contains(NAME), "{log}");
    assert!(log.contains("account created"), "{log}");
    for file in fs::read_dir(directory.path()).unwrap() {
        let path = file.unwrap().path();
        assert!(!contains(&path, NAME), "{}", path.display());
    }
    let store = SqliteStore::open(StoreConfig::new(directory.path())).unwrap();
    assert_eq!(store.verify().await.unwrap(), []);
}

/// The arguments of a server with this store.
fn with_store<'a>(store: &[&'a str]) -> Vec<&'a str> {
    let others = ["--port", "0", "--grace", "1s", "--house-games", "0"];
    [&others[..], store].concat()
}

fn contains(path: &Path, text: &str) -> bool {
    let bytes = fs::read(path).unwrap();
    let is_there = |window: &[u8]| window == text.as_bytes();
    bytes.windows(text.len()).any(is_there)
}

#[tokio::test]
async fn a_deleted_name_is_nowhere_in_a_database() {
    let Some(postgres) = PostgresServer::shared() else {
        return;
    };
    let url = postgres.database();
    let arguments = with_store(&["--store", &url, "--data", "unused"]);
    deletes_an_account_during_a_game(&arguments).await;
    is_removed(&arguments).await;
    for text in [
        "SELECT count(*) FROM event WHERE payload LIKE '%Zerbinetta%'",
        "SELECT count(*) FROM game WHERE white LIKE 'Zerb%' OR black LIKE 'Zerb%'",
        "SELECT count(*) FROM game WHERE convert_from(document, 'UTF8') LIKE '%Zerbinetta%'",
        "SELECT count(*) FROM participant WHERE name LIKE 'Zerb%' OR opponent LIKE 'Zerb%'",
        "SELECT count(*) FROM account WHERE name LIKE 'Zerb%' OR skeleton LIKE 'zerb%'",
        "SELECT count(*) FROM credential WHERE kind <> 'administrator'",
    ] {
        let found: i64 = query(&url, text).unwrap()[0].get(0);
        assert_eq!(found, 0, "{text}");
    }
}

#[tokio::test]
async fn a_name_that_is_a_word_of_events_is_deleted_too() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (mut anna, _) = enter(&server, "anna", None).await;
    take_seat(&mut anna, WireColor::White).await;
    let (mut white, _) = enter(&server, "white", None).await;
    let token = keep(&mut white, None).await.unwrap().token;
    let (status, _) = post(&server, "/delete", &token, json!({"name": "white"})).await;
    assert_eq!(status, 200);
    let gone = async {
        while !command(&directory, &["list"]).is_empty() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    within(gone).await;
    server.stop().await;
}

#[tokio::test]
async fn everything_about_an_account_is_exported() {
    let directory = TempDir::new().unwrap();
    let (server, mut anna, token) = registered(&directory).await;
    take_seat(&mut anna, WireColor::White).await;
    let (mut boris, _) = enter(&server, "boris", None).await;
    take_seat(&mut boris, WireColor::Black).await;
    anna.play_first_move().await;
    boris.play_first_move().await;
    boris
        .send_message(&ClientMessage::Resign(Meant::default()))
        .await;
    anna.wait_for(is_over).await;
    let browser = json!({"endpoint": "https://updates.push.services.mozilla.com/x"});
    let subscribed = post(&server, "/notifications", &token, browser).await;
    assert_eq!(subscribed.0, 200, "{subscribed:?}");
    let head = format!(
        "GET /api/account/export HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    let answer = request_bytes(server.address, &head).await;
    let at = answer
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .unwrap();
    let mut archive = ZipArchive::new(Cursor::new(answer[at + 4..].to_vec())).unwrap();
    let mut read = |name: &str| {
        let mut text = String::new();
        archive
            .by_name(name)
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        text
    };
    let account: Value = serde_json::from_str(&read("account.json")).unwrap();
    assert_eq!(account["name"], "anna");
    assert!(!account.to_string().contains(&token));
    let service = &account["notifications"][0]["service"];
    assert_eq!(service, "updates.push.services.mozilla.com");
    let games = read("games.pdn");
    assert!(games.contains("[White \"anna\"]"), "{games}");
    server.stop().await;
}

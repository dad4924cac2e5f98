//! What players' pages say of openings and endings.

use checkers_lib::protocol::{
    ClientMessage, CreateTable, Meant, Registration, SeatWish, ServerMessage,
};
use checkers_server::Config;
use serde_json::{Value, json};
use tempfile::TempDir;
use test_support::{PostgresServer, query};
use tokio::time::{Duration, sleep};

use super::ladder::read;
use super::ratings::{create, is_over, owner, take_black};
use super::run;
use super::tournaments::page_with;
use super::{keeping, post};
use crate::network::support::{TestClient, TestServer, get, within};

/// Two kings against one: won for White, who is to move.
const WON: &str = "W:WKa1,Kb2,Kc3:Bh8";

fn from(start: Option<&str>) -> CreateTable {
    CreateTable {
        color: Some(SeatWish::White),
        start_fen: start.map(str::to_owned),
        ..CreateTable::default()
    }
}

/// White's first move, then Black's, and then White resigns.
async fn lose(white: &mut TestClient, black: &mut TestClient, start: Option<&str>) {
    let table = create(white, from(start)).await;
    take_black(black, &table).await;
    white.play_first_move().await;
    black.play_first_move().await;
    let is_asked = |message: &ServerMessage| matches!(message, ServerMessage::YourTurn { .. });
    white.wait_for(is_asked).await;
    white
        .say_at(&table, ClientMessage::Resign(Meant::default()))
        .await;
    black.wait_for(is_over).await;
}

fn tally(won: u64, lost: u64) -> Value {
    json!({"won": won, "drawn": 0, "lost": lost, "interrupted": 0})
}

/// `execute` changes the store.
async fn games_are_reviewed(server: TestServer, store: &str, execute: impl Fn(&str)) {
    let (mut anna, token) = owner(&server, "anna").await;
    let (mut boris, _) = owner(&server, "boris").await;
    lose(&mut anna, &mut boris, None).await;
    lose(&mut anna, &mut boris, None).await;
    lose(&mut boris, &mut anna, None).await;
    lose(&mut anna, &mut boris, Some(WON)).await;

    let is_reviewed = |page: &Value| {
        let openings = &page["openings"];
        page["endings"]["won"] != tally(0, 0)
            && openings["white"][0]["games"] == tally(0, 2)
            && openings["black"][0]["games"] == tally(1, 0)
    };
    let page = page_with(&server, "/api/players/anna", is_reviewed).await;
    let moves = page["openings"]["white"][0]["name"].as_str().unwrap();
    let as_black = &page["openings"]["black"];
    assert_eq!(*as_black, json!([{"name": moves, "games": tally(1, 0)}]));
    let resigned = json!([{"name": "resignation", "games": tally(1, 3)}]);
    assert_eq!(page["reasons"], resigned);
    let endings = &page["endings"];
    assert_eq!(
        (&endings["won"], &endings["lost"]),
        (&tally(0, 1), &tally(0, 0))
    );
    assert_eq!(endings["moves"], 1);
    let of_boris = read(&server, "/api/players/boris").await;
    assert_eq!(of_boris["endings"]["lost"], tally(1, 0));

    // The games of each part can be listed.
    let opening = moves.replace(' ', "+").replace(':', "%3A");
    for (query, expected) in [
        (format!("player=anna&opening={opening}"), 3),
        (format!("player=anna&color=white&opening={opening}"), 2),
        ("player=anna&opening=a3-b4+h6-g5".to_owned(), 0),
        ("player=anna&ending=won".to_owned(), 1),
        ("player=boris&ending=won".to_owned(), 0),
        ("player=boris&ending=lost".to_owned(), 1),
    ] {
        let list = read(&server, &format!("/api/games?{query}")).await;
        assert_eq!(list["count"], expected, "{query}");
    }
    let answer = get(server.address, "/api/games?player=anna&ending=good").await;
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");

    // They stay under another name when the account is deleted.
    assert_eq!(
        post(&server, "/delete", &token, json!({"name": "anna"}))
            .await
            .0,
        200
    );
    let gone = async {
        while run(store, &["account", "list"]).contains("anna") {
            sleep(Duration::from_millis(50)).await;
        }
    };
    within(gone).await;
    let answer = get(server.address, "/api/players/anna").await;
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
    let of_boris = read(&server, "/api/players/boris").await;
    let name = of_boris["opponents"][0]["name"].as_str().unwrap();
    assert!(name.starts_with("deleted-"), "{name}");
    let path = format!("/api/players/{name}");
    let renamed = read(&server, &path).await;
    for part in ["openings", "reasons", "endings"] {
        assert_eq!(renamed[part], page[part]);
    }

    // One command finds them again, while the server runs.
    execute("UPDATE participant SET opening = 'x', ending = 'drawn', moves = 7, lost = 7");
    let wrong = read(&server, &path).await;
    assert_eq!(wrong["endings"]["moves"], 28);
    assert_eq!(run(store, &["profiles", "recompute"]), "4 games\n");
    assert_eq!(read(&server, &path).await, renamed);

    // Another store finds them by itself.
    server.stop().await;
    let copy = TempDir::new().unwrap();
    let to = format!("sqlite:{}", copy.path().display());
    run(store, &["migrate", "--from", store, "--to", &to]);
    let server = keeping(&copy, Registration::Open).await;
    let copied = page_with(&server, &path, is_reviewed).await;
    assert_eq!(copied["endings"], renamed["endings"]);
    server.stop().await;
}

#[tokio::test]
async fn games_are_reviewed_in_sqlite() {
    let directory = TempDir::new().unwrap();
    let store = format!("sqlite:{}", directory.path().display());
    let file = directory.path().join("checkers.db");
    let execute = |statement: &str| {
        let database = rusqlite::Connection::open(&file).unwrap();
        database.busy_timeout(Duration::from_secs(5)).unwrap();
        database.execute(statement, []).unwrap();
    };
    let server = keeping(&directory, Registration::Open).await;
    games_are_reviewed(server, &store, execute).await;
}

#[tokio::test]
async fn games_are_reviewed_in_postgres() {
    let Some(database) = PostgresServer::shared() else {
        return;
    };
    let (directory, url) = (TempDir::new().unwrap(), database.database());
    let config = Config {
        data: directory.path().to_owned(),
        store: Some(url.parse().unwrap()),
        registration: Registration::Open,
        ..Config::default()
    };
    let execute = |statement: &str| {
        query(&url, statement).unwrap();
    };
    games_are_reviewed(TestServer::start_with(config).await, &url, execute).await;
}

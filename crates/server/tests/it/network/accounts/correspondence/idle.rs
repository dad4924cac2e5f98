//! Games by correspondence that nobody looks at: they need no memory, and go on whatever happens to the server.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{ClientMessage, Join, ServerMessage, Watch};
use checkers_lib::{DrawRules, Position};
use event_store::{
    Append, EventLog, NewEvent, Seq, SqliteStore, Statement, Store, StoreConfig, UnixMillis, Value,
};
use serde_json::json;
use test_support::{PostgresServer, query};
use tokio::time::sleep;

use super::{begin, overview_with, play};
use crate::network::accounts::keep;
use crate::network::support::{TestClient, get, within};
use crate::process::start;
use crate::reliability::cluster::key_file;
use crate::reliability::process::ServerProcess;

/// Creates an account; its token.
async fn owner(at: SocketAddr, name: &str) -> String {
    let mut client = TestClient::connect(&at.to_string()).await;
    client.enter(Join::new(name)).await;
    keep(&mut client, None).await.unwrap().token
}

/// The answer to a GET request, when it is as wanted.
async fn read_with(
    at: SocketAddr,
    path: &str,
    is_wanted: impl Fn(&serde_json::Value) -> bool,
) -> serde_json::Value {
    let wanted = async {
        loop {
            let answer = get(at, path).await;
            let (_, body) = answer.split_once("\r\n\r\n").unwrap();
            let found = serde_json::from_str(body).unwrap();
            if is_wanted(&found) {
                return found;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    within(wanted).await
}

/// Waits until this many tables are in memory.
async fn wait_for_tables(at: SocketAddr, expected: u32) {
    let wanted = format!("\ncheckers_tables {expected}\n");
    let found = async {
        while !get(at, "/metrics").await.contains(&wanted) {
            sleep(Duration::from_millis(100)).await;
        }
    };
    within(found).await;
}

fn kill(mut server: Child) {
    server.kill().unwrap();
    server.wait().unwrap();
}

/// The server is killed after a move, and when a game is overdue; `change` executes a statement on its store.
async fn survive(server: impl Fn() -> (Child, SocketAddr), change: impl AsyncFn(&'static str)) {
    let (process, at) = server();
    let (anna, boris) = (owner(at, "anna").await, owner(at, "boris").await);
    let table = begin(at, &anna, &boris, "boris").await;
    for (ply, text) in [
        "c3-d4", "b6-a5", "d2-c3", "a7-b6", "e1-d2", "b8-a7", "g3-h4",
    ]
    .into_iter()
    .enumerate()
    {
        let player = if ply % 2 == 0 {
            ("anna", &*anna)
        } else {
            ("boris", &*boris)
        };
        play(at, player, &table, u32::try_from(ply).unwrap(), text).await;
    }
    kill(process);

    let (process, at) = server();
    let found = overview_with(at, &boris, |found| found["games"][0]["ply"] == 7).await;
    assert_eq!(found["games"][0]["your_turn"], true);
    // Nothing of it stays in memory.
    wait_for_tables(at, 1).await;
    kill(process);

    change("UPDATE correspondence SET deadline = since + 1").await;
    let (process, at) = server();
    overview_with(at, &boris, |found| found["games"] == json!([])).await;
    let game = format!("/api/games/{table}-1");
    let game = read_with(at, &game, |game| game["result"] != json!(null)).await;
    assert_eq!(
        [&game["result"], &game["reason"]],
        [&json!("white_won"), &json!("time")]
    );
    kill(process);

    let (process, at) = server();
    let games = read_with(at, "/api/games?player=anna", |_| true).await;
    assert_eq!(games["count"], 1);
    let player = read_with(at, "/api/players/anna", |found| {
        found["ratings"][0]["games"] != json!(null)
    })
    .await;
    let rating = &player["ratings"][0];
    assert_eq!(
        [&rating["speed"], &rating["games"]],
        [&json!("correspondence"), &json!(1)]
    );
    kill(process);
}

fn server(data: &Path, store: Option<&str>) -> (Child, SocketAddr) {
    let mut arguments = vec![
        "--port",
        "0",
        "--house-games",
        "0",
        "--registration",
        "open",
        "--data",
        data.to_str().unwrap(),
    ];
    arguments.extend(store.iter().flat_map(|store| ["--store", store]));
    let (child, address) = start(&arguments);
    (child, address.parse().unwrap())
}

#[tokio::test]
async fn a_killed_server_goes_on_with_games_by_correspondence() {
    let data = tempfile::tempdir().unwrap();
    let change = async |statement| {
        let store = SqliteStore::open(StoreConfig::new(data.path())).unwrap();
        let statement = Statement::new(statement, Vec::new());
        store.tables().transact(vec![statement]).await.unwrap();
        store.close().await;
    };
    survive(|| server(data.path(), None), change).await;
}

#[tokio::test]
async fn a_killed_server_goes_on_with_games_by_correspondence_in_a_database() {
    let Some(database) = PostgresServer::shared() else {
        return;
    };
    let url = database.database();
    let data = tempfile::tempdir().unwrap();
    let change = async |statement| drop(query(&url, statement).unwrap());
    survive(|| server(data.path(), Some(&url)), change).await;
}

/// The games of the test of memory.
const GAMES: usize = 10_000;

/// The games that are overdue.
const OVERDUE: usize = 20;

/// The memory of a process, in kB.
fn memory_of(process: &Child) -> u64 {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or_default()
}

/// Writes running games to a store.
async fn write_games(data: &Path) {
    let store = SqliteStore::open(StoreConfig::new(data)).unwrap();
    let now = UnixMillis::now();
    let rules = DrawRules::Fmjd64.to_string();
    let opening = Opening::new(Position::start()).to_string();
    let numbers: Vec<usize> = (0..GAMES).collect();
    for some in numbers.chunks(500) {
        let (mut appends, mut rows) = (Vec::new(), Vec::new());
        for number in some {
            let table = format!("table{number:05}");
            let game = format!("{table}-1");
            let key = |side: usize| format!("{:064x}", 2 * number + side);
            let seated = |side: usize, color: &str| json!({"color": color, "name": format!("p{side}x{number}"), "key": key(side)});
            let clock = "72h/move";
            let events = [
                (
                    "opened",
                    json!({"table": table, "kind": "correspondence", "visibility": "link", "draw_rules": rules,
                    "white_clock": clock, "black_clock": clock, "casual": false}),
                ),
                ("seated", seated(0, "white")),
                ("seated", seated(1, "black")),
                (
                    "started",
                    json!({"opening": opening, "draw_rules": rules, "white_clock": clock, "black_clock": clock}),
                ),
            ];
            let events =
                events.map(|(kind, payload)| NewEvent::new(now, kind, payload.to_string()));
            appends.push(Append::new(game.parse().unwrap(), Seq::NONE, events.into()));
            let deadline = if *number < OVERDUE {
                now.0 - 1
            } else {
                now.0 + 3 * super::DAY
            };
            let number = i64::try_from(*number).unwrap();
            let values: Vec<Value> = vec![
                game.as_str().into(),
                (1_000_000 + 2 * number).into(),
                (1_000_001 + 2 * number).into(),
                now.0.into(),
                deadline.into(),
            ];
            rows.push(Statement::new(
                "INSERT INTO correspondence (game, white, black, days, rated, seq, ply, turn, since, deadline)
                 VALUES ($1, $2, $3, 3, 0, 4, 0, 0, $4, $5)",
                values,
            ));
        }
        for outcome in store.append(appends).await.unwrap() {
            outcome.unwrap();
        }
        store.tables().transact(rows).await.unwrap();
    }
    store.close().await;
}

#[tokio::test]
async fn idle_games_are_not_in_memory() {
    let data = tempfile::tempdir().unwrap();
    write_games(data.path()).await;
    let (process, at) = server(data.path(), None);
    let games = read_with(at, "/api/games?reason=time", |games| {
        games["count"] == OVERDUE
    })
    .await;
    assert_eq!(games["games"][0]["result"], "black_won");
    wait_for_tables(at, 1).await;
    eprintln!("{} kB with {GAMES} idle games", memory_of(&process));
    // Each is still there for those who come.
    let (mut vera, last) = (TestClient::connect(&at.to_string()).await, GAMES - 1);
    let join = Join {
        lobby: true,
        ..Join::new("vera")
    };
    vera.enter(join).await;
    let table = format!("table{last:05}");
    let watch = ClientMessage::Watch(Watch { since: None });
    vera.say_at(&table, watch).await;
    let is_state = |message: &ServerMessage| matches!(message, ServerMessage::TableState(state) if state.table == table);
    vera.wait_for(is_state).await;
    wait_for_tables(at, 2).await;
    drop(vera);
    wait_for_tables(at, 1).await;
    kill(process);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_node_goes_on_with_games_by_correspondence() {
    let Some(database) = PostgresServer::shared() else {
        return;
    };
    let url = database.database();
    let (_directory, key) = key_file();
    let mut nodes = ["one", "two"]
        .map(|name| ServerProcess::node(name, &url, &key).with(&["--registration", "open"]));
    nodes.iter_mut().for_each(ServerProcess::start);
    let [one, two] = [nodes[0].address(), nodes[1].address()];
    let (anna, boris) = (owner(one, "anna").await, owner(two, "boris").await);
    // Some are at one node, and some at the other.
    let mut tables = Vec::new();
    for _ in 0..6 {
        tables.push(begin(one, &anna, &boris, "boris").await);
    }
    overview_with(two, &anna, |found| {
        found["games"].as_array().unwrap().len() == 6
    })
    .await;
    for table in &tables {
        play(one, ("anna", &anna), table, 0, "c3-d4").await;
        play(two, ("boris", &boris), table, 1, "b6-a5").await;
    }
    let has_all = |ply: i64| {
        move |found: &serde_json::Value| {
            found["games"]
                .as_array()
                .unwrap()
                .iter()
                .all(|game| game["ply"] == ply)
        }
    };
    overview_with(one, &anna, has_all(2)).await;
    nodes[0].kill();
    for table in &tables {
        play(two, ("anna", &anna), table, 2, "d4-c5").await;
    }
    overview_with(two, &boris, has_all(3)).await;
    query(&url, "UPDATE correspondence SET deadline = since + 1").unwrap();
    overview_with(two, &boris, |found| found["games"] == json!([])).await;
    for table in &tables {
        let game = format!("/api/games/{table}-1");
        let game = read_with(two, &game, |game| game["result"] != json!(null)).await;
        assert_eq!(game["reason"], "time");
    }
    nodes[1].kill();
}

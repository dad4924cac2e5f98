//! Bots on the ladder.

use std::fs;
use std::process::Command;
use std::time::Duration;

use checkers_lib::protocol::{
    ClientMessage, Meant, Registration, ServerMessage, TableState, WireColor,
};
use checkers_server::Config;
use postgres_kit::test_server::{PostgresServer, query};
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::sleep;

use super::keeping;
use super::ratings::{bots, owner, ratings_of};
use crate::network::support::{TestClient, TestServer, get, within};

/// Waits for a game on the ladder, and enters it. Returns the bot's colour, and the table.
async fn enter_game(bot: &mut TestClient) -> (WireColor, TableState) {
    let clock = Some("1m+1s".into());
    let message = ClientMessage::Quick { clock, rated: true };
    bot.send_message(&message).await;
    let is_paired = |message: &ServerMessage| matches!(message, ServerMessage::Paired { .. });
    let ServerMessage::Paired { color, .. } = bot.wait_for(is_paired).await else {
        unreachable!("just waited for it")
    };
    let is_entered = |message: &ServerMessage| matches!(message, ServerMessage::TableState(_));
    match bot.wait_for(is_entered).await {
        ServerMessage::TableState(state) => (color, *state),
        other => panic!("{other:?}"),
    }
}

/// Plays a game in which the first bot resigns after a few moves; its colour.
async fn lose(first: &mut TestClient, second: &mut TestClient) -> WireColor {
    let ((color, state), _) = tokio::join!(enter_game(first), enter_game(second));
    let season = humantime::format_rfc3339(std::time::SystemTime::now()).to_string();
    let event = format!("ladder-{}", &season[..7]);
    assert_eq!(state.info.event.as_deref(), Some(&*event));
    assert!(state.info.rated && !state.info.casual);
    let table = state.table;
    let play = async |bot: &mut TestClient| {
        for _ in 0..3 {
            bot.play_first_move().await;
        }
    };
    tokio::join!(play(first), play(second));
    first
        .say_at(&table, ClientMessage::Resign(Meant::default()))
        .await;
    let is_over = |message: &ServerMessage| matches!(message, ServerMessage::GameOver { .. });
    tokio::join!(first.wait_for(is_over), second.wait_for(is_over));
    color
}

async fn read(server: &TestServer, path: &str) -> Value {
    let answer = get(server.address, path).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    serde_json::from_str(body).unwrap()
}

/// Games of an event whose endings were not judged.
const LEFT: &str = "SELECT count(*) FROM game WHERE event IS NOT NULL AND white_moves IS NULL";

/// `left` counts the games of [`LEFT`].
async fn bots_play_on_the_ladder(server: TestServer, left: impl Fn() -> i64) {
    let (_, token) = owner(&server, "anna").await;
    let (mut kestrel, mut merlin) = bots(&server, &token).await;
    let colors = [
        lose(&mut merlin, &mut kestrel).await,
        lose(&mut merlin, &mut kestrel).await,
    ];
    assert_ne!(colors[0], colors[1]);
    ratings_of(&server, "kestrel%5Bbot%5D", 2).await;

    let standings = read(&server, "/api/ladder/blitz").await;
    let event = standings["event"].as_str().unwrap();
    let games = read(&server, &format!("/api/games?event={event}")).await;
    assert_eq!(
        (&standings["games"], &games["count"]),
        (&2.into(), &2.into())
    );
    let ids = games["games"].as_array().unwrap().iter();
    let mut openings = Vec::new();
    for id in ids.filter_map(|game| game["id"].as_str()) {
        let game = read(&server, &format!("/api/games/{id}")).await;
        let plies = game["opening_plies"].as_u64().unwrap() as usize;
        openings.push(game["moves"].as_array().unwrap()[..plies].to_vec());
    }
    assert_eq!(openings[0], openings[1]);
    // Nothing compares them with the levels yet.
    let players = standings["players"].as_array().unwrap();
    let told: Vec<_> = players
        .iter()
        .map(|player| {
            (
                player["name"].as_str(),
                player["won"].as_u64(),
                player["unrated"].as_str(),
            )
        })
        .collect();
    let expected = [
        (Some("kestrel[bot]"), Some(2), Some("all games won")),
        (Some("merlin[bot]"), Some(0), Some("all games lost")),
    ];
    assert_eq!(told, expected);
    let rapid = read(&server, "/api/ladder/rapid?season=2026-10").await;
    assert_eq!(rapid["players"], Value::Array(Vec::new()));
    for (path, status) in [
        ("/api/ladder/fast", 404),
        ("/api/ladder/blitz?season=2026-13", 400),
    ] {
        let answer = get(server.address, path).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
    }
    let file = get(server.address, "/api/ladder/seasons/2026-10").await;
    assert!(
        file.contains(r#"{"games":0,"standings":{"blitz":[],"#),
        "{file}"
    );
    verify_season(&server, event.strip_prefix("ladder-").unwrap()).await;
    let judged = async {
        while left() > 0 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    within(judged).await;
    server.stop().await;
}

#[tokio::test]
async fn bots_play_on_the_ladder_in_sqlite() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("checkers.db");
    let left = || {
        let database = rusqlite::Connection::open(&file).unwrap();
        database.query_row(LEFT, [], |row| row.get(0)).unwrap()
    };
    bots_play_on_the_ladder(keeping(&directory, Registration::Open).await, left).await;
}

#[tokio::test]
async fn bots_play_on_the_ladder_in_postgres() {
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
    let left = || query(&url, LEFT).unwrap()[0].get(0);
    bots_play_on_the_ladder(TestServer::start_with(config).await, left).await;
}

/// The file of a season is verified; one that was changed or is not complete is refused.
async fn verify_season(server: &TestServer, season: &str) {
    let answer = get(server.address, &format!("/api/ladder/seasons/{season}")).await;
    let lines: Vec<&str> = answer
        .lines()
        .filter(|line| line.starts_with('{'))
        .collect();
    let whole = lines.join("\n");
    let right =
        format!("season {season}: 2 games follow the rules, and the standings follow from them\n");
    let expected = [
        (whole.clone(), Ok(right)),
        (lines[..3].join("\n"), Err("the file is not complete")),
        (
            whole.replace("\"result\":\"white_won\"", "\"result\":\"draw\""),
            Err("the blitz standings do not follow from the games"),
        ),
        (
            whole.replacen("\"reason\":\"resignation\"", "\"reason\":\"no_moves\"", 1),
            Err("the result does not follow from the moves"),
        ),
        (
            [lines[0], lines[1], lines[1], lines[3]].join("\n"),
            Err("it is in the file twice"),
        ),
        (
            [lines[0], lines[1], lines[3]].join("\n"),
            Err("the file has 1 games and says that it has 2"),
        ),
        (
            lines[1..].join("\n"),
            Err("this is no season of the ladder"),
        ),
    ];
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("season.jsonl");
    for (text, expected) in expected {
        fs::write(&file, text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
        let output = command
            .args(["ladder", "verify"])
            .arg(&file)
            .output()
            .unwrap();
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        match expected {
            Ok(told) => assert_eq!((stdout, stderr), (told, String::new())),
            Err(told) => assert!(
                !output.status.success() && stderr.contains(told),
                "{stderr}"
            ),
        }
    }
}
